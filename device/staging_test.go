package device_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/hooks"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// chunk is what the tests transfer at once, to keep them short.
const chunk = 2 * device.PinnedFrom

// eachStaging runs a test on every device with transfers through pinned memory,
// without, and where pinned memory is refused.
func eachStaging(t *testing.T, test func(t *testing.T, s *device.Session)) {
	each(t, func(t *testing.T, d *cl.Device) {
		for _, mode := range []string{"pinned", "unified", "refused"} {
			t.Run(mode, func(t *testing.T) {
				s := openWith(t, d, device.Config{}, tuned.Edits{
					Caps: func(c *device.Caps) { tuned.Quirks(c).UnifiedMemory = mode == "unified" },
				})
				s.SetStagingChunk(chunk)
				if mode == "refused" {
					s.ForbidPinning()
				}
				test(t, s)
				assert.Equal(t, mode == "pinned", s.Pinned())
			})
		}
	})
}

func pattern(n, seed int) []byte {
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(i*7 + i>>8*13 + seed)
	}
	return data
}

func TestTransfers(t *testing.T) {
	eachStaging(t, func(t *testing.T, s *device.Session) {
		for _, n := range []int{
			1, 2, device.PinnedFrom - 1, device.PinnedFrom, device.PinnedFrom + 1,
			chunk - 1, chunk, chunk + 1, 2*chunk - 1, 2 * chunk, 2*chunk + 1, 3*chunk - 1, 3 * chunk, 5*chunk + 12345,
		} {
			const before, after = 3, 5 // what is around is left alone
			whole := from(t, s, slices.Repeat([]byte{0xA5}, n+before+after))
			b := whole.View(before, n)
			up, down := progress{t: t, total: n}, progress{t: t, total: n}
			require.NoError(t, b.Upload(context.Background(), pattern(n, n), up.step))
			host := slices.Repeat([]byte{0x5A}, n+1)
			require.NoError(t, b.Download(context.Background(), host[:n], down.step))
			require.True(t, slices.Equal(host[:n], pattern(n, n)), "%d bytes", n)
			require.Equal(t, byte(0x5A), host[n])
			assert.Equal(t, n, up.done)
			assert.Equal(t, n, down.done)
			assert.Equal(t, (n+chunk-1)/chunk, up.calls)
			all := read(t, whole)
			assert.Equal(t, slices.Repeat([]byte{0xA5}, before), all[:before])
			assert.Equal(t, slices.Repeat([]byte{0xA5}, after), all[before+n:])
			whole.Release()
		}
	})
}

// progress checks what a transfer reports.
type progress struct {
	t                  *testing.T
	done, total, calls int
}

func (p *progress) step(done, total int64) {
	assert.Equal(p.t, int64(p.total), total)
	assert.Greater(p.t, int(done), p.done, "progress grows")
	p.done = int(done)
	p.calls++
}

// Transfers of pinned memory, and of parts of it, take no way round.
func TestPinned(t *testing.T) {
	each(t, func(t *testing.T, d *cl.Device) {
		for _, unified := range []bool{false, true} {
			s := openWith(t, d, device.Config{}, tuned.Edits{
				Caps: func(c *device.Caps) { tuned.Quirks(c).UnifiedMemory = unified },
			})
			s.SetStagingChunk(chunk)
			const n = 3*chunk/4 + 77
			in, err := device.AllocPinned[uint32](s, n)
			require.NoError(t, err)
			out, err := device.AllocPinned[uint32](s, n+2)
			require.NoError(t, err)
			require.Len(t, in.Slice(), n)
			assert.Zero(t, s.LiveBytes())
			for i := range in.Slice() {
				in.Slice()[i] = uint32(i) * 0x9E3779B9
			}
			b := alloc[uint32](t, s, n)
			up := progress{t: t, total: 4 * n}
			require.NoError(t, b.Upload(context.Background(), in.Slice(), up.step))
			assert.Equal(t, 4*n, up.done)
			clear(out.Slice())
			require.NoError(t, b.Download(context.Background(), out.Slice()[1:n+1], nil))
			assert.Equal(t, append(append([]uint32{0}, in.Slice()...), 0), out.Slice())
			assert.False(t, s.Pinned(), "nothing was staged")

			part := in.Slice()[n/2:]
			require.NoError(t, b.Upload(context.Background(), part, nil))
			host := make([]uint32, len(part))
			require.NoError(t, b.Download(context.Background(), host, nil))
			assert.Equal(t, part, host)
			assert.Equal(t, !unified, s.Pinned(), "memory of another kind")
			in.Release()
			in.Release()
			assert.Nil(t, in.Slice())
			require.NoError(t, s.Close())
			assert.Nil(t, out.Slice())
			out.Release()
		}
	})
}

