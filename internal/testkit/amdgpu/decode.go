package amdgpu

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
	"sync"

	"github.com/suffixcl/suffixcl/internal/testkit/amdcode"
)

// operations by mnemonic, without the suffix of the encoding.
var operations = sync.OnceValue(func() map[string]operation {
	all := make(map[string]operation)
	for _, table := range []func() map[string]operation{
		scalarOperations, controlOperations, vectorOperations, wideOperations, compareOperations, carryOperations,
		crossOperations, globalOperations, localOperations, scratchOperations,
	} {
		maps.Copy(all, table())
	}
	for name, of := range aliases {
		all[name] = all[of]
	}
	return all
})

// aliases are the names since gfx10 and gfx11 of what gfx9 has under another.
var aliases = map[string]string{
	"v_add_nc_u32": "v_add_u32", "v_sub_nc_u32": "v_sub_u32", "v_subrev_nc_u32": "v_subrev_u32",
	"v_add_nc_u16": "v_add_u16", "v_sub_nc_u16": "v_sub_u16",
	"v_add_co_ci_u32": "v_addc_co_u32", "v_sub_co_ci_u32": "v_subb_co_u32", "v_subrev_co_ci_u32": "v_subbrev_co_u32",
	"v_clz_i32_u32": "v_ffbh_u32", "v_ctz_i32_b32": "v_ffbl_b32",
	"s_clz_i32_u32": "s_flbit_i32_b32", "s_clz_i32_u64": "s_flbit_i32_b64",
	"s_ctz_i32_b32": "s_ff1_i32_b32", "s_ctz_i32_b64": "s_ff1_i32_b64",
	"s_and_not1_b32": "s_andn2_b32", "s_and_not1_b64": "s_andn2_b64",
	"s_or_not1_b32": "s_orn2_b32", "s_or_not1_b64": "s_orn2_b64",
	"s_and_not1_saveexec_b32": "s_andn2_saveexec_b32", "s_and_not1_saveexec_b64": "s_andn2_saveexec_b64",
	"s_or_not1_saveexec_b32": "s_orn2_saveexec_b32", "s_or_not1_saveexec_b64": "s_orn2_saveexec_b64",
}

var suffixes = []string{"_e64_dpp", "_e32", "_e64", "_sdwa", "_dpp"}

// decoder decodes the code of a kernel.
type decoder struct {
	vectors int  // registers
	modern  bool // gfx10 and later
}

// decodeKernel returns the instructions of a kernel, and the index of the first.
func decodeKernel(k *amdcode.Kernel, lines []amdcode.Line, t amdcode.Target) ([]inst, int, error) {
	d := decoder{vectors: k.VGPRs, modern: strings.HasPrefix(t.Name, "gfx1")}
	code := make([]inst, 0, len(lines))
	at := make(map[uint64]int, len(lines))
	for _, line := range lines {
		if line.Text == "s_code_end" { // padding
			continue
		}
		in, err := d.decode(line)
		if err != nil {
			return nil, 0, fmt.Errorf("instruction %q at %#x: %w", line.Text, line.Address, err)
		}
		at[line.Address] = len(code)
		code = append(code, in)
	}
	for i := range code {
		if in := &code[i]; in.class == classBranch {
			target, ok := at[uint64(int64(in.address)+in.offset)]
			if !ok {
				return nil, 0, fmt.Errorf("instruction %q at %#x: no target", in.text, in.address)
			}
			in.target = target
		}
	}
	entry, ok := at[k.Descriptor.Entry]
	if !ok {
		return nil, 0, fmt.Errorf("no instruction at the entry %#x", k.Descriptor.Entry)
	}
	return code, entry, nil
}

// decode reads an instruction, or two that are issued together.
func (d *decoder) decode(line amdcode.Line) (inst, error) {
	first, second, dual := strings.Cut(line.Text, " :: ")
	in, err := d.decodeOne(first)
	if err != nil {
		return in, err
	}
	in.address, in.text = line.Address, line.Text
	if in.class == classBranch {
		in.offset = in.offset*4 + 4
	}
	if dual {
		other, err := d.decodeOne(second)
		if err != nil {
			return in, err
		}
		one := in
		in = inst{run: runDual, class: classVector, address: line.Address, text: line.Text, dst: one.dst}
		in.second = &inst{}
		*in.second = one
		in.second.second = &other
	}
	return in, nil
}

func (d *decoder) decodeOne(text string) (inst, error) {
	name, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	for _, suffix := range suffixes {
		if bare, ok := strings.CutSuffix(name, suffix); ok {
			name = bare
			break
		}
	}
	bare, dual := strings.CutPrefix(name, "v_dual_")
	if dual {
		name = "v_" + bare
	}
	op, ok := operations()[name]
	if !ok || op.run == nil || !d.modern && strings.HasPrefix(name, "v_cmpx_") { // which has a destination on gfx9
		return inst{}, fmt.Errorf("it is unknown")
	}
	in := inst{run: op.run, class: op.class, selection: selectAll, low16: d.modern && op.half}
	operands, modifiers := splitOperands(rest)
	if op.class == classNone || op.class == classBarrier {
		return in, nil
	}
	if op.class == classBranch {
		offset, err := strconv.ParseInt(rest, 10, 64)
		if err != nil {
			return in, fmt.Errorf("target %q", rest)
		}
		in.offset = int64(int16(offset))
		return in, nil
	}
	for _, m := range modifiers {
		if err := d.modifier(&in, op, m); err != nil {
			return in, err
		}
	}
	if dual && name == "v_cndmask_b32" {
		operands = append(operands, "vcc_lo") // which is not written out
	}
	dests := op.dests
	if op.class == classAtomic && in.mode&modeReturn == 0 {
		dests = 0
	}
	return in, d.operands(&in, op, operands, dests)
}

