package amdgpu

import "math/bits"

func (w *wave) put(o *operand, x uint32) {
	if o.kind == operandScalar {
		w.s[o.index] = x
	}
}

func (w *wave) put64(o *operand, x uint64) {
	if o.kind == operandScalar {
		w.set64(o.index, x)
	}
}

// scalar makes an operation whose function sets SCC itself, if it does.
func scalar(dests int, run func(w *wave, in *inst)) operation {
	return operation{class: classScalar, dests: dests, run: run}
}

func flag(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// scalar1 and scalar2 leave SCC alone; scalar1SCC and scalar2SCC set it where the result is not zero.
func scalar1(f func(a uint32) uint32) operation {
	return scalar(1, func(w *wave, in *inst) { w.put(&in.dst, f(w.scalar(&in.src[0]))) })
}

func scalar1SCC(f func(a uint32) uint32) operation {
	return scalar(1, func(w *wave, in *inst) {
		r := f(w.scalar(&in.src[0]))
		w.put(&in.dst, r)
		w.scc = flag(r != 0)
	})
}

func scalar2(f func(a, b uint32) uint32) operation {
	return scalar(1, func(w *wave, in *inst) { w.put(&in.dst, f(w.scalar(&in.src[0]), w.scalar(&in.src[1]))) })
}

func scalar2SCC(f func(a, b uint32) uint32) operation {
	return scalar(1, func(w *wave, in *inst) {
		r := f(w.scalar(&in.src[0]), w.scalar(&in.src[1]))
		w.put(&in.dst, r)
		w.scc = flag(r != 0)
	})
}

// scalar2Flag has SCC as the second result of f.
func scalar2Flag(f func(w *wave, a, b uint32) (uint32, bool)) operation {
	return scalar(1, func(w *wave, in *inst) {
		r, scc := f(w, w.scalar(&in.src[0]), w.scalar(&in.src[1]))
		w.put(&in.dst, r)
		w.scc = flag(scc)
	})
}

func scalar1Wide(f func(a uint64) uint64) operation {
	return scalar(1, func(w *wave, in *inst) { w.put64(&in.dst, f(w.scalar64(&in.src[0]))) })
}

func scalar2WideSCC(f func(a, b uint64) uint64) operation {
	return scalar(1, func(w *wave, in *inst) {
		r := f(w.scalar64(&in.src[0]), w.scalar64(&in.src[1]))
		w.put64(&in.dst, r)
		w.scc = flag(r != 0)
	})
}

// count64 counts in 64 bits.
func count64(f func(a uint64) uint32, scc bool) operation {
	return scalar(1, func(w *wave, in *inst) {
		r := f(w.scalar64(&in.src[0]))
		w.put(&in.dst, r)
		if scc {
			w.scc = flag(r != 0)
		}
	})
}

func shiftScalar64(f func(a uint64, b uint32) uint64) operation {
	return scalar(1, func(w *wave, in *inst) {
		r := f(w.scalar64(&in.src[0]), w.scalar(&in.src[1]))
		w.put64(&in.dst, r)
		w.scc = flag(r != 0)
	})
}

func compareScalar(f func(a, b uint32) bool) operation {
	return scalar(0, func(w *wave, in *inst) { w.scc = flag(f(w.scalar(&in.src[0]), w.scalar(&in.src[1]))) })
}

// short is a constant of 16 bits, signed.
func short(x uint32) uint32 { return uint32(int32(int16(x))) }

// compareShort compares with a constant of 16 bits.
func compareShort(extend func(uint32) uint32, f func(a, b uint32) bool) operation {
	return scalar(0, func(w *wave, in *inst) {
		w.scc = flag(f(w.scalar(&in.src[0]), extend(uint32(in.src[1].value))))
	})
}

// withShort changes the destination by a constant of 16 bits.
func withShort(f func(w *wave, a, b uint32) uint32) operation {
	return scalar(1, func(w *wave, in *inst) {
		w.put(&in.dst, f(w, w.scalar(&in.dst), short(uint32(in.src[0].value))))
	})
}

func addSigned(w *wave, a, b uint32) (uint32, bool) {
	r := a + b
	return r, ^(a^b)&(a^r)>>31 != 0
}

func maskWidth(n uint32) uint64 {
	if n >= 64 {
		return ^uint64(0)
	}
	return 1<<n - 1
}

// saveExec keeps EXEC and replaces it.
func saveExec(f func(a, exec uint64) uint64) operation {
	return scalar(1, func(w *wave, in *inst) {
		old := w.exec()
		r := f(w.scalar64(&in.src[0]), old)
		if w.width == 32 {
			r &= 1<<32 - 1
		}
		w.setMask(&in.dst, old)
		w.setExec(r)
		w.scc = flag(r != 0)
	})
}

func addShifted(n uint) operation {
	return scalar2Flag(func(_ *wave, a, b uint32) (uint32, bool) {
		r := uint64(a)<<n + uint64(b)
		return uint32(r), r>>32 != 0
	})
}

func scalarOperations() map[string]operation {
	all := map[string]operation{
		"s_mov_b32":       scalar1(func(a uint32) uint32 { return a }),
		"s_movk_i32":      scalar1(short),
		"s_brev_b32":      scalar1(bits.Reverse32),
		"s_sext_i32_i8":   scalar1(func(a uint32) uint32 { return uint32(int32(int8(a))) }),
		"s_sext_i32_i16":  scalar1(short),
		"s_flbit_i32_b32": scalar1(leadingZeros),
		"s_ff1_i32_b32":   scalar1(trailingZeros),
		"s_not_b32":       scalar1SCC(func(a uint32) uint32 { return ^a }),
		"s_abs_i32":       scalar1SCC(func(a uint32) uint32 { return uint32(max(int32(a), -int32(a))) }),
		"s_bcnt1_i32_b32": scalar1SCC(func(a uint32) uint32 { return uint32(bits.OnesCount32(a)) }),
		"s_mov_b64":       scalar1Wide(func(a uint64) uint64 { return a }),
		"s_brev_b64":      scalar1Wide(bits.Reverse64),
		"s_not_b64": scalar(1, func(w *wave, in *inst) {
			r := ^w.scalar64(&in.src[0])
			w.put64(&in.dst, r)
			w.scc = flag(r != 0)
		}),
		"s_bcnt1_i32_b64": count64(func(a uint64) uint32 { return uint32(bits.OnesCount64(a)) }, true),
		"s_flbit_i32_b64": count64(func(a uint64) uint32 {
			if a == 0 {
				return ^uint32(0)
			}
			return uint32(bits.LeadingZeros64(a))
		}, false),
		"s_ff1_i32_b64": count64(func(a uint64) uint32 {
			if a == 0 {
				return ^uint32(0)
			}
			return uint32(bits.TrailingZeros64(a))
		}, false),

		"s_add_u32": scalar2Flag(func(_ *wave, a, b uint32) (uint32, bool) { return a + b, a+b < a }),
		"s_sub_u32": scalar2Flag(func(_ *wave, a, b uint32) (uint32, bool) { return a - b, a < b }),
		"s_addc_u32": scalar2Flag(func(w *wave, a, b uint32) (uint32, bool) {
			r, carry := bits.Add32(a, b, w.scc)
			return r, carry != 0
		}),
		"s_subb_u32": scalar2Flag(func(w *wave, a, b uint32) (uint32, bool) {
			r, borrow := bits.Sub32(a, b, w.scc)
			return r, borrow != 0
		}),
		"s_add_i32": scalar2Flag(addSigned),
		"s_sub_i32": scalar2Flag(func(_ *wave, a, b uint32) (uint32, bool) {
			r := a - b
			return r, (a^b)&(a^r)>>31 != 0
		}),
		"s_mul_i32":    scalar2(func(a, b uint32) uint32 { return a * b }),
		"s_mul_hi_u32": scalar2(func(a, b uint32) uint32 { return uint32(uint64(a) * uint64(b) >> 32) }),
		"s_mul_hi_i32": scalar2(func(a, b uint32) uint32 { return uint32(int64(int32(a)) * int64(int32(b)) >> 32) }),
		"s_and_b32":    scalar2SCC(func(a, b uint32) uint32 { return a & b }),
		"s_or_b32":     scalar2SCC(func(a, b uint32) uint32 { return a | b }),
		"s_xor_b32":    scalar2SCC(func(a, b uint32) uint32 { return a ^ b }),
		"s_andn2_b32":  scalar2SCC(func(a, b uint32) uint32 { return a &^ b }),
		"s_orn2_b32":   scalar2SCC(func(a, b uint32) uint32 { return a | ^b }),
		"s_nand_b32":   scalar2SCC(func(a, b uint32) uint32 { return ^(a & b) }),
		"s_nor_b32":    scalar2SCC(func(a, b uint32) uint32 { return ^(a | b) }),
		"s_xnor_b32":   scalar2SCC(func(a, b uint32) uint32 { return ^(a ^ b) }),
		"s_lshl_b32":   scalar2SCC(func(a, b uint32) uint32 { return a << (b & 31) }),
		"s_lshr_b32":   scalar2SCC(func(a, b uint32) uint32 { return a >> (b & 31) }),
		"s_ashr_i32":   scalar2SCC(func(a, b uint32) uint32 { return uint32(int32(a) >> (b & 31)) }),
		"s_bfm_b32":    scalar2(func(a, b uint32) uint32 { return (1<<(a&31) - 1) << (b & 31) }),
		"s_bfe_u32": scalar2SCC(func(a, b uint32) uint32 {
			return uint32(uint64(a>>(b&31)) & maskWidth(b>>16&127))
		}),
		"s_bfe_i32": scalar2SCC(func(a, b uint32) uint32 {
			if n := b >> 16 & 127; n < 32 {
				return extractSigned(a, b, n)
			}
			return uint32(int32(a) >> (b & 31))
		}),
		"s_pack_ll_b32_b16": scalar2(func(a, b uint32) uint32 { return low(a) | b<<16 }),
		"s_pack_lh_b32_b16": scalar2(func(a, b uint32) uint32 { return low(a) | b&^0xffff }),
		"s_pack_hh_b32_b16": scalar2(func(a, b uint32) uint32 { return a>>16 | b&^0xffff }),
		"s_absdiff_i32":     scalar2SCC(func(a, b uint32) uint32 { d := int32(a - b); return uint32(max(d, -d)) }),
		"s_min_u32":         scalar2Flag(func(_ *wave, a, b uint32) (uint32, bool) { return min(a, b), a < b }),
		"s_max_u32":         scalar2Flag(func(_ *wave, a, b uint32) (uint32, bool) { return max(a, b), a > b }),
		"s_min_i32": scalar2Flag(func(_ *wave, a, b uint32) (uint32, bool) {
			return uint32(min(int32(a), int32(b))), int32(a) < int32(b)
		}),
		"s_max_i32": scalar2Flag(func(_ *wave, a, b uint32) (uint32, bool) {
			return uint32(max(int32(a), int32(b))), int32(a) > int32(b)
		}),
		"s_lshl1_add_u32": addShifted(1),
		"s_lshl2_add_u32": addShifted(2),
		"s_lshl3_add_u32": addShifted(3),
		"s_lshl4_add_u32": addShifted(4),

		"s_and_b64":   scalar2WideSCC(func(a, b uint64) uint64 { return a & b }),
		"s_or_b64":    scalar2WideSCC(func(a, b uint64) uint64 { return a | b }),
		"s_xor_b64":   scalar2WideSCC(func(a, b uint64) uint64 { return a ^ b }),
		"s_andn2_b64": scalar2WideSCC(func(a, b uint64) uint64 { return a &^ b }),
		"s_orn2_b64":  scalar2WideSCC(func(a, b uint64) uint64 { return a | ^b }),
		"s_nand_b64":  scalar2WideSCC(func(a, b uint64) uint64 { return ^(a & b) }),
		"s_nor_b64":   scalar2WideSCC(func(a, b uint64) uint64 { return ^(a | b) }),
		"s_xnor_b64":  scalar2WideSCC(func(a, b uint64) uint64 { return ^(a ^ b) }),
		"s_lshl_b64":  shiftScalar64(func(a uint64, b uint32) uint64 { return a << (b & 63) }),
		"s_lshr_b64":  shiftScalar64(func(a uint64, b uint32) uint64 { return a >> (b & 63) }),
		"s_ashr_i64":  shiftScalar64(func(a uint64, b uint32) uint64 { return uint64(int64(a) >> (b & 63)) }),
		"s_bfe_u64": shiftScalar64(func(a uint64, b uint32) uint64 {
			return a >> (b & 63) & maskWidth(b>>16&127)
		}),
		"s_bfe_i64": shiftScalar64(func(a uint64, b uint32) uint64 {
			at, n := b&63, b>>16&127
			if n == 0 || n >= 64 {
				return uint64(int64(a)>>at) & maskWidth(n)
			}
			return uint64(int64(a>>at<<(64-n)) >> (64 - n))
		}),

		"s_cselect_b32": scalar(1, func(w *wave, in *inst) { w.put(&in.dst, w.scalar(&in.src[1-w.scc])) }),
		"s_cselect_b64": scalar(1, func(w *wave, in *inst) { w.put64(&in.dst, w.scalar64(&in.src[1-w.scc])) }),
		"s_cmov_b32": scalar(1, func(w *wave, in *inst) {
			if w.scc != 0 {
				w.put(&in.dst, w.scalar(&in.src[0]))
			}
		}),
		"s_cmov_b64": scalar(1, func(w *wave, in *inst) {
			if w.scc != 0 {
				w.put64(&in.dst, w.scalar64(&in.src[0]))
			}
		}),
		"s_cmovk_i32": withShort(func(w *wave, a, b uint32) uint32 {
			if w.scc != 0 {
				return b
			}
			return a
		}),
		"s_addk_i32": withShort(func(w *wave, a, b uint32) uint32 {
			r, overflow := addSigned(w, a, b)
			w.scc = flag(overflow)
			return r
		}),
		"s_mulk_i32": withShort(func(_ *wave, a, b uint32) uint32 { return a * b }),
		"s_bitset0_b32": scalar(1, func(w *wave, in *inst) {
			w.put(&in.dst, w.scalar(&in.dst)&^(1<<(w.scalar(&in.src[0])&31)))
		}),
		"s_bitset1_b32": scalar(1, func(w *wave, in *inst) {
			w.put(&in.dst, w.scalar(&in.dst)|1<<(w.scalar(&in.src[0])&31))
		}),
		"s_bitcmp0_b32": compareScalar(func(a, b uint32) bool { return a>>(b&31)&1 == 0 }),
		"s_bitcmp1_b32": compareScalar(func(a, b uint32) bool { return a>>(b&31)&1 != 0 }),
		"s_cmp_eq_u64": scalar(0, func(w *wave, in *inst) {
			w.scc = flag(w.scalar64(&in.src[0]) == w.scalar64(&in.src[1]))
		}),
		"s_cmp_lg_u64": scalar(0, func(w *wave, in *inst) {
			w.scc = flag(w.scalar64(&in.src[0]) != w.scalar64(&in.src[1]))
		}),
	}
	for name, f := range map[string]func(a, b uint32) bool{
		"eq_u32": func(a, b uint32) bool { return a == b },
		"lg_u32": func(a, b uint32) bool { return a != b },
		"lt_u32": func(a, b uint32) bool { return a < b },
		"gt_u32": func(a, b uint32) bool { return a > b },
		"le_u32": func(a, b uint32) bool { return a <= b },
		"ge_u32": func(a, b uint32) bool { return a >= b },
		"eq_i32": func(a, b uint32) bool { return a == b },
		"lg_i32": func(a, b uint32) bool { return a != b },
		"lt_i32": func(a, b uint32) bool { return int32(a) < int32(b) },
		"gt_i32": func(a, b uint32) bool { return int32(a) > int32(b) },
		"le_i32": func(a, b uint32) bool { return int32(a) <= int32(b) },
		"ge_i32": func(a, b uint32) bool { return int32(a) >= int32(b) },
	} {
		extend := low
		if name[3] == 'i' {
			extend = short
		}
		all["s_cmp_"+name] = compareScalar(f)
		all["s_cmpk_"+name] = compareShort(extend, f)
	}
	for name, f := range map[string]func(a, exec uint64) uint64{
		"and":   func(a, exec uint64) uint64 { return a & exec },
		"or":    func(a, exec uint64) uint64 { return a | exec },
		"xor":   func(a, exec uint64) uint64 { return a ^ exec },
		"andn2": func(a, exec uint64) uint64 { return a &^ exec },
		"orn2":  func(a, exec uint64) uint64 { return a | ^exec },
		"andn1": func(a, exec uint64) uint64 { return ^a & exec },
		"orn1":  func(a, exec uint64) uint64 { return ^a | exec },
		"nand":  func(a, exec uint64) uint64 { return ^(a & exec) },
		"nor":   func(a, exec uint64) uint64 { return ^(a | exec) },
		"xnor":  func(a, exec uint64) uint64 { return ^(a ^ exec) },
	} {
		all["s_"+name+"_saveexec_b32"] = saveExec(f)
		all["s_"+name+"_saveexec_b64"] = saveExec(f)
	}
	return all
}
