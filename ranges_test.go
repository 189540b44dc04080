package suffixcl_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/conformance"
)

// joined puts the ranges together.
func joined(t *testing.T, e *suffixcl.Engine, text []byte) []uint32 {
	sa := make([]uint32, 0, len(text))
	require.NoError(t, e.EachSuffixRange(t.Context(), text, func(first int, positions []uint64) error {
		if first != len(sa) {
			return fmt.Errorf("a range at %d, not at %d", first, len(sa))
		}
		for _, p := range positions {
			sa = append(sa, uint32(p))
		}
		return nil
	}))
	return sa
}

// Where the sorters in one piece do not fit, the suffix array is sorted in ranges, and statistics and plan say so.
func TestRangesWhereMemoryIsShort(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	text := make([]byte, 200_000)
	for i := range text {
		text[i] = "acgt"[rng.IntN(4)]
	}
	want := conformance.ReferenceSuffixArray(text)
	const limit = 1 << 20 // 5.2 bytes a character
	e := engineOn(t, suffixcl.EngineOptions{})
	require.Equal(t, want, joined(t, e, text))
	require.Zero(t, e.Stats().Ranges, "in one piece")
	small, err := suffixcl.Open(suffixcl.Options{MaxMemory: limit})
	require.NoError(t, err)
	defer small.Close()
	for _, op := range []suffixcl.Op{suffixcl.OpEachSuffixRange, suffixcl.OpSuffixArray} {
		plan, err := small.Plan(t.Context(), op, len(text))
		require.NoError(t, err)
		require.LessOrEqual(t, plan.Device(), int64(limit))
		require.Contains(t, plan[len(plan)-1].Phase, " ranges")
	}
	require.Equal(t, want, joined(t, small, text))
	ranges := small.Stats().Ranges
	require.Greater(t, ranges, 1)
	require.Equal(t, suffixcl.AlgorithmRanges, small.Stats().Algorithm)
	require.LessOrEqual(t, small.Stats().PeakBytes, int64(limit))
	sa := make([]uint32, len(text))
	require.NoError(t, small.SuffixArrayInto(t.Context(), sa, text))
	require.Equal(t, want, sa)
	require.Greater(t, small.Stats().Ranges, ranges)
}

// AlgorithmRanges sorts any suffix array in ranges, and makes nothing else.
func TestAlgorithmRanges(t *testing.T) {
	e := engineOn(t, suffixcl.EngineOptions{Algorithm: suffixcl.AlgorithmRanges})
	require.Equal(t, []uint32{5, 3, 1, 0, 4, 2}, joined(t, e, []byte("banana")))
	require.Empty(t, joined(t, e, nil))
	sa, err := e.SuffixArray(t.Context(), []byte("banana"))
	require.NoError(t, err)
	require.Equal(t, []uint32{5, 3, 1, 0, 4, 2}, sa)
	require.Equal(t, 2, e.Stats().Ranges)
	_, _, err = e.BWT(t.Context(), []byte("banana"))
	require.ErrorContains(t, err, "suffix arrays only")
	full := errors.New("disk full")
	require.ErrorIs(t, e.EachSuffixRange(t.Context(), []byte("banana"), func(int, []uint64) error { return full }), full)
	err = e.EachSuffixRange(t.Context(), []byte("banana"), func(int, []uint64) error {
		_, err := e.SuffixArray(t.Context(), nil)
		return err
	})
	require.ErrorIs(t, err, suffixcl.ErrInCallback)
	var long *suffixcl.LengthError
	_, err = e.Plan(t.Context(), suffixcl.OpEachSuffixRange, suffixcl.MaxRangesLen+1)
	require.ErrorAs(t, err, &long)
}
