package duplicates

import (
	"cmp"
	"slices"
)

// Range is symbols Start to End-1.
type Range struct{ Start, End uint64 }

// Len is the number of symbols.
func (r Range) Len() uint64 { return r.End - r.Start }

// Passage is a range, all of whose windows occur Count times. It is the first occurrence.
type Passage struct {
	Range
	Count uint64
}

// Result has the figures of a run.
type Result struct {
	Windows  uint64    // number of duplicates
	Frequent []Passage // the most frequent ones, the highest count first, then in the order of the text
	Parts    int       // lists that were sorted
	Pieces   int       // pieces that were copied to the device
}

// joiner makes ranges of runs of duplicates.
type joiner struct {
	length    uint64
	documents []uint64
	yield     func([]Range) error

	windows uint64
	block   []Range
	last    Range // not yet in the block
	some    bool
}

// blockLen is how many ranges are handed out at a time.
const blockLen = 1 << 16

// add takes the windows first to last, in the order of the text.
func (j *joiner) add(first, last uint64) error {
	j.windows += last - first + 1
	return j.cover(Range{first, last + j.length})
}

// cover takes a range that windows cover.
func (j *joiner) cover(r Range) error {
	if j.some && r.Start <= j.last.End {
		_, between := slices.BinarySearch(j.documents, r.Start)
		if r.Start < j.last.End || !between { // windows do not cross the ends of documents
			j.last.End = max(j.last.End, r.End)
			return nil
		}
	}
	if j.some {
		j.block = append(j.block, j.last)
	}
	j.last, j.some = r, true
	if len(j.block) < blockLen {
		return nil
	}
	return j.flush()
}

func (j *joiner) flush() error {
	if len(j.block) == 0 {
		return nil
	}
	err := j.yield(j.block)
	j.block = j.block[:0]
	return err
}

// close hands out the rest.
func (j *joiner) close() error {
	if j.some {
		j.block = append(j.block, j.last)
		j.some = false
	}
	return j.flush()
}

// passages joins ranges that overlap and have the same count, and returns the `most` most frequent.
func passages(found []Passage, most int) []Passage {
	slices.SortFunc(found, func(a, b Passage) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	var joined []Passage
	for _, p := range found {
		if k := len(joined) - 1; k >= 0 && joined[k].Count == p.Count && p.Start <= joined[k].End {
			joined[k].End = max(joined[k].End, p.End)
			continue
		}
		joined = append(joined, p)
	}
	slices.SortStableFunc(joined, func(a, b Passage) int { return cmp.Compare(b.Count, a.Count) })
	return slices.Clip(joined[:min(len(joined), most)])
}
