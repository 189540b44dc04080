package patterns_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/patterns"
)

func TestBatch(t *testing.T) {
	b, err := patterns.Of([]byte("ACGU"), nil, []byte("nRyx"))
	require.NoError(t, err)
	require.Equal(t, 3, b.Len())
	require.Equal(t, "nRyx", string(b.Pattern(2)))
	var c patterns.Batch
	b.ReverseComplement(&c)
	require.Equal(t, "ACGT", string(c.Pattern(0)))
	require.Empty(t, c.Pattern(1))
	require.Equal(t, "xrYn", string(c.Pattern(2)))
	b.Reset()
	require.Zero(t, b.Len())
}

// Both strands of patterns in turns are what Add makes of them, of all patterns and of some.
func TestPair(t *testing.T) {
	var b, strands, pairs patterns.Batch
	for k := range 50_000 {
		require.NoError(t, b.Add([]byte("ACCGTTTNACGGAT")[k%5:5+k%9]))
	}
	b.ReverseComplement(&strands)
	for _, part := range [][2]int{{0, b.Len()}, {3, 40_001}, {0, 0}, {7, 7}, {49_999, 50_000}} {
		require.NoError(t, b.Pair(&strands, &pairs, part[0], part[1]))
		var want patterns.Batch
		for q := part[0]; q < part[1]; q++ {
			require.NoError(t, want.Add(b.Pattern(q)))
			require.NoError(t, want.Add(strands.Pattern(q)))
		}
		require.Equal(t, 2*(part[1]-part[0]), pairs.Len())
		require.True(t, bytes.Equal(want.Text, pairs.Text), "%v", part)
		if want.Len() > 0 {
			require.True(t, slices.Equal(want.Offsets, pairs.Offsets), "%v", part)
		}
	}
}
