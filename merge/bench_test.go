package merge_test

import (
	"fmt"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/merge"
)

// BenchmarkMerge merges two halves that lie on the device. SUFFIXCL_BENCH_LOG2 is the
// logarithm of the number of elements.
func BenchmarkMerge(b *testing.B) {
	log2, err := strconv.Atoi(os.Getenv("SUFFIXCL_BENCH_LOG2"))
	if err != nil {
		log2 = 22
	}
	for _, d := range devicetest.Devices(b) {
		b.Run(fmt.Sprintf("%s/n=2^%d", d.Name(), log2), func(b *testing.B) {
			s := devicetest.Open(b, d, devicetest.Variants[0])
			b.Run("keys-u32", func(b *testing.B) { benchmark[uint32, uint32](b, s, 1<<log2, false) })
			b.Run("keys-u64", func(b *testing.B) { benchmark[uint64, uint32](b, s, 1<<log2, false) })
			b.Run("pairs-u32-u32", func(b *testing.B) { benchmark[uint32, uint32](b, s, 1<<log2, true) })
			b.Run("pairs-u64-u32", func(b *testing.B) { benchmark[uint64, uint32](b, s, 1<<log2, true) })
		})
	}
}

func benchmark[K, V uint32 | uint64](b *testing.B, s *device.Session, n int, values bool) {
	half := n / 2
	// Gaps of random lengths, so that the path is as crooked as that of sorted random keys.
	ascending := func(seed uint32) []K {
		keys, state, step := make([]K, half), seed, uint32(1<<32/uint64(half))
		for i := range keys {
			state = state*1664525 + 1013904223
			keys[i] = K(uint32(i)*step + uint32(uint64(state)*uint64(step)>>32))
		}
		return keys
	}
	p := merge.NewPairs[K, V](s, n)
	if !values {
		p, _ = any(merge.NewKeys[K](s, n)).(*merge.Plan[K, V])
	}
	var release []interface{ Release() }
	defer func() {
		for _, r := range release {
			r.Release()
		}
	}()
	sides := make([]merge.Pairs[K, V], 3)
	for i, m := range []int{half, half, n} {
		keys, err := device.Alloc[K](s, m)
		require.NoError(b, err)
		release = append(release, keys)
		sides[i].Keys = keys
		if values {
			sides[i].Values, err = device.Alloc[V](s, m)
			require.NoError(b, err)
			release = append(release, sides[i].Values)
		}
	}
	for i := range 2 {
		require.NoError(b, sides[i].Keys.Upload(b.Context(), ascending(uint32(i+1)), nil))
	}
	ws, err := device.NewWorkspace(s, p.Workspace())
	require.NoError(b, err)
	release = append(release, ws)
	p.Run(ws, sides[0], sides[1], sides[2], half, half)
	require.NoError(b, s.Finish())
	for b.Loop() {
		for range repeats {
			p.Run(ws, sides[0], sides[1], sides[2], half, half)
		}
		require.NoError(b, s.Finish())
	}
	items := float64(n) * repeats * float64(b.N)
	b.ReportMetric(items/b.Elapsed().Seconds()/1e9, "Gitems/s")
}

// repeats of a run between two waits, so that the wait does not count.
const repeats = 8
