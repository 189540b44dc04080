package amdgpu

import (
	"math"
	"math/bits"
)

// These are small enough that the compiler inlines them with the function that they are given.

func each1(d, a lanes, f func(a uint32) uint32) {
	a = a[:len(d)]
	for i := range d {
		d[i] = f(a[i])
	}
}

func each2(d, a, b lanes, f func(a, b uint32) uint32) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = f(a[i], b[i])
	}
}

func each3(d, a, b, c lanes, f func(a, b, c uint32) uint32) {
	a, b, c = a[:len(d)], b[:len(d)], c[:len(d)]
	for i := range d {
		d[i] = f(a[i], b[i], c[i])
	}
}

// lane1, lane2 and lane3 make operations of functions of whole registers with so many sources.
func lane1(f func(d, a lanes)) operation {
	return operation{class: classVector, dests: 1, moves: true, run: func(w *wave, in *inst) {
		a, ok := w.source0(in)
		if d := w.target(in); ok && d != nil {
			f(d, a)
			w.store(in, d)
		}
	}}
}

func lane2(f func(d, a, b lanes)) operation {
	return operation{class: classVector, dests: 1, moves: true, run: func(w *wave, in *inst) {
		a, ok := w.source0(in)
		if d := w.target(in); ok && d != nil {
			f(d, a, w.vector(&in.src[1], 1))
			w.store(in, d)
		}
	}}
}

func lane3(f func(d, a, b, c lanes)) operation {
	return operation{class: classVector, dests: 1, moves: true, run: func(w *wave, in *inst) {
		a, ok := w.source0(in)
		if d := w.target(in); ok && d != nil {
			f(d, a, w.vector(&in.src[1], 1), w.vector(&in.src[2], 2))
			w.store(in, d)
		}
	}}
}

// source0 is the first source, from other lanes if the instruction says so.
func (w *wave) source0(in *inst) (lanes, bool) {
	if in.dpp == nil {
		return w.vector(&in.src[0], 0), true
	}
	return w.moved(in)
}

// target is where the result goes before store: the register itself if all of it is written. It is nil if no lane is
// active.
func (w *wave) target(in *inst) lanes {
	mask := w.exec()
	switch {
	case mask == 0:
		return nil
	case mask == w.allLanes() && !in.partial && !in.low16 && in.dpp == nil:
		return w.reg(in.dst.index)
	}
	return w.out[0][:w.width]
}

// store writes the active lanes of a result that is not in the register yet.
func (w *wave) store(in *inst, result lanes) {
	d := w.reg(in.dst.index)
	if &d[0] == &result[0] {
		return
	}
	switch {
	case in.low16:
		for i := range result {
			result[i] = result[i]&0xffff | d[i]&^0xffff
		}
	case in.partial:
		shift, part := 8*in.selection, uint32(0xff)
		if in.selection >= selectWord {
			shift, part = 16*(in.selection-selectWord), 0xffff
		}
		for i := range result {
			result[i] = result[i] & part << shift
			if in.preserve {
				result[i] |= d[i] &^ (part << shift)
			}
		}
	}
	mask := w.exec()
	if in.dpp != nil {
		mask &= in.dpp.enabled(w)
	}
	merge(d, result, mask)
}

// halves marks operations of 16 bits.
func halves(o operation) operation {
	o.half = true
	return o
}

func low(x uint32) uint32 { return x & 0xffff }

func bit24(x uint32) uint32 { return x & 0xffffff }

func signed24(x uint32) int32 { return int32(x<<8) >> 8 }

func toFloat(x uint32) float32 { return math.Float32frombits(x) }

func fromFloat(x float32) uint32 { return math.Float32bits(x) }

// fma rounds twice, to 53 bits and to 24, which the hardware does not.
func fma(a, b, c uint32) uint32 {
	return fromFloat(float32(math.FMA(float64(toFloat(a)), float64(toFloat(b)), float64(toFloat(c)))))
}

// mad rounds the product, and then the sum.
func mad(a, b, c uint32) uint32 { return fromFloat(float32(toFloat(a)*toFloat(b)) + toFloat(c)) }

