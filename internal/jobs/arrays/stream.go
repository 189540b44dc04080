package arrays

import (
	"context"
	"errors"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/sorter"
)

// Stream is suffixcl.Engine.Stream.
func Stream(e *call.Engine, n int, next func(text []byte) (int, error), want Want) call.Job[*Result, []*Result] {
	transform := want.BWT
	if op := want.simple(input.Length(1, n)); op != sortedArray && op != sortedBWT || want.Into != nil || want.Documents {
		return call.Refused[*Result, []*Result](e,
			errors.New("suffixcl: a stream makes suffix arrays, or transforms, of bytes in plain order"))
	}
	if wrong := limits.CheckLen("text", n, limits.MaxLen); wrong != nil {
		return call.Refused[*Result, []*Result](e, wrong)
	}
	j := call.NewJob(e, func() (streaming, error) { return newStreaming(e, n, transform) },
		func(c *call.Call, o streaming, yield func(*Result) error) error {
			if err := o.allocate(c.Session); err != nil {
				return err
			}
			c.Stats.Algorithm = o.sorts()
			var r Result // valid until the next
			if transform {
				return c.Stream(o.transforms(c, func(transform []byte, primary int) error {
					r = Result{BWT: input.Bytes(transform), Primary: primary}
					return yield(&r)
				}), &call.Reader{Next: next})
			}
			return c.Stream(o.suffixArrays(c, func(sa []uint32) error {
				r = Result{SA: sa}
				return yield(&r)
			}), &call.Reader{Next: next})
		}, allResults)
	if next == nil {
		j.Run = func(context.Context, func(*Result) error) error { return call.ErrNoFunction }
	}
	return j
}

// allResults are copies of the results of a stream.
func allResults(run func(yield func(*Result) error) error) (all []*Result, err error) {
	err = run(func(r *Result) error {
		kept := &Result{SA: slices.Clone(r.SA), Primary: r.Primary}
		if transform := r.BWT.Bytes(); transform != nil {
			kept.BWT = input.Bytes(slices.Clone(transform))
		}
		all = append(all, kept)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// streaming is what streams are planned as: singles or batches.
type streaming interface {
	call.Operation
	allocate(s *device.Session) error
	sorts() sorter.Algorithm
	suffixArrays(c *call.Call, use func(sa []uint32) error) [2]call.Lane
	transforms(c *call.Call, use func(transform []byte, primary int) error) [2]call.Lane
}

// newStreaming plans a stream of texts of up to n bytes.
func newStreaming(e *call.Engine, n int, transform bool) (streaming, error) {
	if o := planBatches(e, n, transform); o != nil {
		return o, nil
	}
	return newSingles(e, n, transform)
}
