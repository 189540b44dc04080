package amdgpu

import "math/bits"

// lanes is a register of all lanes of a wavefront.
type lanes []uint32

// Scalar registers with a meaning.
const (
	flatScratch = 102
	vcc         = 106
	m0          = 124
	exec        = 126
	scalars     = 128
)

// wave is a wavefront.
type wave struct {
	launch *launch
	group  *group
	index  int // in the work-group

	s     [scalars]uint32
	scc   uint32
	v     []uint32 // vector registers, width words each
	width int      // lanes
	full  uint64   // lanes that have a work-item
	pc    int      // index of the next instruction

	unmoved uint64   // lanes that DPP has found no source for
	indexed gprIndex // while s_set_gpr_idx is on
	scratch []byte   // private memory of all lanes, one after the other

	done    bool
	waiting bool // at a barrier
	asleep  bool // until its next turn

	tmp [6][64]uint32 // operands that are not registers as they are
	out [2][64]uint32 // results before they are masked
	at  [64]uint64    // addresses of the lanes, for the counters
}

func (w *wave) exec() uint64 { return uint64(w.s[exec+1])<<32 | uint64(w.s[exec]) }

func (w *wave) setExec(mask uint64) { w.set64(exec, mask) }

func (w *wave) get64(i uint16) uint64 { return uint64(w.s[i+1])<<32 | uint64(w.s[i]) }

func (w *wave) set64(i uint16, x uint64) { w.s[i], w.s[i+1] = uint32(x), uint32(x>>32) }

// reg returns vector register i.
func (w *wave) reg(i uint16) lanes {
	at := int(i) * w.width
	return w.v[at : at+w.width : at+w.width]
}

// allLanes is the mask of a whole wavefront.
func (w *wave) allLanes() uint64 { return ^uint64(0) >> (64 - w.width) }

// scalar returns the value of a scalar operand.
func (w *wave) scalar(o *operand) uint32 {
	switch o.kind {
	case operandScalar:
		return w.s[o.index]
	case operandConstant:
		return uint32(o.value)
	case operandSCC:
		return w.scc
	}
	panic(fault("a scalar operand is expected"))
}

func (w *wave) scalar64(o *operand) uint64 {
	switch o.kind {
	case operandScalar:
		if o.size == 1 { // a mask of 32 lanes
			return uint64(w.s[o.index])
		}
		return w.get64(o.index)
	case operandConstant:
		return o.value
	case operandSCC:
		return uint64(w.scc)
	}
	panic(fault("a scalar operand of 64 bits is expected"))
}

// setMask writes a mask of lanes to a scalar operand, if there is one.
func (w *wave) setMask(o *operand, mask uint64) {
	switch {
	case o.kind != operandScalar:
	case o.size == 1:
		w.s[o.index] = uint32(mask)
	default:
		w.set64(o.index, mask)
	}
}

// broadcast fills dst with x.
func broadcast(dst lanes, x uint32) lanes {
	for i := range dst {
		dst[i] = x
	}
	return dst
}

// vector returns the operand in each lane. It may be the register itself; t is which temporary to use otherwise.
func (w *wave) vector(o *operand, t int) lanes {
	var r lanes
	switch o.kind {
	case operandVector:
		r = w.reg(o.index)
	case operandConstant:
		r = o.spread[:w.width]
	default:
		r = broadcast(w.tmp[t][:w.width], w.scalar(o))
	}
	if o.modified {
		r = o.modify(w.tmp[t][:w.width], r)
	}
	return r
}

// vector64 is vector for 64 bits: low and high words.
func (w *wave) vector64(o *operand, t int) (low, high lanes) {
	if o.modified {
		panic(fault("modifiers of 64 bits are unknown"))
	}
	switch o.kind {
	case operandVector:
		return w.reg(o.index), w.reg(o.index + 1)
	case operandConstant:
		return o.spread[:w.width], o.spreadHigh[:w.width]
	}
	x := w.scalar64(o)
	return broadcast(w.tmp[t][:w.width], uint32(x)), broadcast(w.tmp[t+1][:w.width], uint32(x>>32))
}

// merge copies the lanes of a mask.
func merge(dst, src lanes, mask uint64) {
	for ; mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros64(mask)
		dst[i] = src[i]
	}
}
