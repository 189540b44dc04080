package amdgpu

import "math/bits"

// Names of what loads and stores move, before and since gfx11.
var (
	loads = map[string]element{
		"ubyte": {bytes: 1}, "u8": {bytes: 1}, "sbyte": {bytes: 1, signed: true}, "i8": {bytes: 1, signed: true},
		"ushort": {bytes: 2}, "u16": {bytes: 2}, "sshort": {bytes: 2, signed: true}, "i16": {bytes: 2, signed: true},
		"dword": {bytes: 4}, "b32": {bytes: 4}, "dwordx2": {bytes: 8}, "b64": {bytes: 8},
		"dwordx3": {bytes: 12}, "b96": {bytes: 12}, "dwordx4": {bytes: 16}, "b128": {bytes: 16},
		"ubyte_d16": {bytes: 1, keepHigh: true}, "ubyte_d16_hi": {bytes: 1, keepLow: true},
		"sbyte_d16": {bytes: 1, signed: true, keepHigh: true}, "sbyte_d16_hi": {bytes: 1, signed: true, keepLow: true},
		"short_d16": {bytes: 2, keepHigh: true}, "short_d16_hi": {bytes: 2, keepLow: true},
		"d16_u8": {bytes: 1, keepHigh: true}, "d16_hi_u8": {bytes: 1, keepLow: true},
		"d16_i8": {bytes: 1, signed: true, keepHigh: true}, "d16_hi_i8": {bytes: 1, signed: true, keepLow: true},
		"d16_b16": {bytes: 2, keepHigh: true}, "d16_hi_b16": {bytes: 2, keepLow: true},
		"u8_d16": {bytes: 1, keepHigh: true}, "u8_d16_hi": {bytes: 1, keepLow: true},
		"i8_d16": {bytes: 1, signed: true, keepHigh: true}, "i8_d16_hi": {bytes: 1, signed: true, keepLow: true},
		"u16_d16": {bytes: 2, keepHigh: true}, "u16_d16_hi": {bytes: 2, keepLow: true},
	}
	stores = map[string]element{
		"byte": {bytes: 1}, "b8": {bytes: 1}, "short": {bytes: 2}, "b16": {bytes: 2},
		"dword": {bytes: 4}, "b32": {bytes: 4}, "dwordx2": {bytes: 8}, "b64": {bytes: 8},
		"dwordx3": {bytes: 12}, "b96": {bytes: 12}, "dwordx4": {bytes: 16}, "b128": {bytes: 16},
		"byte_d16_hi": {bytes: 1, high: true}, "b8_d16_hi": {bytes: 1, high: true}, "d16_hi_b8": {bytes: 1, high: true},
		"short_d16_hi": {bytes: 2, high: true}, "b16_d16_hi": {bytes: 2, high: true}, "d16_hi_b16": {bytes: 2, high: true},
	}
)

// modify is what an atomic operation makes of the old value and the operand.
type modify func(old, x uint64) uint64

// atomics by the names before and since gfx11; those of 64 bits follow.
var atomics = map[string]struct {
	bytes  int
	modify modify
}{
	"add": {4, func(old, x uint64) uint64 { return old + x }}, "sub": {4, func(old, x uint64) uint64 { return old - x }},
	"swap": {4, func(_, x uint64) uint64 { return x }},
	"and":  {4, func(old, x uint64) uint64 { return old & x }}, "or": {4, func(old, x uint64) uint64 { return old | x }},
	"xor":  {4, func(old, x uint64) uint64 { return old ^ x }},
	"umin": {4, func(old, x uint64) uint64 { return min(old, x) }},
	"umax": {4, func(old, x uint64) uint64 { return max(old, x) }},
	"smin": {4, func(old, x uint64) uint64 { return uint64(min(int32(old), int32(x))) }},
	"smax": {4, func(old, x uint64) uint64 { return uint64(max(int32(old), int32(x))) }},
	"inc": {4, func(old, x uint64) uint64 {
		if old >= x {
			return 0
		}
		return old + 1
	}},
	"dec": {4, func(old, x uint64) uint64 {
		if old == 0 || old > x {
			return x
		}
		return old - 1
	}},
	"smin_x2": {8, func(old, x uint64) uint64 { return uint64(min(int64(old), int64(x))) }},
	"smax_x2": {8, func(old, x uint64) uint64 { return uint64(max(int64(old), int64(x))) }},
}

