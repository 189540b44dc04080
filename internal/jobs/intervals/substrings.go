package intervals

import (
	"errors"
	"reflect"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/intervals"
	"github.com/suffixcl/suffixcl/internal/sorter"
)

// What Options.Longest has.
const (
	MaxSubstring = intervals.MaxLimit
	SubstringEnd = intervals.Cut
)

// limited is Find with Options.Longest.
func limited(e *call.Engine, text input.Text, o Options) call.Job[*Intervals, *Intervals] {
	type job = call.Job[*Intervals, *Intervals]
	no := func(wrong error) job { return call.Refused[*Intervals, *Intervals](e, wrong) }
	if text.IsSet() {
		return no(errors.New("suffixcl: IntervalOptions.Longest for a set: join its texts, and end them by Longest"))
	}
	others := o
	others.Longest, others.MinDepth, others.MinCount, others.Best, others.By = nil, 0, 0, 0, 0
	if !reflect.ValueOf(others).IsZero() {
		return no(errors.New("suffixcl: IntervalOptions.Longest goes with MinDepth, MinCount, Best and By alone"))
	}
	return input.OfSymbols(text,
		func(s []uint8) job { return substringsOf(e, text, s, o, sorter.OfBytes) },
		func(s []uint16) job { return substringsOf(e, text, s, o, sorter.OfSymbols[uint16]) },
		func(s []uint32) job { return substringsOf(e, text, s, o, sorter.OfSymbols[uint32]) }, no)
}

// countingSubstrings finds the best intervals whose prefixes limits allow.
type countingSubstrings[T input.Symbol] struct {
	*intervalling[T]
	limits  *intervals.Limits
	layout  *device.Layout // of longest
	longest *device.Slot[uint8]
}

func newCountingSubstrings[T input.Symbol](
	e *call.Engine, text []T, n int, options Options, sorters sorter.Choice[T],
) (*countingSubstrings[T], error) {
	q := intervalQuery{options: Options{MinDepth: max(options.MinDepth, 1), MaxDepth: MaxSubstring,
		MinCount: options.MinCount, Best: options.Best, By: options.By}}
	found, err := newSymbolIntervals(e, text, n, q, sorters)
	if err != nil {
		return nil, err
	}
	o := &countingSubstrings[T]{intervalling: found}
	o.limits, o.layout = intervals.NewLimits(e.Session), device.NewLayout("limits")
	o.longest = device.Reserve[uint8](o.layout, "limits", n)
	for i := range o.plan {
		o.plan[i].Host += int64(n)
	}
	last := len(o.plan) - 1 // the intervals: the limits have gone by then
	limits := o.layout.Memory()
	limits.Buffers, limits.Host = append(o.made.Stay(), limits.Buffers...), o.plan[last].Host
	o.plan = append(o.plan[:last:last], limits, o.plan[last])
	return o, nil
}

func (o *countingSubstrings[T]) Free(s *device.Session) {
	o.layout.Release(s)
	o.intervalling.Free(s)
}

// substringsOf are the substrings of symbols, which are nil where only their number is known.
func substringsOf[T input.Symbol](
	e *call.Engine, of input.Text, text []T, options Options, sorters sorter.Choice[T],
) call.Job[*Intervals, *Intervals] {
	j := call.NewJob(e, func() (*countingSubstrings[T], error) {
		return newCountingSubstrings(e, text, of.Len(), options, sorters)
	}, func(c *call.Call, o *countingSubstrings[T], yield func(*Intervals) error) error {
		a, err := o.load(c, text, nil)
		if err != nil {
			return err
		}
		if err := o.limit(c, options.Longest, a); err != nil {
			return err
		}
		if err := o.count(c, nil, nil, &a); err != nil {
			return err
		}
		return o.each(c, yield)
	}, allIntervals)
	if len(text) < of.Len() {
		j.Run = call.NeverRun[*Intervals]
	} else {
		j.Wrong = call.Exactly("limits", len(options.Longest), len(text))
	}
	return j
}

// limit takes away the intervals of prefixes that are too long.
func (o *countingSubstrings[T]) limit(c *call.Call, longest []uint8, a intervals.Arrays) error {
	if err := o.layout.Allocate(c.Session); err != nil {
		return err
	}
	buffer := o.longest.Buffer(c.Session)
	if err := call.Upload(c, buffer, longest); err != nil {
		return err
	}
	c.Phase("limits")
	err := c.Compute(func() error {
		o.limits.Run(a.SA, buffer, a.LCP)
		return c.Session.Check(c.Ctx)
	})
	o.layout.Release(c.Session)
	return err
}
