package suffixcl

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"math/bits"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/intervals"
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
func (i Interval) Count() uint32 { return i.Right - i.Left + 1 }

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
}

// Intervals are some of a text, an entry each.
type Intervals struct {
	Left, Right, Depth, Position []uint32 // [m], as Interval has them
	Documents                    []uint32 // [m] of a set, else nil
}

// Len is their number.
func (r *Intervals) Len() int { return len(r.Left) }

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

func (r *Intervals) columns() []*[]uint32 {
	return []*[]uint32{&r.Left, &r.Right, &r.Depth, &r.Position, &r.Documents}
}

// IntervalArrays are those of a text of n symbols that was sorted before.
type IntervalArrays struct {
	SA  []uint32 // sa [n]uint32
	LCP []uint32 // lcp [n]uint32; lcp[0] is 0
	// Documents [n]uint32, or nil: the text of a set, from 0, in which each suffix begins. No common prefix may reach
	// beyond the end of a text.
	Documents []uint32
	// Text is for LeftMaximal and Supermaximal, which ask what stands before a suffix. A set is as Documents has it.
	Text Text
}

// EachIntervals calls yield for the intervals of the LCP array of a text, part by part, so that a result need not fit
// into memory. They come in the order of the slots at which their second child begins, that is where the text of the
// slot first differs after the prefix: in a suffix tree, a node after what is below its first child and before what is
// below the others. A text of n symbols has up to n-1. With Best there is one part. A part is valid until yield
// returns. An error of yield ends the computation. yield may not call the engine: see ErrInCallback.
//
// A set of texts has terminators, which differ: no prefix contains one.
//
// Memory: PlanIntervals. Cost: linear, but for O(log n) of a suffix for bounds that are far away, and for a sort by
// document or symbol. Errors: those of Build and yield; options that are negative, or that ask for the documents of a
// text that is no set.
func (e *Engine) EachIntervals(
	ctx context.Context, text Text, o IntervalOptions, yield func(*Intervals) error,
) error {
	if yield == nil {
		return ErrNoFunction
	}
	return withIntervalText(ctx, e, text, nil, intervalQuery{options: o}, yield)
}

// Intervals returns the intervals that EachIntervals yields: 16 bytes of host memory for each, 20 of a set.
func (e *Engine) Intervals(ctx context.Context, text Text, o IntervalOptions) (*Intervals, error) {
	all := &Intervals{}
	err := e.EachIntervals(ctx, text, o, all.add)
	if err != nil {
		return nil, err
	}
	return all, nil
}

// add appends a part.
func (r *Intervals) add(part *Intervals) error {
	from := part.columns()
	for i, column := range r.columns() {
		*column = append(*column, *from[i]...)
	}
	return nil
}

// EachIntervalsOf is EachIntervals with arrays that are given. They are not verified: of wrong ones the intervals are
// wrong. Errors as EachIntervals; arrays of different lengths; LeftMaximal or Supermaximal without a text.
func (e *Engine) EachIntervalsOf(
	ctx context.Context, a IntervalArrays, o IntervalOptions, yield func(*Intervals) error,
) error {
	if yield == nil {
		return ErrNoFunction
	}
	n := len(a.SA)
	if err := sameLength(lcpName, len(a.LCP), n); err != nil {
		return err
	}
	if a.Documents != nil {
		if err := sameLength(documentsName, len(a.Documents), n); err != nil {
			return err
		}
	}
	if a.Text.symbols != nil {
		if err := sameLength(suffixArrayName, n, a.Text.Len()); err != nil {
			return err
		}
	} else if n > 0 && (o.LeftMaximal || o.Supermaximal) {
		return errors.New("suffixcl: LeftMaximal and Supermaximal need the text")
	}
	return withIntervalText(ctx, e, a.Text, &a, intervalQuery{options: o}, yield)
}

