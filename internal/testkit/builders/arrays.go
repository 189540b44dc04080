package builders

import (
	"context"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
)

// SetArraysOf gives the suite all arrays of a set, which are verified, too.
func SetArraysOf(e *suffixcl.Engine) func(context.Context, [][]byte) (jobsuites.SetArrays, error) {
	return func(ctx context.Context, texts [][]byte) (a jobsuites.SetArrays, err error) {
		set := suffixcl.Documents(texts...)
		r, err := e.Arrays(set, suffixcl.Want{SA: true, LCP: true, BWT: true, Documents: true}).All(ctx)
		if err != nil {
			return a, err
		}
		a = jobsuites.SetArrays{SA: r.SA, LCP: r.LCP, Documents: r.Documents, BWT: r.BWT.Bytes()}
		return a, VerifyArrays(ctx, e, set, r)
	}
}
