package suffixcl_test

import (
	"context"

	"github.com/suffixcl/suffixcl"
)

// run gives the parts of a job to yield, whose error ends it.
func run[P, W any](ctx context.Context, j suffixcl.Job[P, W], yield func(P) error) error {
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

// lcpOf is the LCP array of a text whose suffix array is known.
func lcpOf(ctx context.Context, e *suffixcl.Engine, text []byte, sa []uint32) ([]uint32, error) {
	r, err := e.Arrays(suffixcl.Bytes(text), suffixcl.Want{LCP: true, Known: sa}).All(ctx)
	if err != nil {
		return nil, err
	}
	return r.LCP, nil
}

// lcpOfInto is lcpOf in memory of the caller.
func lcpOfInto(ctx context.Context, e *suffixcl.Engine, lcp []uint32, text []byte, sa []uint32) error {
	want := suffixcl.Want{LCP: true, Known: sa, Into: &suffixcl.Result{LCP: lcp}}
	_, err := e.Arrays(suffixcl.Bytes(text), want).All(ctx)
	return err
}

// verifyLCP checks a suffix array and an LCP array.
func verifyLCP(ctx context.Context, e *suffixcl.Engine, text []byte, sa, lcp []uint32) error {
	return e.VerifyArrays(ctx, suffixcl.Bytes(text), &suffixcl.Result{SA: sa, LCP: lcp})
}

// verifyBWT checks a suffix array and a transform.
func verifyBWT(ctx context.Context, e *suffixcl.Engine, text []byte, sa []uint32, transform []byte, primary int) error {
	r := &suffixcl.Result{SA: sa, BWT: suffixcl.Bytes(transform), Primary: primary}
	return e.VerifyArrays(ctx, suffixcl.Bytes(text), r)
}

// planIndex is the plan of an index, with the bytes of its file.
func planIndex(ctx context.Context, e *suffixcl.Engine, text suffixcl.Text, o suffixcl.IndexOptions) (
	plan suffixcl.IndexPlan, err error) {
	o.Planned = func(p suffixcl.IndexPlan) error {
		plan = p
		return nil
	}
	_, err = e.Index(text, o).Plan(ctx)
	return plan, err
}

// suffixArrays sorts the texts of a stream.
func suffixArrays(ctx context.Context, e *suffixcl.Engine, n int, next func([]byte) (int, error),
	use func(sa []uint32) error) error {
	return run(ctx, e.Stream(n, next, suffixcl.Want{SA: true}), func(r *suffixcl.Result) error { return use(r.SA) })
}

// transforms are those of the texts of a stream.
func transforms(ctx context.Context, e *suffixcl.Engine, n int, next func([]byte) (int, error),
	use func(transform []byte, primary int) error) error {
	return run(ctx, e.Stream(n, next, suffixcl.Want{BWT: true}),
		func(r *suffixcl.Result) error { return use(r.BWT.Bytes(), r.Primary) })
}

// suffixRanges hands the blocks of a text in ranges to yield.
func suffixRanges(ctx context.Context, e *suffixcl.Engine, text []byte, o suffixcl.RangeOptions,
	yield func(suffixcl.SuffixBlock) error) (suffixcl.RangeState, error) {
	o.Yield = yield
	return e.Ranges(suffixcl.Bytes(text), o).All(ctx)
}

// setsOf are sets as inputs.
func setsOf(sets []*suffixcl.Collection) []suffixcl.Text {
	texts := make([]suffixcl.Text, len(sets))
	for i, set := range sets {
		texts[i] = suffixcl.Set(set)
	}
	return texts
}
