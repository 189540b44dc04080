package device_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/driver"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// TestSessionsAtOnce launches a kernel from several sessions at a time, one of them with more and more groups. Where
// kernels of two queues run at once, PoCL ends the process in most runs.
func TestSessionsAtOnce(t *testing.T) {
	each(t, func(t *testing.T, d *cl.Device) {
		if c := tuned.Identify(d); c.Vendor != driver.PoCL {
			t.Skip("other drivers run kernels of several queues at once")
		}
		const sessions, items, few, most = 8, 1 << 14, 8, 60
		const tile = items * group
		var launch [sessions]func(groups int)
		for r := range launch {
			s := open(t, d, device.Config{})
			source := scanSource(group)
			source.Defines["ITEMS"] = items
			k := s.Program(source).Kernel("scan_reduce", group)
			require.NoError(t, k.Make())
			values, partials := alloc[uint32](t, s, most*tile), alloc[uint32](t, s, most)
			values.Fill(1)
			require.NoError(t, s.Finish())
			launch[r] = func(groups int) {
				k.Launch(groups, 0, partials, uint64(groups*tile), values, nil)
				got := make([]uint32, groups)
				if assert.NoError(t, partials.View(0, groups).Read(got)) {
					assert.Equal(t, uint32(tile), got[groups-1])
				}
			}
		}
		for groups := few; groups <= most; groups++ {
			var wg sync.WaitGroup
			for r := range launch {
				wg.Go(func() {
					if r == 0 {
						time.Sleep(300 * time.Microsecond)
						launch[r](groups)
					} else {
						launch[r](few)
					}
				})
			}
			wg.Wait()
		}
	})
}