// names11 are the types that gfx11 adds to the names of atomics.
var names11 = map[string]string{
	"add": "add_u32", "sub": "sub_u32", "swap": "swap_b32", "and": "and_b32", "or": "or_b32", "xor": "xor_b32",
	"umin": "min_u32", "umax": "max_u32", "smin": "min_i32", "smax": "max_i32", "inc": "inc_u32", "dec": "dec_u32",
	"add_x2": "add_u64", "sub_x2": "sub_u64", "swap_x2": "swap_b64", "and_x2": "and_b64", "or_x2": "or_b64",
	"xor_x2": "xor_b64", "umin_x2": "min_u64", "umax_x2": "max_u64", "smin_x2": "min_i64", "smax_x2": "max_i64",
	"inc_x2": "inc_u64", "dec_x2": "dec_u64", "cmpswap": "cmpswap_b32", "cmpswap_x2": "cmpswap_b64",
}

func globalOperations() map[string]operation {
	all := make(map[string]operation)
	for name, e := range loads {
		all["global_load_"+name] = operation{class: classGlobal, dests: 1,
			run: func(w *wave, in *inst) { w.globalLoad(in, e) }}
	}
	for name, e := range stores {
		all["global_store_"+name] = operation{class: classGlobal, run: func(w *wave, in *inst) { w.globalStore(in, e) }}
	}
	add := func(name string, op operation) {
		all["global_atomic_"+name], all["global_atomic_"+names11[name]] = op, op
	}
	for name, a := range atomics {
		add(name, globalAtomic(a.bytes, name == "swap", a.modify))
		if wide := name + "_x2"; a.bytes == 4 && atomics[wide].modify == nil {
			add(wide, globalAtomic(8, name == "swap", a.modify))
		}
	}
	for name, bytes := range map[string]int{"cmpswap": 4, "cmpswap_x2": 8} {
		add(name, operation{class: classAtomic, dests: 1, run: func(w *wave, in *inst) { w.globalCompareSwap(in, bytes) }})
	}
	for name, words := range map[string]int{
		"dword": 1, "dwordx2": 2, "dwordx4": 4, "dwordx8": 8, "dwordx16": 16,
		"b32": 1, "b64": 2, "b128": 4, "b256": 8, "b512": 16,
	} {
		all["s_load_"+name] = operation{class: classScalarLoad, dests: 1,
			run: func(w *wave, in *inst) { w.scalarLoad(in, words) }}
	}
	return all
}

// addressing has the sources of the addresses of a global access: 64 bits in vector registers, or 64 bits in scalar
// ones and 32 in a vector register.
type addressing struct {
	low, high lanes
	base      uint64
	scalar    bool
}

func (w *wave) addressing(in *inst, vector, scalar *operand) addressing {
	if scalar.kind == operandNone {
		low, high := w.vector64(vector, 0)
		return addressing{low: low, high: high, base: uint64(in.offset)}
	}
	return addressing{low: w.vector(vector, 0), base: w.scalar64(scalar) + uint64(in.offset), scalar: true}
}

func (a *addressing) of(lane int) uint64 {
	if a.scalar {
		return a.base + uint64(a.low[lane])
	}
	return a.base + (uint64(a.high[lane])<<32 | uint64(a.low[lane]))
}

// placed is find, which remembers the buffer of the lane before.
func (w *wave) placed(last **buffer, address uint64, n int) int {
	if b := *last; b != nil {
		if offset := address - b.base; offset < uint64(len(b.data)) && offset+uint64(n) <= uint64(len(b.data)) {
			return int(offset)
		}
	}
	b, offset := w.launch.memory.find(address, n)
	*last = b
	return offset
}

func (w *wave) globalLoad(in *inst, e element) {
	at, active := w.addressing(in, &in.src[0], &in.src[1]), w.exec()
	d := w.reg(in.dst.index)
	var b *buffer
	a := access{read: true, atomic: in.atomic}
	for mask := active; mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros64(mask)
		address := at.of(i)
		w.at[i] = address
		w.plainAligned(address, e.alignment())
		offset := w.placed(&b, address, e.bytes)
		w.touch(in, b, offset, e.bytes, a)
		if e.bytes <= 4 {
			w.out[0][i] = e.half(d[i], e.extend(load(b.data, offset, e.bytes)))
			continue
		}
		// Addresses may lie in the registers that are written: a lane reads its own before.
		for k := range e.bytes / 4 {
			w.reg(in.dst.index + uint16(k))[i] = load32(b.data, offset+4*k)
		}
	}
	if e.bytes <= 4 {
		merge(d, w.out[0][:], active)
	}
	w.countGlobal(active, e.bytes)
}

