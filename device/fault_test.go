package device_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/hooks"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// eachFault fails each of run's calls to the driver, alone, with all that follow, and half-way, and has what comes of
// it checked. It returns how many calls there are, and how often run failed.
func eachFault(
	t *testing.T, s *device.Session, run func() error, check func(err error, what string),
) (calls, failed int) {
	const exhausted = int32(cl.OutOfResources)
	for first := 0; first <= calls; first++ {
		for _, f := range []struct {
			code   int32
			onward bool
		}{{exhausted, false}, {exhausted, true}, {hooks.Short, false}} {
			k := 0
			restore := hooks.InjectFaults(func(string) int32 {
				k++
				if k-1 == first || k-1 > first && f.onward {
					return f.code
				}
				return 0
			})
			err := run()
			restore()
			calls = max(calls, k)
			if err != nil {
				failed++
				require.ErrorIs(t, err, cl.OutOfResources)
				s.Recover()
			}
			check(err, fmt.Sprintf("call %d, %+v", first, f))
		}
	}
	return calls, failed
}

// TestTransferFaults fails each call of a transfer, alone, with all that follow, and half-way: either
// the data arrives whole, since pinned memory can be done without, or there is an error, and
// then the next transfer works.
func TestTransferFaults(t *testing.T) {
	each(t, func(t *testing.T, d *cl.Device) {
		for _, unified := range []bool{false, true} {
			objects := hooks.LiveObjects.Load()
			s, err := tuned.Open(device.Config{Device: d}, tuned.Edits{
				Caps: func(c *device.Caps) { tuned.Quirks(c).UnifiedMemory = unified },
			})
			require.NoError(t, err)
			s.SetStagingChunk(chunk)
			b, err := device.Alloc[uint8](s, 3*chunk+5)
			require.NoError(t, err)
			want, got := pattern(b.Len(), 1), make([]byte, b.Len())
			run := func() error {
				clear(got)
				if err := b.Upload(context.Background(), want, nil); err != nil {
					return err
				}
				return b.Download(context.Background(), got, nil)
			}
			calls, failed := eachFault(t, s, run, func(err error, what string) {
				require.True(t, err != nil || bytes.Equal(want, got), what)
				require.NoError(t, run())
				require.True(t, bytes.Equal(want, got), "after %s", what)
				s.SetStagingChunk(chunk) // forgets that pinned memory failed
			})
			require.Greater(t, failed, calls/2)
			b.Release()
			require.NoError(t, s.Close())
			require.Equal(t, objects, hooks.LiveObjects.Load())
		}
	})
}

// A device that is lost ends with the kernels that may have cost it, whichever call learns of it.
func TestLostDevice(t *testing.T) {
	each(t, func(t *testing.T, d *cl.Device) {
		s := open(t, d, device.Config{})
		k := s.Program(scanSource(group)).Kernel("scan_reduce", group)
		in := from(t, s, []uint32{1, 2, 3})
		out := alloc[uint32](t, s, 1<<16) // more than a kernel copies: each driver is asked to
		all := make([]uint32, out.Len())
		launch := func(times int) {
			for range times {
				k.Launch(1, 0, out, uint64(3), in, nil)
			}
		}
		for name, c := range map[string]struct {
			call    string
			code    int32
			kernels int // -1: no loss
		}{
			"illegal access":     {"clEnqueueReadBuffer", -9999, 3},
			"out of resources":   {"clFinish", -5, 3},
			"queue gone":         {"clEnqueueNDRangeKernel", -36, 2},
			"a launch too large": {"clEnqueueNDRangeKernel", -5, -1},
		} {
			launch(1)
			require.NoError(t, s.Finish(), name)
			launch(2)
			restore := hooks.InjectFaults(func(call string) int32 {
				if call == c.call {
					return c.code
				}
				return 0
			})
			launch(1)
			var err error
			if c.call == "clFinish" {
				err = s.Finish()
			} else {
				err = out.Read(all)
			}
			restore()
			s.Recover()
			var lost *device.LostError
			require.Equal(t, c.kernels >= 0, errors.As(err, &lost), "%s: %v", name, err)
			if lost != nil {
				require.Len(t, lost.Kernels, c.kernels, name)
				require.Equal(t, "scan_reduce", lost.Kernels[0])
			}
		}
	})
}
