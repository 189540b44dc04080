package inranges_test

import (
	"bytes"
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
	require.ErrorIs(t, err, suffixcl.ErrUsage, "of symbols")
	o.Planned = func(suffixcl.RangePlan) error { return io.EOF }
	_, err = e.Ranges(suffixcl.Length(1, n), o).Plan(ctx)
	require.ErrorIs(t, err, io.EOF)
	_, err = e.Ranges(suffixcl.Length(1, 0), suffixcl.RangeOptions{Sample: sample}).Plan(ctx)
	require.NoError(t, err)
}
