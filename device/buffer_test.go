package device_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/async"
	"github.com/suffixcl/suffixcl/internal/hooks"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// A kernel is given what a view is of, and where it begins.
func TestRoot(t *testing.T) {
	sessions(t, func(t *testing.T, s *device.Session) {
		b := from(t, s, iota32(100))
		root, at := b.View(3, 40).View(4, 30).Root()
		assert.Equal(t, 7, at)
		assert.Equal(t, 37, root.Len())
		got := make([]uint32, 37)
		require.NoError(t, root.Read(got))
		assert.Equal(t, iota32(100)[:37], got)
		assert.Equal(t, []any{root, uint64(7)}, b.View(7, 30).Args())
		root, at = b.Root()
		assert.Zero(t, at)
		assert.Same(t, b, root)
		root, at = (*device.Buffer[uint32])(nil).Root()
		assert.Zero(t, at)
		assert.Nil(t, root)
	})
}

func TestZeroLength(t *testing.T) {
	sessions(t, func(t *testing.T, s *device.Session) {
		b := alloc[uint32](t, s, 0)
		assert.Zero(t, b.Len())
		assert.Zero(t, b.Bytes())
		assert.Zero(t, s.LiveBytes())
		assert.Same(t, s, b.Session())
		require.NoError(t, b.Write(nil))
		require.NoError(t, b.Read([]uint32{}))
		require.NoError(t, b.Upload(context.Background(), nil, nil))
		require.NoError(t, b.Download(context.Background(), nil, nil))
		b.Fill(7)
		device.Copy(b, b.View(0, 0), 0)
		assert.Zero(t, device.Reinterpret[uint8](b).Len())
		k := scanKernel(t, s)
		k.Launch(1, 0, from(t, s, []uint32{5}), uint64(0)) // sums of nothing
		require.NoError(t, s.Finish())
		assert.Error(t, b.Write([]uint32{1}))
		b.Release()
		b.Release()
		(*device.Buffer[uint32])(nil).Release()
	})
}

func TestAllocRefusesLengths(t *testing.T) {
	sessions(t, func(t *testing.T, s *device.Session) {
		for _, n := range []int{-1, math.MinInt, math.MinInt/8 + 1} {
			_, err := device.Alloc[uint64](s, n)
			assert.ErrorContains(t, err, "negative length", n)
		}
		for _, n := range []int{math.MaxInt, math.MaxInt / 8, math.MaxInt/8 + 1, 1 << 61, 1<<61 + 1, 1 << 62} {
			_, err := device.Alloc[uint64](s, n)
			var memory *device.MemoryError
			assert.ErrorAs(t, err, &memory, n)
		}
		assert.Zero(t, s.LiveBytes())
		assert.NoError(t, s.Err(), "an allocation that fails is not sticky")
	})
}

func TestReadWrite(t *testing.T) {
	sessions(t, func(t *testing.T, s *device.Session) {
		readWrite(t, s, []uint8{1, 2, 3, 254, 255})
		readWrite(t, s, []uint16{1, 2, 3, 0xFFFE})
		readWrite(t, s, []uint32{1, 2, 3, 0xFFFFFFFE})
		readWrite(t, s, []uint64{1, 2, 3, 1<<64 - 2})
		readWrite(t, s, []int32{1, -2, math.MinInt32})
		readWrite(t, s, []int64{1, -2, math.MinInt64})
		readWrite(t, s, [][2]uint32{{1, 2}, {3, 4}, {5, 6}})
	})
}

func readWrite[T device.Element](t *testing.T, s *device.Session, values []T) {
	n := len(values)
	b := from(t, s, values)
	defer b.Release()
	assert.Equal(t, values, read(t, b))
	assert.Equal(t, values[1:], read(t, b.View(1, n-1)))
	b.View(1, 1).Fill(values[n-1])
	require.NoError(t, b.Write(values[1:2]), "part of the buffer")
	want := slices.Clone(values)
	want[0], want[1] = values[1], values[n-1]
	assert.Equal(t, want, read(t, b))
	assert.Error(t, b.Write(make([]T, n+1)))
	assert.Error(t, b.Read(make([]T, n+1)))
	assert.NoError(t, s.Err())

	whole := device.Reinterpret[uint8](b)
	assert.Equal(t, b.Bytes(), whole.Bytes())
	device.Copy(b, from(t, s, values), n-1)
	copy(want, values[:n-1])
	assert.Equal(t, want, read(t, b))
	b.Fill(values[0])
	for i := range want {
		want[i] = values[0]
	}
	assert.Equal(t, want, read(t, b))
}

