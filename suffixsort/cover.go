package suffixsort

import (
	"github.com/suffixcl/suffixcl/device"
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
func (r *run) covers() bool {
	return r.n >= r.o.coverFrom() && r.leastDepth() >= coverModulo && r.inLarge+r.left.large == 0 && r.m+r.left.small > r.n/4
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
	return r.firstBits()/width + mostBits/width
}

// doubleCover sorts what is left by the ranks of the cover, whose suffixes it doubles. Its parts are
// those of all suffixes.
func (r *run) doubleCover(parts []part, step func(string) error) ([]part, error) {
	if err := step(PhaseCover); err != nil {
		return nil, err
	}
	cover := *r
	cover.ahead, cover.m, cover.left, cover.n = 0, 0, tally{}, coverLen(r.n)
	slots := r.Sorter.cover
	cover.sa, cover.groups, cover.depths = slots.suffixes.Buffer(r.s), slots.groups.Buffer(r.s), slots.depths.Buffer(r.s)
	r.findLasts.Run(r.ws, segsort.HeadWords(r.n), 8, r.groups, r.lasts)
	var covered []part
	at := 0
	for _, p := range parts {
		begins := r.narrow
		r.selectCover.Run(r.ws, p.hi-p.lo, 4*r.selectCover.Loads()+8*coverSize/coverModulo, r.kept, r.sa, uint64(p.lo), r.groups, r.lasts, cover.sa, uint64(at), begins)
		var kept [1]uint64
		if err := r.kept.Read(kept[:]); err != nil {
			return nil, err
		}
		if kept[0] == 0 {
			continue
		}
		c := part{lo: at, hi: at + int(kept[0])}
		covered, at = append(covered, c), c.hi
		r.covered.Launch(r.tiles(c.span()), (8+4)*int64(c.hi-c.lo), begins, uint64(c.lo), uint64(c.hi), r.depths, cover.groups, cover.depths)
		found, err := cover.findUnsorted(c)
		if err != nil {
			return nil, err
		}
		cover.left.add(found)
		if r.o.Parts == 0 {
			cover.listed(found, cover.longest)
		}
	}
	if ok, err := cover.doubleAll(covered, step); err != nil || ok == nil {
		return nil, err
	}
	if err := step(PhaseCover); err != nil {
		return nil, err
	}
	r.round = cover.round
	r.unpacked = true
	for _, p := range parts {
		found, err := r.findUnsorted(p)
		if err != nil {
			return nil, err
		}
		r.coverSmall.Launch(device.Groups(found.small, r.stride), (8+4+32+4)*int64(found.small), r.small.Cur, uint64(found.small), r.isa, r.sa)
	}
	r.left = tally{}
	r.listed(tally{}, 0)
	return parts, nil
}
