package distributed

import (
	"github.com/suffixcl/suffixcl/device"
)

// Plan is the device memory of a rank that sorts a text of n characters with the others, whatever the text. All ranks
// check it before they begin. Where one device sorts for all, that is planned instead.
//
// Errors: a *device.LengthError.
func (b *Builder) Plan(n uint64) (device.MemoryPlan, error) {
	if b.comm == nil || b.session == nil {
		return nil, errNoSession
	}
	p, me := b.comm.Size(), b.comm.Rank()
	from, to := Bounds(n, p, me)
	if to == from {
		return nil, nil
	}
	length := int(to - from)
	part := int(min(n, to+uint64(max(firstOverlap, period+1))) - from)
	sort, err := planArray(b.session, part)
	if err != nil {
		return nil, err
	}
	names := newNamer(b.session, part, int(sampleNumber(to)-sampleNumber(from))).layout.Memory()
	names.Buffers = append(names.Buffers, sort.layout.Memory().Buffers...)
	share := length + length/16 + 1 // at most 1/64 more than even, by the samples
	merge := newMerger[uint64](b.session, n, int(sampleNumber(n)), share).layout
	if n < widePositions {
		merge = newMerger[uint32](b.session, n, int(sampleNumber(n)), share).layout
	}
	own, samples := int64(sampleNumber(to)-sampleNumber(from)), sampleNumber(n)
	position := int64(4)
	if n >= widePositions {
		position = 8
	}
	phases := device.MemoryPlan{
		sort.memory(), names, {Phase: "global names"}, b.planRecursion(n, own, position), merge.Memory(), {Phase: "deliver"},
	}
	list, merged := int64(4*length), int64(0) // merged is what is not in memory of the result
	if position == 8 {
		merged = 8 * int64(share)
	}
	keys := own + own/16 // whose names a rank finds
	for i, host := range []int64{
		0,
		4*int64(part) + 8*own,
		list + 3*position*own + 2*position*keys,
		list + position*own + phases[3].Host,
		position*int64(samples) + max(merged, list),
		position * int64(share+length),
	} {
		phases[i].Host = heldBytes*int64(length) + int64(n) + host
	}
	return phases, nil
}

// planRecursion is the memory of a rank for the recursion of pDC3, by doubling or, on rank 0 where that is allowed, of
// all names.
func (b *Builder) planRecursion(n uint64, own, position int64) device.PhaseMemory {
	most := own + own/oversampling
	m := planKeys(b.session, int(most))
	m.Phase, m.Host = "recursion", (5*position+12)*most
	if samples := sampleNumber(n); b.comm.Rank() == 0 && samples < 1<<32-period {
		r := &rank{Builder: b, n: n}
		host := uint64(position+8) * samples
		p, err := planSymbols[uint32](b.session, int(samples))
		if err == nil && r.affords(p.memory(), host) && p.memory().Device() > m.Device() {
			m = p.memory()
			m.Phase, m.Host = "recursion", int64(host)
		}
	}
	return m
}
