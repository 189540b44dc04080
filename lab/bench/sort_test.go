package bench_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/opticks"
	"github.com/suffixcl/suffixcl/internal/testkit/synthetic"
	"github.com/suffixcl/suffixcl/lab/bench"
)

func sortText(name string, data []byte) bench.SortText {
	return bench.SortText{Name: name, Open: func(context.Context) (int, func([]byte) *synthetic.GenomeStats, error) {
		return len(data), func(text []byte) *synthetic.GenomeStats { copy(text, data); return nil }, nil
	}}
}

func sorting(t *testing.T, d *cl.Device, maxMemory int64) *bench.Sort {
	return &bench.Sort{
		Texts:      []bench.SortText{sortText("opticks.txt", opticks.Text[:3000]), sortText("syn.one", []byte("b"))},
		Algorithms: []string{string(suffixcl.AlgorithmAuto), string(suffixcl.AlgorithmSkew)}, Runs: 2, Stream: 3,
		Phases: true, LCP: true, CPU: true,
		Open: func(profile bool) (*device.Session, error) {
			return device.Open(device.Config{Device: d, Profile: profile, MaxMemory: maxMemory})
		},
		Progress: t.Logf,
		Done:     func(*bench.SortReport) error { return nil },
	}
}

func TestSort(t *testing.T) {
	b := sorting(t, devicetest.Devices(t)[0], 0)
	done := 0
	b.Done = func(r *bench.SortReport) error {
		done++
		assert.Len(t, r.Results, 8*min(done, 2), "four measurements of two algorithms a text")
		return nil
	}
	b.Texts = append(b.Texts, sortText("none", nil))
	r, err := b.Run(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 3, done)
	assert.Equal(t, []bench.SortProblem{{Text: "none", Problem: "it is empty"}}, r.LeftOut)
	assert.Positive(t, r.CopyGBps)
	names := map[string]bool{}
	for _, row := range r.Results {
		names[row.Primitive] = true
		assert.Positive(t, row.Seconds)
		assert.InEpsilon(t, float64(row.Items), row.GBps*1e9*row.Seconds, 1e-9)
		assert.Equal(t, row.Job == bench.JobSA, row.CPU > 0)
		assert.GreaterOrEqual(t, row.Bytes, int64(5*row.Items))
		assert.NotEqual(t, string(suffixcl.AlgorithmAuto), row.Sorter)
		assert.Zero(t, row.Anchor)
		if row.EndToEnd {
			assert.InEpsilon(t, row.Seconds, row.Parts.Upload+row.Parts.Compute+row.Parts.Download, 1e-9)
			assert.GreaterOrEqual(t, row.Parts.OfLarger(row.Seconds), 1.0)
			require.NotNil(t, row.Stream)
			assert.GreaterOrEqual(t, row.Stream.Texts, 3)
			assert.InEpsilon(t, float64(row.Items), row.Stream.GBps*1e9*row.Stream.Seconds, 1e-9)
			assert.Positive(t, row.Stream.OfLarger)
			continue
		}
		share := 0.0
		for _, p := range row.Phases {
			share += p.Share
		}
		assert.InDelta(t, 1, share, 1e-9, row.Primitive)
		last := row.Phases[len(row.Phases)-1].Phase
		if row.Sorter == string(suffixcl.AlgorithmSmallTexts) { // one launch makes either
			assert.Equal(t, "small texts", last)
		} else {
			assert.Equal(t, row.Job == bench.JobBWT, last == "bwt")
		}
	}
	assert.Len(t, names, len(r.Results), "compare tells measurements by their names")
	assert.Len(t, r.Means, 16)
	for _, m := range r.Means {
		assert.Positive(t, m.GBps)
		assert.Equal(t, 1, m.Texts)
		assert.Nil(t, m.OfAnchor)
		assert.Equal(t, m.Job == bench.JobSA, m.OfCPU != nil)
	}
	require.Len(t, r.Texts, 2)
	text := opticks.Text[:3000]
	sum, longest := 0.0, uint32(0)
	for _, l := range conformance.ReferenceLCP(text, conformance.ReferenceSuffixArray(text)) {
		sum, longest = sum+float64(l), max(longest, l)
	}
	assert.InEpsilon(t, sum/3000, r.Texts[0].MeanLCP, 1e-9)
	assert.Equal(t, longest, r.Texts[0].MaxLCP)
	assert.Equal(t, bench.SortStats{Text: "syn.one", Bytes: 1, Symbols: 1, LeastBytes: 1}, r.Texts[1])
}

