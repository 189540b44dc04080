package radixsort_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/driver"
	"github.com/suffixcl/suffixcl/internal/phases"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/radixsort"
)

// fromArrays is a first pass that reads other buffers than it writes: the sort can
// be repeated without its input changing, at the cost of one in place.
var fromArrays = device.Source{Defines: device.Defines{
	"RADIX_PARAMS":        ", __global const K *source, __global const V *source_values",
	"RADIX_LOAD_KEY(i)":   "source[i]",
	"RADIX_LOAD_VALUE(i)": "source_values[i]",
}}

// shapes are tuning parameters of a benchmark: the device's own, or those that an
// environment variable lists, as numbers with an x between.
func shapes(b *testing.B, variable string, count int) [][]int {
	var list [][]int
	for text := range strings.SplitSeq(os.Getenv(variable), ",") {
		if text == "" {
			return [][]int{nil}
		}
		var shape []int
		for number := range strings.SplitSeq(text, "x") {
			n, err := strconv.Atoi(number)
			require.NoError(b, err, variable)
			shape = append(shape, n)
		}
		require.Len(b, shape, count, variable)
		list = append(list, shape)
	}
	return list
}

// BenchmarkRadixSort sorts random pairs that are in device memory. SUFFIXCL_RADIX_TILES
// and SUFFIXCL_RADIX_HISTOGRAMS override the tuning: work-group, items, items of
// small tiles, resident tiles; work-group, items, copies. With SUFFIXCL_RADIX_PROFILE it logs the time
// of every kernel.
func BenchmarkRadixSort(b *testing.B) {
	for _, d := range devicetest.Devices(b) {
		b.Run(d.Platform().Name(), func(b *testing.B) {
			for _, tile := range shapes(b, "SUFFIXCL_RADIX_TILES", 4) {
				for _, histogram := range shapes(b, "SUFFIXCL_RADIX_HISTOGRAMS", 3) {
					c := device.Config{Device: d, Profile: os.Getenv("SUFFIXCL_RADIX_PROFILE") != ""}
					s, err := tuned.Open(c, tuned.Edits{Caps: benchmarkCaps, Set: func(_ *device.Caps, set *tune.Set) {
						if tile != nil {
							all := tune.RadixTile{WG: tile[0], Items: tile[1], Small: tile[2], Resident: tile[3]}
							for _, k := range []int{4, 8} {
								for _, v := range []int{0, 4, 8} {
									*set.RadixSort.Tile(k, v) = all
								}
							}
						}
						if histogram != nil {
							h := &set.RadixSort.Histogram
							h.WG, h.Items, h.Copies = histogram[0], histogram[1], histogram[2]
						}
					}})
					require.NoError(b, err)
					defer s.Close()
					for _, log := range []int{20, 22, 24, 28, 30} {
						if log > 24 && s.Caps().Kind() != "gpu" {
							continue
						}
						name := fmt.Sprintf("2^%d,tile=%v,histogram=%v", log, tile, histogram)
						b.Run("u32-u32/"+name, func(b *testing.B) { benchmark[uint32, uint32](b, s, 1<<log, 32) })
						b.Run("u64-u32/"+name, func(b *testing.B) { benchmark[uint64, uint32](b, s, 1<<log, 64) })
						b.Run("u64-u32-40/"+name, func(b *testing.B) { benchmark[uint64, uint32](b, s, 1<<log, 40) })
					}
				}
			}
		})
	}
}

// benchmarkCaps forces portable paths that an environment variable names.
func benchmarkCaps(c *device.Caps) {
	for name := range strings.SplitSeq(os.Getenv("SUFFIXCL_RADIX_CAPS"), ",") {
		switch name {
		case "local":
			tuned.Quirks(c).Lanes = driver.LanesLocal
		case "noptx":
			q := tuned.Quirks(c)
			q.PTX, q.Lanes = false, driver.LanesLocal
		case "reduce":
			c.ForwardProgress = false
		}
	}
}

var randomKeys []uint64 // made once, the slow part

func benchmark[K, V uint32 | uint64](b *testing.B, s *device.Session, n, hi int) {
	ctx := context.Background()
	if len(randomKeys) < n {
		r := rand.New(rand.NewPCG(1, 2))
		randomKeys = make([]uint64, n)
		for i := range randomKeys {
			randomKeys[i] = r.Uint64()
		}
	}
	s.ResetProfile()
	host, numbers := make([]K, n), make([]V, n)
	for i := range host {
		host[i], numbers[i] = K(randomKeys[i]), V(i)
	}
	p := radixsort.NewTemplate[K, V](s, n, fromArrays)
	var keys [3]*device.Buffer[K]
	var values [3]*device.Buffer[V]
	var err error
	for i := range keys {
		keys[i], err = device.Alloc[K](s, n)
		require.NoError(b, err)
		defer keys[i].Release()
		values[i], err = device.Alloc[V](s, n)
		require.NoError(b, err)
		defer values[i].Release()
	}
	require.NoError(b, keys[2].Upload(ctx, host, nil))
	require.NoError(b, values[2].Upload(ctx, numbers, nil))
	ws, err := device.NewWorkspace(s, p.Workspace())
	require.NoError(b, err)
	defer ws.Release()
	var kp radixsort.Pair[K]
	var vp radixsort.Pair[V]
	run := func() {
		kp, vp = radixsort.Pair[K]{Cur: keys[0], Alt: keys[1]}, radixsort.Pair[V]{Cur: values[0], Alt: values[1]}
		p.Run(ws, &kp, &vp, n, 0, hi, keys[2], values[2])
	}
	run()
	if err := s.Finish(); err != nil {
		fmt.Println(err) // now: a driver may not live long after
		b.FailNow()
	}
	b.ResetTimer()
	for range b.N {
		run()
	}
	require.NoError(b, s.Finish())
	b.StopTimer()
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e9, "Gkeys/s")

	if b.N == 1 && n > 1<<24 {
		return // the run that calibrates
	}
	sorted, moved := make([]K, n), make([]V, n)
	require.NoError(b, kp.Cur.Download(ctx, sorted, nil))
	require.NoError(b, vp.Cur.Download(ctx, moved, nil))
	mask := ^K(0) >> (8*p.KeyBytes() - hi)
	for i := 1; i < n; i++ {
		if before, after := sorted[i-1]&mask, sorted[i]&mask; before > after || before == after && moved[i-1] >= moved[i] {
			b.Fatalf("pairs %d and %d are out of order", i-1, i)
		}
	}
	for i := 0; i < n; i += 1 + n>>22 {
		if sorted[i] != host[moved[i]] {
			b.Fatalf("pair %d was not in the input", i)
		}
	}
	if os.Getenv("SUFFIXCL_RADIX_PROFILE") != "" {
		for _, k := range s.Profile() {
			b.Logf("%-16s %4d calls %10.1f us each %7.0f GB/s", k.Kernel, k.Calls,
				float64(k.Time.Microseconds())/float64(k.Calls), phases.GBps(k.Bytes, k.Time))
		}
	}
}

// BenchmarkSlicesSort is what a CPU has to beat: the same keys and values, packed
// into words.
func BenchmarkSlicesSort(b *testing.B) {
	const n = 1 << 24
	r := rand.New(rand.NewPCG(1, 2))
	host, packed := make([]uint64, n), make([]uint64, n)
	for i := range host {
		host[i] = r.Uint64()<<32 | uint64(i)
	}
	for range b.N {
		b.StopTimer()
		copy(packed, host)
		b.StartTimer()
		slices.Sort(packed)
	}
	b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds()/1e9, "Gkeys/s")
}
