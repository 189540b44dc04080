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
// texts that repeat, and where these fill local memory several times; of ranks only where a group was left in a round
// before.
func (m *middleSort) wants(g *groups) bool {
	return m != nil && (g.longest <= m.fits() || m.rerank != nil && !g.left ||
		g.unsorted.large < max(min(g.n/5, m.useful*m.fits()), 1<<15))
}

// middleScratch is memory for jobs, of 16 bytes in three arrays, and for parts. [0]uint32, of any length: what does not
// fit is left as it is.
type middleScratch struct{ jobs, parts *device.Buffer[uint32] }

// scratchOf has the memory of keys of lists.
func scratchOf(l list) middleScratch {
	return middleScratch{jobs: device.Reinterpret[uint32](l.keys.Cur), parts: device.Reinterpret[uint32](l.keys.Alt)}
}

// scratchIn divides some memory. false: what the groups need may not fit.
func (m *middleSort) scratchIn(spare *device.Buffer[uint32], g *groups) (middleScratch, bool) {
	large := g.unsorted.large
	jobs := 12 * (large/m.shortest + 1)
	parts := spare.Len() - jobs
	if parts < 0 || m.divides(g) && parts < 3*large { // a bucket has two fifths of its room
		return middleScratch{}, false
	}
	return middleScratch{spare.View(0, jobs), spare.View(jobs, parts)}, true
}

// divides tells whether there may be groups that do not fit into local memory.
func (m *middleSort) divides(g *groups) bool { return g.longest > m.fits() }

// run sorts the large groups by keys, and splits them. The classification after it tells whether a group was left as it
// is. bytes is the traffic of a suffix.
func (m *middleSort) run(g *groups, s middleScratch, counts *roundCounts, bytes int64, keys ...any) {
	large := g.unsorted.large
	if large == 0 {
		return
	}
	at, words := counts.nextMiddle(), g.words()
	divided, parts := m.divides(g), s.parts
	room, longs := min(s.jobs.Len()/12, 1<<24), 0
	if divided {
		longs = room
	}
	lists := []any{s.jobs, uint32(room)}
	m.find.Launch(intmath.CeilDiv(words, m.shape.WG), 12*int64(words),
		lists, uint32(longs), g.heads, uint64(g.n), uint64(words), g.classes, counts.buffer, at)
	if divided {
		m.divide.Launch(min(m.useful, intmath.CeilDiv(large, m.fits())), 0,
			lists, g.heads, uint64(g.n), uint32(parts.Len()/m.fits()), counts.buffer, at, g.suffixes.Args(), keys)
		m.distribute.Launch(min(m.useful, intmath.CeilDiv(large, m.shape.DivideWG)), 0,
			lists, parts.Args(), counts.buffer, at, g.suffixes.Args(), keys)
	}
	m.sort.Launch(min(m.useful, intmath.CeilDiv(large, m.shortest)), bytes*int64(large),
		lists, parts.Args(), counts.buffer, at, g.heads, g.suffixes.Args(), keys)
	if divided && m.rerank != nil {
		m.rerank.Launch(min(m.useful, intmath.CeilDiv(large, m.fits())), 0,
			lists, counts.buffer, at, g.heads, g.suffixes.Args(), keys)
	}
}
