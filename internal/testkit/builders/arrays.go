package builders

import (
	"context"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/conformance"
)

// SetArraysOf gives the suite all arrays of a set, which are verified, too.
func SetArraysOf(e *suffixcl.Engine) func(context.Context, [][]byte) (conformance.SetArrays, error) {
	return func(ctx context.Context, texts [][]byte) (a conformance.SetArrays, err error) {
		set := suffixcl.Documents(texts...)
		r, err := e.Arrays(set, suffixcl.Want{SA: true, LCP: true, BWT: true, Documents: true}).All(ctx)
		if err != nil {
			return a, err
		}
		a = conformance.SetArrays{SA: r.SA, LCP: r.LCP, Documents: r.Documents, BWT: r.BWT.Bytes()}
		return a, e.VerifyArrays(ctx, set, r)
	}
}
