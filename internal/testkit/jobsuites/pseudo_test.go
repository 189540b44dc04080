package jobsuites

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/suffixcl/suffixcl/conformance"
)

func pseudoOf(_ context.Context, s PseudoSearch) ([][]int, error) {
	return ReferencePseudoLengths(s), nil
}

func TestPseudoLengthsPass(t *testing.T) { conformance.Run(t, PseudoLengths(pseudoOf, collections())) }

// Written down by hand: the transform of ACGT is T, the end, A, C, G.
func TestReferencePseudoLengths(t *testing.T) {
	got := ReferencePseudoLengths(PseudoSearch{Text: []byte("ACGT"), Queries: [][]byte{
		[]byte("cGT"), // from row 4 up to row 0 for T; then G and C are those of the row
		[]byte("GN"),  // N goes to row 4, that of T
		[]byte("NAA"), // the first A goes down from row 1 to row 2
		nil,
	}})
	assert.Equal(t, [][]int{{2, 1, 0}, {1, 0}, {0, 0, 0}, {}}, got)
}

func TestPseudoLengthsFail(t *testing.T) {
	for name, change := range map[string]func(s *PseudoSearch, found [][]int){
		"the other strand":   func(s *PseudoSearch, _ [][]int) { s.Text = s.Text[len(s.Text)/2:] },
		"no lower case":      func(s *PseudoSearch, _ [][]int) { s.Queries = s.Queries[:len(s.Queries)-1] },
		"from the beginning": func(s *PseudoSearch, _ [][]int) { slices.Reverse(s.Queries[4]) },
		"one more": func(_ *PseudoSearch, found [][]int) {
			for _, lengths := range found {
				for i, n := range lengths {
					lengths[i] = max(n, 1)
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			assertFails(t, PseudoLengths(func(_ context.Context, s PseudoSearch) ([][]int, error) {
				s.Queries = slices.Clone(s.Queries)
				s.Queries[4] = slices.Clone(s.Queries[4])
				change(&s, nil)
				found := ReferencePseudoLengths(s)
				change(&PseudoSearch{Queries: make([][]byte, 5)}, found)
				return found, nil
			}, collections()))
		})
	}
}
