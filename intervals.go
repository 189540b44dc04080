package suffixcl

import (
	"iter"

	"github.com/suffixcl/suffixcl/internal/jobs/intervals"
)

// Interval is one of an LCP array: an inner node of the suffix tree. The suffixes of slots Left to Right have a common
// prefix of Depth symbols and no longer one; no other suffix begins with it.
type Interval struct {
	Left, Right uint32 // slots of the suffix array
	Depth       uint32 // length of the common prefix, in symbols
	Position    uint32 // where the suffix of slot Left begins, and so one occurrence of the prefix
	Documents   uint32 // number of texts of a set that have the prefix; 0 for a text that is no set
}

// Count is the number of suffixes: how often the prefix occurs.
func (i Interval) Count() uint32 {
	return i.Right - i.Left + 1
}

// IntervalScore is what the best intervals have most of.
type IntervalScore int

// The scores.
const (
	ByCount IntervalScore = iota // number of occurrences
	ByDepth                      // length of the common prefix
	ByArea                       // their product
)

// IntervalOptions say which intervals are wanted. The zero value takes all. A limit of 0 is none.
type IntervalOptions struct {
	MinDepth, MaxDepth int // length of the common prefix; the interval of the empty prefix has depth 0
	MinCount, MaxCount int // number of occurrences
	// Of a set: number of texts with the prefix, and number of occurrences in each text that has any.
	MinDocuments, MaxDocuments int
	LeastEach, MostEach        int
	// LeftMaximal: different symbols stand before the occurrences, or one of them begins a text: maximal repeats.
	LeftMaximal bool
	// Supermaximal: repeats that are in no longer one.
	Supermaximal bool
	// Best, if it is not 0, is how many are wanted: those of the highest scores, the highest first. Of equal scores
	// those that come first where all are listed.
	Best int
	By   IntervalScore
	// Arrays, if they are given, are SA and LCP of the text, which is not sorted then, and Documents of a set. They are
	// not verified: of wrong ones the intervals are wrong. No common prefix may reach beyond the end of a text of a set.
	// Symbols are needed only for LeftMaximal and Supermaximal, which ask what stands before a suffix.
	Arrays *Result
	// Common asks for the longest common substrings of a set of m texts, and stands alone. Entry k, for k from 2 to m, is
	// the interval of the longest substring that at least k texts have, of equally long ones that of most texts, and then
	// the first in the order of Intervals. Its depth is 0 where there is none, and so are entries 0 and 1. (Hui 1992.) It
	// is one part. Memory: that with MinDocuments, and 24 bytes a text.
	Common bool
	// Longest [n]uint8, unless it is nil, says how many symbols the prefix may have that begins at each place of a text
	// that is no set: up to MaxSubstring. Where two places begin with the same prefix, either both allow it or none. An
	// interval whose prefix is longer is not there. With SubstringEnd added a longer prefix counts as one of the length
	// allowed. It goes with MinDepth, which is at least 1, MinCount, Best and By. A plan needs only whether it is nil.
	Longest []uint8
}

// Intervals are some of a text, an entry each.
type Intervals struct {
	Left, Right, Depth, Position []uint32 // [m], as Interval has them
	Documents                    []uint32 // [m] of a set, else nil
}

// Len is their number.
func (r *Intervals) Len() int {
	return len(r.Left)
}

// At is interval i.
func (r *Intervals) At(i int) Interval {
	found := Interval{Left: r.Left[i], Right: r.Right[i], Depth: r.Depth[i], Position: r.Position[i]}
	if r.Documents != nil {
		found.Documents = r.Documents[i]
	}
	return found
}

// All yields them with their numbers.
func (r *Intervals) All() iter.Seq2[int, Interval] {
	return func(yield func(int, Interval) bool) {
		for i := range r.Len() {
			if !yield(i, r.At(i)) {
				return
			}
		}
	}
}

// Intervals are those of the LCP array of a text. They come in the order of the slots at which their second child
// begins, that is where the text of the slot first differs after the prefix: in a suffix tree, a node after what is
// below its first child and before what is below the others. A text of n symbols has up to n-1. With Best there is one
// part. A set of texts has terminators, which differ: no prefix contains one.
//
// All takes 16 bytes of host memory for each interval, 20 of a set. Cost: linear, but for O(log n) of a suffix for
// bounds that are far away, and for a sort by document or symbol. Errors: those of Build; options that are negative,
// or that ask for the documents of a text that is no set; Arrays of other lengths.
func (e *Engine) Intervals(text Text, o IntervalOptions) Job[*Intervals, *Intervals] {
	return jobOf(intervals.Find(e.inner(), text.in, o.inner()), intervalsOf, intervalsOf)
}

// What IntervalOptions.Longest has.
const (
	MaxSubstring = intervals.MaxSubstring
	SubstringEnd = intervals.SubstringEnd
)

// inner are the options of the jobs.
func (o IntervalOptions) inner() intervals.Options {
	return intervals.Options{MinDepth: o.MinDepth, MaxDepth: o.MaxDepth, MinCount: o.MinCount, MaxCount: o.MaxCount,
		MinDocuments: o.MinDocuments, MaxDocuments: o.MaxDocuments, LeastEach: o.LeastEach, MostEach: o.MostEach,
		LeftMaximal: o.LeftMaximal, Supermaximal: o.Supermaximal, Best: o.Best, By: intervals.Score(o.By),
		Arrays: o.Arrays.inner(), Common: o.Common, Longest: o.Longest}
}

func intervalsOf(r *intervals.Intervals) *Intervals { return (*Intervals)(r) }
