package segsort_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/segsort"
)

// BenchmarkSegsort sorts pairs of u32 that lie on the device, random keys in segments of
// random lengths. SUFFIXCL_BENCH_LOG2 is the logarithm of the number of items. Before
// each run the keys are copied, since sorted ones would be too easy; that time is
// measured alone and taken off.
func BenchmarkSegsort(b *testing.B) {
	log2, err := strconv.Atoi(os.Getenv("SUFFIXCL_BENCH_LOG2"))
	if err != nil {
		log2 = 20
	}
	for _, d := range devicetest.Devices(b) {
		b.Run(fmt.Sprintf("%s/n=2^%d", d.Name(), log2), func(b *testing.B) {
			s := devicetest.Open(b, d, devicetest.Variants[0])
			for _, c := range []struct {
				name    string
				options segsort.Options
				lo, hi  int
				log     bool // lengths whose logarithms are uniform
			}{
				{"2-8", segsort.Options{}, 2, 8, false},
				{"2-8/promised", segsort.Options{Longest: 8}, 2, 8, false},
				{"2-64", segsort.Options{}, 2, 64, false},
				{"2-64/promised", segsort.Options{Longest: 64}, 2, 64, false},
				{"2-64/work-group", segsort.Options{Strategy: segsort.WorkGroup}, 2, 64, false},
				{"64-2047", segsort.Options{}, 64, 2047, false},
				{"64-2047/global", segsort.Options{Strategy: segsort.Global}, 64, 2047, false},
				{"2-60511", segsort.Options{}, 2, 60511, false},
				{"2-60511/block-merge", segsort.Options{Strategy: segsort.BlockMerge}, 2, 60511, false},
				{"2-60511/global", segsort.Options{Strategy: segsort.Global}, 2, 60511, false},
				{"2-60511-log", segsort.Options{}, 2, 60511, true},
			} {
				b.Run(c.name, func(b *testing.B) {
					benchmark(b, s, 1<<log2, c.options, func(rng *rand.Rand) int {
						if c.log {
							return int(float64(c.lo) * math.Pow(float64(c.hi)/float64(c.lo), rng.Float64()))
						}
						return c.lo + rng.IntN(c.hi-c.lo+1)
					})
				})
			}
		})
	}
}

// repeats of a run between two waits.
const repeats = 8

func benchmark(b *testing.B, s *device.Session, n int, o segsort.Options, length func(*rand.Rand) int) {
	rng := rand.New(rand.NewPCG(1, 2))
	data, heads := make([]uint32, n), make([]uint32, segsort.HeadWords(n))
	for i := range data {
		data[i] = rng.Uint32()
	}
	for i := 0; i < n; i += length(rng) {
		heads[i/32] |= 1 << (i % 32)
	}
	p, err := segsort.New[uint32, uint32](s, n, o)
	require.NoError(b, err)
	alloc := func(n int) *device.Buffer[uint32] {
		buffer, err := device.Alloc[uint32](s, n)
		require.NoError(b, err)
		return buffer
	}
	buffers := make([]*device.Buffer[uint32], 6)
	for i := range 5 {
		buffers[i] = alloc(n)
		defer buffers[i].Release()
	}
	buffers[5] = alloc(len(heads))
	defer buffers[5].Release()
	input, bitmap := buffers[0], buffers[5]
	require.NoError(b, input.Upload(b.Context(), data, nil))
	require.NoError(b, bitmap.Upload(b.Context(), heads, nil))
	ws, err := device.NewWorkspace(s, p.Workspace())
	require.NoError(b, err)
	defer ws.Release()
	keys := radixsort.Pair[uint32]{Cur: buffers[1], Alt: buffers[2]}
	values := radixsort.Pair[uint32]{Cur: buffers[3], Alt: buffers[4]}
	fill := func() { device.Copy(keys.Cur, input, n) }
	run := func() {
		fill()
		p.Run(ws, &keys, &values, bitmap, n)
	}
	run()
	fill()
	require.NoError(b, s.Finish())
	start := time.Now()
	for range repeats {
		fill()
	}
	require.NoError(b, s.Finish())
	copying := time.Since(start).Seconds() / repeats
	for b.Loop() {
		for range repeats {
			run()
		}
		require.NoError(b, s.Finish())
	}
	seconds := b.Elapsed().Seconds()/float64(b.N)/repeats - copying
	b.ReportMetric(float64(n)/seconds/1e9, "Gitems/s")
	b.ReportMetric(float64(n)*16/seconds/1e9, "GB/s")
}
