package formats_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/formats"
	"github.com/suffixcl/suffixcl/formats/internal/bowtie2"
	"github.com/suffixcl/suffixcl/formats/internal/sorted"
	"github.com/suffixcl/suffixcl/seqio"
)

// A text of the longest length is sorted in one piece, one character more makes ranges, and the files are the same.
func TestInRanges(t *testing.T) {
	e := engine(t)
	most := sorted.MaxWhole
	defer func() { sorted.MaxWhole = most }()
	all := genomes()
	for _, of := range []formats.Program{
		formats.BWA,
		formats.BWAMEM2,
		formats.Minibwa,
		formats.Bowtie2,
	} {
		for _, name := range []string{"plain", "holes", "one A", "all T", "length 16", "length 193"} {
			dir := t.TempDir()
			whole, inRanges := filepath.Join(dir, "whole"), filepath.Join(dir, "ranges")
			b, err := seqio.ReadAll(strings.NewReader(all[name]), formats.Sequences("test.fa"))
			require.NoError(t, err)
			n := 2 * len(b.Text) // of what is sorted: both strands, or fragments
			if of == formats.Bowtie2 {
				r, err := bowtie2.New(b)
				require.NoError(t, err)
				n = r.Len()
			}
			sorted.MaxWhole = n
			build(t, e, all[name], whole, of)
			require.NotEqual(t, suffixcl.AlgorithmRanges, built.Algorithm, "%s of %s", of, name)
			sorted.MaxWhole = n - 1
			build(t, e, all[name], inRanges, of)
			require.Equal(t, suffixcl.AlgorithmRanges, built.Algorithm, "%s of %s", of, name)
			same(t, inRanges, whole, of.Suffixes()...)
		}
	}
}