// toUint32 truncates and saturates.
func toUint32(f float32) uint32 {
	switch {
	case !(f > 0):
		return 0
	case f >= 1<<32:
		return math.MaxUint32
	}
	return uint32(f)
}

// toInt32 truncates and saturates.
func toInt32(f float32) uint32 {
	switch {
	case f != f:
		return 0
	case f >= 1<<31:
		return math.MaxInt32
	case f < -1<<31:
		return 1 << 31
	}
	return uint32(int32(f))
}

func leadingZeros(x uint32) uint32 {
	if x == 0 {
		return math.MaxUint32
	}
	return uint32(bits.LeadingZeros32(x))
}

func trailingZeros(x uint32) uint32 {
	if x == 0 {
		return math.MaxUint32
	}
	return uint32(bits.TrailingZeros32(x))
}

// extract is the bit field of a with b as its offset and c as its width.
func extract(a, b, c uint32) uint32 { return a >> (b & 31) & (1<<(c&31) - 1) }

func extractSigned(a, b, c uint32) uint32 {
	if c &= 31; c == 0 {
		return 0
	}
	return uint32(int32(a>>(b&31)<<(32-c)) >> (32 - c))
}

func median(a, b, c uint32) uint32 { return max(min(a, b), min(max(a, b), c)) }

// permute chooses bytes of a, above, and b; the selectors above 7 are signs, 0 and 255.
func permute(a, b, selectors uint32) uint32 {
	data, r := uint64(a)<<32|uint64(b), uint32(0)
	for i := 0; i < 32; i += 8 {
		x, s := uint32(0), selectors>>i&0xff
		switch {
		case s < 8:
			x = uint32(data>>(8*s)) & 0xff
		case s < 12:
			x = uint32(data>>(16*(s-8)+15)&1) * 0xff
		case s > 12:
			x = 0xff
		}
		r |= x << i
	}
	return r
}

// saturating is an operation with a form that saturates.
func saturating(plain, clamped func(d, a, b lanes)) operation {
	return operation{class: classVector, dests: 1, moves: true, clamp: true, run: func(w *wave, in *inst) {
		a, ok := w.source0(in)
		d := w.target(in)
		if !ok || d == nil {
			return
		}
		if b := w.vector(&in.src[1], 1); in.clamp {
			clamped(d, a, b)
		} else {
			plain(d, a, b)
		}
		w.store(in, d)
	}}
}

func addSaturated(a, b uint32) uint32 {
	if r := a + b; r >= a {
		return r
	}
	return math.MaxUint32
}

func subSaturated(a, b uint32) uint32 {
	if a < b {
		return 0
	}
	return a - b
}

