package inranges_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
)

func TestMain(m *testing.M) { devicetest.Main(m) }

// joined puts the ranges together.
func joined(t *testing.T, e *suffixcl.Engine, text []byte) []uint32 {
	sa := make([]uint32, 0, len(text))
	job := e.Arrays(suffixcl.Bytes(text), suffixcl.Want{SA: true})
	require.NoError(t, enginetest.Run(t.Context(), job, func(block *suffixcl.Result) error {
		if block.First != len(sa) {
			return fmt.Errorf("a block at %d, not at %d", block.First, len(sa))
		}
		sa = append(sa, block.SA...)
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
	e := enginetest.On(t, suffixcl.EngineOptions{})
	require.Equal(t, want, joined(t, e, text))
	require.Zero(t, enginetest.Core(e).Stats().Ranges, "in one piece")
	small, err := suffixcl.Open(suffixcl.Options{MaxMemory: limit})
	require.NoError(t, err)
	defer small.Close()
	plan, err := enginetest.PlanOf(t.Context(), small, enginetest.OpSuffixArray, len(text))
	require.NoError(t, err)
	require.LessOrEqual(t, plan.Device(), int64(limit))
	require.Contains(t, plan[len(plan)-1].Phase, " ranges")
	require.Equal(t, want, joined(t, small, text))
	ranges := enginetest.Core(small).Stats().Ranges
	require.Greater(t, ranges, 1)
	require.EqualValues(t, suffixcl.AlgorithmRanges, enginetest.Core(small).Stats().Algorithm)
	require.LessOrEqual(t, enginetest.Core(small).Stats().PeakBytes, int64(limit))
	sa := make([]uint32, len(text))
	require.NoError(t, small.SuffixArrayInto(t.Context(), sa, text))
	require.Equal(t, want, sa)
	require.Greater(t, enginetest.Core(small).Stats().Ranges, ranges)
}

// AlgorithmRanges sorts any suffix array in ranges, and makes nothing else.
func TestAlgorithmRanges(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{Algorithm: suffixcl.AlgorithmRanges})
	require.Equal(t, []uint32{5, 3, 1, 0, 4, 2}, joined(t, e, []byte("banana")))
	require.Empty(t, joined(t, e, nil))
	sa, err := e.SuffixArray(t.Context(), []byte("banana"))
	require.NoError(t, err)
	require.Equal(t, []uint32{5, 3, 1, 0, 4, 2}, sa)
	require.Equal(t, 2, enginetest.Core(e).Stats().Ranges)
	transform, primary, err := e.BWT(t.Context(), []byte("banana"))
	require.NoError(t, err)
	require.Equal(t, "annbaa", string(transform))
	require.Equal(t, 4, primary)
	lcp, err := e.LCP(t.Context(), []byte("banana"))
	require.NoError(t, err)
	require.Equal(t, []uint32{0, 1, 3, 0, 0, 2}, lcp)
	_, err = e.Arrays(suffixcl.Bytes([]byte("banana")), suffixcl.Want{LCP: true, Known: sa}).All(t.Context())
	require.NoError(t, err, "no sorter is needed")
	_, err = e.Repeats(suffixcl.Bytes([]byte("banana")), suffixcl.RepeatOptions{}).All(t.Context())
	require.ErrorContains(t, err, "suffix arrays, transforms, LCP arrays and FM-indexes only")
	full := errors.New("disk full")
	sorted := e.Arrays(suffixcl.Bytes([]byte("banana")), suffixcl.Want{SA: true})
	require.ErrorIs(t, enginetest.Run(t.Context(), sorted, func(*suffixcl.Result) error { return full }), full)
	err = enginetest.Run(t.Context(), sorted, func(*suffixcl.Result) error {
		_, err := e.SuffixArray(t.Context(), nil)
		return err
	})
	require.ErrorIs(t, err, suffixcl.ErrInCallback)
	var long *suffixcl.LengthError
	_, err = e.Ranges(suffixcl.Length(1, suffixcl.MaxRangesLen+1), suffixcl.RangeOptions{}).Plan(t.Context())
	require.ErrorAs(t, err, &long)
}

// SuffixRanges goes on from a state, on several devices, and makes both results.
func TestSuffixRanges(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	text := make([]byte, 100_000)
	for i := range text {
		text[i] = "acgt"[rng.IntN(4)]
	}
	want := conformance.ReferenceSuffixArray(text)
	transform, primary := conformance.ReferenceBWT(text, want)
	open := func() *suffixcl.Engine {
		e, err := suffixcl.Open(suffixcl.Options{MaxMemory: 800 << 10})
		require.NoError(t, err)
		t.Cleanup(func() { e.Close() })
		return e
	}
	e, other := enginetest.On(t, suffixcl.EngineOptions{}), open()
	var sa []uint32
	var bwt []byte
	stopped := errors.New("stopped")
	others := []*suffixcl.Engine{other}
	o := suffixcl.RangeOptions{Transform: true, Others: others, Saved: func(s suffixcl.RangeState) error {
		if s.Done == 2 {
			return stopped
		}
		return nil
	}}
	yield := func(b suffixcl.SuffixBlock) error {
		for _, p := range b.Positions {
			sa = append(sa, uint32(p))
		}
		bwt = append(bwt, b.Transform...)
		for _, e := range []*suffixcl.Engine{e, other} {
			_, err := e.SuffixArray(t.Context(), nil)
			require.ErrorIs(t, err, suffixcl.ErrInCallback)
		}
		return nil
	}
	state, err := enginetest.SuffixRanges(t.Context(), e, text, o, yield)
	require.ErrorIs(t, err, stopped)
	require.Equal(t, 2, state.Done)
	sa, bwt = sa[:state.First], bwt[:state.TransformLen()]
	o.From, o.Saved = state, nil
	state, err = enginetest.SuffixRanges(t.Context(), e, text, o, yield)
	require.NoError(t, err)
	require.Equal(t, want, sa)
	require.Equal(t, transform, bwt)
	require.Equal(t, primary, state.Primary)
	got, at, err := other.BWT(t.Context(), text)
	require.NoError(t, err)
	require.Equal(t, transform, got)
	require.Equal(t, primary, at)
	require.EqualValues(t, suffixcl.AlgorithmRanges, enginetest.Core(other).Stats().Algorithm)
	_, err = enginetest.SuffixRanges(t.Context(), e, text, suffixcl.RangeOptions{Others: []*suffixcl.Engine{e}}, yield)
	require.ErrorContains(t, err, "twice")

	// In any order, each block in its places.
	var mu sync.Mutex
	packed, transformed := make([]byte, 5*len(text)), make([]byte, len(text))
	o = suffixcl.RangeOptions{Transform: true, Packed: true, Others: others, Anywhere: true}
	state, err = enginetest.SuffixRanges(t.Context(), e, text, o, func(b suffixcl.SuffixBlock) error {
		mu.Lock()
		defer mu.Unlock()
		copy(packed[5*b.First:], b.Packed)
		copy(transformed[b.TransformFirst:], b.Transform)
		for _, e := range []*suffixcl.Engine{e, other} {
			_, err := e.SuffixArray(t.Context(), nil)
			require.ErrorIs(t, err, suffixcl.ErrInCallback)
		}
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, primary, state.Primary)
	require.Equal(t, transform, transformed)
	for slot, p := range want {
		require.Equal(t, p, binary.LittleEndian.Uint32(packed[5*slot:]))
		require.Zero(t, packed[5*slot+4])
	}
	_, err = o.WriteBlocks(nil, 5)
	require.ErrorContains(t, err, "order")

	// A loop gets such blocks one by one, and may be left.
	seen := 0
	for b, err := range e.Ranges(suffixcl.Bytes(text), o).Each(t.Context()) {
		require.NoError(t, err)
		require.Equal(t, packed[5*b.First:][:5*b.Len], b.Packed)
		for _, e := range []*suffixcl.Engine{e, other} {
			_, err := e.SuffixArray(t.Context(), nil)
			require.ErrorIs(t, err, suffixcl.ErrInCallback)
		}
		seen += b.Len
	}
	require.Equal(t, len(text), seen)
	for range e.Ranges(suffixcl.Bytes(text), o).Each(t.Context()) {
		break
	}

	// Calls of the same engines in another order do not wait for each other.
	var calls sync.WaitGroup
	for _, of := range [][2]*suffixcl.Engine{{e, other}, {other, e}} {
		calls.Go(func() {
			for range 20 {
				o := suffixcl.RangeOptions{Others: of[1:]}
				_, err := enginetest.SuffixRanges(t.Context(), of[0], text[:1000], o,
					func(suffixcl.SuffixBlock) error { return nil })
				assert.NoError(t, err)
			}
		})
	}
	calls.Wait()
}
