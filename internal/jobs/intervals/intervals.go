package intervals

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"slices"

	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/intervals"
	"github.com/suffixcl/suffixcl/internal/jobs/arrays"
	"github.com/suffixcl/suffixcl/internal/sorter"
)

// Score is suffixcl.IntervalScore.
type Score int

// The scores.
const (
	ByCount Score = iota
	ByDepth
	ByArea
)

// Options are suffixcl.IntervalOptions.
type Options struct {
	MinDepth, MaxDepth         int
	MinCount, MaxCount         int
	MinDocuments, MaxDocuments int
	LeastEach, MostEach        int
	LeftMaximal                bool
	Supermaximal               bool
	Best                       int
	By                         Score
	Arrays                     *arrays.Result
	Common                     bool
	Longest                    []uint8
}

// Intervals are suffixcl.Intervals.
type Intervals struct {
	Left, Right, Depth, Position []uint32
	Documents                    []uint32
}

// Len is their number.
func (r *Intervals) Len() int { return len(r.Left) }

func (r *Intervals) columns() []*[]uint32 {
	return []*[]uint32{&r.Left, &r.Right, &r.Depth, &r.Position, &r.Documents}
}

// Find is suffixcl.Engine.Intervals.
func Find(e *call.Engine, text input.Text, o Options) call.Job[*Intervals, *Intervals] {
	if wrong := text.InMemory(); wrong != nil {
		return call.Refused[*Intervals, *Intervals](e, wrong)
	}
	if o.Common {
		return commonSubstrings(e, text, o)
	}
	if o.Longest != nil {
		return limited(e, text, o)
	}
	return intervalsOf(e, text, intervalQuery{options: o})
}

// commonSubstrings are Intervals with IntervalOptions.Common.
func commonSubstrings(e *call.Engine, set input.Text, o Options) call.Job[*Intervals, *Intervals] {
	if _, isSet := set.Symbols.(*input.Collection); !isSet {
		return call.Refused[*Intervals, *Intervals](e, errors.New("suffixcl: common substrings are those of a set"))
	}
	if o.Common = false; !reflect.ValueOf(o).IsZero() {
		return call.Refused[*Intervals, *Intervals](e, errors.New("suffixcl: IntervalOptions.Common stands alone"))
	}
	q := intervalQuery{options: Options{MinDepth: 1, MinDocuments: 2}, common: true}
	j := intervalsOf(e, set, q)
	deepest := j.Run
	j.Run = func(ctx context.Context, yield func(*Intervals) error) error {
		found, err := allIntervals(func(yield func(*Intervals) error) error { return deepest(ctx, yield) })
		if err != nil {
			return err
		}
		return yield(found.common(set.Symbols.(*input.Collection).Count() + 1))
	}
	return j
}

// common are the longest common substrings of m-1 texts, of which these are the deepest intervals by their numbers of
// texts.
func (r *Intervals) common(m int) *Intervals {
	common := &Intervals{}
	for _, column := range common.columns() {
		*column = make([]uint32, m)
	}
	if r.Len() == 0 {
		return common
	}
	intervals.MostDocuments(m, func(k int) uint32 { return r.Depth[k] }, func(k, from int) {
		to := common.columns()
		for i, column := range r.columns()[:4] {
			(*to[i])[k] = (*column)[from]
		}
		common.Documents[k] = uint32(from)
	})
	return common
}

