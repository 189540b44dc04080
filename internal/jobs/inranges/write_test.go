package inranges_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"iter"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
)

// The results of ranges come to loops, which may be left, and to writers.
func TestSuffixBlocksOfRanges(t *testing.T) {
	rng := rand.New(rand.NewPCG(34, 5))
	text := make([]byte, 60_000)
	for i := range text {
		text[i] = "acgt"[rng.IntN(4)]
	}
	want := conformance.ReferenceSuffixArray(text)
	transform, _ := conformance.ReferenceBWT(text, want)
	lengths := conformance.ReferenceLCP(text, want)
	e, err := suffixcl.Open(suffixcl.Options{MaxMemory: 800 << 10})
	require.NoError(t, err)
	defer e.Close()
	ctx := t.Context()
	loops := func() []iter.Seq2[suffixcl.SuffixBlock, error] {
		o := suffixcl.RangeOptions{LCP: true}
		return []iter.Seq2[suffixcl.SuffixBlock, error]{
			e.Ranges(suffixcl.Bytes(text), o).Each(ctx),
			e.Ranges(suffixcl.Reader(bytes.NewReader(text), len(text)), o).Each(ctx)}
	}
	for _, loop := range loops() {
		for range 2 { // it can be gone through again
			var sa, lcp []uint32
			for b, err := range loop {
				require.NoError(t, err)
				require.Equal(t, len(sa), b.First)
				for j, p := range b.Positions {
					sa, lcp = append(sa, uint32(p)), append(lcp, uint32(b.LCP[j]))
				}
				_, err = e.SuffixArray(ctx, nil)
				require.ErrorIs(t, err, suffixcl.ErrInCallback)
			}
			require.Equal(t, want, sa)
			require.Equal(t, lengths, lcp)
			require.Greater(t, enginetest.Core(e).Stats().Ranges, 1)
		}
		for b := range loop {
			require.Zero(t, b.First)
			break
		}
		require.PanicsWithValue(t, "left", func() {
			for range loop {
				panic("left")
			}
		})
		next, stop := iter.Pull2(loop)
		_, err, ok := next()
		require.NoError(t, err)
		require.True(t, ok)
		stop()
	}
	failures := 0
	tooFew := suffixcl.Reader(bytes.NewReader(text), len(text)+1)
	for b, err := range e.Ranges(tooFew, suffixcl.RangeOptions{}).Each(ctx) {
		require.Error(t, err)
		require.Zero(t, b)
		failures++
	}
	require.Equal(t, 1, failures)

	write := func(o suffixcl.RangeOptions, width int) []byte {
		var out bytes.Buffer
		yield, err := o.WriteBlocks(&out, width)
		require.NoError(t, err)
		_, err = enginetest.SuffixRanges(ctx, e, text, o, yield)
		require.NoError(t, err)
		return out.Bytes()
	}
	encoded := func(array []uint32, width int) (out []byte) {
		for _, v := range array {
			out = append(binary.LittleEndian.AppendUint32(out, v), make([]byte, width-4)...)
		}
		return out
	}
	for _, width := range []int{4, 5, 8} {
		require.Equal(t, encoded(want, width), write(suffixcl.RangeOptions{}, width))
		if width == 5 {
			require.Equal(t, encoded(want, width), write(suffixcl.RangeOptions{Packed: true}, width))
		}
		require.Equal(t, encoded(lengths, width), write(suffixcl.RangeOptions{LCP: true, NoPositions: true}, width))
	}
	require.Equal(t, transform, write(suffixcl.RangeOptions{Transform: true, NoPositions: true}, 0))
	_, err = suffixcl.RangeOptions{LCP: true}.WriteBlocks(nil, 4)
	require.ErrorContains(t, err, "want 2")
	_, err = suffixcl.RangeOptions{}.WriteBlocks(nil, 3)
	require.ErrorContains(t, err, "3 bytes")
	_, err = suffixcl.RangeOptions{Packed: true}.WriteBlocks(nil, 8)
	require.ErrorContains(t, err, "8 bytes: 5")
	full := errors.New("full")
	yield, err := suffixcl.RangeOptions{}.WriteBlocks(fullWriter{full}, 5)
	require.NoError(t, err)
	_, err = enginetest.SuffixRanges(ctx, e, text, suffixcl.RangeOptions{}, yield)
	require.ErrorIs(t, err, full)
	yield, err = suffixcl.RangeOptions{}.WriteBlocks(&bytes.Buffer{}, 4)
	require.NoError(t, err)
	require.ErrorContains(t, yield(suffixcl.SuffixBlock{Len: 1, Positions: []uint64{1 << 32}}), "4294967296")
}

type fullWriter struct{ error }

func (w fullWriter) Write([]byte) (int, error) { return 0, w.error }
