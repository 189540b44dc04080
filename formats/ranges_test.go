package formats_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/formats"
	"github.com/suffixcl/suffixcl/formats/bowtie2"
	"github.com/suffixcl/suffixcl/formats/bwa"
	"github.com/suffixcl/suffixcl/formats/bwamem2"
	"github.com/suffixcl/suffixcl/formats/internal/sorted"
	"github.com/suffixcl/suffixcl/formats/minibwa"
	"github.com/suffixcl/suffixcl/seqio"
)

// A text of the longest length is sorted in one piece, one character more makes ranges, and the files are the same.
func TestInRanges(t *testing.T) {
	e := engine(t)
	most := sorted.MaxWhole
	defer func() { sorted.MaxWhole = most }()
	all := genomes()
	for _, f := range []struct {
		name     string
		suffixes []string
		read     func(*seqio.Batch) (reference, error)
	}{
		{"bwa", bwa.Suffixes(), func(b *seqio.Batch) (reference, error) { return bwa.New(b) }},
		{"bwa-mem2", bwamem2.Suffixes(), func(b *seqio.Batch) (reference, error) { return bwamem2.New(b) }},
		{"minibwa", minibwa.Suffixes(), func(b *seqio.Batch) (reference, error) { return minibwa.New(b) }},
		{"bowtie2", bowtie2.Suffixes(), func(b *seqio.Batch) (reference, error) { return bowtie2.New(b) }},
	} {
		for _, name := range []string{"plain", "holes", "one A", "all T", "length 16", "length 193"} {
			dir := t.TempDir()
			whole, inRanges := filepath.Join(dir, "whole"), filepath.Join(dir, "ranges")
			b, err := seqio.ReadAll(strings.NewReader(all[name]), formats.Sequences("test.fa"))
			require.NoError(t, err)
			n := 2 * len(b.Text) // of what is sorted: both strands, or fragments
			if f.name == "bowtie2" {
				r, err := bowtie2.New(b)
				require.NoError(t, err)
				n = r.Len()
			}
			sorted.MaxWhole = n
			build(t, e, all[name], whole, f.suffixes, f.read)
			require.NotEqual(t, suffixcl.AlgorithmRanges, built.Algorithm, "%s of %s", f.name, name)
			sorted.MaxWhole = n - 1
			build(t, e, all[name], inRanges, f.suffixes, f.read)
			require.Equal(t, suffixcl.AlgorithmRanges, built.Algorithm, "%s of %s", f.name, name)
			same(t, inRanges, whole, f.suffixes...)
		}
	}
}
