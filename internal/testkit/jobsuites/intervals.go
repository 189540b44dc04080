package jobsuites

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/testkit/suitekit"
)

// Interval is an interval of an LCP array: the suffixes of slots Left to Right have a common prefix of Depth symbols,
// and no longer one; suffixes of other slots do not have it. Position is the suffix of slot Left. Documents is the
// number of documents that the suffixes are in; 0 for a text that is no set.
type Interval struct{ Left, Right, Depth, Position, Documents uint32 }

// IntervalQuery asks for intervals. Limits of 0 are none; those of documents are for sets.
type IntervalQuery struct {
	MinDepth, MaxDepth         uint32
	MinCount, MaxCount         uint32 // of suffixes
	MinDocuments, MaxDocuments uint32
	LeastEach, MostEach        uint32 // suffixes in each document that has any
	LeftMaximal, Supermaximal  bool
	Best                       int    // only so many of the highest score; 0: all, in the order of the slots
	By                         string // the score: "count", "depth" or "area", their product
}

// maxIntervalText bounds the texts, since the oracle counts for each interval by itself.
const maxIntervalText = 1200

// Intervals is the suite for intervals of LCP arrays, on the texts of [conformance.SuffixArray] and on sets made of
// them. build returns what a query asks for: of the set of documents, or of the text where documents are nil. Intervals
// are in the order of the slots at which their second children begin; with Best the highest score comes first, and of
// equal scores the one that is first in that order.
func Intervals(
	build func(ctx context.Context, text []byte, documents [][]byte, q IntervalQuery) ([]Interval, error), cfg Config,
) []Case {
	type answer struct {
		q         IntervalQuery
		documents [][]byte
		got       []Interval
	}
	cfg = cfg.WithDefaults()
	cfg.Large = min(cfg.Large, maxIntervalText)
	run := func(set bool) []Case {
		turn := 0
		queries := intervalQueries(set)
		suite := textSuite[answer]{
			run: func(ctx context.Context, text []byte) (a answer, err error) {
				turn++
				a.q = queries[turn%len(queries)]
				if set {
					a.documents = cut(text, turn)
				}
				a.got, err = build(ctx, text, a.documents, a.q)
				return a, err
			},
			judge: func(text []byte, a answer) error {
				if err := suitekit.Compare("interval", a.got, ReferenceIntervals(text, a.documents, a.q)); err != nil {
					return fmt.Errorf("%+v of %d documents: %w", a.q, len(a.documents), err)
				}
				return nil
			},
		}
		return suite.cases(cfg)
	}
	var list []Case
	for _, set := range []bool{false, true} {
		for _, one := range run(set) {
			list = append(list, Case{Name: map[bool]string{false: "text/", true: "set/"}[set] + one.Name, Run: one.Run})
		}
	}
	return list
}

// intervalQueries are tried in turn.
func intervalQueries(set bool) []IntervalQuery {
	list := []IntervalQuery{
		{}, {MinDepth: 1}, {MinDepth: 2, MaxDepth: 5}, {MinCount: 3}, {MaxCount: 2}, {LeftMaximal: true},
		{Supermaximal: true}, {}, {LeftMaximal: true, MinDepth: 2, MinCount: 3, MaxCount: 9},
		{Best: 1, By: "count"}, {Best: 3, By: "depth"}, {Best: 7, By: "area", MinDepth: 1}, {Best: 1 << 20, By: "area"},
		{Best: 4, By: "depth", LeftMaximal: true, MinDepth: 1},
	}
	if !set {
		return list
	}
	return append(list,
		IntervalQuery{MinDocuments: 2}, IntervalQuery{MinDocuments: 2, MaxDocuments: 3, MinDepth: 1},
		IntervalQuery{MostEach: 1}, IntervalQuery{MostEach: 2}, IntervalQuery{LeastEach: 2}, IntervalQuery{LeastEach: 3},
		IntervalQuery{LeastEach: 2, MostEach: 3}, IntervalQuery{MinDocuments: 2, MostEach: 1, LeftMaximal: true},
		IntervalQuery{Best: 2, By: "area", MinDocuments: 2, MinDepth: 1})
}

