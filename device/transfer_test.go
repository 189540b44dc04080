package device_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/async"
)

// Transfers run while the session works on other buffers.
func TestAsyncTransfers(t *testing.T) {
	sessions(t, func(t *testing.T, s *device.Session) {
		const n = 9<<20/4 + 5 // several chunks
		in, err := device.AllocPinned[uint32](s, n)
		require.NoError(t, err)
		defer in.Release()
		for i := range in.Slice() {
			in.Slice()[i] = uint32(i) * 0x9E3779B9
		}
		b, other := alloc[uint32](t, s, n), from(t, s, iota32(1000))
		up := async.StartUpload(b, in.Slice())
		k := scanKernel(t, s)
		for range 3 {
			k.Launch(1, 0, other, uint64(100))
			read(t, other)
		}
		require.NoError(t, up.Wait())
		require.NoError(t, up.Wait())
		require.NoError(t, s.Finish())
		out := make([]uint32, n) // any memory will do
		require.NoError(t, async.StartDownload(b, out).Wait())
		assert.Equal(t, in.Slice(), out)
		clear(out)
		require.NoError(t, async.Upload(t.Context(), b, out[:n/2], nil))
		require.NoError(t, b.Read(out))
		clear(in.Slice()[:n/2])
		assert.Equal(t, in.Slice(), out)
		part := b.View(3, n-3)
		require.NoError(t, async.StartDownload(part, out[:n-3]).Wait())
		assert.Equal(t, in.Slice()[3:], out[:n-3])
		require.NoError(t, async.StartUpload(b, nil).Wait())
		require.NoError(t, s.Err())

		assert.ErrorContains(t, async.StartDownload(b, make([]uint32, n+1)).Wait(), "buffer holds")
		require.Error(t, s.Err(), "it sticks")
		s.Recover()
		b.Release()
		assert.ErrorContains(t, async.StartUpload(b, out).Wait(), "released")
		s.Recover()
	})
}

func TestAsyncTransferFaults(t *testing.T) {
	each(t, func(t *testing.T, d *cl.Device) {
		s, err := device.Open(device.Config{Device: d, CacheDir: programs})
		require.NoError(t, err)
		b, err := device.Alloc[uint8](s, 9<<20)
		require.NoError(t, err)
		host := pattern(b.Len(), 1)
		run := func() error { return async.StartUpload(b, host).Wait() }
		_, failed := eachFault(t, s, run, func(_ error, what string) { require.NoError(t, run(), "after %s", what) })
		assert.GreaterOrEqual(t, failed, 9) // three faults of each call: to begin, to flush, to wait
		async.StartUpload(b, host)          // and nobody waits
		require.NoError(t, s.Close())
		b.Release()
		assert.ErrorContains(t, async.StartUpload(b, host).Wait(), "closed")
	})
}

// Finish waits for what was flushed before, too: what a transfer by another queue reads is there.
func TestFinishAfterFlush(t *testing.T) {
	sessions(t, func(t *testing.T, s *device.Session) {
		b := alloc[uint32](t, s, 1<<20)
		got := make([]uint32, b.Len())
		for v := range uint32(20) {
			b.Fill(v)
			async.Flush(s)
			require.NoError(t, s.Finish())
			require.NoError(t, async.StartDownload(b, got).Wait())
			require.Equal(t, v, got[0])
			require.Equal(t, v, got[len(got)-1])
		}
	})
}

// Several goroutines wait for the transfers that one starts.
func TestReaderWaits(t *testing.T) {
	sessions(t, func(t *testing.T, s *device.Session) {
		const parts, n = 200, 1 << 12
		b := alloc[uint32](t, s, parts*n)
		want, got := pattern32(parts*n), make([]uint32, parts*n)
		require.NoError(t, b.Write(want))
		r, err := async.OpenReader(s)
		require.NoError(t, err)
		transfers := make(chan async.Transfer, 3)
		var group errgroup.Group
		for range 6 {
			group.Go(func() (err error) {
				for transfer := range transfers {
					err = errors.Join(err, transfer.Wait())
				}
				return err
			})
		}
		for k := range parts {
			transfers <- async.Read(r, b.View(k*n, n), got[k*n:(k+1)*n])
		}
		close(transfers)
		require.NoError(t, group.Wait())
		r.Close()
		require.Equal(t, want, got)
	})
}

func pattern32(n int) []uint32 {
	v := make([]uint32, n)
	for i := range v {
		v[i] = uint32(i * i)
	}
	return v
}