func (w *wave) globalStore(in *inst, e element) {
	at, active := w.addressing(in, &in.src[0], &in.src[2]), w.exec()
	data := w.vector(&in.src[1], 2)
	var b *buffer
	for mask := active; mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros64(mask)
		address := at.of(i)
		w.at[i] = address
		w.plainAligned(address, e.alignment())
		offset := w.placed(&b, address, e.bytes)
		a := access{write: true, atomic: in.atomic}
		if e.bytes <= 4 {
			x := uint64(data[i])
			if e.high {
				x >>= 16
			}
			a.same = load(b.data, offset, e.bytes) == x&(1<<(8*e.bytes)-1)
			w.touch(in, b, offset, e.bytes, a)
			store(b.data, offset, e.bytes, x)
			continue
		}
		a.same = true
		for k := range e.bytes / 4 {
			a.same = a.same && load32(b.data, offset+4*k) == w.reg(in.src[1].index + uint16(k))[i]
		}
		w.touch(in, b, offset, e.bytes, a)
		for k := range e.bytes / 4 {
			store32(b.data, offset+4*k, w.reg(in.src[1].index + uint16(k))[i])
		}
	}
	w.countGlobal(active, e.bytes)
}

// globalAtomic: what swaps reads only if the old value is wanted.
func globalAtomic(bytes int, swaps bool, f modify) operation {
	return operation{class: classAtomic, dests: 1, run: func(w *wave, in *inst) {
		reads := !swaps || in.dst.kind == operandVector
		w.atomicAt(in, bytes, reads, func(i int, old uint64) uint64 {
			return f(old, w.wideValue(&in.src[1], bytes, i))
		})
	}}
}

// wideValue is a source of 32 or 64 bits in a lane.
func (w *wave) wideValue(o *operand, bytes, lane int) uint64 {
	x := uint64(w.reg(o.index)[lane])
	if bytes == 8 {
		x |= uint64(w.reg(o.index + 1)[lane]) << 32
	}
	return x
}

// globalCompareSwap has the new value and, after it, what it is compared with.
func (w *wave) globalCompareSwap(in *inst, bytes int) {
	compared := in.src[1]
	compared.index += uint16(bytes / 4)
	w.atomicAt(in, bytes, true, func(i int, old uint64) uint64 {
		if old == w.wideValue(&compared, bytes, i) {
			return w.wideValue(&in.src[1], bytes, i)
		}
		return old
	})
}

// atomicAt replaces what is in memory, lane after lane.
func (w *wave) atomicAt(in *inst, bytes int, reads bool, f func(lane int, old uint64) uint64) {
	at, active := w.addressing(in, &in.src[0], &in.src[2]), w.exec()
	var b *buffer
	for mask := active; mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros64(mask)
		address := at.of(i)
		w.at[i] = address
		aligned(address, bytes)
		offset := w.placed(&b, address, bytes)
		w.touch(in, b, offset, bytes, access{read: reads, write: true, atomic: true})
		old := load(b.data, offset, bytes)
		store(b.data, offset, bytes, f(i, old))
		if in.dst.kind == operandVector {
			w.out[0][i], w.out[1][i] = uint32(old), uint32(old>>32)
		}
	}
	if in.dst.kind == operandVector {
		merge(w.reg(in.dst.index), w.out[0][:], active)
		if bytes == 8 {
			merge(w.reg(in.dst.index+1), w.out[1][:], active)
		}
	}
	w.countGlobal(active, bytes)
}

// scalarLoad reads words that are the same for all lanes.
func (w *wave) scalarLoad(in *inst, words int) {
	address := w.scalar64(&in.src[0]) + uint64(in.offset)
	switch o := &in.src[1]; o.kind {
	case operandConstant:
		address += uint64(int64(int32(o.value)))
	case operandScalar:
		address += uint64(w.s[o.index])
	}
	aligned(address, 4)
	b, offset := w.launch.memory.find(address, 4*words)
	w.touch(in, b, offset, 4*words, access{read: true})
	for i := range words {
		w.s[int(in.dst.index)+i] = load32(b.data, offset+4*i)
	}
}
