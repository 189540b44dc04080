package formats_test

import (
	"bytes"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/formats"
	"github.com/suffixcl/suffixcl/seqio"
)

// An FM-index of both strands has what the index of bwa has.
func TestFMIndex(t *testing.T) {
	e, r := engine(t), rand.New(rand.NewPCG(71, 2))
	fasta := ""
	for k, n := range []int{1, 63, 400} {
		text := make([]byte, n)
		for i := range text {
			text[i] = "ACGTacgtNR"[r.IntN(10)]
		}
		fasta += ">s" + strings.Repeat("x", k) + " of some\n" + string(text) + "\n"
	}
	prefix := filepath.Join(t.TempDir(), "bwa")
	build(t, e, fasta, prefix, formats.BWA)
	want, err := formats.OpenBWA(prefix)
	require.NoError(t, err)
	b, err := seqio.ReadAll(strings.NewReader(fasta), formats.Sequences("test.fa"))
	require.NoError(t, err)
	of, err := formats.NewFMIndex(b, 32)
	require.NoError(t, err)
	var file bytes.Buffer
	require.NoError(t, of.WriteTo(t.Context(), e, &file))
	require.EqualValues(t, of.Size(), file.Len())
	got, err := formats.ReadFMIndex(&file)
	require.NoError(t, err)
	require.Equal(t, want.Transform(), got.Transform())
	require.Equal(t, want.Bases(), got.Bases())
	for position := range uint64(2 * want.Bases()) {
		for _, letters := range []int{1, 20} {
			name, forward, at := want.Place(position, letters)
			other, same, place := got.Place(position, letters)
			require.Equal(t, []any{name, forward, at}, []any{other, same, place})
		}
	}

	_, err = formats.NewFMIndex(b, 1<<17)
	require.ErrorContains(t, err, "one of 131072 rows is kept")
	_, err = formats.NewFMIndex(&seqio.Batch{}, 1)
	require.ErrorContains(t, err, "the reference has no bases")
	several, err := formats.BWA.New(b)
	require.NoError(t, err)
	require.ErrorContains(t, several.WriteTo(t.Context(), e, &file), "several files")
	require.Error(t, (*formats.Reference)(nil).WriteTo(t.Context(), e, &file))
}
