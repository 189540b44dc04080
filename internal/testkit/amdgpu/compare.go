package amdgpu

import "cmp"

// integer is what vectors are compared as.
type integer interface {
	uint16 | int16 | uint32 | int32 | uint64 | int64
}

func compareOperations() map[string]operation {
	all := make(map[string]operation)
	comparisons(all, "u32", compare32[uint32])
	comparisons(all, "i32", compare32[int32])
	comparisons(all, "u16", compare32[uint16])
	comparisons(all, "i16", compare32[int16])
	comparisons(all, "u64", compare64[uint64])
	comparisons(all, "i64", compare64[int64])
	for name, f := range map[string]func(a, b float32) bool{
		"lt": func(a, b float32) bool { return a < b }, "nlt": func(a, b float32) bool { return !(a < b) },
		"le": func(a, b float32) bool { return a <= b }, "nle": func(a, b float32) bool { return !(a <= b) },
		"gt": func(a, b float32) bool { return a > b }, "ngt": func(a, b float32) bool { return !(a > b) },
		"ge": func(a, b float32) bool { return a >= b }, "nge": func(a, b float32) bool { return !(a >= b) },
		"eq": func(a, b float32) bool { return a == b }, "neq": func(a, b float32) bool { return a != b },
		"lg": func(a, b float32) bool { return a < b || a > b },
	} {
		all["v_cmp_"+name+"_f32"] = operation{class: classVector, dests: 1,
			run: func(w *wave, in *inst) { w.setMask(&in.dst, compareFloat(w, in, f)&w.exec()) }}
		all["v_cmpx_"+name+"_f32"] = operation{class: classVector,
			run: func(w *wave, in *inst) { w.setExec(compareFloat(w, in, f) & w.exec()) }}
	}
	return all
}

// compareFloat returns the lanes in which f holds; with a NaN only the negated relations do.
func compareFloat(w *wave, in *inst, f func(a, b float32) bool) uint64 {
	a, b := w.vector(&in.src[0], 0), w.vector(&in.src[1], 1)
	mask := uint64(0)
	for i := range a {
		if f(toFloat(a[i]), toFloat(b[i])) {
			mask |= 1 << uint(i)
		}
	}
	return mask
}

// relation is the set of results of a comparison that hold: less, equal, greater.
type relation uint8

const (
	less relation = 1 << iota
	equal
	greater
)

var relations = map[string]relation{
	"lt": less, "eq": equal, "gt": greater, "le": less | equal, "ge": greater | equal, "ne": less | greater,
}

// comparisons adds those of a type, and those that write EXEC.
func comparisons(all map[string]operation, suffix string, compare func(w *wave, in *inst, r relation) uint64) {
	signed := suffix == "i64"
	for name, r := range relations {
		all["v_cmp_"+name+"_"+suffix] = operation{class: classVector, dests: 1, signed: signed,
			run: func(w *wave, in *inst) { w.setMask(&in.dst, compare(w, in, r)&w.exec()) }}
		all["v_cmpx_"+name+"_"+suffix] = operation{class: classVector, signed: signed,
			run: func(w *wave, in *inst) { w.setExec(compare(w, in, r) & w.exec()) }}
	}
}

// compare32 returns the lanes in which the relation holds between the low bits of the sources.
func compare32[T integer](w *wave, in *inst, r relation) uint64 {
	a, b := w.vector(&in.src[0], 0), w.vector(&in.src[1], 1)
	b = b[:len(a)]
	var lt, eq uint64
	switch {
	case r == equal || r == less|greater:
		for i := range a {
			if T(a[i]) == T(b[i]) {
				eq |= 1 << uint(i)
			}
		}
		if r == equal {
			return eq
		}
		return ^eq
	case r == less || r == greater|equal:
		for i := range a {
			if T(a[i]) < T(b[i]) {
				lt |= 1 << uint(i)
			}
		}
		if r == less {
			return lt
		}
		return ^lt
	}
	for i := range a {
		if T(b[i]) < T(a[i]) {
			lt |= 1 << uint(i)
		}
	}
	if r == greater {
		return lt
	}
	return ^lt
}

func compare64[T integer](w *wave, in *inst, r relation) uint64 {
	al, ah := w.vector64(&in.src[0], 0)
	bl, bh := w.vector64(&in.src[1], 2)
	mask := uint64(0)
	for i := range al {
		x := cmp.Compare(T(uint64(ah[i])<<32|uint64(al[i])), T(uint64(bh[i])<<32|uint64(bl[i])))
		if r>>(x+1)&1 != 0 {
			mask |= 1 << uint(i)
		}
	}
	return mask
}
