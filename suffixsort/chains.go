package suffixsort

import (
	"math/bits"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/radixsort"
)

// mostExtended bounds the rounds of extension.
const mostExtended = 4

// sortLeft sorts what the first sort has left. false: there is no room for it.
func (r *run) sortLeft(step func(string) error) (bool, error) {
	if width := r.code.width; width > 0 {
		r.uniform = r.firstBits() / width
	}
	for round := 0; r.extendMore(round); round++ {
		if err := r.extend(step); err != nil {
			return false, err
		}
	}
	for round := 1; r.all.left.sum() > 0; round++ {
		if err := step(phaseInvert); err != nil {
			return false, err
		}
		r.invert()
		if err := step(phaseChain); err != nil {
			return false, err
		}
		if err := r.findRepresentatives(); err != nil {
			return false, err
		}
		if r.doubling.left.sum() <= r.doubling.slots.Len() {
			return r.sortRepresentatives(step)
		}
		if round == mostExtended {
			return false, nil
		}
		r.classify(&r.all) // for a snapshot
		if r.uniform > 0 {
			r.depths.Fill(uint32(r.uniform)) // they are lost
		}
		if err := r.extend(step); err != nil {
			return false, err
		}
	}
	return true, nil
}

// extendMore tells whether to extend before chains are looked for, once more after so many rounds. In packed text that repeats few
// groups have to be sorted without that; where little is left, it costs little, and where there was no room for as many bits as
// tell random text apart, it is not for what repeats.
func (r *run) extendMore(round int) bool {
	switch left := r.all.left.sum(); {
	case r.o.extensions != 0 || r.code.width == 0:
		return round == 0 && r.o.extensions >= 0
	case round == 0:
		return left < r.n/4 || r.firstBits() < bits.Len(uint(r.n))+8
	default:
		return round == 1 && left > r.n/20 && left < r.n/4
	}
}

// invert makes isa of the sorted and the unsorted suffixes.
func (r *run) invert() {
	g := &r.all
	r.lasts = r.findLasts(g)
	if r.n <= r.window() {
		r.invertAll.Launch(r.tiles(r.n), (4+32)*int64(r.n), g.suffixes, g.groups, r.lasts, uint64(r.n), r.isa)
		return
	}
	// By the top bits of the suffix first, so that writes stay where caches reach: all at once if there is room,
	// since what is written a part at a time is written as often. One pass writes to
	// Alt, and leaves Cur alone.
	bytes := device.Reinterpret[uint8](r.packed)
	overDepths := r.overDepths && r.uniform == 0
	if overDepths {
		r.narrow.Launch(r.tiles(r.depths.Len()), (4+1)*int64(r.depths.Len()), r.depths.Args(), uint64(r.depths.Len()), bytes)
	}
	top, pieces := bits.Len(uint(r.n-1)), intmath.CeilDiv(r.n, r.theirs.Len())
	piece := intmath.CeilDiv(r.n, pieces)
	for lo := 0; lo < r.n; lo += piece {
		bySuffix := radixsort.Pair[uint32]{Cur: r.isa, Alt: r.behind}
		theirs := radixsort.Pair[uint32]{Cur: r.isa, Alt: r.theirs}
		count := min(piece, r.n-lo)
		r.partition.Run(r.ws, &bySuffix, &theirs, count, max(top-8, 0), top, g.suffixes, g.groups, r.lasts, uint64(lo))
		r.scatter.Launch(r.tiles(count), (8+32)*int64(count), bySuffix.Cur, theirs.Cur, uint64(count), r.isa)
	}
	if overDepths {
		r.widen.Launch(r.tiles(r.depths.Len()), (4+1)*int64(r.depths.Len()), bytes, uint64(r.depths.Len()), r.depths.Args())
	}
}

// window is the number of ranks that may be written in any order without a partition.
func (r *run) window() int {
	if r.o.window > 0 {
		return r.o.window
	}
	return 1 << 23
}

// findRepresentatives finds the groups that have to be sorted, and how many suffixes they have.
func (r *run) findRepresentatives() error {
	g, d := &r.all, &r.doubling
	words := g.words()
	span := r.span(g.n, g.left.sum())
	chosen, ends := r.chosen(), r.marked.View(2*words, words)
	r.marked.View(2*words, 2*words).Fill(0)
	r.link.Launch(intmath.CeilDiv(r.n, span), int64(r.n)/2+int64(g.left.sum())*(4+32),
		r.isa, g.suffixes, uint64(r.n), uint32(span), g.groups, r.lasts, g.classes, ends.Args())
	r.nextRound()
	r.choose.Launch(r.tiles(words), (4+8+4+8)*int64(words), g.groups, r.lasts, g.classes, uint64(words), ends.Args(), chosen, r.counts, uint32(r.round))
	r.round += countsOfRound
	r.start.Run(r.ws, words, 16, chosen, g.starts)
	var err error
	d.left, _, err = r.readCounts()
	d.longest = g.longest
	return err
}

// chosen are the suffixes of representatives, as classes are.
func (r *run) chosen() *device.Buffer[uint32] { return r.marked.View(0, 2*r.all.words()) }

// sortRepresentatives sorts them, and then all in their order. false: a group is longer than there is room for.
func (r *run) sortRepresentatives(step func(string) error) (bool, error) {
	g, d := &r.all, &r.doubling
	words, m := g.words(), d.left.sum()
	marked, marks := r.marked.View(3*words, words), g.starts // lists of all are not made any more
	d.n = m
	span := r.span(g.n, g.left.sum())
	r.gather.Launch(intmath.CeilDiv(r.n, span), int64(r.n)/2+int64(m)*(4+4+4+32),
		g.suffixes, uint64(r.n), uint32(span), r.chosen(), g.starts, d.suffixes.Args(), d.slots.Args(), marked.Args())
	r.countMarks.Run(r.ws, words, 4+8, marked.Args(), marks)
	r.number.Launch(r.tiles(m), int64(m)*(8+4+2+32+32), g.groups, uint32(r.uniform), r.depths.Args(), marks, uint64(m), d.slots.Args(), d.suffixes.Args(), d.groups, d.next.Args())
	r.depart.Launch(r.tiles(4*words), int64(r.n)/4+int64(m)*(32+4+32+4+4+4), r.isa, uint64(r.n), marks, uint64(4*words), uint64(m), d.next.Args(), d.ranks.Args(), d.keys.Args())
	if ok, err := d.sort(r, step); err != nil || !ok {
		return false, err
	}
	if err := step(phaseChain); err != nil {
		return false, err
	}
	r.shift.Launch(r.tiles(m), int64(m)*(4+4+32), d.suffixes.Args(), d.slots.Args(), uint64(m), g.groups, r.lasts, d.ranks.Args())
	r.settle.Launch(intmath.CeilDiv(r.n, span), int64(r.n)/2+int64(g.left.sum())*(4+32+32+4),
		g.suffixes, uint64(r.n), uint32(span), g.groups, r.lasts, g.classes, marks, d.ranks.Args(), r.isa)
	r.back.Launch(intmath.CeilDiv(r.n, span), int64(r.n)/4+int64(g.left.sum())*8,
		r.isa, uint64(r.n), uint32(span), g.classes, g.suffixes)
	g.left = tally{}
	return true, nil
}
