package suffixsort

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/segsort"
)

// The difference cover of suffixsort_cover.cl: of 13 places 4.
const coverModulo, coverSize = 13, 4

// coverLen is the number of members in a text of n characters: at places 0, 1, 3 and 9 modulo 13.
func coverLen(n int) int {
	m := n / coverModulo * coverSize
	for _, place := range []int{0, 1, 3, 9} {
		if place < n%coverModulo {
			m++
		}
	}
	return m
}

// covers tells whether sorting the suffixes of the cover first is faster: if they are many, since each
// round is for a third of them then; and all in small groups, which one kernel sorts in the end. The ranks of
// the cover decide between suffixes that agree as far as it takes to meet them.
func (r *run) covers() bool { return r.left.large == 0 && r.repeatsInSmall() }

func (r *run) repeatsInSmall() bool {
	return r.n >= r.o.coverFrom() && r.leastDepth() >= coverModulo && r.left.small > r.n/4
}

// almostCovers tells whether few suffixes in large groups are what a cover is not for.
func (r *run) almostCovers() bool {
	return r.repeatsInSmall() && r.left.large > 0 && r.left.large < r.n/64
}

// mostExtended bounds the rounds of extension that are for large groups only.
const mostExtended = 3

// extendMost sorts large groups by further windows, until there are none if that is soon. false as from
// extendAll.
func (r *run) extendMost(step func(string) error) (bool, error) {
	if r.inLists {
		r.inLists = false
		if err := r.findUnsorted(); err != nil {
			return false, err
		}
	}
	for range mostExtended {
		if err := step(PhaseExtend); err != nil {
			return false, err
		}
		ok, err := r.eachLarge(r.extendLarge)
		if err == nil && ok {
			err = r.findUnsorted()
		}
		if err != nil || !ok || r.left.large == 0 {
			return ok, err
		}
	}
	return true, nil
}

// leastDepth is how many characters all groups are sorted by before they are doubled: by the first
// window and, unless there are none, one extension. It is 0 if the text is not packed.
func (r *run) leastDepth() int {
	width := r.code.width
	switch {
	case width == 0:
		return 0
	case r.o.Extensions < 0:
		return r.firstBits() / width
	}
	return r.firstBits()/width + windowBits/width
}

// doubleCover sorts what is left by the ranks of the cover, whose suffixes it doubles. false: a group
// is longer than there is room for.
func (r *run) doubleCover(step func(string) error) (bool, error) {
	if err := step(PhaseCover); err != nil {
		return false, err
	}
	// No groups are large: so their memory, and that of packed text, is for others.
	m := coverLen(r.n)
	cover := *r
	cover.n, cover.left, cover.inLists = m, tally{}, false
	cover.sa, cover.groups = r.c.Buffer(r.s), r.d.Buffer(r.s)
	cover.depths = r.isa.View(even(m), m/2+2)
	cover.theirs, cover.overDepths = device.Reinterpret[uint32](r.packed), false
	cover.snapshot = cover.theirs
	room := (r.behind.Len() - even(m)) / 5
	cover.room = min(r.room, room)
	cover.small = radixsort.Pair[uint64]{Cur: places(r.behind, even(m), room), Alt: places(r.behind, even(m)+2*room, room)}
	cover.listed = r.behind.View(even(m)+4*room, room)
	r.unpacked = true

	begins := r.behind
	r.findLasts.Run(r.ws, segsort.HeadWords(r.n), 8, r.groups, r.lasts)
	r.selectCover.Run(r.ws, r.n, 4*r.selectCover.Loads()+8*coverSize/coverModulo, r.selected.Buffer(r.s), r.sa, r.groups, r.lasts, cover.sa, begins)
	r.covered.Launch(r.tiles(m), (8+4)*int64(m), begins, uint64(m), r.depths.Args(), cover.groups, cover.depths.Args())
	if err := cover.findUnsorted(); err != nil {
		return false, err
	}
	if ok, err := cover.doubleAll(step); err != nil || !ok {
		return false, err
	}
	if err := step(PhaseCover); err != nil {
		return false, err
	}
	r.round = cover.round
	r.classifySlots(nil)
	r.coverSmall.Launch(device.Groups(r.n, r.inTile.slots), int64(r.n)/2+(4+32+4)*int64(r.left.small), uint64(r.n), r.groups, r.all.classes, r.isa, r.sa)
	r.left = tally{}
	return true, nil
}
