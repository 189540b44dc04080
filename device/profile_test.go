package device_test

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/async"
)

// calls is a profile without the times.
func calls(profile []device.KernelTime) []device.KernelTime {
	for i := range profile {
		profile[i].Time = 0
	}
	return profile
}

// An asynchronous transfer leaves enqueued work to run on, and its time to be counted.
func TestProfileAsync(t *testing.T) {
	each(t, func(t *testing.T, d *cl.Device) {
		s := open(t, d, device.Config{Profile: true})
		k := scanKernel(t, s)
		b, other := from(t, s, iota32(1001)), alloc[uint32](t, s, 100)
		s.ResetProfile()
		const rounds = 50
		for range rounds {
			for range 20 {
				k.Launch(1, 0, b, uint64(1000))
			}
			async.Flush(s)
			require.NoError(t, async.Upload(t.Context(), other, iota32(100), nil))
		}
		assert.Equal(t, []device.KernelTime{{Kernel: "scan_partials", Calls: 20 * rounds}}, calls(s.Profile()))
	})
}

func TestProfile(t *testing.T) {
	each(t, func(t *testing.T, d *cl.Device) {
		s := open(t, d, device.Config{Profile: true})
		k := scanKernel(t, s)
		assert.Empty(t, calls(s.Profile()[:0]))
		s.ResetProfile() // without what the probe launched
		assert.Empty(t, s.Profile())
		b, other := from(t, s, iota32(100)), alloc[uint32](t, s, 100)
		s.Phase("one")
		for range 3 {
			k.Launch(1, 10, b, uint64(50))
		}
		b.Fill(0)
		s.Phase("two")
		k.Launch(1, 5, b, uint64(50))
		device.Copy(other, b, 100)
		s.Phase("one")
		k.Launch(0, 10, b, uint64(50)) // not launched
		k.Launch(1, 1000, b, uint64(50))
		profile := s.Profile()
		for _, p := range profile {
			assert.GreaterOrEqual(t, p.Time, time.Duration(0))
			assert.Less(t, p.Time, time.Minute)
		}
		assert.Equal(t, []device.KernelTime{
			{Phase: "one", Kernel: "scan_partials", Calls: 4, Bytes: 1030},
			{Phase: "one", Kernel: "fill", Calls: 1, Bytes: 400},
			{Phase: "two", Kernel: "scan_partials", Calls: 1, Bytes: 5},
			{Phase: "two", Kernel: "copy", Calls: 1, Bytes: 800},
		}, calls(profile), "in order of first launch")
		assert.Len(t, s.Profile(), 4, "asked for again")
		s.Profile()[0].Calls = 99
		assert.Equal(t, 4, s.Profile()[0].Calls, "what is returned is a copy")
		s.ResetProfile()
		assert.Empty(t, s.Profile())
		k.Launch(1, 1, b, uint64(50))
		assert.Len(t, s.Profile(), 1)

		s.ResetProfile()
		k.Launch(1, 1, b, uint64(50))
		s.Fail(errors.New("failure"))
		s.Recover()
		assert.Empty(t, s.Profile(), "a failed operation leaves nothing")
		assert.Zero(t, s.Pending())
	})
}

func TestProfileOff(t *testing.T) {
	sessions(t, func(t *testing.T, s *device.Session) {
		require.NoError(t, sumTo(s, 10))
		assert.Nil(t, s.Profile())
		assert.Zero(t, s.Pending())
		s.ResetProfile()
		assert.Nil(t, s.Profile())
	})
}

// TestProfileOfManyCommands: events are not kept without bound.
func TestProfileOfManyCommands(t *testing.T) {
	each(t, func(t *testing.T, d *cl.Device) {
		s := open(t, d, device.Config{Profile: true})
		s.ResetProfile()
		b := alloc[uint32](t, s, 1)
		n := 2*device.MaxPending + 10
		for i := range n {
			b.Fill(uint32(i))
			require.Less(t, s.Pending(), device.MaxPending)
		}
		assert.Equal(t, 10, s.Pending())
		assert.Equal(t, []device.KernelTime{{Kernel: "fill", Calls: n, Bytes: 4 * int64(n)}}, calls(s.Profile()))
		assert.Zero(t, s.Pending())
		assert.Equal(t, []uint32{uint32(n - 1)}, read(t, b))
	})
}

func TestKernelTime(t *testing.T) {
	k := device.KernelTime{Phase: "p", Kernel: "k", Calls: 2, Time: 2 * time.Microsecond, Bytes: 5000}
	text, err := json.Marshal(k)
	require.NoError(t, err)
	assert.JSONEq(t, `{"phase": "p", "kernel": "k", "calls": 2, "ns": 2000, "bytes": 5000}`, string(text))
}
