package arrays_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/testkit/builders"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
)

// corpusFile is the beginning of a file of SUFFIXCL_CORPORA.
func corpusFile(t *testing.T, name string, n int) []byte {
	dir := os.Getenv("SUFFIXCL_CORPORA")
	if dir == "" {
		t.Skip("SUFFIXCL_CORPORA is not set")
	}
	text, err := os.ReadFile(filepath.Join(dir, name))
	require.NoError(t, err)
	return text[:min(n, len(text))]
}

// requireSet compares all arrays of a set with their definition.
func requireSet(t *testing.T, e *suffixcl.Engine, c *suffixcl.Collection) {
	texts := make([][]byte, c.Count())
	for k := range texts {
		texts[k] = c.Text(k)
	}
	got, err := builders.SetArraysOf(e)(t.Context(), texts)
	require.NoError(t, err)
	want := jobsuites.ReferenceSet(texts)
	require.NoError(t, enginetest.Right(nil, got.SA, want.SA))
	require.NoError(t, enginetest.Right(nil, got.LCP, want.LCP))
	require.NoError(t, enginetest.Right(nil, got.Documents, want.Documents))
	require.NoError(t, enginetest.Right(nil, got.BWT, want.BWT))
}

// Texts of corpora that are cut into records, by the definition that gsufsort has, too.
func TestCorporaSets(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	for name, terminator := range map[string]byte{
		"english.20MB": '\n', "proteins": '\n', "linux.16MB": '\n', "bible.txt": ' ', "abac": 'b',
	} {
		t.Run(name, func(t *testing.T) {
			c, err := suffixcl.SplitText(corpusFile(t, name, 1<<20), terminator)
			require.NoError(t, err)
			requireSet(t, e, c)
		})
	}
}

// Both strands of E. coli in 1,000 contigs, as ropebwt3 has them: each text comes back from the transform alone, read
// from its terminator to the left.
func TestCorporaStrands(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	genome := bytes.ToUpper(bytes.TrimSpace(corpusFile(t, "E.coli", 1<<30)))
	const contigs = 1000
	parts := make([][]byte, contigs)
	for k := range parts {
		parts[k] = genome[k*len(genome)/contigs : (k+1)*len(genome)/contigs]
	}
	c, err := suffixcl.JoinTexts('\n', parts...)
	require.NoError(t, err)
	both, err := c.BothStrands('\n')
	require.NoError(t, err)
	require.Equal(t, 2*contigs, both.Count())
	r, err := e.Arrays(suffixcl.Set(both), suffixcl.Want{BWT: true}).All(t.Context())
	require.NoError(t, err)
	transform := r.BWT.Bytes()

	// The row of the letter of each row, of that letter's rows in order. Terminators are no rows' letters but of starts.
	rows, counts := make([]uint32, len(transform)), [256]uint32{}
	for row, c := range transform {
		rows[row] = counts[c]
		counts[c]++
	}
	first, sum := [256]uint32{}, uint32(0)
	for c, count := range counts {
		first[c] = sum
		sum += count
	}
	require.EqualValues(t, 2*contigs, counts['\n'])
	complement := map[byte]byte{'A': 'T', 'C': 'G', 'G': 'C', 'T': 'A'}
	for k := range 2 * contigs {
		var letters []byte // the last one first
		for row := uint32(k); transform[row] != '\n'; {
			c := transform[row]
			letters = append(letters, c)
			row = first[c] + rows[row]
		}
		contig := parts[k/2]
		require.Len(t, letters, len(contig))
		for i, c := range letters {
			if want := contig[len(contig)-1-i]; k%2 == 0 && c != want || k%2 == 1 && c != complement[contig[i]] {
				t.Fatalf("letter %d of text %d is %c", len(contig)-1-i, k, c)
			}
		}
	}
	if os.Getenv("SUFFIXCL_SOAK") == "1" { // and by definition
		requireSet(t, e, both)
	}
}