func vectorOperations() map[string]operation {
	return map[string]operation{
		"v_nop": {class: classNone, run: runNothing},
		"v_mov_b32": lane1(func(d, a lanes) {
			copy(d, a)
		}),
		"v_not_b32":   lane1(func(d, a lanes) { each1(d, a, func(a uint32) uint32 { return ^a }) }),
		"v_bfrev_b32": lane1(func(d, a lanes) { each1(d, a, bits.Reverse32) }),
		"v_ffbh_u32":  lane1(func(d, a lanes) { each1(d, a, leadingZeros) }),
		"v_ffbl_b32":  lane1(func(d, a lanes) { each1(d, a, trailingZeros) }),
		"v_cvt_f32_u32": lane1(func(d, a lanes) {
			each1(d, a, func(a uint32) uint32 { return fromFloat(float32(a)) })
		}),
		"v_cvt_f32_i32": lane1(func(d, a lanes) {
			each1(d, a, func(a uint32) uint32 { return fromFloat(float32(int32(a))) })
		}),
		"v_cvt_f32_ubyte0": lane1(func(d, a lanes) {
			each1(d, a, func(a uint32) uint32 { return fromFloat(float32(a & 0xff)) })
		}),
		"v_cvt_u32_f32": lane1(func(d, a lanes) {
			each1(d, a, func(a uint32) uint32 { return toUint32(toFloat(a)) })
		}),
		"v_cvt_i32_f32": lane1(func(d, a lanes) {
			each1(d, a, func(a uint32) uint32 { return toInt32(toFloat(a)) })
		}),
		"v_rcp_f32": lane1(func(d, a lanes) {
			each1(d, a, func(a uint32) uint32 { return fromFloat(1 / toFloat(a)) })
		}),
		"v_rcp_iflag_f32": lane1(func(d, a lanes) {
			each1(d, a, func(a uint32) uint32 { return fromFloat(1 / toFloat(a)) })
		}),
		"v_trunc_f32": lane1(func(d, a lanes) {
			each1(d, a, func(a uint32) uint32 { return fromFloat(float32(math.Trunc(float64(toFloat(a))))) })
		}),

		"v_add_u32": saturating(
			func(d, a, b lanes) { each2(d, a, b, func(a, b uint32) uint32 { return a + b }) },
			func(d, a, b lanes) { each2(d, a, b, addSaturated) }),
		"v_sub_u32": saturating(
			func(d, a, b lanes) { each2(d, a, b, func(a, b uint32) uint32 { return a - b }) },
			func(d, a, b lanes) { each2(d, a, b, subSaturated) }),
		"v_subrev_u32": saturating(
			func(d, a, b lanes) { each2(d, a, b, func(a, b uint32) uint32 { return b - a }) },
			func(d, a, b lanes) { each2(d, b, a, subSaturated) }),
		"v_and_b32":  lane2(func(d, a, b lanes) { each2(d, a, b, func(a, b uint32) uint32 { return a & b }) }),
		"v_or_b32":   lane2(func(d, a, b lanes) { each2(d, a, b, func(a, b uint32) uint32 { return a | b }) }),
		"v_xor_b32":  lane2(func(d, a, b lanes) { each2(d, a, b, func(a, b uint32) uint32 { return a ^ b }) }),
		"v_xnor_b32": lane2(func(d, a, b lanes) { each2(d, a, b, func(a, b uint32) uint32 { return ^(a ^ b) }) }),
		"v_lshlrev_b32": lane2(func(d, a, b lanes) {
			each2(d, a, b, func(a, b uint32) uint32 { return b << (a & 31) })
		}),
		"v_lshrrev_b32": lane2(func(d, a, b lanes) {
			each2(d, a, b, func(a, b uint32) uint32 { return b >> (a & 31) })
		}),
		"v_ashrrev_i32": lane2(func(d, a, b lanes) {
			each2(d, a, b, func(a, b uint32) uint32 { return uint32(int32(b) >> (a & 31)) })
		}),
		"v_min_u32": lane2(func(d, a, b lanes) { each2(d, a, b, func(a, b uint32) uint32 { return min(a, b) }) }),
		"v_max_u32": lane2(func(d, a, b lanes) { each2(d, a, b, func(a, b uint32) uint32 { return max(a, b) }) }),
		"v_min_i32": lane2(func(d, a, b lanes) {
			each2(d, a, b, func(a, b uint32) uint32 { return uint32(min(int32(a), int32(b))) })
		}),
		"v_max_i32": lane2(func(d, a, b lanes) {
			each2(d, a, b, func(a, b uint32) uint32 { return uint32(max(int32(a), int32(b))) })
		}),
		"v_mul_lo_u32": lane2(func(d, a, b lanes) { each2(d, a, b, func(a, b uint32) uint32 { return a * b }) }),
		"v_mul_hi_u32": lane2(func(d, a, b lanes) {
			each2(d, a, b, func(a, b uint32) uint32 { return uint32(uint64(a) * uint64(b) >> 32) })
		}),
		"v_mul_hi_i32": lane2(func(d, a, b lanes) {
			each2(d, a, b, func(a, b uint32) uint32 { return uint32(int64(int32(a)) * int64(int32(b)) >> 32) })
		}),
		"v_mul_u32_u24": lane2(func(d, a, b lanes) {
			each2(d, a, b, func(a, b uint32) uint32 { return bit24(a) * bit24(b) })
		}),
		"v_mul_i32_i24": lane2(func(d, a, b lanes) {
			each2(d, a, b, func(a, b uint32) uint32 { return uint32(signed24(a) * signed24(b)) })
		}),
		"v_mul_hi_u32_u24": lane2(func(d, a, b lanes) {
			each2(d, a, b, func(a, b uint32) uint32 { return uint32(uint64(bit24(a)) * uint64(bit24(b)) >> 32) })
		}),
		"v_mul_hi_i32_i24": lane2(func(d, a, b lanes) {
			each2(d, a, b, func(a, b uint32) uint32 {
				return uint32(int64(signed24(a)) * int64(signed24(b)) >> 32)
			})
		}),
		"v_bcnt_u32_b32": lane2(func(d, a, b lanes) {
			each2(d, a, b, func(a, b uint32) uint32 { return uint32(bits.OnesCount32(a)) + b })
		}),
		"v_bfm_b32": lane2(func(d, a, b lanes) {
			each2(d, a, b, func(a, b uint32) uint32 { return (1<<(a&31) - 1) << (b & 31) })
		}),
		"v_mbcnt_lo_u32_b32": lane2(func(d, a, b lanes) {
			for i := range d {
				d[i] = uint32(bits.OnesCount32(a[i]&uint32(1<<min(i, 32)-1))) + b[i]
			}
		}),
		"v_mbcnt_hi_u32_b32": lane2(func(d, a, b lanes) {
			for i := range d {
				d[i] = uint32(bits.OnesCount32(a[i]&uint32(1<<max(i-32, 0)-1))) + b[i]
			}
		}),
		"v_mul_f32": lane2(func(d, a, b lanes) {
			each2(d, a, b, func(a, b uint32) uint32 { return fromFloat(toFloat(a) * toFloat(b)) })
		}),
		"v_add_f32": lane2(func(d, a, b lanes) {
			each2(d, a, b, func(a, b uint32) uint32 { return fromFloat(toFloat(a) + toFloat(b)) })
		}),
		"v_sub_f32": lane2(func(d, a, b lanes) {
			each2(d, a, b, func(a, b uint32) uint32 { return fromFloat(toFloat(a) - toFloat(b)) })
		}),

		"v_add_u16": halves(saturating(
			func(d, a, b lanes) { each2(d, a, b, func(a, b uint32) uint32 { return low(a + b) }) },
			func(d, a, b lanes) {
				each2(d, a, b, func(a, b uint32) uint32 { return min(low(a)+low(b), 0xffff) })
			})),
		"v_sub_u16": halves(saturating(
			func(d, a, b lanes) { each2(d, a, b, func(a, b uint32) uint32 { return low(a - b) }) },
			func(d, a, b lanes) { each2(d, a, b, func(a, b uint32) uint32 { return subSaturated(low(a), low(b)) }) })),
		"v_subrev_u16": halves(lane2(func(d, a, b lanes) {
			each2(d, a, b, func(a, b uint32) uint32 { return low(b - a) })
		})),
		"v_mul_lo_u16": halves(lane2(func(d, a, b lanes) {
			each2(d, a, b, func(a, b uint32) uint32 { return low(a * b) })
		})),
		"v_lshlrev_b16": halves(lane2(func(d, a, b lanes) {
			each2(d, a, b, func(a, b uint32) uint32 { return low(b << (a & 15)) })
		})),
		"v_lshrrev_b16": halves(lane2(func(d, a, b lanes) {
			each2(d, a, b, func(a, b uint32) uint32 { return low(b) >> (a & 15) })
		})),
		"v_ashrrev_i16": halves(lane2(func(d, a, b lanes) {
			each2(d, a, b, func(a, b uint32) uint32 { return low(uint32(int32(int16(b)) >> (a & 15))) })
		})),
		"v_min_u16": halves(lane2(func(d, a, b lanes) {
			each2(d, a, b, func(a, b uint32) uint32 { return min(low(a), low(b)) })
		})),
		"v_max_u16": halves(lane2(func(d, a, b lanes) {
			each2(d, a, b, func(a, b uint32) uint32 { return max(low(a), low(b)) })
		})),

		"v_add3_u32": lane3(func(d, a, b, c lanes) {
			each3(d, a, b, c, func(a, b, c uint32) uint32 { return a + b + c })
		}),
		"v_or3_b32": lane3(func(d, a, b, c lanes) {
			each3(d, a, b, c, func(a, b, c uint32) uint32 { return a | b | c })
		}),
		"v_xor3_b32": lane3(func(d, a, b, c lanes) {
			each3(d, a, b, c, func(a, b, c uint32) uint32 { return a ^ b ^ c })
		}),
		"v_xad_u32": lane3(func(d, a, b, c lanes) {
			each3(d, a, b, c, func(a, b, c uint32) uint32 { return (a ^ b) + c })
		}),
		"v_lshl_or_b32": lane3(func(d, a, b, c lanes) {
			each3(d, a, b, c, func(a, b, c uint32) uint32 { return a<<(b&31) | c })
		}),
		"v_and_or_b32": lane3(func(d, a, b, c lanes) {
			each3(d, a, b, c, func(a, b, c uint32) uint32 { return a&b | c })
		}),
		"v_add_lshl_u32": lane3(func(d, a, b, c lanes) {
			each3(d, a, b, c, func(a, b, c uint32) uint32 { return (a + b) << (c & 31) })
		}),
		"v_lshl_add_u32": lane3(func(d, a, b, c lanes) {
			each3(d, a, b, c, func(a, b, c uint32) uint32 { return a<<(b&31) + c })
		}),
		"v_min3_u32": lane3(func(d, a, b, c lanes) {
			each3(d, a, b, c, func(a, b, c uint32) uint32 { return min(a, b, c) })
		}),
		"v_max3_u32": lane3(func(d, a, b, c lanes) {
			each3(d, a, b, c, func(a, b, c uint32) uint32 { return max(a, b, c) })
		}),
		"v_med3_u32": lane3(func(d, a, b, c lanes) { each3(d, a, b, c, median) }),
		"v_minmax_u32": lane3(func(d, a, b, c lanes) {
			each3(d, a, b, c, func(a, b, c uint32) uint32 { return max(min(a, b), c) })
		}),
		"v_maxmin_u32": lane3(func(d, a, b, c lanes) {
			each3(d, a, b, c, func(a, b, c uint32) uint32 { return min(max(a, b), c) })
		}),
		"v_min3_i32": lane3(func(d, a, b, c lanes) {
			each3(d, a, b, c, func(a, b, c uint32) uint32 { return uint32(min(int32(a), int32(b), int32(c))) })
		}),
		"v_max3_i32": lane3(func(d, a, b, c lanes) {
			each3(d, a, b, c, func(a, b, c uint32) uint32 { return uint32(max(int32(a), int32(b), int32(c))) })
		}),
		"v_bfe_u32": lane3(func(d, a, b, c lanes) { each3(d, a, b, c, extract) }),
		"v_bfe_i32": lane3(func(d, a, b, c lanes) { each3(d, a, b, c, extractSigned) }),
		"v_bfi_b32": lane3(func(d, a, b, c lanes) {
			each3(d, a, b, c, func(a, b, c uint32) uint32 { return a&b | ^a&c })
		}),
		"v_alignbit_b32": lane3(func(d, a, b, c lanes) {
			each3(d, a, b, c, func(a, b, c uint32) uint32 { return uint32((uint64(a)<<32 | uint64(b)) >> (c & 31)) })
		}),
		"v_alignbyte_b32": lane3(func(d, a, b, c lanes) {
			each3(d, a, b, c, func(a, b, c uint32) uint32 { return uint32((uint64(a)<<32 | uint64(b)) >> (8 * (c & 3))) })
		}),
		"v_perm_b32": lane3(func(d, a, b, c lanes) { each3(d, a, b, c, permute) }),
		"v_mad_u32_u24": lane3(func(d, a, b, c lanes) {
			each3(d, a, b, c, func(a, b, c uint32) uint32 { return bit24(a)*bit24(b) + c })
		}),
		"v_mad_i32_i24": lane3(func(d, a, b, c lanes) {
			each3(d, a, b, c, func(a, b, c uint32) uint32 { return uint32(signed24(a)*signed24(b)) + c })
		}),
		"v_fma_f32":   lane3(func(d, a, b, c lanes) { each3(d, a, b, c, fma) }),
		"v_fmamk_f32": lane3(func(d, a, b, c lanes) { each3(d, a, b, c, fma) }),
		"v_fmaak_f32": lane3(func(d, a, b, c lanes) { each3(d, a, b, c, fma) }),
		"v_fmac_f32":  accumulate(fma),
		"v_mac_f32":   accumulate(mad),
		"v_madmk_f32": lane3(func(d, a, b, c lanes) { each3(d, a, b, c, mad) }),
		"v_madak_f32": lane3(func(d, a, b, c lanes) { each3(d, a, b, c, mad) }),
		"v_mad_f32":   lane3(func(d, a, b, c lanes) { each3(d, a, b, c, mad) }),

		"v_cndmask_b32": {class: classVector, dests: 1, moves: true, run: runSelect},

		"v_pk_add_u16": packed(func(a, b uint32) uint32 { return a + b }),
		"v_pk_sub_u16": packed(func(a, b uint32) uint32 { return a - b }),
		"v_pk_add_i16": packed(func(a, b uint32) uint32 { return a + b }),
		"v_pk_sub_i16": packed(func(a, b uint32) uint32 { return a - b }),
		"v_pk_min_u16": packed(func(a, b uint32) uint32 { return min(a, b) }),
		"v_pk_max_u16": packed(func(a, b uint32) uint32 { return max(a, b) }),
		"v_pk_mul_lo_u16": packed(func(a, b uint32) uint32 {
			return a * b
		}),
		"v_pk_lshlrev_b16": packed(func(a, b uint32) uint32 { return b << (a & 15) }),
		"v_pk_lshrrev_b16": packed(func(a, b uint32) uint32 { return b >> (a & 15) }),
		"v_pk_mov_b32":     {class: classVector, dests: 1, packed: true, run: runPackedMove},
	}
}

