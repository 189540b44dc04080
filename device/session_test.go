package device_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/driver"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

func TestOpen(t *testing.T) {
	each(t, func(t *testing.T, d *cl.Device) {
		var order []string
		// The selector is not looked at: the device is given.
		s := openWith(t, d, device.Config{Selector: "no such device"}, tuned.Edits{
			Caps: func(c *device.Caps) {
				order = append(order, "caps")
				c.Name = "renamed"
			},
			Set: func(c *device.Caps, set *tune.Set) {
				assert.Equal(t, "renamed", c.Name)
				order = append(order, "tuning")
				set.Scan.Items = 12345
			},
		})
		assert.Equal(t, []string{"caps", "tuning"}, order)
		assert.Equal(t, "renamed", s.Caps().Name)
		assert.Equal(t, 12345, tuned.Of(s).Scan.Items)
		assert.Same(t, d, tuned.CLDevice(s))
		assert.Zero(t, s.LiveBytes())
		assert.Zero(t, tuned.PeakBytes(s), "the probe is not counted")
		require.NoError(t, s.Err())

		limit, _ := tuned.MemoryLimit(open(t, d, device.Config{MaxMemory: 1}))
		assert.Equal(t, int64(1), limit, "less than the probe needs")
		limit, _ = tuned.MemoryLimit(open(t, d, device.Config{MaxMemory: 1 << 62}))
		assert.Equal(t, s.Caps().Available(), limit)
	})
}

// Goroutines that open the first sessions of a process, all at once, can use them.
func TestOpenTogether(t *testing.T) {
	for _, d := range devicetest.Devices(t) {
		output, err := child(t, childTogether, cacheVariable+"="+t.TempDir(), indexVariable+"="+indexOf(t, d))
		require.NoError(t, err, output)
	}
}

func TestCheck(t *testing.T) {
	sessions(t, func(t *testing.T, s *device.Session) {
		require.NoError(t, s.Check(context.Background()))
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		require.ErrorIs(t, s.Check(ctx), context.Canceled)
		require.NoError(t, s.Err(), "a cancellation is not sticky")
		ctx, cancel = context.WithTimeout(context.Background(), -time.Second)
		defer cancel()
		require.ErrorIs(t, s.Check(ctx), context.DeadlineExceeded)
		cause, failure := errors.New("cause"), errors.New("failure")
		caused, cancelCause := context.WithCancelCause(context.Background())
		cancelCause(cause)
		require.ErrorIs(t, s.Check(caused), cause)

		b := from(t, s, iota32(1000))
		scanKernel(t, s).Launch(1, 0, b, uint64(999))
		require.ErrorIs(t, s.Check(caused), cause) // waits: the buffer can be released
		b.Release()

		s.Fail(failure)
		require.ErrorIs(t, s.Check(context.Background()), failure)
		require.ErrorIs(t, s.Check(caused), cause)
		require.ErrorIs(t, s.Check(caused), failure)
		s.Recover()
	})
}

func TestClosed(t *testing.T) {
	each(t, func(t *testing.T, d *cl.Device) {
		s, err := device.Open(device.Config{Device: d, CacheDir: programs, Profile: true})
		require.NoError(t, err)
		p := s.Program(scanSource(group))
		k := p.Kernel("scan_partials", group)
		require.NoError(t, k.Make())
		b, err := device.Alloc[uint32](s, 4)
		require.NoError(t, err)
		k.Launch(1, 0, b, uint64(3))
		s.Fail(errors.New("failure")) // no reason not to close
		require.NoError(t, s.Close())
		require.NoError(t, s.Close())

		const closed = "the session is closed"
		values := make([]uint32, 4)
		k.Launch(1, 0, b, uint64(3))
		b.Fill(1)
		device.Copy(b, b, 0)
		b.View(100, 1)
		assert.Empty(t, s.Profile())
		s.ResetProfile()
		s.Recover()
		_, errAlloc := device.Alloc[uint32](s, 4)
		_, errProgram := s.Program(scanSource(group)).Build()
		_, errNew := s.Program(scanSource(2)).Build()
		for name, err := range map[string]error{
			"Err": s.Err(), "Finish": s.Finish(), "Check": s.Check(context.Background()), "Read": b.Read(values),
			"Write":  b.Write(values),
			"Upload": b.Upload(context.Background(), values, nil), "Download": b.Download(context.Background(), values, nil),
			"Alloc": errAlloc, "Program": errProgram, "new Program": errNew,
		} {
			assert.ErrorContains(t, err, closed, name)
		}
		assert.Error(t, p.Kernel("scan_reduce", group).Make())
		b.Release()
		assert.Zero(t, s.LiveBytes())
	})
}

