package merge_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/merge"
)

// More keys than 31 bits can number, with values, so that an exchange of equal keys shows. It
// takes 35 GB of device memory and 35 GB here, and so runs on GPUs with SUFFIXCL_HUGE of at
// least that many only.
func TestBeyond31Bits(t *testing.T) {
	const na, nb, factor = 1<<30 + 3, 1<<30 + 2, 0x9e3779b1
	devicetest.Huge(t, na+nb, func(t *testing.T, e devicetest.Env) {
		s := e.Session
		alloc := func(n int) *device.Buffer[uint32] {
			b, err := device.Alloc[uint32](s, n)
			require.NoError(t, err)
			t.Cleanup(b.Release)
			return b
		}
		var sides [2][2][]uint32 // keys, values
		var buffers [3]merge.Pairs[uint32, uint32]
		for side, n := range []int{na, nb} {
			keys, values := make([]uint32, n), make([]uint32, n)
			for i := range keys {
				keys[i], values[i] = 3*uint32(i)+uint32(i+side)*factor>>30, uint32(side)<<31|uint32(i)
			}
			sides[side] = [2][]uint32{keys, values}
			buffers[side] = merge.Pairs[uint32, uint32]{Keys: alloc(n), Values: alloc(n)}
			require.NoError(t, buffers[side].Keys.Upload(t.Context(), keys, nil))
			require.NoError(t, buffers[side].Values.Upload(t.Context(), values, nil))
		}
		buffers[2] = merge.Pairs[uint32, uint32]{Keys: alloc(na + nb), Values: alloc(na + nb)}
		p := merge.NewPairs[uint32, uint32](s, na+nb)
		ws, err := device.NewWorkspace(s, p.Workspace())
		require.NoError(t, err)
		defer ws.Release()
		p.Run(ws, buffers[0], buffers[1], buffers[2], na, nb)
		keys, values := make([]uint32, na+nb), make([]uint32, na+nb)
		require.NoError(t, buffers[2].Keys.Download(t.Context(), keys, nil))
		require.NoError(t, buffers[2].Values.Download(t.Context(), values, nil))
		for i, at := 0, [2]int{}; i < na+nb; i++ {
			side := 0
			if at[0] == na || at[1] < nb && sides[1][0][at[1]] < sides[0][0][at[0]] {
				side = 1
			}
			key, value := sides[side][0][at[side]], sides[side][1][at[side]]
			if keys[i] != key || values[i] != value {
				t.Fatalf("pair %d is (%d, %#x) instead of (%d, %#x)", i, keys[i], values[i], key, value)
			}
			at[side]++
		}
	})
}
