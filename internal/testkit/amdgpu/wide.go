package amdgpu

import "math/bits"

func wideOperations() map[string]operation {
	return map[string]operation{
		"v_lshlrev_b64": shift64(func(a uint32, b uint64) uint64 { return b << (a & 63) }),
		"v_lshrrev_b64": shift64(func(a uint32, b uint64) uint64 { return b >> (a & 63) }),
		"v_ashrrev_i64": shift64(func(a uint32, b uint64) uint64 { return uint64(int64(b) >> (a & 63)) }),
		"v_lshl_add_u64": {class: classVector, dests: 1, run: func(w *wave, in *inst) {
			al, ah := w.vector64(&in.src[0], 0)
			b := w.vector(&in.src[1], 2)
			cl, ch := w.vector64(&in.src[2], 3)
			w.wide(in, func(i int) uint64 {
				return (uint64(ah[i])<<32|uint64(al[i]))<<(b[i]&7) + (uint64(ch[i])<<32 | uint64(cl[i]))
			})
		}},
		"v_mov_b64": {class: classVector, dests: 1, run: func(w *wave, in *inst) {
			l, h := w.vector64(&in.src[0], 0)
			w.wide(in, func(i int) uint64 { return uint64(h[i])<<32 | uint64(l[i]) })
		}},
		"v_mad_u64_u32": {class: classVector, dests: 2, run: runMultiplyAdd64},
	}
}

func shift64(f func(a uint32, b uint64) uint64) operation {
	return operation{class: classVector, dests: 1, run: func(w *wave, in *inst) {
		a := w.vector(&in.src[0], 0)
		l, h := w.vector64(&in.src[1], 1)
		w.wide(in, func(i int) uint64 { return f(a[i], uint64(h[i])<<32|uint64(l[i])) })
	}}
}

// wide writes a result of 64 bits to the active lanes. A lane reads all of its sources before it writes.
func (w *wave) wide(in *inst, f func(i int) uint64) {
	l, h := w.reg(in.dst.index), w.reg(in.dst.index+1)
	mask := w.exec()
	if mask == w.allLanes() {
		h = h[:len(l)]
		for i := range l {
			r := f(i)
			l[i], h[i] = uint32(r), uint32(r>>32)
		}
		return
	}
	for ; mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros64(mask)
		r := f(i)
		l[i], h[i] = uint32(r), uint32(r>>32)
	}
}

// runMultiplyAdd64 has the carry as its second destination.
func runMultiplyAdd64(w *wave, in *inst) {
	a, b := w.vector(&in.src[0], 0), w.vector(&in.src[1], 1)
	l, h := w.vector64(&in.src[2], 2)
	carries := uint64(0)
	w.wide(in, func(i int) uint64 {
		r, carry := bits.Add64(uint64(a[i])*uint64(b[i]), uint64(h[i])<<32|uint64(l[i]), 0)
		carries |= carry << i
		return r
	})
	w.setMask(&in.mask, carries)
}

func carryOperations() map[string]operation {
	carry := func(f func(a, b, c uint64) uint64) operation {
		return operation{class: classVector, dests: 2, moves: true, run: func(w *wave, in *inst) { runCarry(w, in, f) }}
	}
	return map[string]operation{
		"v_add_co_u32":     carry(func(a, b, _ uint64) uint64 { return a + b }),
		"v_addc_co_u32":    carry(func(a, b, c uint64) uint64 { return a + b + c }),
		"v_sub_co_u32":     carry(func(a, b, _ uint64) uint64 { return a - b }),
		"v_subb_co_u32":    carry(func(a, b, c uint64) uint64 { return a - b - c }),
		"v_subrev_co_u32":  carry(func(a, b, _ uint64) uint64 { return b - a }),
		"v_subbrev_co_u32": carry(func(a, b, c uint64) uint64 { return b - a - c }),
	}
}

// runCarry computes with 33 bits, of which the last is the carry or borrow. Lanes that DPP leaves out have none.
func runCarry(w *wave, in *inst, f func(a, b, c uint64) uint64) {
	mask, in2, carries := w.exec(), uint64(0), uint64(0)
	if in.src[2].kind != operandNone {
		in2 = w.scalar64(&in.src[2])
	}
	d, b := w.out[0][:w.width], w.vector(&in.src[1], 1)
	a, ok := w.source0(in)
	if in.dpp != nil {
		mask &= in.dpp.enabled(w)
	}
	for i := range d {
		r := f(uint64(a[i]), uint64(b[i]), in2>>uint(i)&1)
		d[i] = uint32(r)
		carries |= r >> 32 & 1 << uint(i)
	}
	if ok && mask != 0 {
		w.store(in, d)
	}
	w.setMask(&in.mask, carries&mask)
}
