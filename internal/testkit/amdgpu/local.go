package amdgpu

import (
	"math/bits"
	"strings"
)

// touchLocal checks n bytes of local memory and notes the access.
func (w *wave) touchLocal(in *inst, address uint32, n int, a access) {
	g := w.group
	if uint64(address)+uint64(n) > uint64(len(g.local)) {
		panic(fault("%d bytes at byte %d of %d of local memory", n, address, len(g.local)))
	}
	if g.shadow == nil {
		return
	}
	me, at := uint32(w.index), uint16(w.pc-1)
	for i := int(address); i < int(address)+n; {
		first := i & 3
		count := min(4-first, int(address)+n-i)
		mask := byteMask(first, count)
		s := &g.shadow[i>>2]
		if !s.begin(g.epoch, mask, a.read) {
			panic(fault("byte %d of local memory is read, and nothing has been written there", i))
		}
		if a.write {
			if s.clashes(mask, me, a.atomic) {
				w.localRace(i, "writes", "wrote", a.same, s.writerAt)
			}
			if s.reads&mask != 0 && s.readers[0]&^(1<<me) != 0 {
				w.localRace(i, "writes", "read", a.same, s.readerAt)
			}
			s.write(mask, me, at, a.atomic)
		} else {
			if s.clashes(mask, me, false) {
				w.localRace(i, "reads", "wrote", false, s.writerAt)
			}
			s.reads |= mask
			s.readers[0] |= 1 << me
			s.readerAt = at
		}
		i += count
	}
}

// localRace is the violation of two wavefronts that touch the same memory without a barrier between.
func (w *wave) localRace(address int, does, did string, same bool, at uint16) {
	if same && w.launch.options.sameValue(w.launch.kernel.Name) {
		w.launch.count.SameValue++
		return
	}
	value := ""
	if same {
		value = ", the same value"
	}
	panic(fault("a race: wavefront %d %s byte %d of local memory%s, another %s it since the last barrier (%s)",
		w.index, does, address, value, did, w.launch.kernel.code[at].text))
}

func localOperations() map[string]operation {
	all := make(map[string]operation)
	for name, e := range loads {
		op := operation{class: classLocal, dests: 1, run: func(w *wave, in *inst) { w.localLoad(in, e) }}
		all["ds_read_"+name], all["ds_load_"+name] = op, op
	}
	for name, e := range stores {
		op := operation{class: classLocal, run: func(w *wave, in *inst) { w.localStore(in, e) }}
		all["ds_write_"+name], all["ds_store_"+name] = op, op
	}
	for typ, bytes := range map[string]int{"b32": 4, "b64": 8} {
		for _, p := range []struct {
			name, name11 string
			stride       int
		}{{"2_", "2addr_", 1}, {"2st64_", "2addr_stride64_", 64}} {
			stride := bytes * p.stride
			read := operation{class: classLocal, dests: 1, run: func(w *wave, in *inst) { w.localLoad2(in, bytes, stride) }}
			write := operation{class: classLocal, run: func(w *wave, in *inst) { w.localStore2(in, bytes, stride) }}
			all["ds_read"+p.name+typ], all["ds_load_"+p.name11+typ] = read, read
			all["ds_write"+p.name+typ], all["ds_store_"+p.name11+typ] = write, write
		}
	}
	for name, a := range atomics {
		if a.bytes == 8 {
			continue
		}
		kind, typ, _ := strings.Cut(names11[name], "_")
		if kind == "swap" {
			all["ds_wrxchg_rtn_b32"] = localAtomic(4, 1, a.modify)
			all["ds_storexchg_rtn_b32"] = localAtomic(4, 1, a.modify)
			all["ds_wrxchg_rtn_b64"] = localAtomic(8, 1, a.modify)
			all["ds_storexchg_rtn_b64"] = localAtomic(8, 1, a.modify)
			continue
		}
		all["ds_"+kind+"_"+typ] = localAtomic(4, 0, a.modify)
		all["ds_"+kind+"_rtn_"+typ] = localAtomic(4, 1, a.modify)
		wide := a.modify
		if other, ok := atomics[name+"_x2"]; ok {
			wide = other.modify
		}
		typ64 := typ[:1] + "64"
		all["ds_"+kind+"_"+typ64] = localAtomic(8, 0, wide)
		all["ds_"+kind+"_rtn_"+typ64] = localAtomic(8, 1, wide)
	}
	for typ, bytes := range map[string]int{"b32": 4, "b64": 8} {
		for dests, infix := range []string{"_", "_rtn_"} {
			all["ds_cmpst"+infix+typ] = localCompareSwap(bytes, dests, 1)
			all["ds_cmpstore"+infix+typ] = localCompareSwap(bytes, dests, 2)
		}
	}
	return all
}

