package jobsuites

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/testkit/suitekit"
)

// referenceJobs are by definition.
func referenceJobs[T suitekit.Symbol]() SymbolJobs[T] {
	build := func(_ context.Context, text []T) (a SymbolArrays[T], err error) {
		a.SA = conformance.ReferenceSymbolSuffixArray(text)
		a.LCP = conformance.ReferenceLCP(text, a.SA)
		a.BWT, a.Primary = conformance.ReferenceBWT(text, a.SA)
		return a, nil
	}
	return SymbolJobs[T]{
		Build: build,
		Invert: func(_ context.Context, transform []T, primary int) ([]T, error) {
			// Symbols, stably sorted, lead from each row to that of the next symbol.
			rows := make([]int, 0, len(transform)+1)
			for row := range len(transform) + 1 {
				rows = append(rows, row)
			}
			at := func(row int) int {
				switch {
				case row < primary:
					return int(transform[row])
				case row == primary:
					return -1
				}
				return int(transform[row-1])
			}
			if len(transform) == 0 {
				return nil, nil
			}
			slices.SortStableFunc(rows, func(a, b int) int { return at(a) - at(b) })
			text, row := make([]T, 0, len(transform)), primary
			for range transform {
				row = rows[row]
				text = append(text, T(at(row)))
			}
			return text, nil
		},
		Verify: func(ctx context.Context, text []T, a SymbolArrays[T]) error {
			want, err := build(ctx, text)
			if err == nil && !reflect.DeepEqual(a, want) {
				err = errors.New("not these")
			}
			return err
		},
		Search: func(_ context.Context, text []T, patterns [][]T) (found [][]uint32, err error) {
			for _, pattern := range patterns {
				found = append(found, symbolPositions(text, pattern))
			}
			return found, nil
		},
	}
}

func TestSymbolsPasses(t *testing.T) {
	cfg := small()
	cfg.Large = 1 << 12
	conformance.Run(t, Symbols(referenceJobs[uint16](), cfg))
	conformance.Run(t, Symbols(referenceJobs[uint32](), cfg))
}

// Every job that is wrong in one way fails.
func TestSymbolsFails(t *testing.T) {
	for name, wrong := range map[string]func(j *SymbolJobs[uint32]){
		"signed": func(j *SymbolJobs[uint32]) {
			right := j.Build
			j.Build = func(ctx context.Context, text []uint32) (SymbolArrays[uint32], error) {
				for i := range text {
					text[i] ^= 1 << 31
				}
				return right(ctx, text)
			}
		},
		"lcp of 16 bits": func(j *SymbolJobs[uint32]) {
			right := j.Build
			j.Build = func(ctx context.Context, text []uint32) (SymbolArrays[uint32], error) {
				a, err := right(ctx, text)
				for i := range text {
					text[i] &= 0xffff
				}
				a.LCP = conformance.ReferenceLCP(text, a.SA)
				return a, err
			}
		},
		"accepts all": func(j *SymbolJobs[uint32]) {
			j.Verify = func(context.Context, []uint32, SymbolArrays[uint32]) error { return nil }
		},
		"refuses all": func(j *SymbolJobs[uint32]) {
			j.Verify = func(context.Context, []uint32, SymbolArrays[uint32]) error { return errors.New("no") }
		},
		"misses the last": func(j *SymbolJobs[uint32]) {
			right := j.Search
			j.Search = func(ctx context.Context, text []uint32, patterns [][]uint32) ([][]uint32, error) {
				found, err := right(ctx, text, patterns)
				for q := range found {
					found[q] = found[q][:max(len(found[q])-1, 0)]
				}
				return found, err
			}
		},
		"inverts to zeros": func(j *SymbolJobs[uint32]) {
			j.Invert = func(_ context.Context, transform []uint32, _ int) ([]uint32, error) {
				return make([]uint32, len(transform)), nil
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			jobs := referenceJobs[uint32]()
			wrong(&jobs)
			assertFails(t, Symbols(jobs, small()))
		})
	}
}