// cut makes documents of a text, some of them empty: about as many as the turn says, or each of `turn` characters.
func cut(text []byte, turn int) [][]byte {
	documents := [][]byte{}
	step := turn%7 + 1
	if turn%3 == 0 {
		step = len(text)/(turn%5+1) + 1
	}
	for at := 0; at < len(text); at += step {
		documents = append(documents, text[at:min(at+step, len(text))])
	}
	if turn%4 == 0 {
		documents = append(documents, nil)
	}
	if turn%8 == 0 {
		documents = append([][]byte{nil, nil}, documents...)
	}
	return documents
}

// intervalText is a text whose intervals are listed.
type intervalText struct {
	sa, lcp, da []uint32
	before      []int // a number for the symbol before each suffix; different ones where a text begins
	set         bool
}

func newIntervalText(text []byte, documents [][]byte) *intervalText {
	t := &intervalText{set: documents != nil}
	if t.set {
		a := ReferenceSet(documents)
		t.sa, t.lcp, t.da = a.SA, a.LCP, a.Documents
		// A terminator is a line that no text has: the number of its document, after all letters.
		text = nil
		joined := []int{}
		for k, d := range documents {
			for _, c := range d {
				joined = append(joined, int(c))
			}
			joined = append(joined, 256+k)
		}
		t.before = make([]int, len(t.sa))
		for j, i := range t.sa {
			t.before[j] = -1
			if i > 0 {
				t.before[j] = joined[i-1]
			}
		}
		return t
	}
	t.sa = conformance.ReferenceSuffixArray(text)
	t.lcp = conformance.ReferenceLCP(text, t.sa)
	t.da, t.before = make([]uint32, len(t.sa)), make([]int, len(t.sa))
	for j, i := range t.sa {
		t.before[j] = -1
		if i > 0 {
			t.before[j] = int(text[i-1])
		}
	}
	return t
}

// ReferenceIntervals returns the intervals that a query asks for, of a set of documents, or of a text where those are
// nil. In texts of up to 16 symbols it looks at every substring; in longer ones it goes through the LCP array with a
// stack. What filters ask is counted for each interval by itself: quadratic for texts of long repeats.
func ReferenceIntervals(text []byte, documents [][]byte, q IntervalQuery) []Interval {
	t := newIntervalText(text, documents)
	all := t.byStack
	if len(t.sa) <= 16 {
		all = func() []placedInterval { return t.bySubstrings(text, documents) }
	}
	return q.choose(t, all())
}

// placedInterval has the slot at which the second child begins.
type placedInterval struct {
	Interval
	slot int
}

// byStack finds all intervals (Abouelhoda, Kurtz & Ohlebusch 2004, Algorithm 1).
func (t *intervalText) byStack() (all []placedInterval) {
	type open struct{ depth, left, second int }
	n := len(t.sa)
	stack := []open{}
	for j := 1; j <= n; j++ {
		depth, left := -1, j-1
		if j < n {
			depth = int(t.lcp[j])
		}
		for len(stack) > 0 && stack[len(stack)-1].depth > depth {
			top := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			found := Interval{Left: uint32(top.left), Right: uint32(j - 1), Depth: uint32(top.depth)}
			all = append(all, placedInterval{found, top.second})
			left = top.left
		}
		if j < n && (len(stack) == 0 || stack[len(stack)-1].depth < depth) {
			stack = append(stack, open{depth, left, j})
		}
	}
	return all
}

