package builders

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
	"github.com/suffixcl/suffixcl/patterns"
)

// symbol is the type of the symbols of a text that is not of bytes.
type symbol interface{ uint16 | uint32 }

// symbolsOf are the symbols of a text, none if there are none.
func symbolsOf[T symbol](text suffixcl.Text) []T {
	symbols := make([]T, 0, text.Len())
	for _, symbol := range text.Tokens16() {
		symbols = append(symbols, T(symbol))
	}
	for _, symbol := range text.Tokens32() {
		symbols = append(symbols, T(symbol))
	}
	return symbols
}

// SymbolJobsOf are those of an engine. Every text is searched in by a Matcher, and in an index from a file.
func SymbolJobsOf[T symbol](
	e *suffixcl.Engine, textOf func([]T) suffixcl.Text, batchOf func(...[]T) (*patterns.Batch, error),
) jobsuites.SymbolJobs[T] {
	result := func(a jobsuites.SymbolArrays[T]) *suffixcl.Result {
		return &suffixcl.Result{SA: a.SA, LCP: a.LCP, BWT: textOf(a.BWT), Primary: a.Primary}
	}
	return jobsuites.SymbolJobs[T]{
		Build: func(ctx context.Context, text []T) (a jobsuites.SymbolArrays[T], err error) {
			r, err := e.Arrays(textOf(text), suffixcl.Want{SA: true, LCP: true, BWT: true}).All(ctx)
			if err != nil {
				return a, err
			}
			return jobsuites.SymbolArrays[T]{SA: r.SA, LCP: r.LCP, BWT: symbolsOf[T](r.BWT), Primary: r.Primary}, nil
		},
		Invert: func(ctx context.Context, transform []T, primary int) ([]T, error) {
			text, err := e.Invert(result(jobsuites.SymbolArrays[T]{BWT: transform, Primary: primary})).All(ctx)
			return symbolsOf[T](text), err
		},
		Verify: func(ctx context.Context, text []T, a jobsuites.SymbolArrays[T]) error {
			return VerifyArrays(ctx, e, textOf(text), result(a))
		},
		Search: func(ctx context.Context, text []T, list [][]T) ([][]uint32, error) {
			batch, err := batchOf(list...)
			if err != nil {
				return nil, err
			}
			m, err := e.Matcher(textOf(text), suffixcl.MatcherOptions{}).All(ctx)
			if err != nil {
				return nil, err
			}
			defer m.Close()
			found, err := Locate(ctx, m, batch)
			if err != nil {
				return nil, err
			}
			x, err := storedIndex(ctx, e, textOf(text))
			if err != nil {
				return nil, err
			}
			defer x.Close()
			indexed, err := Locate(ctx, x, batch)
			if err != nil {
				return nil, err
			}
			for q := range found {
				if !slices.Equal(found[q], indexed[q]) {
					return nil, fmt.Errorf("pattern %.10v: a Matcher finds it at %.10v, an Index at %.10v", list[q], found[q],
						indexed[q])
				}
			}
			return found, nil
		},
	}
}

// storedIndex is an index that has been in a file.
func storedIndex(ctx context.Context, e *suffixcl.Engine, text suffixcl.Text) (*suffixcl.Index, error) {
	x, err := e.Index(text, suffixcl.IndexOptions{SampleEvery: 1 + text.Len()%5}).All(ctx)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	var file bytes.Buffer
	if err := x.Save(ctx, &file); err != nil {
		return nil, err
	}
	return e.LoadIndex(ctx, &file)
}