func TestPinnedErrors(t *testing.T) {
	each(t, func(t *testing.T, d *cl.Device) {
		s := open(t, d, device.Config{})
		none, err := device.AllocPinned[uint64](s, 0)
		require.NoError(t, err)
		assert.Empty(t, none.Slice())
		none.Release()
		(*device.Pinned[uint8])(nil).Release()
		_, err = device.AllocPinned[uint64](s, -1)
		assert.ErrorContains(t, err, "negative length")
		for call := range 2 { // of buffer and mapping
			objects, k := hooks.LiveObjects.Load(), 0
			restore := hooks.InjectFaults(func(string) int32 {
				if k++; k-1 == call {
					return int32(cl.OutOfResources)
				}
				return 0
			})
			_, err = device.AllocPinned[uint64](s, 100)
			restore()
			assert.ErrorIs(t, err, cl.OutOfResources)
			assert.Equal(t, objects, hooks.LiveObjects.Load())
		}
		require.NoError(t, s.Close())
		_, err = device.AllocPinned[uint64](s, 1)
		assert.ErrorContains(t, err, "closed")
	})
}

func TestTransferTypes(t *testing.T) {
	eachStaging(t, func(t *testing.T, s *device.Session) {
		values := make([]uint64, chunk/8+1234)
		for i := range values {
			values[i] = uint64(i) * 0x9E3779B97F4A7C15
		}
		b := alloc[uint64](t, s, len(values))
		require.NoError(t, b.Upload(context.Background(), values, nil))
		host := make([]uint64, len(values)-7)
		require.NoError(t, b.View(7, len(host)).Download(context.Background(), host, nil))
		assert.True(t, slices.Equal(values[7:], host))
		assert.Error(t, b.Upload(context.Background(), make([]uint64, len(values)+1), nil))
		assert.Error(t, b.Download(context.Background(), make([]uint64, len(values)+1), nil))
		assert.NoError(t, s.Err())
	})
}

// Chunks that several processors copy.
func TestLargeChunks(t *testing.T) {
	eachStaging(t, func(t *testing.T, s *device.Session) {
		s.GrowStagingChunk(3<<20 + 1)
		data := pattern(7<<20+5, 1)
		b := from(t, s, make([]byte, len(data)))
		require.NoError(t, b.Upload(context.Background(), data, nil))
		host := make([]byte, len(data))
		require.NoError(t, b.Download(context.Background(), host, nil))
		require.True(t, slices.Equal(data, host))
	})
}

// TestChunksGrow: as much memory is pinned as the longest transfer wanted, not more than two chunks.
func TestChunksGrow(t *testing.T) {
	each(t, func(t *testing.T, d *cl.Device) {
		s := openWith(t, d, device.Config{}, tuned.Edits{
			Caps: func(c *device.Caps) { tuned.Quirks(c).UnifiedMemory = false },
		})
		s.GrowStagingChunk(5 << 20)
		for _, c := range []struct{ n, pinned int }{
			{device.PinnedFrom, 0}, {device.PinnedFrom + 1, 1 << 20}, {1 << 20, 1 << 20}, {1<<20 + 1, 1 << 21},
			{100_000, 1 << 21}, {11 << 20, 5 << 20}, {3 << 20, 5 << 20},
		} {
			b := alloc[uint8](t, s, c.n)
			require.NoError(t, b.Upload(t.Context(), pattern(c.n, c.n), nil))
			host := make([]byte, c.n)
			require.NoError(t, b.Download(t.Context(), host, nil))
			require.True(t, slices.Equal(host, pattern(c.n, c.n)), "%d bytes", c.n)
			assert.Equal(t, c.pinned, s.PinnedBytes(), "after %d bytes", c.n)
			b.Release()
		}
	})
}