// operands fills in destinations and sources.
func (d *decoder) operands(in *inst, op operation, texts []string, dests int) error {
	if len(texts) < dests || len(texts)-dests > len(in.src) {
		return fmt.Errorf("%d operands", len(texts))
	}
	for i, text := range texts {
		if inner, ok := strings.CutPrefix(text, "gpr_idx("); ok {
			in.mode = parseGPRIndex(inner)
			continue
		}
		if strings.HasPrefix(text, "hwreg(") {
			continue
		}
		o, err := parseOperand(text)
		if err != nil {
			return err
		}
		if o.kind == operandVector && int(o.index)+int(o.size) > d.vectors {
			return fmt.Errorf("register %s, the kernel has %d", text, d.vectors)
		}
		if op.signed && o.kind == operandConstant && o.value>>31 == 1 { // a literal of 32 bits
			o = constant(uint64(int64(int32(o.value))))
		}
		switch {
		case i == 0 && dests > 0:
			in.dst = o
		case i == 1 && dests > 1:
			in.mask = o
		default:
			in.src[i-dests] = in.src[i-dests].with(o)
		}
	}
	if in.dpp != nil && (in.src[0].kind != operandVector || !op.moves) {
		return fmt.Errorf("DPP is unknown here")
	}
	return nil
}

// with returns the operand that was parsed, with the modifiers that are known already.
func (o operand) with(parsed operand) operand {
	if o.modified {
		parsed.selection, parsed.modified = o.selection, true
	}
	return parsed
}

// splitOperands returns the operands, which commas separate, and the modifiers after the last.
func splitOperands(rest string) (operands, modifiers []string) {
	depth, start := 0, 0
	for i, c := range rest {
		switch c {
		case '[', '(':
			depth++
		case ']', ')':
			depth--
		case ',':
			if depth == 0 {
				operands = append(operands, strings.TrimSpace(rest[start:i]))
				start = i + 1
			}
		}
	}
	words := strings.Fields(rest[start:])
	if len(words) == 0 {
		return operands, nil
	}
	if strings.Contains(words[0], ":") && !strings.Contains(words[0], "[") && len(operands) == 0 {
		return nil, words // modifiers only
	}
	return append(operands, words[0]), words[1:]
}

// Bits of inst.mode.
const (
	modeReturn = 1 << iota // of an atomic: the old value is written
	modeOffen              // of a buffer access
)

// modifier reads one of the words after the operands.
func (d *decoder) modifier(in *inst, op operation, text string) error {
	name, value, _ := strings.Cut(text, ":")
	switch name {
	case "offset":
		n, err := strconv.ParseInt(value, 0, 64)
		in.offset = n
		return err
	case "offset0", "offset1":
		n, err := strconv.ParseUint(value, 0, 8)
		in.pair[name[6]-'0'] = uint32(n)
		return err
	case "sc0", "glc":
		in.atomic = true
		if op.class == classAtomic {
			in.mode |= modeReturn
		}
		return nil
	case "sc1":
		in.atomic = true
		return nil
	case "nt", "slc", "dlc":
		return nil
	case "offen":
		in.mode |= modeOffen
		return nil
	case "clamp":
		if !op.clamp {
			return fmt.Errorf("clamp is unknown here")
		}
		in.clamp = true
		return nil
	case "dst_sel":
		s, err := parseSelection(value)
		in.selection, in.partial = s, s != selectAll
		return err
	case "dst_unused":
		if value == "UNUSED_SEXT" {
			return fmt.Errorf("%s is unknown", value)
		}
		in.preserve = value == "UNUSED_PRESERVE"
		return nil
	case "src0_sel", "src1_sel":
		s, err := parseSelection(value)
		o := &in.src[name[3]-'0']
		o.selection, o.modified = s, s != selectAll
		return err
	case "op_sel", "op_sel_hi":
		if !op.packed {
			return fmt.Errorf("%s is unknown here", name)
		}
		return parseOpSel(in, name, value)
	}
	if ok, err := d.parseDPP(in, name, value); ok || err != nil {
		return err
	}
	return fmt.Errorf("modifier %q is unknown", text)
}

// parseOpSel reads "[0,1]".
func parseOpSel(in *inst, name, value string) error {
	half := 0
	if name == "op_sel_hi" {
		half = 1
	}
	mask := uint8(0)
	for i, digit := range strings.Split(strings.Trim(value, "[]"), ",") {
		if digit == "1" {
			mask |= 1 << i
		}
	}
	if half == 1 {
		mask = ^mask // the default is 1
	}
	in.opSel[half] = mask
	return nil
}