// TestFill: long buffers are filled by wide patterns and a copy of what is left.
func TestFill(t *testing.T) {
	sessions(t, func(t *testing.T, s *device.Session) {
		for _, n := range []int{device.WideFrom - 1, device.WideFrom, device.WideFrom + 1, device.WideFrom + 31} {
			fill(t, s, n, uint8(0xA5))
			fill(t, s, n/2, uint16(0xA55B))
			fill(t, s, n/4, uint32(0xA55B1278))
			fill(t, s, n/8, uint64(0xA55B127834FE90CD))
		}
	})
}

func fill[T interface {
	uint8 | uint16 | uint32 | uint64
}](t *testing.T, s *device.Session, n int, v T) {
	b := from(t, s, make([]T, n+2))
	defer b.Release()
	b.View(0, n).Fill(v)
	got := read(t, b)
	for i, x := range got[:n] {
		if x != v {
			t.Fatalf("element %d of %d is %#x instead of %#x", i, n, x, v)
		}
	}
	assert.Equal(t, []T{0, 0}, got[n:], "after the end")
	b.View(1, n).Fill(v)
	b.View(1, n).Fill(0)
	assert.Equal(t, append(append([]T{v}, make([]T, n)...), 0), read(t, b), "not at the start")
}

// More words than 31 bits can number, which NVIDIA's driver does not fill one by one. It takes
// 8.6 GB of device memory, and so runs on GPUs with SUFFIXCL_HUGE of at least that many only.
func TestFillBeyond31Bits(t *testing.T) {
	const n = 1<<31 + 5
	devicetest.Huge(t, n, func(t *testing.T, e devicetest.Env) {
		b, err := device.Alloc[uint32](e.Session, n)
		require.NoError(t, err)
		defer b.Release()
		for _, v := range []uint32{7, 0xFFFFFFFF} {
			b.Fill(v)
			device.Reinterpret[uint8](b).View(0, 4).Fill(1)
			for _, at := range []int{1, 1<<30 - 1, 1<<31 - 4, 1<<31 - 3, 1<<31 - 1, 1 << 31, n - 2} {
				assert.Equal(t, []uint32{v, v}, read(t, b.View(at, 2)), "words %d and %d", at, at+1)
			}
		}
	})
}

func TestReinterpret(t *testing.T) {
	sessions(t, func(t *testing.T, s *device.Session) {
		b := from(t, s, []uint8{1, 0, 0, 0, 2, 0, 0, 0, 9, 9})
		words := device.Reinterpret[uint32](b)
		assert.Equal(t, []uint32{1, 2}, read(t, words), "a remainder is left out")
		assert.Equal(t, []uint64{1 | 2<<32}, read(t, device.Reinterpret[uint64](b)))
		require.NoError(t, words.Write([]uint32{3, 4}))
		assert.Equal(t, []uint8{3, 0, 0, 0, 4, 0, 0, 0, 9, 9}, read(t, b))
		assert.Equal(t, []uint32{4}, read(t, device.Reinterpret[uint32](b.View(4, 4))))
	})
}

// TestViews: a view from the start is a kernel's argument, another is for transfers only.
func TestViews(t *testing.T) {
	sessions(t, func(t *testing.T, s *device.Session) {
		k := scanKernel(t, s)
		const step = 64
		whole := from(t, s, make([]uint32, 4*step))
		view := whole.View(2*step, step)
		require.NoError(t, view.Write([]uint32{5, 6, 7, 0}))
		start := whole.View(0, 4)
		require.NoError(t, start.Write([]uint32{5, 6, 7, 0}))
		for range 2 {
			k.Launch(1, 0, start.View(0, 4), uint64(3))
		}
		want := make([]uint32, 4*step)
		copy(want, []uint32{0, 0, 5, 16}) // 5 6 7, then 0 5 11 18, then 0 0 5 16
		copy(want[2*step:], []uint32{5, 6, 7})
		require.Equal(t, want, read(t, whole))
		assert.Equal(t, want[2*step+1:3*step], read(t, view.View(1, step-1)), "a view of a view")

		odd := whole.View(1, step)
		require.NoError(t, odd.Write([]uint32{42}))
		assert.Equal(t, uint32(42), read(t, odd)[0])
		odd.View(1, 1).Fill(43)
		assert.Equal(t, uint32(43), read(t, whole)[2])
		for _, inner := range []*device.Buffer[uint32]{odd, view, view.View(0, 4)} {
			k.Launch(1, 0, inner, uint64(2))
			require.ErrorContains(t, s.Finish(), "kernels need the start of a buffer")
			s.Recover()
		}

		for _, r := range [][2]int{
			{-1, 1}, {0, -1}, {0, 4*step + 1}, {4 * step, 1}, {4*step + 1, 0},
			{1, math.MaxInt}, {math.MaxInt, 1}, {math.MaxInt, math.MaxInt}, {math.MinInt, 1},
		} {
			out := whole.View(r[0], r[1])
			assert.Zero(t, out.Len(), "%v yields an empty view", r)
			require.ErrorContains(t, s.Err(), "view of", r)
			require.Error(t, whole.Read(want[:1]))
			s.Recover()
			require.NoError(t, s.Err())
		}
		assert.Zero(t, whole.View(4*step, 0).Len())
		require.NoError(t, s.Err())
	})
}

