package amdgpu

import (
	"fmt"
	"strings"
)

func runNothing(*wave, *inst) {}

func branch(taken func(w *wave) bool) operation {
	return operation{class: classBranch, run: func(w *wave, in *inst) {
		if taken(w) {
			w.pc = in.target
		}
	}}
}

// vccMask is VCC, of which a wavefront of 32 lanes has the low half.
func (w *wave) vccMask() uint64 { return w.get64(vcc) & w.allLanes() }

func controlOperations() map[string]operation {
	all := map[string]operation{
		"s_branch":         branch(func(*wave) bool { return true }),
		"s_cbranch_execz":  branch(func(w *wave) bool { return w.exec() == 0 }),
		"s_cbranch_execnz": branch(func(w *wave) bool { return w.exec() != 0 }),
		"s_cbranch_vccz":   branch(func(w *wave) bool { return w.vccMask() == 0 }),
		"s_cbranch_vccnz":  branch(func(w *wave) bool { return w.vccMask() != 0 }),
		"s_cbranch_scc0":   branch(func(w *wave) bool { return w.scc == 0 }),
		"s_cbranch_scc1":   branch(func(w *wave) bool { return w.scc != 0 }),
		"s_endpgm":         {class: classNone, run: func(w *wave, _ *inst) { w.done = true }},
		"s_sleep":          {class: classNone, run: func(w *wave, _ *inst) { w.asleep = true }},
		"s_barrier":        {class: classBarrier, run: runBarrier},
		"s_set_gpr_idx_on": scalar(0, func(w *wave, in *inst) {
			w.indexed = gprIndex{parts: in.mode, offset: uint16(w.scalar(&in.src[0]) & 0xff)}
		}),
		"s_set_gpr_idx_idx": scalar(0, func(w *wave, in *inst) { w.indexed.offset = uint16(w.scalar(&in.src[0]) & 0xff) }),
		"s_set_gpr_idx_off": {class: classNone, run: func(w *wave, _ *inst) { w.indexed = gprIndex{} }},
	}
	for _, name := range []string{
		"s_nop", "s_waitcnt", "s_setprio", "s_inst_prefetch", "s_set_inst_prefetch_distance", "s_waitcnt_vscnt",
		"s_waitcnt_depctr", "s_clause", "s_delay_alu", "s_sendmsg", "s_icache_inv", "s_ttracedata", "s_setreg_b32",
		"s_setreg_imm32_b32", "buffer_wbl2", "buffer_gl0_inv", "s_dcache_inv", "s_dcache_wb",
	} {
		all[name] = operation{class: classNone, run: runNothing}
	}
	for _, name := range []string{"buffer_inv", "buffer_gl1_inv", "buffer_wbinvl1", "buffer_wbinvl1_vol"} {
		all[name] = operation{class: classNone, run: runInvalidate}
	}
	return all
}

// runBarrier has the wavefront wait for the others of its work-group.
func runBarrier(w *wave, in *inst) {
	if mask := w.exec(); mask != w.full {
		panic(fault("a barrier that some work-items do not reach: lanes %#x of %#x are here", mask, w.full))
	}
	w.waiting = true
}

// gprIndex is added to the vector registers that vector instructions name (gfx9).
type gprIndex struct {
	parts  uint8 // bit i is source i, indexDest the destination
	offset uint16
}

const indexDest = 8

// parseGPRIndex reads "SRC0,DST)".
func parseGPRIndex(text string) uint8 {
	parts := uint8(0)
	for i, name := range []string{"SRC0", "SRC1", "SRC2", "DST"} {
		if strings.Contains(text, name) {
			parts |= 1 << i
		}
	}
	return parts
}

// runIndexed carries out a vector instruction with indexed registers.
func (w *wave) runIndexed(in *inst) {
	moved := *in
	shift := func(o *operand) {
		if o.kind != operandVector {
			return
		}
		o.index += w.indexed.offset
		if int(o.index)+int(o.size) > len(w.v)/w.width {
			panic(fault("an indexed register, v%d, is not one of the %d of the kernel", o.index, len(w.v)/w.width))
		}
	}
	if w.indexed.parts&indexDest != 0 {
		shift(&moved.dst)
	}
	for i := range 3 {
		if w.indexed.parts>>i&1 != 0 {
			shift(&moved.src[i])
		}
	}
	in.run(w, &moved)
}

// violation is what a check has found, or what the interpreter cannot do. It is thrown by instructions and caught by
// the launch, which adds where it was.
type violation struct{ text string }

func fault(format string, args ...any) violation { return violation{fmt.Sprintf(format, args...)} }