func (w *wave) localLoad(in *inst, e element) {
	address, active := w.vector(&in.src[0], 0), w.exec()
	d := w.reg(in.dst.index)
	local := w.group.local
	for mask := active; mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros64(mask)
		at := address[i] + uint32(in.offset)
		w.at[i] = uint64(at)
		w.plainAligned(uint64(at), e.alignment())
		w.touchLocal(in, at, e.bytes, access{read: true})
		if e.bytes <= 4 {
			w.out[0][i] = e.half(d[i], e.extend(load(local, int(at), e.bytes)))
			continue
		}
		for k := range e.bytes / 4 {
			w.reg(in.dst.index + uint16(k))[i] = load32(local, int(at)+4*k)
		}
	}
	if e.bytes <= 4 {
		merge(d, w.out[0][:], active)
	}
	w.countLocal(active, e.bytes, false)
}

func (w *wave) localStore(in *inst, e element) {
	address, active := w.vector(&in.src[0], 0), w.exec()
	data := w.vector(&in.src[1], 2)
	for mask := active; mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros64(mask)
		at := address[i] + uint32(in.offset)
		w.at[i] = uint64(at)
		w.plainAligned(uint64(at), e.alignment())
		if e.bytes <= 4 {
			x := uint64(data[i])
			if e.high {
				x >>= 16
			}
			w.localWrite(in, at, e.bytes, x)
			continue
		}
		for k := range e.bytes / 4 {
			w.localWrite(in, at+uint32(4*k), 4, uint64(w.reg(in.src[1].index + uint16(k))[i]))
		}
	}
	w.countLocal(active, e.bytes, false)
}

// localWrite checks and writes.
func (w *wave) localWrite(in *inst, at uint32, n int, x uint64) {
	local := w.group.local
	same := uint64(at)+uint64(n) <= uint64(len(local)) && load(local, int(at), n)<<(64-8*n) == x<<(64-8*n)
	w.touchLocal(in, at, n, access{write: true, same: same})
	store(local, int(at), n, x)
}

// localLoad2 reads two elements, whose offsets count strides.
func (w *wave) localLoad2(in *inst, bytes, stride int) {
	address, active := w.vector(&in.src[0], 0), w.exec()
	var base [64]uint32
	copy(base[:], address) // may be one of the registers that are written
	for half := range 2 {
		for mask := active; mask != 0; mask &= mask - 1 {
			i := bits.TrailingZeros64(mask)
			at := base[i] + in.pair[half]*uint32(stride)
			w.at[i] = uint64(at)
			w.plainAligned(uint64(at), 4)
			w.touchLocal(in, at, bytes, access{read: true})
			for k := range bytes / 4 {
				w.reg(in.dst.index + uint16(half*bytes/4+k))[i] = load32(w.group.local, int(at)+4*k)
			}
		}
		w.countLocal(active, bytes, false)
	}
}

func (w *wave) localStore2(in *inst, bytes, stride int) {
	address, active := w.vector(&in.src[0], 0), w.exec()
	for half := range 2 {
		for mask := active; mask != 0; mask &= mask - 1 {
			i := bits.TrailingZeros64(mask)
			at := address[i] + in.pair[half]*uint32(stride)
			w.at[i] = uint64(at)
			w.plainAligned(uint64(at), 4)
			w.localWrite(in, at, bytes, w.wideValue(&in.src[1+half], bytes, i))
		}
		w.countLocal(active, bytes, false)
	}
}

func localAtomic(bytes, dests int, f modify) operation {
	return localModify(bytes, dests, func(w *wave, in *inst, lane int, old uint64) uint64 {
		return f(old, w.wideValue(&in.src[1], bytes, lane))
	})
}

// localCompareSwap has what it compares with in one of the sources 1 and 2, and the new value in the other; gfx11
// exchanged them.
func localCompareSwap(bytes, dests, compared int) operation {
	return localModify(bytes, dests, func(w *wave, in *inst, lane int, old uint64) uint64 {
		if old == w.wideValue(&in.src[compared], bytes, lane) {
			return w.wideValue(&in.src[3-compared], bytes, lane)
		}
		return old
	})
}

// localModify replaces what is in local memory, lane after lane.
func localModify(bytes, dests int, f func(w *wave, in *inst, lane int, old uint64) uint64) operation {
	return operation{class: classLocal, dests: dests, run: func(w *wave, in *inst) {
		address, active := w.vector(&in.src[0], 0), w.exec()
		local := w.group.local
		for mask := active; mask != 0; mask &= mask - 1 {
			i := bits.TrailingZeros64(mask)
			at := address[i] + uint32(in.offset)
			w.at[i] = uint64(at)
			aligned(uint64(at), bytes)
			w.touchLocal(in, at, bytes, access{read: true, write: true, atomic: true})
			old := load(local, int(at), bytes)
			store(local, int(at), bytes, f(w, in, i, old))
			w.out[0][i], w.out[1][i] = uint32(old), uint32(old>>32)
		}
		if dests > 0 {
			merge(w.reg(in.dst.index), w.out[0][:], active)
			if bytes == 8 {
				merge(w.reg(in.dst.index+1), w.out[1][:], active)
			}
		}
		w.countLocal(active, bytes, true)
	}}
}
