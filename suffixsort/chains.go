package suffixsort

import (
	"math/bits"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/radixsort"
)

// mostExtended bounds the rounds of extension.
const mostExtended = 4

// sortLeft sorts what the first sort has left. false: there is no room for it.
func (r *run) sortLeft(step func(string) error) (bool, error) {
	if r.extendFirst() {
		if err := r.extend(step); err != nil {
			return false, err
		}
	}
	for round := 1; r.all.left.sum() > 0; round++ {
		if err := step(PhaseInvert); err != nil {
			return false, err
		}
		r.invert()
		if err := step(PhaseChain); err != nil {
			return false, err
		}
		m, err := r.findRepresentatives()
		if err != nil {
			return false, err
		}
		if m <= r.doubling.slots.Len() {
			if ok, err := r.sortRepresentatives(m, step); err != nil || ok {
				return ok, err
			}
		}
		if r.code.width > 0 || round == mostExtended {
			return false, nil
		}
		r.classify(&r.all) // for a snapshot
		if err := r.extend(step); err != nil {
			return false, err
		}
	}
	return true, nil
}

// extendFirst tells whether to extend before chains are looked for: in packed text few groups have to be sorted without
// that. (The room for lists has the packed text.)
func (r *run) extendFirst() bool { return r.code.width == 0 && r.o.Extensions >= 0 }

// invert makes isa of the sorted and the unsorted suffixes.
func (r *run) invert() {
	g := &r.all
	r.findLasts(g)
	if r.n <= r.window() {
		r.invertAll.Launch(r.tiles(r.n), (4+32)*int64(r.n), g.suffixes, g.groups, g.lasts, uint64(r.n), r.isa)
		return
	}
	// By the top bits of the suffix first, so that writes stay where caches reach: all at once if there is room,
	// since what is written a part at a time is written as often. One pass writes to
	// Alt, and leaves Cur alone.
	bytes := device.Reinterpret[uint8](r.packed)
	if r.overDepths {
		r.unpacked = true
		r.narrow.Launch(r.tiles(r.depths.Len()), (4+1)*int64(r.depths.Len()), r.depths.Args(), uint64(r.depths.Len()), bytes)
	}
	top, pieces := bits.Len(uint(r.n-1)), device.Groups(r.n, r.theirs.Len())
	piece := device.Groups(r.n, pieces)
	for lo := 0; lo < r.n; lo += piece {
		bySuffix := radixsort.Pair[uint32]{Cur: r.isa, Alt: r.behind}
		theirs := radixsort.Pair[uint32]{Cur: r.isa, Alt: r.theirs}
		count := min(piece, r.n-lo)
		r.partition.Run(r.ws, &bySuffix, &theirs, count, max(top-8, 0), top, g.suffixes, g.groups, g.lasts, uint64(lo))
		r.scatter.Launch(r.tiles(count), (8+32)*int64(count), bySuffix.Cur, theirs.Cur, uint64(count), r.isa)
	}
	if r.overDepths {
		r.widen.Launch(r.tiles(r.depths.Len()), (4+1)*int64(r.depths.Len()), bytes, uint64(r.depths.Len()), r.depths.Args())
	}
}

// window is the number of ranks that may be written in any order without a partition.
func (r *run) window() int {
	if r.o.Window > 0 {
		return r.o.Window
	}
	return 1 << 23
}

// findRepresentatives finds the groups that have to be sorted, and tells how many suffixes they have; if there is
// room for them, they are in order and slots then, and marked.
func (r *run) findRepresentatives() (int, error) {
	g, d := &r.all, &r.doubling
	words := g.words()
	ends, marked := g.starts.View(0, words), r.marked.View(0, words)
	ends.Fill(0)
	marked.Fill(0)
	r.link.Launch(r.tiles(r.n), int64(r.n)/2+int64(g.left.sum())*(4+32), r.isa, g.suffixes, uint64(r.n), g.groups, g.lasts, g.classes, ends)
	selected := r.selected.Buffer(r.s)
	r.selectEnds.Run(r.ws, r.n, 1, selected, g.suffixes, g.groups, g.lasts, g.classes, ends, uint32(d.slots.Len()), d.suffixes.Args(), d.slots.Args(), marked)
	r.countMarks.Run(r.ws, words, 4+8, marked, r.marks())
	var host [1]uint64
	err := selected.Read(host[:])
	return int(host[0]), err
}

// marks are where suffixes of representatives start in the text, and how many do before each word. Nothing is listed meanwhile.
func (r *run) marks() *device.Buffer[uint32] { return r.all.starts }

// sortRepresentatives sorts m suffixes of them, and then all in their order. false: there is no room for those in large groups.
func (r *run) sortRepresentatives(m int, step func(string) error) (bool, error) {
	g, d := &r.all, &r.doubling
	d.n = m
	r.represent.Launch(r.tiles(m), int64(m)*(8+8+32+4+32+4+32+32), r.isa, uint64(r.n), r.depths.Args(), r.marks(), uint64(m), d.slots.Args(),
		d.suffixes.Args(), d.groups, d.keys.Args(), d.ranks.Args(), d.next.Args())
	if err := r.findUnsorted(&d.grouped); err != nil {
		return false, err
	}
	if d.left.large > d.listing.slots.Len() {
		return false, nil
	}
	if err := d.sort(r, step); err != nil {
		return false, err
	}
	if err := step(PhaseChain); err != nil {
		return false, err
	}
	r.shift.Launch(r.tiles(m), int64(m)*(4+4+32), d.suffixes.Args(), d.slots.Args(), uint64(m), g.groups, g.lasts, d.ranks.Args())
	r.settle.Launch(r.tiles(r.n), int64(r.n)*(4+4)+int64(g.left.sum())*(32+32), g.suffixes, uint64(r.n), g.groups, g.lasts, g.classes, r.marks(), d.ranks.Args(), r.isa)
	device.Copy(g.suffixes, r.isa, r.n)
	g.left = tally{}
	return true, nil
}
