package jobsuites

import (
	"context"
	"fmt"
	"index/suffixarray"
	"math/rand/v2"
	"slices"

	"github.com/suffixcl/suffixcl/internal/testkit/suitekit"
)

// Search is the suite for searches of many patterns, on the texts of [conformance.SuffixArray]. search returns the
// positions in text of all occurrences of each pattern, in ascending order; the empty pattern has none. It must write
// to neither.
func Search(
	search func(ctx context.Context, text []byte, patterns [][]byte) ([][]uint32, error), cfg Config,
) []Case {
	return searchCases(search, nil, cfg)
}

// SearchDNA is [Search] with every byte of the texts made one of "ACGTN", and patterns that have other characters
// too. Of these only A, C, G and T match.
func SearchDNA(
	search func(ctx context.Context, text []byte, patterns [][]byte) ([][]uint32, error), cfg Config,
) []Case {
	return searchCases(search, []byte("ACGTN"), cfg)
}

type searcher = func(ctx context.Context, text []byte, patterns [][]byte) ([][]uint32, error)

// searchCases folds the texts to an alphabet, if there is one; its last letter matches nothing.
func searchCases(search searcher, alphabet []byte, cfg Config) []Case {
	cfg = cfg.WithDefaults()
	fold := func(text []byte) []byte {
		if alphabet == nil {
			return text
		}
		folded := make([]byte, len(text))
		for i, c := range text {
			folded[i] = alphabet[int(c)%len(alphabet)]
		}
		return folded
	}
	suite := textSuite[[][]uint32]{
		run: func(ctx context.Context, text []byte) ([][]uint32, error) {
			text = fold(text)
			patterns := searched(text, cfg)
			given := make([][]byte, len(patterns))
			for q := range patterns {
				given[q] = slices.Clone(patterns[q])
			}
			return suitekit.Unchanged("text", text, func() ([][]uint32, error) {
				found, err := search(ctx, text, given)
				for q := range patterns {
					if err == nil && !slices.Equal(patterns[q], given[q]) {
						err = fmt.Errorf("pattern %d was written to", q)
					}
				}
				return found, err
			})
		},
		judge: func(text []byte, got [][]uint32) error {
			text = fold(text)
			patterns := searched(text, cfg)
			if len(got) != len(patterns) {
				return fmt.Errorf("results of %d patterns, want %d", len(got), len(patterns))
			}
			oracle := suffixarray.New(text)
			for q, pattern := range patterns {
				var want []uint32
				foreign := func(c byte) bool { return !slices.Contains(alphabet[:len(alphabet)-1], c) }
				if alphabet == nil || !slices.ContainsFunc(pattern, foreign) {
					for _, at := range oracle.Lookup(pattern, -1) {
						want = append(want, uint32(at))
					}
				}
				slices.Sort(want)
				if len(got[q]) != len(want) {
					return fmt.Errorf("%.80q, of %d bytes, is found %d times, want %d", pattern, len(pattern), len(got[q]), len(want))
				}
				what := fmt.Sprintf("occurrence of %.80q, of %d bytes", pattern, len(pattern))
				if err := suitekit.Compare(what, got[q], want); err != nil {
					return err
				}
			}
			return nil
		},
	}
	return suite.cases(cfg)
}

// searched are the patterns for a text: the empty one, characters that it has or has not,
// all of it and more than it, suffixes, pieces, and pieces with a character changed. They
// depend on text and configuration alone.
func searched(text []byte, cfg Config) [][]byte {
	n := len(text)
	rng := suitekit.Rand(cfg.Seed, "patterns", n)
	list := [][]byte{nil, {0}, {255}, []byte("N"), append(slices.Clone(text), 'A'), text}
	for i := range min(n, 4) {
		list = append(list, text[n-1-i:])
	}
	pieces := 12
	if n < 8 || n > 1<<12 { // many texts, or many occurrences
		pieces = 3
	}
	for range min(n, pieces) {
		at := rng.IntN(n)
		piece := text[at:min(n, at+1+rng.IntN(1+rng.IntN(100)))]
		list = append(list, piece, changed(piece, text, rng), []byte{text[at], text[at]})
	}
	for q, pattern := range list {
		list[q] = pattern[max(0, len(pattern)-cfg.MaxPattern):]
	}
	return list
}

func changed(piece, text []byte, rng *rand.Rand) []byte {
	piece = slices.Clone(piece)
	piece[rng.IntN(len(piece))] = text[rng.IntN(len(text))]
	return piece
}
