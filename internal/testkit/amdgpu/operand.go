package amdgpu

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Kinds of operands.
const (
	operandNone     = iota // absent, off, or null as a destination
	operandVector          // vector registers
	operandScalar          // scalar registers
	operandConstant        // in the instruction
	operandSCC             // the bit that comparisons of scalars set
)

// operand is what an instruction reads or writes.
type operand struct {
	kind  uint8
	size  uint8 // registers
	index uint16
	value uint64 // of a constant

	modified  bool // any of these
	neg, abs  bool
	sext      bool
	selection uint8

	spread, spreadHigh *[64]uint32 // a constant in each lane
}

// Parts of a register that SDWA selects; byte n is n, word n is selectWord+n.
const (
	selectWord = 4
	selectAll  = 6
)

// constant makes an operand.
func constant(x uint64) operand {
	o := operand{kind: operandConstant, size: 1, value: x, selection: selectAll}
	o.spread, o.spreadHigh = new([64]uint32), new([64]uint32)
	broadcast(o.spread[:], uint32(x))
	broadcast(o.spreadHigh[:], uint32(x>>32))
	return o
}

// registersOf names scalar registers.
var registersOf = map[string]operand{
	"vcc":             {kind: operandScalar, index: vcc, size: 2},
	"vcc_lo":          {kind: operandScalar, index: vcc, size: 1},
	"vcc_hi":          {kind: operandScalar, index: vcc + 1, size: 1},
	"exec":            {kind: operandScalar, index: exec, size: 2},
	"exec_lo":         {kind: operandScalar, index: exec, size: 1},
	"exec_hi":         {kind: operandScalar, index: exec + 1, size: 1},
	"flat_scratch":    {kind: operandScalar, index: flatScratch, size: 2},
	"flat_scratch_lo": {kind: operandScalar, index: flatScratch, size: 1},
	"flat_scratch_hi": {kind: operandScalar, index: flatScratch + 1, size: 1},
	"m0":              {kind: operandScalar, index: m0, size: 1},
	"scc":             {kind: operandSCC, size: 1},
	"src_scc":         {kind: operandSCC, size: 1},
	"off":             {kind: operandNone},
}

// parseOperand reads "v3", "s[4:5]", "-|v1|", "sext(v2)", "0x1f", "-7", "1.0", "vcc".
func parseOperand(text string) (operand, error) {
	bare, o := text, operand{}
	sext, neg, abs := false, false, false
	if inner, ok := strings.CutPrefix(bare, "sext("); ok {
		bare, sext = strings.TrimSuffix(inner, ")"), true
	}
	if inner, ok := strings.CutPrefix(bare, "-"); ok && inner != "" && strings.ContainsAny(inner[:1], "vs|") {
		bare, neg = inner, true
	}
	if inner, ok := strings.CutPrefix(bare, "|"); ok {
		bare, abs = strings.TrimSuffix(inner, "|"), true
	}
	var err error
	switch named, ok := registersOf[bare]; {
	case ok:
		o = named
	case bare == "null":
		o = constant(0)
		o.kind = operandNone
	case bare != "" && (bare[0] == 'v' || bare[0] == 's'):
		o, err = parseRegisters(bare)
	default:
		o, err = parseConstant(bare)
	}
	o.sext, o.neg, o.abs, o.selection = sext, neg, abs, selectAll
	o.modified = sext || neg || abs
	return o, err
}

// parseRegisters reads "v3" and "s[4:7]".
func parseRegisters(text string) (operand, error) {
	o := operand{kind: operandVector, size: 1}
	limit := 512
	if text[0] == 's' {
		o.kind, limit = operandScalar, scalars
	}
	first, last := text[1:], ""
	if inner, ok := strings.CutPrefix(first, "["); ok {
		first, last, _ = strings.Cut(strings.TrimSuffix(inner, "]"), ":")
	}
	if last == "" {
		last = first
	}
	low, err1 := strconv.Atoi(first)
	high, err2 := strconv.Atoi(last)
	if err1 != nil || err2 != nil || low < 0 || high < low || high >= limit {
		return operand{}, fmt.Errorf("operand %q", text)
	}
	o.index, o.size = uint16(low), uint8(high-low+1)
	return o, nil
}

func parseConstant(text string) (operand, error) {
	if hex, ok := strings.CutPrefix(text, "0x"); ok {
		x, err := strconv.ParseUint(hex, 16, 64)
		if err != nil {
			return operand{}, fmt.Errorf("operand %q", text)
		}
		return constant(x), nil
	}
	if strings.Contains(text, ".") {
		x, err := strconv.ParseFloat(text, 32)
		if err != nil {
			return operand{}, fmt.Errorf("operand %q", text)
		}
		return constant(uint64(math.Float32bits(float32(x)))), nil
	}
	x, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return operand{}, fmt.Errorf("operand %q", text)
	}
	return constant(uint64(x)), nil
}

// modify writes the selected and signed parts of src to dst, which may be src.
func (o *operand) modify(dst, src lanes) lanes {
	for i := range dst {
		x := src[i]
		switch {
		case o.selection < selectWord:
			x = x >> (8 * o.selection) & 0xff
			if o.sext {
				x = uint32(int32(int8(x)))
			}
		case o.selection < selectAll:
			x = x >> (16 * (o.selection - selectWord)) & 0xffff
			if o.sext {
				x = uint32(int32(int16(x)))
			}
		}
		if o.abs {
			x &^= 1 << 31
		}
		if o.neg {
			x ^= 1 << 31
		}
		dst[i] = x
	}
	return dst
}

// parseSelection reads "BYTE_2", "WORD_1", "DWORD".
func parseSelection(text string) (uint8, error) {
	for i, name := range []string{"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD"} {
		if text == name {
			return uint8(i), nil
		}
	}
	return 0, fmt.Errorf("selection %q", text)
}