// allIntervals are those of all parts.
func allIntervals(run func(yield func(*Intervals) error) error) (*Intervals, error) {
	all := &Intervals{}
	err := run(func(part *Intervals) error {
		from := part.columns()
		for i, column := range all.columns() {
			*column = append(*column, *from[i]...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// intervalQuery is what the memory depends on, in addition to the length.
type intervalQuery struct {
	options    Options
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

// checkArrays checks the arrays that are given for a text of so many symbols.
func (q *intervalQuery) checkArrays(text input.Text) error {
	a := q.options.Arrays
	if a == nil {
		return nil
	}
	n := len(a.SA)
	if err := call.SameLength(call.LCPName, len(a.LCP), n); err != nil {
		return err
	}
	if a.Documents != nil {
		if err := call.SameLength(call.DocumentsName, len(a.Documents), n); err != nil {
			return err
		}
		q.set = true
		if n > 0 {
			q.documents = int(slices.Max(a.Documents)) + 1
		}
	}
	if text.Len() > 0 || q.asksBefore() {
		return call.SameLength(call.SuffixArrayName, n, text.Len())
	}
	return nil
}

// intervalsOf is a job of a text and, where they are given, its arrays.
func intervalsOf(e *call.Engine, text input.Text, q intervalQuery) call.Job[*Intervals, *Intervals] {
	if wrong := q.checkArrays(text); wrong != nil {
		return call.Refused[*Intervals, *Intervals](e, wrong)
	}
	switch symbols := text.Symbols.(type) {
	case input.TooLong:
		return call.Refused[*Intervals, *Intervals](e, symbols.Err)
	case *input.Collection:
		return setIntervals(e, symbols, q)
	}
	type job = call.Job[*Intervals, *Intervals]
	return input.OfSymbols(text,
		func(s []uint8) job { return symbolIntervals(e, text, s, q, sorter.OfBytes) },
		func(s []uint16) job { return symbolIntervals(e, text, s, q, sorter.OfSymbols[uint16]) },
		func(s []uint32) job { return symbolIntervals(e, text, s, q, sorter.OfSymbols[uint32]) },
		func(wrong error) job { return call.Refused[*Intervals, *Intervals](e, wrong) })
}

// setIntervals is intervalsOf a set.
func setIntervals(e *call.Engine, c *input.Collection, q intervalQuery) call.Job[*Intervals, *Intervals] {
	q.ofSet(c)
	var wide func() []uint32
	if q.asksBefore() && q.options.Arrays != nil {
		wide = c.Wide
	}
	return intervalJob(e, wide, c.Starts(), q, func() (*intervalling[uint32], error) {
		if a := q.options.Arrays; a != nil {
			return newGivenIntervals[uint32](e, len(a.SA), q)
		}
		return newSetIntervals(e, c, q)
	})
}

// symbolIntervals is intervalsOf symbols, which are nil where only their number is known.
func symbolIntervals[T input.Symbol](
	e *call.Engine, of input.Text, text []T, q intervalQuery, sorters sorter.Choice[T],
) call.Job[*Intervals, *Intervals] {
	j := intervalJob(e, func() []T { return text }, nil, q, func() (*intervalling[T], error) {
		if a := q.options.Arrays; a != nil {
			return newGivenIntervals[T](e, len(a.SA), q)
		}
		return newSymbolIntervals(e, text, of.Len(), q, sorters)
	})
	if len(text) < of.Len() && (q.options.Arrays == nil || q.asksBefore()) {
		j.Run = call.NeverRun[*Intervals]
	}
	return j
}

// ofSet says that the text is that set, unless documents are given.
func (q *intervalQuery) ofSet(c *input.Collection) {
	q.symbolBits = bits.Len(uint(c.Count() + math.MaxUint8))
	if !q.set {
		q.set, q.documents = true, c.Count()
	}
}

func newSetIntervals(e *call.Engine, c *input.Collection, q intervalQuery) (*intervalling[uint32], error) {
	made, err := arrays.CompareSet(e, c)
	if err != nil {
		return nil, err
	}
	return newMakingIntervals(e, made, c.Len(), int64(c.Len())+4*int64(c.Count()), q)
}

func newSymbolIntervals[T input.Symbol](
	e *call.Engine, text []T, n int, q intervalQuery, sorters sorter.Choice[T],
) (*intervalling[T], error) {
	made, err := arrays.NewSymbolsCompared(e, text, n, sorters)
	if err != nil {
		return nil, err
	}
	return newMakingIntervals(e, made, n, int64(n)*int64(input.Width[T]()), q)
}

// intervalJob sorts, or uploads what is given, and yields intervals. symbols are those that are given, if any.
func intervalJob[T input.Symbol](e *call.Engine, symbols func() []T, starts []uint32, q intervalQuery,
	plan func() (*intervalling[T], error)) call.Job[*Intervals, *Intervals] {
	return call.NewJob(e, plan, func(c *call.Call, o *intervalling[T], yield func(*Intervals) error) error {
		var text []T
		if symbols != nil {
			text = symbols()
		}
		a, err := o.load(c, text, q.options.Arrays)
		if err != nil {
			return err
		}
		if err := o.count(c, starts, q.options.Arrays, &a); err != nil {
			return err
		}
		return o.each(c, yield)
	}, allIntervals)
}
