package inranges_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/jobs/inranges"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
)

// A sample has pieces from the first byte to the last.
func TestSampleText(t *testing.T) {
	text := make([]byte, 0, 1<<16)
	for i := range uint16(1 << 14) { // whose words are their numbers
		text = binary.BigEndian.AppendUint32(text, uint32(i))
	}
	sample, err := suffixcl.SampleText(bytes.NewReader(text), len(text), 1<<12)
	require.NoError(t, err)
	require.Len(t, sample, 1<<12)
	require.Equal(t, text[:256], sample[:256])
	require.Equal(t, text[len(text)-256:], sample[len(sample)-256:])
	last := -1
	for k := range 16 {
		at := bytes.Index(text, sample[256*k:256*(k+1)])
		require.Greater(t, at, last)
		require.InDelta(t, k*(len(text)-256)/15, at, 300)
		last = at
	}
	for _, size := range []int{len(text), 2 * len(text)} {
		sample, err = suffixcl.SampleText(bytes.NewReader(text), len(text), size)
		require.NoError(t, err)
		require.Equal(t, text, sample)
	}
	sample, err = suffixcl.SampleText(bytes.NewReader(text), len(text), 3)
	require.NoError(t, err)
	require.Len(t, sample, 3)
	_, err = suffixcl.SampleText(bytes.NewReader(text), 2*len(text), 1<<12)
	require.Error(t, err, "a file that ends early")
}

// Of a time, a part does not depend on the length.
func TestEstimateScales(t *testing.T) {
	const ms = time.Millisecond
	assert.Equal(t, 800*ms, inranges.TimeOf(50*ms, 200*ms, 4, 4), "all of it is linear")
	assert.Equal(t, 650*ms, inranges.TimeOf(80*ms, 230*ms, 4, 3.1), "30 ms are not")
	assert.Equal(t, 50*ms, inranges.TimeOf(50*ms, 50*ms, 4, 100), "nothing is")
	assert.Equal(t, 50*ms, inranges.TimeOf(50*ms, 40*ms, 4, 100), "a longer text took less")
	assert.Equal(t, 3000*ms, inranges.TimeOf(50*ms, 300*ms, 4, 10), "more than linear")
}

// The estimate is of the ranges that memory allows.
func TestEstimateRanges(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	sample := make([]byte, 1<<18)
	for i := range sample {
		sample[i] = "acgt"[rng.IntN(4)]
	}
	const n = 4 << 20
	e, err := suffixcl.Open(suffixcl.Options{MaxMemory: 64 << 20})
	require.NoError(t, err)
	defer e.Close()
	var r suffixcl.RangePlan
	var st suffixcl.Stats
	ctx := suffixcl.WithStats(t.Context(), &st)
	o := suffixcl.RangeOptions{Sample: sample, Planned: func(p suffixcl.RangePlan) error {
		r = p
		return nil
	}}
	_, err = e.Ranges(suffixcl.Length(1, n), o).Plan(ctx)
	require.NoError(t, err)
	assert.Positive(t, r.Least)
	assert.GreaterOrEqual(t, r.Most, r.Least)
	assert.LessOrEqual(t, r.Sorted, len(sample))
	text := bytes.Repeat(sample, n/len(sample))
	rng.Shuffle(n, func(i, j int) { text[i], text[j] = text[j], text[i] })
	nothing := func(suffixcl.SuffixBlock) error { return nil }
	_, err = enginetest.SuffixRanges(ctx, e, text, suffixcl.RangeOptions{}, nothing)
	require.NoError(t, err)
	assert.InDelta(t, st.Ranges, r.Ranges, 1)

	_, err = e.Ranges(suffixcl.Length(1, 1<<33), o).Plan(ctx)
	var memory *device.MemoryError
	require.ErrorAs(t, err, &memory)
	_, err = e.Ranges(suffixcl.Length(2, n), o).Plan(ctx)
	require.ErrorIs(t, err, suffixcl.ErrOptions, "of symbols")
	o.Planned = func(suffixcl.RangePlan) error { return io.EOF }
	_, err = e.Ranges(suffixcl.Length(1, n), o).Plan(ctx)
	require.ErrorIs(t, err, io.EOF)
	_, err = e.Ranges(suffixcl.Length(1, 0), suffixcl.RangeOptions{Sample: sample}).Plan(ctx)
	require.NoError(t, err)
}
