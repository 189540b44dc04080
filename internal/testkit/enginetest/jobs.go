package enginetest

import (
	"context"
	"io"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/testkit/builders"
)

// Run gives the parts of a job to yield, whose error ends it.
func Run[P, W any](ctx context.Context, j suffixcl.Job[P, W], yield func(P) error) error {
	for part, err := range j.Each(ctx) {
		if err != nil {
			return err
		}
		if err := yield(part); err != nil {
			return err
		}
	}
	return nil
}

// LCPOf is the LCP array of a text whose suffix array is known.
func LCPOf(ctx context.Context, e *suffixcl.Engine, text []byte, sa []uint32) ([]uint32, error) {
	r, err := e.Arrays(suffixcl.Bytes(text), suffixcl.Want{LCP: true, Known: sa}).All(ctx)
	if err != nil {
		return nil, err
	}
	return r.LCP, nil
}

// VerifyArrays checks the arrays of a result.
func VerifyArrays(ctx context.Context, e *suffixcl.Engine, text suffixcl.Text, r *suffixcl.Result) error {
	return builders.VerifyArrays(ctx, e, text, r)
}

// VerifyLCP checks a suffix array and an LCP array.
func VerifyLCP(ctx context.Context, e *suffixcl.Engine, text []byte, sa, lcp []uint32) error {
	return VerifyArrays(ctx, e, suffixcl.Bytes(text), &suffixcl.Result{SA: sa, LCP: lcp})
}

// VerifyBWT checks a suffix array and a transform.
func VerifyBWT(ctx context.Context, e *suffixcl.Engine, text []byte, sa []uint32, transform []byte, primary int) error {
	r := &suffixcl.Result{SA: sa, BWT: suffixcl.Bytes(transform), Primary: primary}
	return VerifyArrays(ctx, e, suffixcl.Bytes(text), r)
}

// PlanIndex is the plan of an index, with the bytes of its file.
func PlanIndex(ctx context.Context, e *suffixcl.Engine, text suffixcl.Text, o suffixcl.IndexOptions) (
	plan suffixcl.IndexPlan, err error) {
	o.Planned = func(p suffixcl.IndexPlan) error {
		plan = p
		return nil
	}
	_, err = e.Index(text, o).Plan(ctx)
	return plan, err
}

// SuffixArrays sorts the texts of a stream.
func SuffixArrays(ctx context.Context, e *suffixcl.Engine, n int, next func([]byte) (int, error),
	use func(sa []uint32) error) error {
	return Run(ctx, e.Stream(n, next, suffixcl.Want{SA: true}), func(r *suffixcl.Result) error { return use(r.SA) })
}

// Transforms are those of the texts of a stream.
func Transforms(ctx context.Context, e *suffixcl.Engine, n int, next func([]byte) (int, error),
	use func(transform []byte, primary int) error) error {
	return Run(ctx, e.Stream(n, next, suffixcl.Want{BWT: true}),
		func(r *suffixcl.Result) error { return use(r.BWT.Bytes(), r.Primary) })
}

// SuffixRanges hands the blocks of a text in ranges to yield.
func SuffixRanges(ctx context.Context, e *suffixcl.Engine, text []byte, o suffixcl.RangeOptions,
	yield func(suffixcl.SuffixBlock) error) (suffixcl.RangeState, error) {
	o.Yield = yield
	return e.Ranges(suffixcl.Bytes(text), o).All(ctx)
}

// SetsOf are sets as inputs.
func SetsOf(sets []*suffixcl.Collection) []suffixcl.Text {
	texts := make([]suffixcl.Text, len(sets))
	for i, set := range sets {
		texts[i] = suffixcl.Set(set)
	}
	return texts
}

// TextsOf is what streams read.
func TextsOf(texts ...[]byte) func([]byte) (int, error) {
	return func(to []byte) (int, error) {
		if len(texts) == 0 {
			return 0, io.EOF
		}
		text := texts[0]
		texts = texts[1:]
		return copy(to, text), nil
	}
}