// runSelect takes the second source where a bit of the mask is set.
func runSelect(w *wave, in *inst) {
	a, ok := w.source0(in)
	d := w.target(in)
	if !ok || d == nil {
		return
	}
	b, mask := w.vector(&in.src[1], 1)[:len(d)], w.scalar64(&in.src[2])
	a = a[:len(d)]
	for i := range d {
		x := a[i]
		if mask>>uint(i)&1 != 0 {
			x = b[i]
		}
		d[i] = x
	}
	w.store(in, d)
}

// accumulate has the destination as the third source.
func accumulate(f func(a, b, c uint32) uint32) operation {
	return operation{class: classVector, dests: 1, run: func(w *wave, in *inst) {
		if d := w.target(in); d != nil {
			each3(d, w.vector(&in.src[0], 0), w.vector(&in.src[1], 1), w.reg(in.dst.index), f)
			w.store(in, d)
		}
	}}
}

// packed is an operation on both halves, each of which may come from either half of a source.
func packed(f func(a, b uint32) uint32) operation {
	return operation{class: classVector, dests: 1, packed: true, run: func(w *wave, in *inst) {
		d := w.target(in)
		if d == nil {
			return
		}
		a, b := w.vector(&in.src[0], 0), w.vector(&in.src[1], 1)
		lowA, lowB := in.opSel[0]&1*16, in.opSel[0]>>1&1*16
		highA, highB := 16-in.opSel[1]&1*16, 16-in.opSel[1]>>1&1*16
		for i := range d {
			d[i] = low(f(low(a[i]>>lowA), low(b[i]>>lowB))) | f(low(a[i]>>highA), low(b[i]>>highB))<<16
		}
		w.store(in, d)
	}}
}

// runPackedMove takes a word of each of two pairs of registers.
func runPackedMove(w *wave, in *inst) {
	mask := w.exec()
	if mask == 0 {
		return
	}
	var words [2]lanes
	for i := range words {
		first, second := w.vector64(&in.src[i], 2*i)
		if words[i] = first; in.opSel[0]>>i&1 != 0 {
			words[i] = second
		}
	}
	copy(w.out[0][:], words[0])
	copy(w.out[1][:], words[1])
	merge(w.reg(in.dst.index), w.out[0][:], mask)
	merge(w.reg(in.dst.index+1), w.out[1][:], mask)
}

// runDual carries out two instructions, both of which read before either writes.
func runDual(w *wave, in *inst) {
	one, two := in.second, in.second.second
	d := w.reg(one.dst.index)
	var before, result [64]uint32
	copy(before[:], d)
	one.run(w, one)
	copy(result[:], d)
	copy(d, before[:])
	two.run(w, two)
	copy(d, result[:len(d)])
}
