package suffixcl

import (
	"context"
	"errors"
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/intervals"
)

// SubstringOptions say which substrings FrequentSubstrings returns.
type SubstringOptions struct {
	// Longest [n]uint8 says how many symbols a substring may have that begins at each place: up to MaxSubstring, which
	// nil stands for. Where two places begin with the same substring, either both allow it or none. A common prefix
	// that is longer than allowed is no substring. With SubstringEnd added it counts as one of the length allowed.
	Longest   []uint8
	MinLength int // in symbols; 0: 1
	MinCount  int // number of occurrences; 0: 2
	// Best is how many are wanted: those of the highest scores, of equal scores the first in the order of suffixes.
	Best int
	By   IntervalScore
}

// What SubstringOptions.Longest has.
const (
	MaxSubstring = intervals.MaxLimit
	SubstringEnd = intervals.Cut
)

// FrequentSubstrings returns the best substrings of a text of n symbols, the highest score first: of all that occur
// twice or more, and that different symbols follow or Longest ends. They are intervals of the LCP array.
//
// Memory: PlanFrequentSubstrings; 16 bytes of host memory a substring. Cost: that of EachIntervals. Errors: those of
// Build; a set, a wrong option.
func (e *Engine) FrequentSubstrings(ctx context.Context, text Text, o SubstringOptions) (*Intervals, error) {
	switch symbols := text.symbols.(type) {
	case []uint16:
		return frequentSubstrings(ctx, e, symbols, o, newSymbolSorter[uint16])
	case []uint32:
		return frequentSubstrings(ctx, e, symbols, o, newSymbolSorter[uint32])
	case *Collection, tooLong:
		return nil, errors.New("suffixcl: the substrings of a set: join its texts, and end them by Longest")
	}
	return frequentSubstrings(ctx, e, text.Bytes(), o, newByteSorter)
}

// PlanFrequentSubstrings returns the device and host memory of FrequentSubstrings on a text of n symbols of so many
// bytes: 1, 2 or 4. Only whether Longest is nil counts of it. Errors as PlanBuild.
func (e *Engine) PlanFrequentSubstrings(
	ctx context.Context, symbolBytes, n int, o SubstringOptions,
) (device.MemoryPlan, error) {
	return planSymbols(ctx, e, symbolBytes,
		func() (operation, error) { return newCountingSubstrings(e, nil, n, o, newByteSorter) },
		func() (operation, error) { return newCountingSubstrings(e, nil, n, o, newSymbolSorter[uint16]) },
		func() (operation, error) { return newCountingSubstrings(e, nil, n, o, newSymbolSorter[uint32]) })
}

// countingSubstrings finds the best intervals whose prefixes limits allow.
type countingSubstrings[T symbol] struct {
	*intervalling[T]
	limits  *intervals.Limits
	layout  *device.Layout // of longest, or nil
	longest *device.Slot[uint8]
}

func newCountingSubstrings[T symbol](
	e *Engine, text []T, n int, options SubstringOptions, sorters symbolSorters[T],
) (*countingSubstrings[T], error) {
	if options.Best < 1 {
		return nil, fmt.Errorf("suffixcl: the best %d substrings", options.Best)
	}
	q := intervalQuery{options: IntervalOptions{MinDepth: max(options.MinLength, 1), MaxDepth: MaxSubstring,
		MinCount: options.MinCount, Best: options.Best, By: options.By}}
	found, err := newSymbolIntervals(e, text, n, q, sorters)
	if err != nil {
		return nil, err
	}
	o := &countingSubstrings[T]{intervalling: found}
	if options.Longest == nil {
		return o, nil
	}
	o.limits, o.layout = intervals.NewLimits(e.session), device.NewLayout("limits")
	o.longest = device.Reserve[uint8](o.layout, "limits", n)
	for i := range o.plan {
		o.plan[i].Host += int64(n)
	}
	last := len(o.plan) - 1 // the intervals: the limits have gone by then
	limits := o.layout.Memory()
	limits.Buffers, limits.Host = append(o.made.stay(), limits.Buffers...), o.plan[last].Host
	o.plan = append(o.plan[:last:last], limits, o.plan[last])
	return o, nil
}

func (o *countingSubstrings[T]) release(s *device.Session) {
	if o.layout != nil {
		o.layout.Release(s)
	}
	o.intervalling.release(s)
}

func frequentSubstrings[T symbol](
	ctx context.Context, e *Engine, text []T, options SubstringOptions, sorters symbolSorters[T],
) (*Intervals, error) {
	if options.Longest != nil {
		if err := exactly("limits", len(options.Longest), len(text)); err != nil {
			return nil, err
		}
	}
	c, err := e.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer c.end()
	o, err := prepareAlone(c, func() (*countingSubstrings[T], error) {
		return newCountingSubstrings(e, text, len(text), options, sorters)
	})
	if err != nil {
		return nil, err
	}
	defer o.release(c.s)
	a, err := o.load(c, text, nil)
	if err != nil {
		return nil, err
	}
	if o.limits != nil {
		if err := o.limit(c, options.Longest, a); err != nil {
			return nil, err
		}
	}
	if err := o.count(c, nil, nil, &a); err != nil {
		return nil, err
	}
	found := &Intervals{}
	return found, o.each(c, found.add)
}

// limit takes away the intervals of prefixes that are too long.
func (o *countingSubstrings[T]) limit(c *call, longest []uint8, a intervals.Arrays) error {
	if err := o.layout.Allocate(c.s); err != nil {
		return err
	}
	buffer := o.longest.Buffer(c.s)
	if err := upload(c, buffer, longest); err != nil {
		return err
	}
	c.phase("limits")
	err := c.compute(func() error {
		o.limits.Run(a.SA, buffer, a.LCP)
		return c.s.Check(c.ctx)
	})
	o.layout.Release(c.s)
	return err
}