// CommonSubstrings returns the longest common substrings of a set of m texts: entry k, for k from 2 to m, is the
// interval of the longest substring that at least k texts have, of equally long ones that of most texts, and then the
// first in the order of EachIntervals. Its depth is 0 where there is none, and so are entries 0 and 1. (Hui 1992.)
// Memory and errors as EachIntervals with MinDocuments, and 24 bytes a text; a text that is no set.
func (e *Engine) CommonSubstrings(ctx context.Context, set Text) (*Intervals, error) {
	d, ok := set.symbols.(*Collection)
	if !ok {
		return nil, errors.New("suffixcl: common substrings are those of a set")
	}
	found := &Intervals{}
	query := intervalQuery{options: IntervalOptions{MinDepth: 1, MinDocuments: 2}, common: true}
	if err := withIntervalText(ctx, e, set, nil, query, found.add); err != nil {
		return nil, err
	}
	m := d.Count() + 1
	common := &Intervals{}
	for _, column := range common.columns() {
		*column = make([]uint32, m)
	}
	depth := func(k int) uint32 { return found.Depth[k] }
	if found.Len() == 0 {
		return common, nil
	}
	intervals.MostDocuments(m, depth, func(k, from int) {
		to := common.columns()
		for i, column := range found.columns()[:4] {
			(*to[i])[k] = (*column)[from]
		}
		common.Documents[k] = uint32(from)
	})
	return common, nil
}

// PlanIntervals returns the device and host memory of EachIntervals on a text of n symbols of so many bytes: 1, 2 or 4.
// documents is 0. For the symbols of a set, of which no two terminators are the same, it is the number of texts:
// PlanIntervalsOf has the memory of the set itself. Errors as Plan; options as in EachIntervals.
func (e *Engine) PlanIntervals(
	ctx context.Context, symbolBytes, n, documents int, o IntervalOptions,
) (device.MemoryPlan, error) {
	q := intervalQuery{options: o, documents: documents, set: documents > 0}
	return planSymbols(ctx, e, symbolBytes,
		func() (operation, error) { return newSymbolIntervals(e, nil, n, q, newByteSorter) },
		func() (operation, error) { return newSymbolIntervals(e, nil, n, q, newSymbolSorter[uint16]) },
		func() (operation, error) { return newSymbolIntervals(e, nil, n, q, newSymbolSorter[uint32]) })
}

// PlanIntervalsOf returns the device and host memory of EachIntervals on a text. It calls no driver. Errors as
// PlanIntervals.
func (e *Engine) PlanIntervalsOf(ctx context.Context, text Text, o IntervalOptions) (device.MemoryPlan, error) {
	switch set := text.symbols.(type) {
	case tooLong:
		return nil, set.error
	case *Collection:
		q := intervalQuery{options: o}
		q.ofSet(set)
		return planAlone(ctx, e, func() (operation, error) { return newSetIntervals(e, set, q) })
	}
	return e.PlanIntervals(ctx, text.symbolBytes(), text.Len(), 0, o)
}

// intervalQuery is what the memory depends on, in addition to the length.
type intervalQuery struct {
	options    IntervalOptions
	set        bool
	documents  int // of a set
	symbolBits int // of the symbols before suffixes
	common     bool
}

func (q *intervalQuery) asksBefore() bool { return q.options.LeftMaximal || q.options.Supermaximal }

// filter are the options as package intervals has them.
func (q intervalQuery) filter() (f intervals.Filter, err error) {
	o := &q.options
	for _, limit := range []struct {
		name  string
		value int
		to    *uint32
	}{
		{"MinDepth", o.MinDepth, &f.MinDepth}, {"MaxDepth", o.MaxDepth, &f.MaxDepth},
		{"MinCount", o.MinCount, &f.MinCount}, {"MaxCount", o.MaxCount, &f.MaxCount},
		{"MinDocuments", o.MinDocuments, &f.MinDocuments}, {"MaxDocuments", o.MaxDocuments, &f.MaxDocuments},
		{"LeastEach", o.LeastEach, &f.LeastEach}, {"MostEach", o.MostEach, &f.MostEach},
	} {
		if limit.value < 0 {
			return f, fmt.Errorf("suffixcl: intervals with %s %d", limit.name, limit.value)
		}
		*limit.to = uint32(min(limit.value, math.MaxUint32))
	}
	f.LeftMaximal, f.Supermaximal = o.LeftMaximal, o.Supermaximal
	switch {
	case o.Best < 0:
		return f, fmt.Errorf("suffixcl: the best %d intervals", o.Best)
	case o.By < ByCount || o.By > ByArea:
		return f, fmt.Errorf("suffixcl: unknown score %d", o.By)
	case !q.set && (o.MinDocuments > 1 || o.MaxDocuments > 0 || o.LeastEach > 1 || o.MostEach > 0):
		return f, errors.New("suffixcl: a text that is no set has no documents to count")
	}
	return f, nil
}