func TestReleased(t *testing.T) {
	sessions(t, func(t *testing.T, s *device.Session) {
		k := scanKernel(t, s)
		b, err := device.Alloc[uint32](s, 20)
		require.NoError(t, err)
		b.Fill(1)
		view := b.View(0, 10)
		k.Launch(1, 0, view, uint64(2))
		b.Release() // while work that uses it is in the queue
		b.Release()
		assert.Zero(t, s.LiveBytes())
		require.NoError(t, s.Finish())
		one := []uint32{0}
		for name, buffer := range map[string]*device.Buffer[uint32]{
			"buffer":        b,
			"view":          view,
			"new view":      b.View(0, 1),
			"reinterpreted": device.Reinterpret[uint32](view),
		} {
			assert.ErrorContains(t, buffer.Read(one), "released", name)
			assert.ErrorContains(t, buffer.Write(one), "released", name)
			assert.ErrorContains(t, buffer.Upload(context.Background(), one, nil), "released", name)
			assert.ErrorContains(t, buffer.Download(context.Background(), one, nil), "released", name)
			require.NoError(t, s.Err())
			for call, enqueue := range map[string]func(){
				"fill":   func() { buffer.Fill(1) },
				"copy":   func() { device.Copy(buffer, buffer, 1) },
				"launch": func() { k.Launch(1, 0, buffer, uint64(0)) },
			} {
				enqueue()
				assert.ErrorContains(t, s.Err(), "released", "%s: %s", name, call)
				s.Recover()
			}
			buffer.Release()
		}
		assert.Zero(t, s.LiveBytes())
	})
}

func TestCopy(t *testing.T) {
	sessions(t, func(t *testing.T, s *device.Session) {
		a, b := from(t, s, iota32(10)), from(t, s, make([]uint32, 10))
		device.Copy(b.View(3, 4), a.View(5, 5), 4)
		assert.Equal(t, []uint32{0, 0, 0, 5, 6, 7, 8, 0, 0, 0}, read(t, b))
		device.Copy(a.View(0, 5), a.View(5, 5), 5) // within a buffer
		assert.Equal(t, []uint32{5, 6, 7, 8, 9, 5, 6, 7, 8, 9}, read(t, a))
		for _, n := range []int{-1, 6, math.MaxInt, math.MinInt} {
			device.Copy(b, a.View(0, 5), n)
			assert.ErrorContains(t, s.Err(), "copy of", n)
			s.Recover()
			device.Copy(b.View(0, 5), a, n)
			assert.ErrorContains(t, s.Err(), "copy of", n)
			s.Recover()
		}
		assert.Equal(t, []uint32{0, 0, 0, 5, 6, 7, 8, 0, 0, 0}, read(t, b))
	})
}

// TestOtherSession: buffers do not mix, even on the same device.
func TestOtherSession(t *testing.T) {
	each(t, func(t *testing.T, d *cl.Device) {
		s, other := open(t, d, device.Config{}), open(t, d, device.Config{})
		local, foreign := from(t, s, iota32(4)), from(t, other, iota32(4))
		device.Copy(local, foreign, 4)
		assert.ErrorContains(t, s.Err(), "another session")
		s.Recover()
		scanKernel(t, s).Launch(1, 0, foreign, uint64(3))
		assert.ErrorContains(t, s.Err(), "another session")
		s.Recover()
		require.NoError(t, other.Err())
		assert.Equal(t, iota32(4), read(t, local))
		assert.Equal(t, iota32(4), read(t, foreign))
	})
}

func TestMemoryAccounting(t *testing.T) {
	each(t, func(t *testing.T, d *cl.Device) {
		s := open(t, d, device.Config{MaxMemory: 1000})
		limit, name := tuned.MemoryLimit(s)
		assert.Equal(t, int64(1000), limit)
		assert.Equal(t, "memory limit", name)
		a := alloc[uint32](t, s, 100)
		assert.Equal(t, int64(400), s.LiveBytes())
		b := alloc[uint8](t, s, 600)
		assert.Equal(t, int64(1000), s.LiveBytes())
		assert.Equal(t, int64(1000), tuned.PeakBytes(s))
		_, err := device.Alloc[uint64](s, 2)
		var memory *device.MemoryError
		require.ErrorAs(t, err, &memory)
		assert.Equal(t, device.MemoryError{What: "buffer", Need: 1016, Have: 1000, Limit: "memory limit"}, *memory)
		assert.True(t, device.IsTooLarge(err))
		b.View(10, 20).Release() // the whole of it
		assert.Equal(t, int64(400), s.LiveBytes())
		assert.Equal(t, int64(1000), tuned.PeakBytes(s))
		tuned.ResetPeak(s)
		assert.Equal(t, int64(400), tuned.PeakBytes(s))
		c := alloc[uint64](t, s, 2)
		assert.Equal(t, int64(416), tuned.PeakBytes(s))
		a.Release()
		b.Release()
		c.Release()
		assert.Zero(t, s.LiveBytes())
	})
}

