package jobsuites

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/suffixcl/suffixcl/internal/testkit/suitekit"
)

// PseudoSearch is a text whose runs and thresholds are those of [ReferenceThresholds], and queries of it.
type PseudoSearch struct {
	Text    []byte // letters are any but 0; those of queries are looked for in upper case
	Queries [][]byte
}

// PseudoLengths is the suite for pseudo-matching lengths of queries of A, C, G, T, N in texts of both strands of the
// collections of [RLBWT], with separators or without. find returns what [ReferencePseudoLengths] does. It must not
// write to text and queries.
func PseudoLengths(find func(ctx context.Context, s PseudoSearch) ([][]int, error), cfg Config) []Case {
	type answer struct {
		of    PseudoSearch
		found [][]int
	}
	long := cfg.WithDefaults().MaxPattern > longQuery
	return collectionSuite[answer]{
		run: func(ctx context.Context, all [][]byte, rng *rand.Rand) (a answer, err error) {
			a.of = pseudoSearch(all, rng, long)
			before := texts(append(slices.Clone(a.of.Queries), a.of.Text))
			if a.found, err = find(ctx, a.of); err != nil {
				return a, err
			}
			if !slices.Equal(before, texts(append(slices.Clone(a.of.Queries), a.of.Text))) {
				return a, fmt.Errorf("the text or the queries were written to")
			}
			return a, nil
		},
		judge: func(_ [][]byte, a answer) error {
			want := shownLengths(ReferencePseudoLengths(a.of))
			if err := suitekit.Compare("query", shownLengths(a.found), want); err != nil {
				return fmt.Errorf("text %q, queries %s: %w", a.of.Text, shown(a.of.Queries), err)
			}
			return nil
		},
	}.cases(cfg)
}

func shownLengths(all [][]int) (shown []string) {
	for _, lengths := range all {
		shown = append(shown, strings.Trim(fmt.Sprint(lengths), "[]"))
	}
	return shown
}

// pseudoSearch is what is looked for in some texts.
func pseudoSearch(all [][]byte, rng *rand.Rand, long bool) (s PseudoSearch) {
	separator := []string{"", "%"}[rng.IntN(2)]
	for _, forward := range all {
		for _, strand := range reversedStrands(forward) {
			s.Text = append(append(s.Text, strand...), separator...)
		}
	}
	for _, search := range smemSearches(all, rng, long)[:1] {
		s.Queries = search.Queries
	}
	return s
}

// ReferencePseudoLengths are for each place of each query the pseudo-matching length by definition (Ahmed et al. 2021).
// A query is walked from its last letter to its first one with a row, which is the last one at first. Where the letter
// before the row's suffix is that of the query, the length is one more; else it is 0, and the row becomes the last one
// of the letter before it, or the first one after it, if it is the threshold of the run of that one or greater. Then
// the row becomes that of the suffix with the letter before it. Where the letter does not occur, or is none of A, C, G,
// T, the length is 0, and the row becomes the first that begins with this letter or a greater one.
func ReferencePseudoLengths(s PseudoSearch) (all [][]int) {
	runs := ReferenceThresholds(s.Text)
	var transform []byte
	var thresholds []int // of the run of each row
	for k, run := range runs {
		end := len(s.Text) + 1
		if k+1 < len(runs) {
			end = int(runs[k+1].Start)
		}
		for len(transform) < end {
			transform, thresholds = append(transform, run.Letter), append(thresholds, int(run.Threshold))
		}
	}
	first := slices.Sorted(slices.Values(transform)) // the letter that each row begins with
	for _, query := range s.Queries {
		query = bytes.ToUpper(query)
		lengths := make([]int, len(query))
		row, length := len(transform)-1, 0
		for at := len(query) - 1; at >= 0; at-- {
			c := query[at]
			begin, _ := slices.BinarySearch(first, c)
			if strings.IndexByte("ACGT", c) < 0 || bytes.IndexByte(transform, c) < 0 {
				row, length = begin, 0
				continue
			}
			if row < len(transform) && transform[row] == c {
				length++
			} else {
				length = 0
				above := bytes.LastIndexByte(transform[:row], c)
				below := bytes.IndexByte(transform[row:], c)
				if below >= 0 && row >= thresholds[row+below] {
					row += below
				} else {
					row = above
				}
			}
			lengths[at] = length
			row = begin + bytes.Count(transform[:row], []byte{c})
		}
		all = append(all, lengths)
	}
	return all
}