// withIntervalText calls eachInterval with the symbols of a text and, where they are not given, what makes its arrays.
func withIntervalText(ctx context.Context, e *Engine, text Text, given *IntervalArrays, q intervalQuery,
	yield func(*Intervals) error) error {
	if given != nil && given.Documents != nil {
		q.set = true
		if len(given.Documents) > 0 {
			q.documents = int(slices.Max(given.Documents)) + 1
		}
	}
	switch symbols := text.symbols.(type) {
	case tooLong:
		return symbols.error
	case *Collection:
		return setIntervals(ctx, e, symbols, given, q, yield)
	case []uint16:
		return symbolIntervals(ctx, e, symbols, given, q, newSymbolSorter[uint16], yield)
	case []uint32:
		return symbolIntervals(ctx, e, symbols, given, q, newSymbolSorter[uint32], yield)
	}
	return symbolIntervals(ctx, e, text.Bytes(), given, q, newByteSorter, yield)
}

// setIntervals is eachInterval of a set.
func setIntervals(ctx context.Context, e *Engine, c *Collection, given *IntervalArrays, q intervalQuery,
	yield func(*Intervals) error) error {
	q.ofSet(c)
	if given != nil {
		var wide []uint32
		if q.asksBefore() {
			wide = c.wide()
		}
		return eachInterval(ctx, e, wide, c.starts(), given, func() (*intervalling[uint32], error) {
			return newGivenIntervals[uint32](e, len(given.SA), q)
		}, yield)
	}
	return eachInterval(ctx, e, nil, c.starts(), nil, func() (*intervalling[uint32], error) {
		return newSetIntervals(e, c, q)
	}, yield)
}

// ofSet says that the text is that set, unless documents are given.
func (q *intervalQuery) ofSet(c *Collection) {
	q.symbolBits = bits.Len(uint(c.Count() + math.MaxUint8))
	if !q.set {
		q.set, q.documents = true, c.Count()
	}
}

func newSetIntervals(e *Engine, c *Collection, q intervalQuery) (*intervalling[uint32], error) {
	made, err := compareSet(e, c)
	if err != nil {
		return nil, err
	}
	return newMakingIntervals(e, made, c.Len(), int64(c.Len())+4*int64(c.Count()), q)
}

// symbolIntervals is eachInterval of a text of symbols.
func symbolIntervals[T symbol](ctx context.Context, e *Engine, text []T, given *IntervalArrays, q intervalQuery,
	sorters symbolSorters[T], yield func(*Intervals) error) error {
	return eachInterval(ctx, e, text, nil, given, func() (*intervalling[T], error) {
		if given != nil {
			return newGivenIntervals[T](e, len(given.SA), q)
		}
		return newSymbolIntervals(e, text, len(text), q, sorters)
	}, yield)
}

func newSymbolIntervals[T symbol](
	e *Engine, text []T, n int, q intervalQuery, sorters symbolSorters[T],
) (*intervalling[T], error) {
	made, err := newSymbolsCompared(e, text, n, sorters)
	if err != nil {
		return nil, err
	}
	return newMakingIntervals(e, made, n, int64(n)*int64(symbolBytes[T]()), q)
}

// eachInterval sorts, or uploads what is given, and yields intervals.
func eachInterval[T symbol](ctx context.Context, e *Engine, text []T, starts []uint32, given *IntervalArrays,
	plan func() (*intervalling[T], error), yield func(*Intervals) error) error {
	c, err := e.begin(ctx)
	if err != nil {
		return err
	}
	defer c.end()
	o, err := prepareAlone(c, plan)
	if err != nil {
		return err
	}
	defer o.release(c.s)
	a, err := o.load(c, text, given)
	if err != nil {
		return err
	}
	if err := o.count(c, starts, given, &a); err != nil {
		return err
	}
	c.callsBack()
	return o.each(c, yield)
}
