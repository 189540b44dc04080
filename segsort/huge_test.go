package segsort_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/segsort"
)

// More items than 31 bits can number, in segments for every step and one across item
// 2^31. It takes 36 GB of device memory and 18 GB here, and so runs on GPUs with
// SUFFIXCL_HUGE of at least that many only.
func TestBeyond31Bits(t *testing.T) {
	const n, factor = 1<<31 + 5, 0x9e3779b1
	devicetest.Huge(t, n, func(t *testing.T, e devicetest.Env) {
		keyOf := func(i int) uint32 { return uint32(i) * factor >> 3 }
		lengths := []int{1, 60511, 5, 64, 65, 2000, 2177, 3000, 17408, 1 << 20, 1<<20 + 1, 7, 40_000_000}
		keys, values, heads := make([]uint32, n), make([]uint32, n), make([]uint32, segsort.HeadWords(n))
		for i := range keys {
			keys[i], values[i] = keyOf(i), uint32(i)
		}
		for i, k := 0, 0; i < n; k++ {
			heads[i/32] |= 1 << (i % 32)
			i += lengths[k%len(lengths)]
		}
		p, err := segsort.New[uint32, uint32](e.Session, n, segsort.Options{Strategy: segsort.BlockMerge})
		require.NoError(t, err)
		var b [5]*device.Buffer[uint32]
		for i := range b {
			b[i], err = device.Alloc[uint32](e.Session, []int{n, n, n, n, len(heads)}[i])
			require.NoError(t, err)
			defer b[i].Release()
		}
		require.NoError(t, b[0].Upload(t.Context(), keys, nil))
		require.NoError(t, b[2].Upload(t.Context(), values, nil))
		require.NoError(t, b[4].Upload(t.Context(), heads, nil))
		ws, err := device.NewWorkspace(e.Session, p.Workspace())
		require.NoError(t, err)
		defer ws.Release()
		kp, vp := radixsort.Pair[uint32]{Cur: b[0], Alt: b[1]}, radixsort.Pair[uint32]{Cur: b[2], Alt: b[3]}
		p.Run(ws, &kp, &vp, b[4], n)
		require.NoError(t, kp.Cur.Download(t.Context(), keys, nil))
		require.NoError(t, vp.Cur.Download(t.Context(), values, nil))
		for start, k := 0, 0; start < n; k++ {
			end := min(start+lengths[k%len(lengths)], n)
			before := uint64(0)
			for i := start; i < end; i++ {
				pair := uint64(keys[i])<<32 | uint64(values[i])
				if i > start && pair <= before || int(values[i]) < start || int(values[i]) >= end ||
					keys[i] != keyOf(int(values[i])) {
					t.Fatalf("pair %d of segment %d from %d on is (%d, %d)", i, k, start, keys[i], values[i])
				}
				before = pair
			}
			start = end
		}
	})
}