func TestLargestBuffer(t *testing.T) {
	each(t, func(t *testing.T, d *cl.Device) {
		s := openWith(t, d, device.Config{}, tuned.Edits{Caps: func(c *device.Caps) { c.MaxAlloc = 100 }})
		limit, name := tuned.MemoryLimit(s)
		assert.Equal(t, s.Caps().Available(), limit)
		assert.Equal(t, "memory of "+s.Caps().Name, name)
		alloc[uint32](t, s, 25)
		_, err := device.Alloc[uint32](s, 26)
		var memory *device.MemoryError
		require.ErrorAs(t, err, &memory)
		assert.Equal(t, device.MemoryError{
			What: "buffer", Need: 104, Have: 100, Limit: "largest buffer of " + s.Caps().Name,
		}, *memory)

		s = open(t, d, device.Config{})
		_, err = device.Alloc[uint8](s, int(s.Caps().MaxAlloc)+1)
		require.ErrorAs(t, err, &memory)
		assert.Equal(t, s.Caps().MaxAlloc, memory.Have)
	})
}

// A session keeps released memory for buffers of the same size, up to the bytes that it is told, and frees it where
// others need it.
func TestKeptMemory(t *testing.T) {
	each(t, func(t *testing.T, d *cl.Device) {
		const mega = 1 << 20
		objects := hooks.LiveObjects.Load()
		s, err := tuned.Open(device.Config{Device: d, MaxMemory: 8 * mega, KeepMemory: 6 * mega}, tuned.Edits{
			Caps: func(c *device.Caps) { tuned.Quirks(c).UnifiedMemory = false },
		})
		require.NoError(t, err)
		opened := hooks.LiveObjects.Load()
		kept := func() int { return int(hooks.LiveObjects.Load() - opened) }
		allocate := func(bytes int) *device.Buffer[uint8] { return alloc[uint8](t, s, bytes) }

		a, b := allocate(2*mega), allocate(3*mega)
		a.Fill(1)
		a.Release()
		b.Release()
		a.Release() // twice
		require.Zero(t, s.LiveBytes())
		require.Equal(t, 2, kept())
		b = allocate(3 * mega)
		require.Equal(t, 2, kept())
		b.Fill(2)
		require.Equal(t, slices.Repeat([]uint8{2}, 3*mega), read(t, b))
		c := allocate(4 * mega) // together with what is kept these are 9
		require.Equal(t, 2, kept())
		require.Equal(t, int64(7*mega), tuned.PeakBytes(s))
		b.Release()
		c.Release() // together 7: the older one goes
		require.Equal(t, 1, kept())
		allocate(mega / 2).Release() // too small to be kept
		require.Equal(t, 1, kept())
		allocate(7 * mega).Release() // too large, and leaves no room
		require.Zero(t, kept())
		_, err = device.Alloc[uint8](s, 8*mega+1)
		require.True(t, device.IsTooLarge(err))
		allocate(2 * mega).Release()
		require.Equal(t, 1, kept())
		require.NoError(t, s.Close())
		require.Equal(t, objects, hooks.LiveObjects.Load())
	})
}

// Kept memory is used again when what was enqueued with it has run: copies on other queues would not wait for that.
// Drivers that keep commands for a buffer in order, as PoCL, do not show it. So the test looks for the wait.
func TestKeptMemoryInUse(t *testing.T) {
	each(t, func(t *testing.T, d *cl.Device) {
		const n = 1 << 20
		s := openWith(t, d, device.Config{KeepMemory: 4 * n}, tuned.Edits{
			Caps: func(c *device.Caps) { tuned.Quirks(c).UnifiedMemory = false },
		})
		old := alloc[uint32](t, s, n)
		old.Fill(7)
		old.Release()
		waited := false
		restore := hooks.InjectFaults(func(call string) int32 {
			waited = waited || call == "clFinish"
			return 0
		})
		b := alloc[uint32](t, s, n)
		restore()
		require.True(t, waited)
		want := iota32(n)
		require.NoError(t, async.StartUpload(b, want).Wait())
		require.NoError(t, s.Finish())
		require.Equal(t, want, read(t, b))
	})
}
