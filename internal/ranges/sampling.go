package ranges

import (
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/suffixsort"
)

// sampling is a sample of the suffixes, and what ranking it takes.
type sampling[P uint32 | uint64] struct {
	cover   cover
	samples int
	depth   int    // characters that windows tell suffixes apart by
	note    string // of phases in plans
	names   *suffixsort.Symbols[uint32]
	lengths *lengths[P] // nil if no LCP array is wanted

	// One of these has names and then ranks, or names, whose ranks the other has.
	words  [2]*device.Layout
	sample [2]*device.Slot[uint32]

	// What stays on the device while names are sorted.
	keepsText bool
	keepsList bool // the memory of a range
}

func newSampling[P uint32 | uint64](s *device.Session, n, period int, shape windows, o Options) (
	d *sampling[P], err error) {
	d = &sampling[P]{}
	d.cover, _ = coverOf(period)
	d.samples = d.cover.samples(n)
	d.depth = intmath.RoundUp(period+1, shape.chars)
	if d.names, err = suffixsort.NewSymbols[uint32](s, d.samples); err != nil {
		return nil, err
	}
	if o.LCP {
		if d.lengths, err = newLengths[P](s, d.samples); err != nil {
			return nil, err
		}
	}
	for k, name := range []string{"names", "suffix array of names"} {
		d.words[k] = device.NewLayout("")
		d.sample[k] = device.Reserve[uint32](d.words[k], name, d.names.TextLen(d.samples))
	}
	return d, nil
}

// release gives all memory back.
func (d *sampling[P]) release(s *device.Session) {
	d.words[0].Release(s)
	d.words[1].Release(s)
	d.names.Release()
	if l := d.lengths; l != nil {
		l.copied.Release(s)
		l.ranked.Release(s)
	}
}

// plan is the memory of all phases, with that of the text and of a range.
func (d *sampling[P]) plan(m *memory[P], host int64, ranges int) (plan device.MemoryPlan) {
	add := func(name string, layouts ...*device.Layout) {
		plan = append(plan, phase(name+d.note, host, append(layouts, m.tables)...))
	}
	named := d.words[:]
	if d.keepsText {
		named = append([]*device.Layout{m.coded}, named...)
	}
	if d.keepsList {
		named = append(named, m.sorting)
	}
	ranked := []*device.Layout{m.coded, d.words[0]}
	add(phaseSample, m.coded, d.words[0], m.sorting)
	l := d.lengths
	if l == nil {
		add(phaseNames, named...)
	} else {
		add(phaseNames, append([]*device.Layout{l.copied}, named...)...)
	}
	plan[1].Buffers = append(plan[1].Buffers, d.names.Memory().Buffers...)
	if l != nil {
		add(phaseShared, append([]*device.Layout{l.copied, l.ranked}, named...)...)
		ranked = append(ranked, l.ranked)
		named = append(named[:len(named):len(named)], l.ranked)
	}
	add(phaseRanks, named...)
	add(fmt.Sprintf("%d ranges", ranges), append(ranked, m.sorting)...)
	return plan
}

// repetitive is the share of the samples that have names which others have before them, from which on a smaller period
// is worth its sample. Of two equal passages it is half of one residue's share, since they meet the cover in one.
const repetitive = 1.0 / 64

// repeats tells whether samples of so many names are of a text that repeats itself.
func (d *sampling[P]) repeats(distinct int) bool {
	return float64(d.samples-distinct) > repetitive*float64(d.samples)
}
