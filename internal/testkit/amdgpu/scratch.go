package amdgpu

import "math/bits"

// Private memory is reached by scratch instructions, or, before gfx940 and on gfx1030, by buffer instructions with the
// resource in s[0:3], which nothing else is used for.
func scratchOperations() map[string]operation {
	all := make(map[string]operation)
	for name, e := range loads {
		all["scratch_load_"+name] = operation{class: classScratch, dests: 1, run: func(w *wave, in *inst) {
			w.scratchLoad(in, e, w.scratchAddress(in, &in.src[0], &in.src[1]))
		}}
		all["buffer_load_"+name] = operation{class: classScratch, dests: 1, run: func(w *wave, in *inst) {
			w.scratchLoad(in, e, w.bufferAddress(in, &in.src[0], &in.src[2]))
		}}
	}
	for name, e := range stores {
		all["scratch_store_"+name] = operation{class: classScratch, run: func(w *wave, in *inst) {
			w.scratchStore(in, &in.src[1], e, w.scratchAddress(in, &in.src[0], &in.src[2]))
		}}
		all["buffer_store_"+name] = operation{class: classScratch, run: func(w *wave, in *inst) {
			w.scratchStore(in, &in.src[0], e, w.bufferAddress(in, &in.src[1], &in.src[3]))
		}}
	}
	return all
}

// scratchAddress adds what there is of a vector register, a scalar one and the offset.
func (w *wave) scratchAddress(in *inst, vector, scalar *operand) func(lane int) uint32 {
	base := uint32(in.offset)
	if scalar.kind != operandNone {
		base += w.scalar(scalar)
	}
	if vector.kind != operandVector {
		return func(int) uint32 { return base }
	}
	v := w.reg(vector.index)
	return func(lane int) uint32 { return base + v[lane] }
}

// bufferAddress has the vector register only with offen.
func (w *wave) bufferAddress(in *inst, vector, scalar *operand) func(lane int) uint32 {
	if in.mode&modeOffen == 0 {
		vector = &operand{}
	}
	return w.scratchAddress(in, vector, scalar)
}

// private returns the memory of a lane at an address.
func (w *wave) private(lane int, address uint32, n int) []byte {
	size := w.launch.kernel.Scratch
	if uint64(address)+uint64(n) > uint64(size) {
		panic(fault("%d bytes at byte %d of %d of private memory", n, int32(address), size))
	}
	return w.scratch[lane*size+int(address):]
}

func (w *wave) scratchLoad(in *inst, e element, address func(lane int) uint32) {
	active, d := w.exec(), w.reg(in.dst.index)
	for mask := active; mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros64(mask)
		data := w.private(i, address(i), e.bytes)
		if e.bytes <= 4 {
			d[i] = e.half(d[i], e.extend(load(data, 0, e.bytes)))
			continue
		}
		for k := range e.bytes / 4 {
			w.reg(in.dst.index + uint16(k))[i] = load32(data, 4*k)
		}
	}
}

func (w *wave) scratchStore(_ *inst, from *operand, e element, address func(lane int) uint32) {
	source := w.vector(from, 0)
	for mask := w.exec(); mask != 0; mask &= mask - 1 {
		i := bits.TrailingZeros64(mask)
		data := w.private(i, address(i), e.bytes)
		if e.bytes <= 4 {
			x := uint64(source[i])
			if e.high {
				x >>= 16
			}
			store(data, 0, e.bytes, x)
			continue
		}
		for k := range e.bytes / 4 {
			store32(data, 4*k, w.reg(from.index + uint16(k))[i])
		}
	}
}
