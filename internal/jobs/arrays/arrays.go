package arrays

import (
	"context"

	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/sorter"
)

// Make is suffixcl.Engine.Arrays.
func Make(e *call.Engine, text input.Text, want Want) call.Job[*Result, *Result] {
	type job = call.Job[*Result, *Result]
	if wrong := want.check(text); wrong != nil {
		return call.Refused[*Result, *Result](e, wrong)
	}
	if want.Order.Separates(text) {
		return separatedArrays(e, text, want)
	}
	if op := want.simple(text); op != notSimple {
		return simpleArrays(e, op, text, want)
	}
	return input.OfSymbols(text,
		func([]uint8) job { return symbolArrays(e, text, want, sorter.OfBytes) },
		func([]uint16) job { return symbolArrays(e, text, want, sorter.OfSymbols[uint16]) },
		func([]uint32) job { return symbolArrays(e, text, want, sorter.OfSymbols[uint32]) },
		func(wrong error) job { return call.Refused[*Result, *Result](e, wrong) })
}

// Verify is suffixcl.Engine.VerifyArrays of a result.
func Verify(e *call.Engine, text input.Text, r *Result) call.Job[struct{}, struct{}] {
	known := r.SA
	if known == nil {
		known = []uint32{}
	}
	made := Make(e, text, Want{LCP: r.LCP != nil, BWT: r.BWT.Symbols != nil, Documents: r.Documents != nil,
		Order: r.Order, Known: known})
	return call.Job[struct{}, struct{}]{Engine: e, Wrong: made.Wrong, Operation: made.Operation, Kept: made.Kept,
		Run: func(ctx context.Context, yield func(struct{}) error) error {
			all, err := made.All(ctx)
			if err != nil {
				return err
			}
			if err := compareResults(r, all); err != nil {
				return err
			}
			return yield(struct{}{})
		}, Collect: call.Only[struct{}]}
}
