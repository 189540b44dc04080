package amdgpu

import "github.com/suffixcl/suffixcl/internal/testkit/amdcode"

// begin sets a wavefront up for the work-items from first on (LLVM, Initial Kernel Execution State).
func (w *wave) begin(l *launch, g *group, first, items int) {
	w.group, w.index, w.pc, w.scc = g, first/w.width, l.kernel.entry, 0
	w.done, w.waiting, w.indexed = false, false, gprIndex{}
	w.full = ^uint64(0) >> (64 - items)
	for i := range w.s {
		w.s[i] = 0xbadc0de0 + uint32(i)
	}
	for i := range w.v {
		w.v[i] = 0xdeadbee0 + uint32(i)
	}
	for i := range w.scratch {
		w.scratch[i] = 0xee
	}
	w.setExec(w.full)
	w.set64(vcc, 0)
	w.beginScalars(l, g)
	w.beginItems(l, first, items)
}

// beginScalars fills in the scalar registers that the descriptor asks for.
func (w *wave) beginScalars(l *launch, g *group) {
	d := l.kernel.Descriptor
	at := uint16(0)
	for _, p := range []struct {
		property, size uint16
	}{
		{amdcode.PropertyPrivateSegmentBuffer, 4}, {amdcode.PropertyDispatchPtr, 2}, {amdcode.PropertyQueuePtr, 2},
		{amdcode.PropertyKernargPtr, 2}, {amdcode.PropertyDispatchID, 2}, {amdcode.PropertyFlatScratchInit, 2},
		{amdcode.PropertyPrivateSegmentSize, 1},
	} {
		if d.Properties&p.property == 0 {
			continue
		}
		switch p.property {
		case amdcode.PropertyKernargPtr:
			w.set64(at, l.args.base)
		case amdcode.PropertyDispatchPtr:
			w.set64(at, l.args.base+uint64(argBytes(l.kernel)))
		}
		at += p.size
	}
	at = uint16(d.Rsrc2 >> amdcode.Rsrc2UserShift & amdcode.Rsrc2UserMask) // which gfx11 rounds up
	for axis, bit := range []uint32{amdcode.Rsrc2WorkGroupX, amdcode.Rsrc2WorkGroupY, amdcode.Rsrc2WorkGroupZ} {
		if d.Rsrc2&bit != 0 {
			w.s[at] = uint32(g.id[axis])
			at++
		}
	}
}

// beginItems fills in the numbers of the work-items: ten bits each in one register, or three registers before gfx90a
// and on gfx10.
func (w *wave) beginItems(l *launch, first, items int) {
	for i := range items {
		flat := first + i
		x, y, z := flat%l.local[0], flat/l.local[0]%l.local[1], flat/l.local[0]/l.local[1]
		if l.kernel.packedItems {
			w.v[i] = uint32(x | y<<10 | z<<20)
			continue
		}
		w.v[i], w.v[w.width+i], w.v[2*w.width+i] = uint32(x), uint32(y), uint32(z)
	}
}