func TestSortErrors(t *testing.T) {
	d := devicetest.Devices(t)[0]
	full := errors.New("the disk is full")
	b := sorting(t, d, 0)
	b.Done = func(*bench.SortReport) error { return full }
	_, err := b.Run(t.Context())
	assert.ErrorIs(t, err, full)

	b = sorting(t, d, 0)
	b.Algorithms = []string{"bogo"}
	_, err = b.Run(t.Context())
	assert.ErrorContains(t, err, "bogo")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = sorting(t, d, 0).Run(ctx)
	assert.ErrorIs(t, err, context.Canceled)

	// Room for skew only, and then for none.
	n := 100_000
	for limit, want := range map[int64]int{40: 4, 14: 0, 8: 0} {
		b = sorting(t, d, int64(n)*limit)
		b.Algorithms, b.LCP, b.CPU = []string{string(suffixcl.AlgorithmGPULS), string(suffixcl.AlgorithmSkew)}, false, false
		b.Texts = []bench.SortText{sortText("opticks.txt", opticks.Text[:n])}
		r, err := b.Run(t.Context())
		require.NoError(t, err)
		assert.Len(t, r.Results, want, "%d", limit)
		require.NotEmpty(t, r.LeftOut)
		assert.False(t, r.LeftOut[0].Wrong)
		assert.Equal(t, limit > 8, r.LeftOut[0].Algorithm == string(suffixcl.AlgorithmGPULS))
	}
}

// What sorters leave undone is not reported, and other texts are.
func TestSortVerify(t *testing.T) {
	const runs = 1 + 2 // of a sorter, which has one job
	for right := range runs + 2 {
		b := sorting(t, devicetest.Devices(t)[0], 0)
		b.Phases, b.LCP = false, false
		b.Texts = b.Texts[:1]
		b.Lazy(right)
		if right <= runs { // else there are more, for as long as a stream
			b.Stream = 0
		}
		r, err := b.Run(t.Context())
		if right == runs {
			require.NoError(t, err)
			assert.Empty(t, r.LeftOut)
			assert.Len(t, r.Results, 8)
			continue
		}
		var wrong *bench.WrongResult
		assert.ErrorAs(t, err, &wrong, right)
		assert.Empty(t, r.Results)
		require.Len(t, r.LeftOut, 2)
		assert.True(t, r.LeftOut[0].Wrong)
	}
}

// A stream's results are compared, and not left to be compared again.
func TestCompareEvery(t *testing.T) {
	want := []uint32{7, 0, 5, 1 << 31, 9, 9, 2}
	for step := 1; step < 9; step++ {
		for i := range want {
			got := slices.Clone(want)
			got[i]++
			assert.Equal(t, i%step == 0, bench.CompareEvery(step, got, want) != nil, "%d, %d", step, i)
		}
		got := slices.Clone(want)
		require.NoError(t, bench.CompareEvery(step, got, want))
		require.Error(t, bench.CompareEvery(step, got, want))
	}
}

func TestCheckTransform(t *testing.T) {
	for _, text := range []string{"a", "aa", "banana", "mississippi", string(opticks.Text[:500])} {
		sa := conformance.ReferenceSuffixArray([]byte(text))
		transform, primary := conformance.ReferenceBWT([]byte(text), sa)
		require.NoError(t, bench.CheckTransform([]byte(text), sa, transform, primary))
		for _, wrong := range []int{-1, 0, primary - 1, primary + 1, len(text) + 1} {
			assert.Error(t, bench.CheckTransform([]byte(text), sa, transform, wrong))
		}
		for i := range transform {
			transform[i]++
			require.Error(t, bench.CheckTransform([]byte(text), sa, transform, primary), "%s: %d", text, i)
			transform[i]--
		}
	}
}

func TestSortMeans(t *testing.T) {
	row := func(text string, rate, anchor float64) bench.SortRow {
		return bench.SortRow{Result: bench.Result{GBps: rate}, Text: text, Job: bench.JobSA, Algorithm: "x", Anchor: anchor}
	}
	means := bench.SortMeans([]bench.SortRow{row("a", 2, 1), row("b", 8, 2), row("c", 4, 0), row("syn.d", 3, 4)})
	require.Len(t, means, 2)
	assert.InEpsilon(t, 4, means[0].GBps, 1e-9)
	assert.InEpsilon(t, 2.8284271247461903, means[0].OfAnchor.Mean, 1e-9)
	assert.Equal(t, bench.Ratios{Texts: 2, Mean: means[0].OfAnchor.Mean, Least: 2, On: "a"}, *means[0].OfAnchor)
	assert.True(t, means[1].Synthetic)
	assert.Equal(t, "syn.d", means[1].OfAnchor.On)
	assert.Nil(t, means[1].OfCPU)
}

func TestAnchors(t *testing.T) {
	assert.InEpsilon(t, 2.4228, bench.Anchored(t, "NVIDIA H200", "english.20MB", 20971520, bench.JobSA, false), 1e-9)
	assert.InEpsilon(t, 2.7218, bench.Anchored(t, "NVIDIA H200", "english.20MB", 20971520, bench.JobBWT, true), 1e-9)
	assert.Zero(t, bench.Anchored(t, "NVIDIA H200", "english.20MB", 20971521, bench.JobSA, false), "another text")
	assert.Zero(t, bench.Anchored(t, "NVIDIA H200", "english", 0, bench.JobSA, false))
	assert.Zero(t, bench.Anchored(t, "NVIDIA A100", "english.20MB", 20971520, bench.JobSA, false))
	assert.Zero(t, bench.Anchored(t, "NVIDIA H200", "syn.period2.64M", 1<<26, bench.JobSA, false), "not measured")
}
