package suffixsort

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// middleSort sorts large groups in local memory, those that are too long for it by buckets: suffixsort_middle.cl. nil:
// the device has the shape of a CPU, and all are listed.
type middleSort struct {
	find, sort         *device.Kernel
	divide, distribute *device.Kernel
	rerank             *device.Kernel // nil where keys are windows
	shape              tune.Middle
	shortest           int // group, less one
	useful             int // work-groups
}

func newMiddleSort(b builder, keys int) *middleSort {
	caps := b.session.Caps()
	if caps.CPUShape {
		return nil
	}
	m := &middleSort{shape: b.set.Middle, shortest: b.set.Groups.Limit, useful: 4 * caps.ComputeUnits}
	program := b.session.Program(middleSource(b.set, keys))
	m.find, m.sort = program.Kernel("suffixsort_find", m.shape.WG), program.Kernel("suffixsort_middle", m.shape.WG)
	divided := func() {
		division := b.session.Program(divisionSource(b.set, keys))
		m.divide = division.Kernel("suffixsort_divide", m.shape.DivideWG)
		m.distribute = division.Kernel("suffixsort_distribute", m.shape.DivideWG)
	}
	if keys == byRanks {
		m.rerank = program.Kernel("suffixsort_rerank", m.shape.WG)
	}
	if keys == byWindows || b.n >= leastSampled {
		divided()
	} else {
		tuned.Rarely(b.session, divided)
	}
	return m
}

// fits is how many suffixes fit into local memory.
func (m *middleSort) fits() int { return m.shape.WG * m.shape.Items }

// wants tells whether to sort the large groups so. Lists are faster where much of the text is in longer groups, as in
// texts that repeat; of ranks only where a group was left in a round before.
func (m *middleSort) wants(g *groups) bool {
	return m != nil && (g.longest <= m.fits() || m.rerank != nil && !g.left || g.unsorted.large < max(g.n/5, 1<<15))
}

// run sorts the large groups by keys, and splits them. l is scratch. The classification after it tells whether a group
// was left as it is. bytes is the traffic of a suffix.
func (m *middleSort) run(g *groups, l list, counts *roundCounts, bytes int64, keys ...any) {
	large := g.unsorted.large
	if large == 0 {
		return
	}
	at, words := counts.nextMiddle(), g.words()
	divided := g.longest > m.fits()
	jobs, parts := l.keys.Alt, l.keys.Cur // of 16 bytes, in three arrays, and of 4
	room, longs := min(jobs.Len()/6, 1<<24), 0
	if divided {
		longs = room
	}
	lists := []any{device.Reinterpret[uint32](jobs), uint32(room)}
	m.find.Launch(intmath.CeilDiv(words, m.shape.WG), 12*int64(words),
		lists, uint32(longs), g.heads, uint64(g.n), uint64(words), g.classes, counts.buffer, at)
	if divided {
		m.divide.Launch(min(m.useful, intmath.CeilDiv(large, m.fits())), 0,
			lists, g.heads, uint64(g.n), uint32(2*parts.Len()/m.fits()), counts.buffer, at, g.suffixes.Args(), keys)
		m.distribute.Launch(min(m.useful, intmath.CeilDiv(large, m.shape.DivideWG)), 0,
			lists, device.Reinterpret[uint32](parts), counts.buffer, at, g.suffixes.Args(), keys)
	}
	m.sort.Launch(min(m.useful, intmath.CeilDiv(large, m.shortest)), bytes*int64(large),
		lists, device.Reinterpret[uint32](parts), counts.buffer, at, g.heads, g.suffixes.Args(), keys)
	if divided && m.rerank != nil {
		m.rerank.Launch(min(m.useful, intmath.CeilDiv(large, m.fits())), 0,
			lists, counts.buffer, at, g.heads, g.suffixes.Args(), keys)
	}
}
