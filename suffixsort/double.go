package suffixsort

import (
	"math/bits"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/segsort"
)

// So many rounds of doubling are enqueued before the counts of the last one are read: few at
// first, since those that have nothing to do take time, too.
const firstAhead, mostAhead, slotsAhead = 3, 6, 2 // in lists, and where suffixes are

// doubleAll sorts what is left by ranks. false as from extendAll.
func (r *run) doubleAll(step func(string) error) (bool, error) {
	if err := step(PhaseInvert); err != nil {
		return false, err
	}
	r.invertSorted()
	rounds := firstAhead
	lists := func() error {
		defer func() { rounds = mostAhead }()
		return r.doubleLists(rounds)
	}
	for batch := 0; r.left.sum() > 0; batch++ {
		if err := r.s.CheckRound(batch, 0, r.left.sum(), r.n); err != nil {
			return false, err
		}
		if err := step(PhaseDouble); err != nil {
			return false, err
		}
		if ok, err := r.sortLeft(lists, r.doubleSlots); err != nil || !ok {
			return false, err
		}
	}
	return true, nil
}

// invertSorted makes isa of the sorted and the unsorted suffixes.
func (r *run) invertSorted() {
	r.findLasts.Run(r.ws, segsort.HeadWords(r.n), 8, r.groups, r.lasts)
	if r.n <= r.window() {
		r.invert.Launch(r.tiles(r.n), (4+32)*int64(r.n), r.sa, r.groups, r.lasts, uint64(r.n), r.isa)
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
		r.partition.Run(r.ws, &bySuffix, &theirs, count, max(top-8, 0), top, r.sa, r.groups, r.lasts, uint64(lo))
		r.scatter.Launch(r.tiles(count), (8+32)*int64(count), bySuffix.Cur, theirs.Cur, uint64(count), r.isa)
	}
	if r.overDepths {
		r.widen.Launch(r.tiles(r.depths.Len()), (4+1)*int64(r.depths.Len()), bytes, uint64(r.depths.Len()), r.depths.Args())
	}
	// Lists and the snapshot are lost.
	r.inLists = false
	r.classifySlots(r.snapshot)
}

// window is the number of ranks that may be written in any order without a partition.
func (r *run) window() int {
	if r.o.Window > 0 {
		return r.o.Window
	}
	return 1 << 23
}

// doubleLists sorts the groups in lists by the ranks of what is behind, which all are read before
// the first is changed. Where only small groups are left, that many rounds go together.
func (r *run) doubleLists(rounds int) error {
	if r.left.large > 0 {
		rounds = 1
	}
	r.nextRounds(rounds)
	for round := range rounds {
		if m := r.left.small; m > 0 {
			r.follow.Launch(r.tiles(m), int64(m)*(12+32+4), r.isa, r.sa, r.smallOf(round).Cur.Args(), uint64(m), r.counts, r.given(round), r.listed.Args(), r.depths.Args())
		}
		if m := r.left.large; m > 0 {
			r.doubleLarge(m)
			r.relistLarge(m)
		}
		r.sortSmall(r.doubleSmall.lists, round, 8+4+4+32+12, r.listed.Args(), r.depths.Args(), r.isa)
	}
	return r.next(rounds)
}

// doubleSlots sorts all groups by the ranks of what is behind. false: one is too long. Where only small
// groups are left, some rounds go together.
func (r *run) doubleSlots() (bool, error) {
	rounds := slotsAhead
	if r.left.large > 0 {
		rounds = 1
	}
	for round := range rounds {
		m := int64(r.left.small)
		if m == 0 {
			break
		}
		if round > 0 {
			m = 0 // not known: the profile counts what all slots take
			r.classifySlots(r.snapshot)
		}
		r.followAll.Launch(r.tiles(r.n), int64(r.n)/2+m*(4+2+32+4), r.isa, r.sa, uint64(r.n), r.groups, r.all.classes, r.depths.Args(), flag(r.fresh), r.behind)
		r.sortSlots(r.doubleSmall.slots, m*(4+4+32+4+32), r.behind.Args(), r.depths.Args(), r.isa)
		r.fresh = true
	}
	if r.left.large > 0 {
		r.deepenSlots()
	}
	return r.eachLarge(r.doubleLarge)
}

// deepenSlots notes depths that are fresh.
func (r *run) deepenSlots() {
	if r.fresh {
		r.deepen.Launch(r.tiles(r.n), int64(r.n)/2+int64(r.left.small)*(4+2), r.behind, uint64(r.n), r.groups, r.all.classes, r.depths.Args())
	}
	r.fresh = false
}

// doubleLarge sorts m listed suffixes in large groups by ranks.
func (r *run) doubleLarge(m int) {
	keys, n := r.largeRanks, int64(m)
	r.unpacked = true
	r.followLarge.Launch(r.tiles(m), n*(12+32+4), r.isa, r.largeSuffixes.Cur, r.largePlaces.Cur.Args(), uint64(m), r.heads, keys.Cur, r.depths.Args())
	r.sortDoubled.RunWithin(r.ws, &keys, &r.largeSuffixes, r.heads, m, r.longest)
	r.differ.Launch(r.tiles(m), 12*n, keys.Cur, r.largePlaces.Cur.Args(), uint64(m), r.heads)
	r.refine.Run(r.ws, m, 16+8+32, keys.Cur, r.largeSuffixes.Cur, r.largePlaces.Cur.Args(), r.heads, r.depths.Args(), r.isa)
}
