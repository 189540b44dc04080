package device_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/async"
	"github.com/suffixcl/suffixcl/internal/driver"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// eachZeroCopy calls f on every device: kernels copy where they reach host memory, which those of PoCL do, too,
// and commands elsewhere.
func eachZeroCopy(t *testing.T, f func(t *testing.T, s *device.Session)) {
	each(t, func(t *testing.T, d *cl.Device) {
		s := openWith(t, d, device.Config{}, tuned.Edits{
			Caps: func(c *device.Caps) { q := tuned.Quirks(c); q.ZeroCopy = q.ZeroCopy || c.Vendor == driver.PoCL },
		})
		f(t, s)
		require.Equal(t, tuned.Quirks(s.Caps()).ZeroCopy, s.ZeroCopied())
	})
}

// Words go to and from buffers and views of them, short runs by kernels and long ones by
// commands, in the order of what is enqueued.
func TestZeroCopy(t *testing.T) {
	eachZeroCopy(t, func(t *testing.T, s *device.Session) {
		for _, n := range []int{1, 2, 3, 255, 256, 257, 1023, 1024, 1025, 5000} {
			for _, off := range []int{0, 1, 3} {
				b := from(t, s, iota32(5100))
				v := b.View(off, n)
				want := make([]uint32, n)
				for i := range want {
					want[i] = ^uint32(i)
				}
				require.NoError(t, v.Write(want))
				want[n-1]++ // it has been copied
				got := make([]uint32, b.Len())
				require.NoError(t, b.Read(got))
				want[n-1]--
				require.Equal(t, want, got[off:off+n])
				require.Equal(t, iota32(off), got[:off])
				require.Equal(t, iota32(5100)[off+n:], got[off+n:])
				part := make([]uint32, n)
				require.NoError(t, v.Read(part))
				require.Equal(t, want, part)

				bytes := device.Reinterpret[uint8](b).View(4*off+1, min(n, 7)) // not words
				odd := make([]byte, bytes.Len())
				require.NoError(t, bytes.Read(odd))
				require.Equal(t, byte(0xff), odd[0])
				b.Release()
			}
		}
		// Writes one after the other, with work between.
		b := from(t, s, make([]uint32, 8))
		for i := range uint32(50) {
			require.NoError(t, b.View(int(i%8), 1).Write([]uint32{i}))
		}
		got := make([]uint32, 8)
		require.NoError(t, b.Read(got))
		require.Equal(t, []uint32{48, 49, 42, 43, 44, 45, 46, 47}, got)
		b.Fill(9)
		require.NoError(t, b.Read(got[:1]))
		require.EqualValues(t, 9, got[0])
	})
}

// Each call that fails alone, or with all after it: either the words are right, or there is an error and
// the next copy works.
func TestZeroCopyFaults(t *testing.T) {
	eachZeroCopy(t, func(t *testing.T, s *device.Session) {
		b := from(t, s, make([]uint32, 300))
		got, i := make([]uint32, 300), uint32(0)
		run := func() error {
			i++
			if err := b.Write(iota32(300 + int(i))[i:]); err != nil {
				return err
			}
			return b.Read(got)
		}
		calls, failed := eachFault(t, s, run, func(err error, what string) {
			if err == nil {
				require.Equal(t, iota32(300 + int(i))[i:], got, what)
			}
			require.NoError(t, run(), what)
			require.Equal(t, iota32(300 + int(i))[i:], got, what)
		})
		least := 2 // a write and a read
		if s.ZeroCopied() {
			least = 4 // a launch for each, its argument that changes, and a flush
		}
		require.GreaterOrEqual(t, calls, least)
		require.Positive(t, failed)
	})
}

// Without pinned memory, and where kernels are timed, commands do.
func TestZeroCopyByCommands(t *testing.T) {
	each(t, func(t *testing.T, d *cl.Device) {
		for _, profile := range []bool{false, true} {
			s := openWith(t, d, device.Config{Profile: profile}, tuned.Edits{
				Caps: func(c *device.Caps) { q := tuned.Quirks(c); q.ZeroCopy = q.ZeroCopy || !profile },
			})
			if !profile {
				s.FailZeroCopy()
			}
			b := from(t, s, iota32(10))
			got := make([]uint32, 10)
			require.NoError(t, b.Read(got))
			require.Equal(t, iota32(10), got)
			require.False(t, s.ZeroCopied())
			require.Empty(t, s.Profile())
		}
	})
}

// A read that has begun returns what was there before the work after it, which goes on meanwhile.
func TestBeginRead(t *testing.T) {
	eachZeroCopy(t, func(t *testing.T, s *device.Session) {
		for _, n := range []int{1, 300, 1025} {
			b := from(t, s, iota32(n+3))
			v := b.View(3, n)
			got := make([]uint32, n)
			r := async.BeginRead(v, got)
			b.Fill(7)
			require.NoError(t, r.Wait())
			require.Equal(t, iota32(n + 3)[3:], got)
			require.NoError(t, b.Read(got))
			require.NoError(t, r.Wait(), "again")
			require.Equal(t, slices.Repeat([]uint32{7}, n), got)
			require.NoError(t, async.BeginRead(v, got[:0]).Wait())

			require.ErrorContains(t, async.BeginRead(v, make([]uint32, n+1)).Wait(), "buffer holds")
			require.Error(t, s.Err(), "it sticks")
			require.Error(t, async.BeginRead(v, got).Wait())
			s.Recover()
			b.Release()
		}
	})
}

// Of two reads at once the first fails where a kernel copies: both would share its memory.
func TestBeginReadTwice(t *testing.T) {
	eachZeroCopy(t, func(t *testing.T, s *device.Session) {
		b := from(t, s, iota32(4))
		first, got := make([]uint32, 4), make([]uint32, 4)
		r := async.BeginRead(b, first)
		require.NoError(t, b.Read(got))
		require.Equal(t, iota32(4), got)
		if err := r.Wait(); s.ZeroCopied() {
			require.ErrorContains(t, err, "another read")
			s.Recover()
		} else {
			require.NoError(t, err)
			require.Equal(t, iota32(4), first)
		}
	})
}

// A write between the begin of a read and the wait for it is after the read: the next one waits for it.
func TestBeginReadBeforeWrite(t *testing.T) {
	eachZeroCopy(t, func(t *testing.T, s *device.Session) {
		b, busy := from(t, s, iota32(2)), alloc[uint32](t, s, 8<<20)
		got := make([]uint32, 2)
		r := async.BeginRead(b, got)
		for i := range uint32(8) {
			busy.Fill(i)
		}
		require.NoError(t, b.View(0, 1).Write([]uint32{5}))
		require.NoError(t, r.Wait())
		require.NoError(t, b.View(1, 1).Write([]uint32{6}))
		require.Equal(t, iota32(2), got)
		require.NoError(t, b.Read(got))
		require.Equal(t, []uint32{5, 6}, got)
	})
}

func TestBeginReadFaults(t *testing.T) {
	eachZeroCopy(t, func(t *testing.T, s *device.Session) {
		b := from(t, s, iota32(300))
		run := func() error {
			got := make([]uint32, 300)
			r := async.BeginRead(b, got)
			if err := r.Wait(); err != nil {
				return err
			}
			require.Equal(t, iota32(300), got)
			return s.Finish()
		}
		_, failed := eachFault(t, s, run, func(_ error, what string) { require.NoError(t, run(), what) })
		require.Positive(t, failed)
	})
}
