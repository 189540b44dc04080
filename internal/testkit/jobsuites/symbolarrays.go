package jobsuites

import (
	"context"
	"fmt"
	"slices"
	"unsafe"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/testkit/suitekit"
)

// SymbolArrays are the arrays of a text of symbols.
type SymbolArrays[T suitekit.Symbol] struct {
	SA, LCP []uint32
	BWT     []T // as [conformance.ReferenceBWT] has it
	Primary int
}

// SymbolJobs are the jobs that are tested with texts of symbols. None may write to its arguments. A job that is nil is
// not tried.
type SymbolJobs[T suitekit.Symbol] struct {
	Build  func(ctx context.Context, text []T) (SymbolArrays[T], error)
	Invert func(ctx context.Context, transform []T, primary int) ([]T, error)
	// Verify returns nil if the arrays are those of the text.
	Verify func(ctx context.Context, text []T, a SymbolArrays[T]) error
	// Search returns the positions of each pattern, ascending. The empty pattern has none.
	Search func(ctx context.Context, text []T, patterns [][]T) ([][]uint32, error)
}

// Symbols is the suite for all jobs on texts of symbols, with alphabets of 1 to 65,536 values, the least and the
// greatest value of the type among them, with random values of the type, and with those around powers of two.
func Symbols[T suitekit.Symbol](jobs SymbolJobs[T], cfg Config) []Case {
	cfg = cfg.WithDefaults()
	var list []Case
	add := func(name string, text func() []T) {
		name = fmt.Sprintf("%d bits/%s", 8*unsafe.Sizeof(T(0)), name)
		list = append(list, Case{Name: name, Run: func(ctx context.Context) error {
			if err := jobs.try(ctx, text(), cfg); err != nil {
				return fmt.Errorf("seed %d: %w", cfg.Seed, err)
			}
			return nil
		}})
	}
	add("none", func() []T { return []T{} })
	for _, sigma := range suitekit.Sigmas {
		if n := suitekit.AlphabetLen(sigma); n <= max(cfg.Large+1<<10, 1<<10) {
			add(fmt.Sprintf("alphabet/sigma=%d", sigma), func() []T { return suitekit.AlphabetText[T](n, sigma, cfg.Seed) })
		}
	}
	n := min(cfg.Large, 1<<12)
	add("any values", func() []T {
		rng := suitekit.Rand(cfg.Seed, "any values", n)
		text := []T{0, ^T(0)}
		for len(text) < n/2 {
			text = append(text, T(rng.Uint32()))
		}
		return slices.Concat(text, text[len(text)/3:], []T{^T(0), 0}, text[:len(text)/2])
	})
	add("powers of two", func() []T {
		rng := suitekit.Rand(cfg.Seed, "powers of two", n)
		text := make([]T, n)
		for i := range text {
			text[i] = T(1)<<rng.IntN(33) + T(rng.IntN(3)) - 1 // a shift by all bits is 0
		}
		return text
	})
	add("greatest alone", func() []T { return []T{^T(0)} })
	add("greatest", func() []T { return slices.Repeat([]T{^T(0)}, n) })
	add("greatest and 0", func() []T { return slices.Repeat([]T{^T(0), 0, ^T(0)}, n/3+1) })
	return list
}

// try does all jobs on a text.
func (j SymbolJobs[T]) try(ctx context.Context, text []T, cfg Config) error {
	var want SymbolArrays[T]
	want.SA = conformance.ReferenceSymbolSuffixArray(text)
	want.LCP = conformance.ReferenceLCP(text, want.SA)
	want.BWT, want.Primary = conformance.ReferenceBWT(text, want.SA)
	if j.Build != nil {
		got, err := j.Build(ctx, slices.Clone(text))
		if err != nil {
			return err
		}
		if err := got.compare(want); err != nil {
			return err
		}
	}
	if j.Invert != nil {
		got, err := j.Invert(ctx, slices.Clone(want.BWT), want.Primary)
		if err != nil {
			return err
		}
		if err := suitekit.Compare("inverse", got, text); err != nil {
			return err
		}
	}
	if j.Verify != nil {
		if err := j.verify(ctx, text, want); err != nil {
			return err
		}
	}
	if j.Search == nil {
		return nil
	}
	patterns := symbolPatterns(text, cfg)
	got, err := j.Search(ctx, slices.Clone(text), patterns)
	if err != nil {
		return err
	}
	if len(got) != len(patterns) {
		return fmt.Errorf("positions of %d patterns, want %d", len(got), len(patterns))
	}
	for q, pattern := range patterns {
		name := fmt.Sprintf("positions of %.10v", pattern)
		if err := suitekit.Compare(name, got[q], symbolPositions(text, pattern)); err != nil {
			return err
		}
	}
	return nil
}