// bySubstrings finds all intervals by definition: a substring, the empty one included, that different symbols follow.
func (t *intervalText) bySubstrings(text []byte, documents [][]byte) (all []placedInterval) {
	n := len(t.sa)
	rest := func(j int) []int { // symbols of a suffix; what ends a text is another one each time
		i := int(t.sa[j])
		symbols := []int{}
		if !t.set {
			for _, c := range text[i:] {
				symbols = append(symbols, int(c))
			}
			return append(symbols, 256)
		}
		for k, d := range documents {
			if i <= len(d) {
				for _, c := range d[i:] {
					symbols = append(symbols, int(c))
				}
				return append(symbols, 256+k)
			}
			i -= len(d) + 1
		}
		panic("a suffix beyond the texts")
	}
	suffixes := make([][]int, n)
	for j := range suffixes {
		suffixes[j] = rest(j)
	}
	known := map[string]bool{}
	for j := range n {
		for depth := range len(suffixes[j]) {
			word := suffixes[j][:depth]
			if name := fmt.Sprint(word); known[name] {
				continue
			} else {
				known[name] = true
			}
			found := placedInterval{}
			followers := map[int]bool{}
			for k, suffix := range suffixes {
				if len(suffix) <= depth || !slices.Equal(suffix[:depth], word) {
					continue
				}
				if len(followers) == 0 {
					found.Left = uint32(k)
				}
				if !followers[suffix[depth]] {
					followers[suffix[depth]] = true
					if len(followers) == 2 {
						found.slot = k
					}
				}
				found.Right, found.Depth = uint32(k), uint32(depth)
			}
			if len(followers) > 1 {
				all = append(all, found)
			}
		}
	}
	return all
}

// accepts counts what the query asks of an interval.
func (q IntervalQuery) accepts(t *intervalText, found *placedInterval) bool {
	within := func(x, least, most uint32) bool { return x >= least && (most == 0 || x <= most) }
	l, r := int(found.Left), int(found.Right)
	each, symbols := map[uint32]uint32{}, map[int]int{}
	for j := l; j <= r; j++ {
		each[t.da[j]]++
		symbols[t.before[j]]++
	}
	if t.set {
		found.Documents = uint32(len(each))
	}
	found.Position = t.sa[l]
	good := within(found.Depth, q.MinDepth, q.MaxDepth) && within(uint32(r-l+1), q.MinCount, q.MaxCount) &&
		within(found.Documents, q.MinDocuments, q.MaxDocuments)
	for _, occurrences := range each {
		good = good && within(occurrences, q.LeastEach, q.MostEach)
	}
	if q.LeftMaximal {
		good = good && len(symbols) > 1
	}
	if q.Supermaximal {
		good = good && len(symbols) == r-l+1
		for j := l + 1; j <= r; j++ {
			good = good && t.lcp[j] == found.Depth
		}
	}
	return good
}

// score of an interval.
func (q IntervalQuery) score(i Interval) uint64 {
	count, depth := uint64(i.Right-i.Left)+1, uint64(i.Depth)
	return map[string]uint64{"count": count, "depth": depth, "area": count * depth}[q.By]
}

// choose returns what is asked for of all intervals.
func (q IntervalQuery) choose(t *intervalText, all []placedInterval) []Interval {
	slices.SortFunc(all, func(a, b placedInterval) int { return cmp.Compare(a.slot, b.slot) })
	list := []Interval{}
	for _, found := range all {
		if q.accepts(t, &found) {
			list = append(list, found.Interval)
		}
	}
	if q.Best > 0 {
		slices.SortStableFunc(list, func(a, b Interval) int { return cmp.Compare(q.score(b), q.score(a)) })
		list = list[:min(len(list), q.Best)]
	}
	return list
}

// ReferenceCommon returns, as entry k, the longest substring that at least k of the documents have: its interval, the
// first of equally long ones in the order of Intervals. Entries 0 and 1, and those of numbers without a common
// substring, are zero. Of an interval that more documents than k have, the one with the most counts where several are
// equally long.
func ReferenceCommon(documents [][]byte) []Interval {
	common := make([]Interval, len(documents)+1)
	all := ReferenceIntervals(nil, documents, IntervalQuery{MinDepth: 1, MinDocuments: 2})
	best := Interval{}
	for k := len(documents); k >= 2; k-- {
		for _, found := range all {
			if int(found.Documents) == k && found.Depth > best.Depth {
				best = found
			}
		}
		common[k] = best
	}
	return common
}
