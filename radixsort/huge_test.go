package radixsort_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/radixsort"
)

// More pairs than 31 bits can number, in three portions. It takes 36 GB of device
// memory and 18 GB here, and so runs on GPUs where SUFFIXCL_HUGE is that much.
func TestBeyond31Bits(t *testing.T) {
	const n, factor = 1<<31 + 5, 0x9e3779b1
	devicetest.Huge(t, n, func(t *testing.T, e devicetest.Env) {
		p := radixsort.NewTemplate[uint32, uint32](e.Session, n, device.Source{Defines: device.Defines{
			"RADIX_PARAMS":        ", uint factor",
			"RADIX_LOAD_KEY(i)":   "((uint)(i) * factor >> 1)",
			"RADIX_LOAD_VALUE(i)": "((uint)(i))",
		}})
		var b [4]*device.Buffer[uint32]
		var err error
		for i := range b {
			b[i], err = device.Alloc[uint32](e.Session, n)
			require.NoError(t, err)
			defer b[i].Release()
		}
		ws, err := device.NewWorkspace(e.Session, p.Workspace())
		require.NoError(t, err)
		defer ws.Release()
		keys, values := radixsort.Pair[uint32]{Cur: b[0], Alt: b[1]}, radixsort.Pair[uint32]{Cur: b[2], Alt: b[3]}
		p.Run(ws, &keys, &values, n, 0, 32, uint32(factor))
		k, v := make([]uint32, n), make([]uint32, n)
		require.NoError(t, keys.Cur.Download(context.Background(), k, nil))
		require.NoError(t, values.Cur.Download(context.Background(), v, nil))
		var before uint64
		for i := range k {
			pair := uint64(k[i])<<32 | uint64(v[i])
			if i > 0 && pair <= before || k[i] != v[i]*factor>>1 || v[i] >= n {
				t.Fatalf("pair %d is (%d, %d)", i, k[i], v[i])
			}
			before = pair
		}
	})
}