// TestCloseWithBuffers: buffers can be released after the session was closed.
func TestCloseWithBuffers(t *testing.T) {
	each(t, func(t *testing.T, d *cl.Device) {
		s, err := device.Open(device.Config{Device: d, CacheDir: programs})
		require.NoError(t, err)
		k := scanKernel(t, s)
		b, err := device.Alloc[uint32](s, 2000)
		require.NoError(t, err)
		k.Launch(1, 0, b.View(0, 4), uint64(0))
		require.NoError(t, s.Close())
		b.Release()
	})
}

// TestAbandoned: a session that leaves its objects to the end of the process waits for its work, and is closed.
func TestAbandoned(t *testing.T) {
	each(t, func(t *testing.T, d *cl.Device) {
		s, err := device.Open(device.Config{Device: d, CacheDir: programs})
		require.NoError(t, err)
		require.NoError(t, sumTo(s, 100))
		b, err := device.Alloc[uint32](s, 2000)
		require.NoError(t, err)
		b.Fill(1)
		require.NoError(t, s.Abandon())
		assert.ErrorContains(t, s.Err(), "the session is closed")
		assert.Error(t, b.Write(make([]uint32, 4)))
		b.Release()
		s.Recover()
		require.NoError(t, s.Abandon())
		require.NoError(t, s.Close())
	})
}

// TestSeveralSessions: sessions on the same device do not disturb each other.
func TestSeveralSessions(t *testing.T) {
	each(t, func(t *testing.T, d *cl.Device) {
		a, b := open(t, d, device.Config{}), open(t, d, device.Config{Profile: true})
		for i := range 5 {
			require.NoError(t, sumTo(a, 10+i))
			require.NoError(t, sumTo(b, 20+i))
		}
		a.Fail(errors.New("failure"))
		require.NoError(t, sumTo(b, 10))
		a.Recover()
	})
}

// TestNoLeaks opens and closes many sessions that use what a session can hold.
func TestNoLeaks(t *testing.T) {
	each(t, func(t *testing.T, d *cl.Device) {
		rounds := 200
		if c := tuned.Identify(d); c.Vendor != driver.PoCL {
			rounds = 50 // software rasterisers and simulators are slow; drivers of GPUs, to open
		}
		const size = 4 << 20
		data := make([]byte, size)
		once := func() {
			s, err := tuned.Open(device.Config{Device: d, CacheDir: programs, Profile: true}, tuned.Edits{
				Caps: func(c *device.Caps) { tuned.Quirks(c).UnifiedMemory = false },
			})
			require.NoError(t, err)
			s.SetStagingChunk(size / 2)
			b, err := device.Alloc[uint8](s, size)
			require.NoError(t, err)
			require.NoError(t, b.Upload(context.Background(), data, nil))
			require.True(t, s.Pinned())
			require.NoError(t, sumTo(s, 10))
			b.Fill(1)
			b.Release()
			require.NoError(t, s.Close())
		}
		for range 5 {
			once() // what the driver keeps
		}
		goroutines, memory := runtime.NumGoroutine(), resident()
		for range rounds {
			once()
		}
		assert.LessOrEqual(t, runtime.NumGoroutine(), goroutines)
		const slack = 64 << 20 // Mesa's allocator takes that before it settles
		if grown := resident() - memory; grown > slack+int64(rounds)*size/4 {
			t.Errorf("%s more memory after %d sessions of %s", bytesize.Format(grown), rounds, bytesize.Format(2*size))
		}
	})
}

// resident is the memory of the process, 0 where it is not known.
func resident() int64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	fields := bytes.Fields(text)
	pages, err := strconv.ParseInt(string(fields[1]), 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}
