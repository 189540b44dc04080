package scan_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/scan"
)

// More elements than 31 bits can number: sums, then a selection and a partition of them. It
// takes 19 GB of device memory and 11 GB here, and so runs on GPUs with SUFFIXCL_HUGE of at
// least that many only.
func TestBeyond31Bits(t *testing.T) {
	const n, factor = 1<<31 + 5, 0x9e3779b1
	valueOf := func(i int) uint32 { return uint32(i) * factor >> 3 }
	devicetest.Huge(t, n, func(t *testing.T, e devicetest.Env) {
		s := e.Session
		host, flags := make([]uint32, n), make([]uint8, n)
		for i := range host {
			host[i], flags[i] = valueOf(i), uint8(uint32(i)*factor>>30)&1
		}
		in, err := device.Alloc[uint32](s, n)
		require.NoError(t, err)
		defer in.Release()
		out, err := device.Alloc[uint32](s, n)
		require.NoError(t, err)
		defer out.Release()
		flagged, err := device.Alloc[uint8](s, n)
		require.NoError(t, err)
		defer flagged.Release()
		kept, err := device.Alloc[uint64](s, 1)
		require.NoError(t, err)
		defer kept.Release()
		require.NoError(t, in.Upload(t.Context(), host, nil))
		require.NoError(t, flagged.Upload(t.Context(), flags, nil))

		sums := scan.NewPlan[uint32](s, n, scan.Options{})
		ws, err := device.NewWorkspace(s, sums.Workspace())
		require.NoError(t, err)
		defer ws.Release()
		sums.Run(ws, in, out, n)
		require.NoError(t, out.Download(t.Context(), host, nil))
		sum := uint32(0)
		for i, v := range host {
			if v != sum {
				t.Fatalf("sum %d is %d instead of %d", i, v, sum)
			}
			sum += valueOf(i)
		}

		for _, partition := range []bool{false, true} {
			create := scan.NewSelect[uint32]
			if partition {
				create = scan.NewPartition[uint32]
			}
			p := create(s, n)
			ws, err := device.NewWorkspace(s, p.Workspace())
			require.NoError(t, err)
			defer ws.Release()
			out.Fill(0)
			p.Run(ws, flagged, in, out, n, kept)
			var count [1]uint64
			require.NoError(t, kept.Read(count[:]))
			require.NoError(t, out.Download(t.Context(), host, nil))
			front, back := 0, int(count[0])
			for i, flag := range flags {
				switch {
				case flag != 0:
					if host[front] != valueOf(i) {
						t.Fatalf("partition %t: element %d, which was %d, is %d instead of %d", partition, front, i, host[front],
							valueOf(i))
					}
					front++
				case partition:
					if host[back] != valueOf(i) {
						t.Fatalf("element %d, which was %d, is %d instead of %d", back, i, host[back], valueOf(i))
					}
					back++
				}
			}
			require.EqualValues(t, count[0], front)
		}
	})
}
