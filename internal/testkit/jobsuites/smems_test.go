package jobsuites

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/suffixcl/suffixcl/conformance"
)

func smemsOf(_ context.Context, s SMEMSearch) ([]SMEM, error) { return ReferenceSMEMs(s), nil }

func TestSMEMsPass(t *testing.T) { conformance.Run(t, SMEMs(smemsOf, collections())) }

// Both were written down by hand: ACGT is its own reverse complement.
func TestReferenceSMEMs(t *testing.T) {
	s := SMEMSearch{Texts: [][]byte{[]byte("ACGTT")}, Queries: [][]byte{[]byte("AACGGT"), []byte("ACN")}, MinLength: 2,
		MinHits: 1, MaxLocated: 2}
	// ACGTTAACGT: $ AACGT ACGT ACGTTAACGT CGT CGTTAACGT GT GTTAACGT T TAACGT TTAACGT
	assert.Equal(t, []SMEM{{0, 0, 4, 1, 1, "5"}, {0, 4, 6, 6, 2, "8 2"}, {1, 0, 2, 2, 2, "6 0"}}, ReferenceSMEMs(s))
	s.Pangenome = true
	// $ $ AACGT$ ACGT$ ACGTT$ ...
	got := ReferenceSMEMs(s)
	assert.Equal(t, SMEM{0, 0, 4, 2, 1, ""}, got[0])
}

func TestSMEMsFail(t *testing.T) {
	for name, change := range map[string]func(s *SMEMSearch, found *[]SMEM){
		"loses the last letter": func(s *SMEMSearch, _ *[]SMEM) {
			for i, q := range s.Queries {
				s.Queries[i] = q[:max(len(q)-1, 0)]
			}
		},
		"one strand":      func(s *SMEMSearch, _ *[]SMEM) { s.MinHits++ },
		"too short":       func(s *SMEMSearch, _ *[]SMEM) { s.MinLength++ },
		"too long":        func(s *SMEMSearch, _ *[]SMEM) { s.MinLength = max(1, s.MinLength-1) },
		"no positions":    func(s *SMEMSearch, _ *[]SMEM) { s.MaxLocated = 0 },
		"another order":   func(_ *SMEMSearch, found *[]SMEM) { slices.Reverse(*found) },
		"no lower case":   func(s *SMEMSearch, _ *[]SMEM) { s.Queries = s.Queries[:len(s.Queries)-1] },
		"hits of a match": func(_ *SMEMSearch, found *[]SMEM) { *found = append(*found, (*found)[:min(1, len(*found))]...) },
	} {
		t.Run(name, func(t *testing.T) {
			assertFails(t, SMEMs(func(_ context.Context, s SMEMSearch) ([]SMEM, error) {
				s.Queries = slices.Clone(s.Queries)
				var found []SMEM
				change(&s, &found)
				found = ReferenceSMEMs(s)
				change(&SMEMSearch{Queries: make([][]byte, 1)}, &found)
				return found, nil
			}, collections()))
		})
	}
}
