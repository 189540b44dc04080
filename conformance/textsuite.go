package conformance

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/suffixcl/suffixcl/internal/testkit/suitekit"
)

// A textSuite is what the suites over texts share: an implementation, from a
// text to a result R, and the judgement of its results.
type textSuite[R any] struct {
	run   func(ctx context.Context, text []byte) (R, error)
	judge func(text []byte, result R) error
}

// OverTexts is a suite for anything that is made from a text: the texts of [SuffixArray]. run returns the result of a
// text, which it must not write to, and judge an error if that is wrong.
func OverTexts[R any](run func(ctx context.Context, text []byte) (R, error), judge func(text []byte, result R) error,
	cfg Config) []Case {
	return textSuite[R]{run, judge}.cases(cfg.WithDefaults())
}

// cases lists the inputs of every suite over texts.
func (s textSuite[R]) cases(cfg Config) []Case {
	list := []Case{
		s.exhaustive("ab", cfg.MaxExhaustive2),
		s.exhaustive("abc", cfg.MaxExhaustive3),
	}
	for turn, n := range suitekit.Sizes(cfg.Tile) {
		list = append(list, Case{fmt.Sprintf("sizes/n=%d", n), func(ctx context.Context) error {
			return s.all(ctx, suitekit.Rotate(samples(n, cfg.Seed), cfg.PerSize, turn))
		}})
	}
	if cfg.Random > 0 {
		list = append(list, Case{"random", func(ctx context.Context) error { return s.random(ctx, cfg) }})
	}
	if cfg.Large > 0 {
		for _, class := range classes(cfg.Large) {
			list = append(list, Case{"large/" + class.name, func(ctx context.Context) error {
				return s.one(ctx, class.text(cfg.Large, cfg.Seed))
			}})
		}
	}
	return append(list, Case{"independent-results", func(ctx context.Context) error {
		return s.independentResults(ctx, cfg)
	}})
}

func (s textSuite[R]) exhaustive(alphabet string, maxLen int) Case {
	name := "exhaustive/" + alphabet
	return Case{name, func(ctx context.Context) error {
		for text := range Exhaustive(alphabet, maxLen) {
			if err := s.one(ctx, sample{name: name, data: text}); err != nil {
				return err
			}
		}
		return nil
	}}
}

// random tries texts of random class, size (up to five tiles) and seed.
func (s textSuite[R]) random(ctx context.Context, cfg Config) error {
	rng := suitekit.Rand(cfg.Seed, "random", cfg.Tile)
	for range cfg.Random {
		n := rng.IntN(5*max(cfg.Tile, 16) + 1)
		list := classes(n)
		text := list[rng.IntN(len(list))].text(n, rng.Uint64())
		if err := s.one(ctx, text); err != nil {
			return err
		}
	}
	return nil
}

// independentResults catches state that one run leaves to another: it runs a
// larger, a smaller, an empty and again a larger text, and judges every result
// only when all are there.
func (s textSuite[R]) independentResults(ctx context.Context, cfg Config) error {
	var texts []sample
	var results []R
	large := 7*max(cfg.Tile, 16) + 3
	for i, n := range []int{large, large / 3, 0, large, large + 1} {
		text, err := newSample([]string{"random/sigma=2", "repeats/sigma=4"}[i%2], n, cfg.Seed+uint64(i))
		if err != nil {
			return err
		}
		result, err := s.run(ctx, text.data)
		if err != nil {
			return fmt.Errorf("%v: %w", text, err)
		}
		texts, results = append(texts, text), append(results, result)
	}
	for i, text := range texts {
		if err := s.judge(text.data, results[i]); err != nil {
			return fmt.Errorf("run %d of %d, judged after the last: %v: %w", i+1, len(texts), text, err)
		}
	}
	return nil
}

func (s textSuite[R]) all(ctx context.Context, texts []sample) error {
	for _, text := range texts {
		if err := s.one(ctx, text); err != nil {
			return err
		}
	}
	return nil
}

// one runs and judges one text, which the implementation must not write to.
func (s textSuite[R]) one(ctx context.Context, text sample) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	input := slices.Clone(text.data)
	result, err := s.run(ctx, input)
	if err != nil {
		return fmt.Errorf("%v: %w", text, err)
	}
	if !bytes.Equal(input, text.data) {
		return fmt.Errorf("%v: the text was written to", text)
	}
	if err := s.judge(text.data, result); err != nil {
		return fmt.Errorf("%v: %w", text, err)
	}
	return nil
}
