package verbs

import (
	"sort"
	"strings"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/twobit"
)

// rareLetters are those of an index that occur less often than a match has to. bwa fastmap tells them all the same: a
// string that begins with one and has no more letters than leave the number of hits as it is. What it covers is in no
// other match; the next one has the letter after it.
type rareLetters struct {
	t     *suffixcl.DNATransform
	ranks *twobit.Ranks
	sums  [5]uint64
	hits  uint64
}

// newRareLetters is nil if there are none.
func newRareLetters(t *suffixcl.DNATransform, hits int) *rareLetters {
	counts := twobit.CountAll(t.Bases)
	for _, n := range counts {
		if n < uint64(hits) {
			return &rareLetters{t, twobit.NewRanks(t.Bases), counts.Sums(), uint64(hits)}
		}
	}
	return nil
}

// rareMatch is what is told.
type rareMatch struct {
	suffixcl.SMEM
	positions []uint64
}

func codeOf(letter byte) int { return strings.IndexByte("ACGT", letter&^0x20) }

// matches are those of a query, with positions of up to so many hits.
func (r *rareLetters) matches(query []byte, located int) (all []rareMatch) {
	for x := 0; x < len(query); {
		c := codeOf(query[x])
		if c < 0 || r.sums[c+1]-r.sums[c] >= r.hits {
			x++
			continue
		}
		// The other strand's string grows at its beginning.
		low, high := r.step(3-c, 0, uint64(len(r.t.Bases))+1)
		hits, end := high-low, x+1
		for ; end < len(query); end++ {
			c := codeOf(query[end])
			if c < 0 {
				break
			}
			if low, high = r.step(3-c, low, high); high-low != hits {
				break
			}
		}
		m := rareMatch{SMEM: suffixcl.SMEM{Start: uint32(x), End: uint32(end), Hits: hits}}
		if hits > 0 && hits <= uint64(located) {
			low, high = 0, uint64(len(r.t.Bases))+1
			for i := end - 1; i >= x; i-- {
				low, high = r.step(codeOf(query[i]), low, high)
			}
			for row := low; row < high; row++ {
				m.positions = append(m.positions, r.position(row))
			}
		}
		all = append(all, m)
		x = end
	}
	return all
}

// place is where the letter of a row is in the transform.
func (r *rareLetters) place(row uint64) int {
	if row > uint64(r.t.Primary) {
		row--
	}
	return int(row)
}

// step goes from the rows of a string to those with a letter before it.
func (r *rareLetters) step(code int, low, high uint64) (next, end uint64) {
	first := 1 + r.sums[code]
	return first + r.ranks.Before(r.place(low))[code], first + r.ranks.Before(r.place(high))[code]
}

func (r *rareLetters) position(row uint64) uint64 {
	steps, every := uint64(0), uint64(r.t.Every)
	for row%every != 0 {
		if row == uint64(r.t.Primary) {
			return steps
		}
		row, _ = r.step(int(r.t.Bases[r.place(row)]), row, row)
		steps++
	}
	return r.t.Samples[row/every-1] + steps
}

// among puts the matches that are told of a query among those of the definition.
func (r *rareLetters) among(found []rareMatch, query []byte, least, located int) []rareMatch {
	rare := r.matches(query, located)
	if len(rare) == 0 {
		return found
	}
	var all []rareMatch
	for _, m := range found {
		k := sort.Search(len(rare), func(i int) bool { return rare[i].Start > m.Start }) - 1
		if k < 0 || m.End > rare[k].End {
			all = append(all, m)
		}
	}
	for _, m := range rare {
		if int(m.End-m.Start) >= least {
			all = append(all, m)
		}
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].Start < all[j].Start })
	return all
}