func (a SymbolArrays[T]) compare(want SymbolArrays[T]) error {
	if err := suitekit.Compare("sa", a.SA, want.SA); err != nil {
		return err
	}
	if err := suitekit.Compare("lcp", a.LCP, want.LCP); err != nil {
		return err
	}
	if err := suitekit.Compare("bwt", a.BWT, want.BWT); err != nil {
		return err
	}
	if a.Primary != want.Primary {
		return fmt.Errorf("primary index %d, want %d", a.Primary, want.Primary)
	}
	return nil
}

// verify shows the right arrays, and arrays that are wrong in one place.
func (j SymbolJobs[T]) verify(ctx context.Context, text []T, right SymbolArrays[T]) error {
	if err := j.Verify(ctx, slices.Clone(text), right); err != nil {
		return fmt.Errorf("the right arrays: %w", err)
	}
	n := len(text)
	if n < 2 {
		return nil
	}
	rng := suitekit.Rand(uint64(n), "wrong arrays", n)
	at := rng.IntN(n - 1)
	for name, damage := range map[string]func(a *SymbolArrays[T]){
		"sa": func(a *SymbolArrays[T]) {
			a.SA = slices.Clone(a.SA)
			a.SA[at], a.SA[at+1] = a.SA[at+1], a.SA[at]
		},
		"lcp": func(a *SymbolArrays[T]) {
			a.LCP = slices.Clone(a.LCP)
			a.LCP[at]++
		},
		"bwt": func(a *SymbolArrays[T]) {
			a.BWT = slices.Clone(a.BWT)
			a.BWT[at] ^= ^(^T(0) >> 1) // its highest bit
		},
		"primary index": func(a *SymbolArrays[T]) { a.Primary = a.Primary%n + 1 },
	} {
		wrong := right
		damage(&wrong)
		if err := j.Verify(ctx, slices.Clone(text), wrong); err == nil {
			return fmt.Errorf("%s is wrong at %d, and is not refused", name, at)
		}
	}
	return nil
}

// symbolPatterns are parts of a text, with a symbol changed at times, and others.
func symbolPatterns[T suitekit.Symbol](text []T, cfg Config) [][]T {
	longest := min(cfg.MaxPattern/8, len(text))
	patterns := [][]T{{}, {0}, {^T(0)}, {0, 0}, {^T(0), 0}, {1 << 8}, {1}, text[len(text)-longest:]}
	if longest == len(text) {
		patterns = append(patterns, slices.Concat(text, []T{0}))
	}
	rng := suitekit.Rand(cfg.Seed, "patterns", len(text))
	for k := 0; k < 60 && longest > 0; k++ {
		length := 1 + rng.IntN(min(longest, 12))
		at := rng.IntN(len(text) - length + 1)
		pattern := slices.Clone(text[at : at+length])
		if k%3 == 0 {
			pattern[rng.IntN(length)] += T(1) << rng.IntN(32)
		}
		patterns = append(patterns, pattern)
	}
	return patterns
}

func symbolPositions[T suitekit.Symbol](text, pattern []T) []uint32 {
	positions := []uint32{}
	for i := 0; len(pattern) > 0 && i+len(pattern) <= len(text); i++ {
		if slices.Equal(text[i:i+len(pattern)], pattern) {
			positions = append(positions, uint32(i))
		}
	}
	return positions
}