func TestTransferCancelled(t *testing.T) {
	eachStaging(t, func(t *testing.T, s *device.Session) {
		const n = 8 * chunk
		data := pattern(n, 1)
		host := make([]byte, n)
		b := from(t, s, make([]byte, n))
		cause := errors.New("changed my mind")
		for name, transfer := range map[string]func(ctx context.Context, step func(done, total int64)) error{
			"upload":   func(ctx context.Context, step func(done, total int64)) error { return b.Upload(ctx, data, step) },
			"download": func(ctx context.Context, step func(done, total int64)) error { return b.Download(ctx, host, step) },
		} {
			for _, after := range []int64{0, chunk, 3 * chunk} {
				ctx, cancel := context.WithCancelCause(context.Background())
				last := int64(0)
				if after == 0 {
					cancel(cause)
				}
				err := transfer(ctx, func(done, total int64) {
					if last = done; done == after {
						cancel(cause)
					}
				})
				require.ErrorIs(t, err, cause, name)
				assert.Less(t, last, int64(n), "%s stopped in the middle", name)
				assert.GreaterOrEqual(t, last, after)
				require.NoError(t, s.Err(), "a cancellation is not sticky")
				cancel(nil)
			}
			ctx, cancel := context.WithCancel(context.Background())
			require.NoError(t, transfer(ctx, func(done, total int64) {
				if done == total {
					cancel()
				}
			}), "cancelled when all was done")
			cancel()
			require.ErrorIs(t, transfer(ctx, nil), context.Canceled)
		}
		require.NoError(t, b.Upload(context.Background(), data, nil))
		require.NoError(t, b.Download(context.Background(), host, nil))
		require.True(t, slices.Equal(data, host))
	})
}

// TestTransferAfterKernels: a download comes after the work before it.
func TestTransferAfterKernels(t *testing.T) {
	eachStaging(t, func(t *testing.T, s *device.Session) {
		b := alloc[uint32](t, s, chunk)
		host := make([]uint32, chunk)
		for v := range uint32(5) {
			b.Fill(v)
			require.NoError(t, b.Download(context.Background(), host, nil))
			for i := range host {
				if host[i] != v {
					require.Equal(t, v, host[i], fmt.Sprint(i))
				}
			}
		}
	})
}

func TestTransferOfStickyError(t *testing.T) {
	eachStaging(t, func(t *testing.T, s *device.Session) {
		data := pattern(2*chunk, 3)
		b := alloc[uint8](t, s, len(data))
		require.NoError(t, b.Upload(context.Background(), data, nil))
		failure := errors.New("failure")
		s.Fail(failure)
		require.ErrorIs(t, b.Upload(context.Background(), make([]byte, len(data)), nil), failure)
		require.ErrorIs(t, b.Download(context.Background(), make([]byte, len(data)), nil), failure)
		s.Recover()
		require.True(t, slices.Equal(data, read(t, b)), "nothing was written")
	})
}

// Page-locked memory that was released is held again, unless it is too large for that, or far larger than needed.
func TestPinnedAgain(t *testing.T) {
	each(t, func(t *testing.T, d *cl.Device) {
		s := openWith(t, d, device.Config{}, tuned.Edits{})
		const most = 1 << 20
		s.KeepPinned(most)
		hold := func(bytes int) (*device.Pinned[byte], *byte) {
			p, err := device.AllocPinned[byte](s, bytes)
			require.NoError(t, err)
			require.Len(t, p.Slice(), bytes)
			return p, &p.Slice()[0]
		}
		first, at := hold(most)
		first.Release()
		require.Nil(t, first.Slice())
		again, place := hold(most / 4)
		require.Same(t, at, place)
		other, place := hold(most)
		require.NotSame(t, at, place)
		again.Release()
		small, place := hold(most / 16)
		require.NotSame(t, at, place)
		b := alloc[uint8](t, s, 100)
		require.NoError(t, b.Upload(context.Background(), small.Slice()[:100], nil))
		large, _ := hold(2 * most)
		for _, p := range []*device.Pinned[byte]{other, small, large, again} {
			p.Release()
		}
		_, place = hold(most / 16)
		require.NotSame(t, at, place, "that was released before others")
	})
}
