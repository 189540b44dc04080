package device_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

func TestLayout(t *testing.T) {
	sessions(t, func(t *testing.T, s *device.Session) {
		l := device.NewLayout("rank")
		keys := device.Reserve[uint32](l, "keys", 10)
		nothing := device.Reserve[uint64](l, "nothing", 0)
		bits := device.Reserve[uint8](l, "bits", 3)
		assert.Equal(t, int64(43), l.Size())
		assert.Equal(t, device.PhaseMemory{
			Phase:   "rank",
			Buffers: []device.BufferMemory{{"keys", 40}, {"nothing", 0}, {"bits", 3}},
		}, l.Memory())
		assert.Zero(t, s.LiveBytes())
		assert.ErrorContains(t, keys.Buffer(s).Write([]uint32{1}), "released", "not allocated yet")

		for range 2 { // may be allocated again
			require.NoError(t, l.Allocate(s))
			assert.Equal(t, l.Size(), s.LiveBytes(), "the plan is what is allocated")
			assert.ErrorContains(t, l.Allocate(s), "allocated already")
			assert.Equal(t, l.Size(), s.LiveBytes())
			require.NoError(t, keys.Buffer(s).Write(iota32(10)))
			require.NoError(t, bits.Buffer(s).Write([]uint8{7, 8, 9}))
			assert.Equal(t, iota32(10), read(t, keys.Buffer(s)))
			assert.Equal(t, []uint8{7, 8, 9}, read(t, bits.Buffer(s)))
			assert.Zero(t, nothing.Buffer(s).Len())
			kept := keys.Buffer(s)
			l.Release(s)
			l.Release(s)
			assert.Zero(t, s.LiveBytes())
			assert.ErrorContains(t, kept.Read(make([]uint32, 1)), "released")
		}
	})
}

// A buffer in memory of the caller has its contents there, whether the driver works in it or not.
func TestSlotIn(t *testing.T) {
	sessions(t, func(t *testing.T, s *device.Session) {
		const n = 1 << 18
		for _, unaligned := range []int{0, 1} {
			l := device.NewLayout("rank")
			slot := device.Reserve[uint32](l, "ranks", n)
			host := make([]uint32, n+unaligned)[unaligned:]
			slot.In(host)
			require.NoError(t, l.Allocate(s))
			assert.Equal(t, l.Size(), s.LiveBytes())
			b := slot.Buffer(s)
			for i := range host {
				host[i] = uint32(i)
			}
			require.NoError(t, b.Upload(t.Context(), host, nil))
			assert.Equal(t, []uint32{n - 2, n - 1}, read(t, b.View(n-2, 2)))
			for v := range uint32(2) { // kernels go on with what was downloaded
				b.Fill(7 + v)
				b.View(n-5, 5).Fill(9 + v)
				told := int64(0)
				require.NoError(t, b.Download(t.Context(), host, func(done, total int64) { told = done }))
				assert.EqualValues(t, 4*n, told)
				assert.Equal(t, []uint32{7 + v, 7 + v}, host[:2])
				assert.Equal(t, []uint32{7 + v, 9 + v, 9 + v, 9 + v, 9 + v, 9 + v}, host[n-6:])
				part := make([]uint32, 3)
				require.NoError(t, b.View(n-6, 3).Download(t.Context(), part, nil))
				assert.Equal(t, []uint32{7 + v, 9 + v, 9 + v}, part)
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			assert.ErrorIs(t, b.Download(ctx, host, nil), context.Canceled)
			l.Release(s)
			assert.Zero(t, s.LiveBytes())
			require.NoError(t, l.Allocate(s)) // in memory of its own
			slot.Buffer(s).Fill(1)
			require.NoError(t, s.Finish())
			assert.Equal(t, uint32(8), host[0])
			l.Release(s)
		}
	})
}

// What is enqueued has been done when memory of the caller is released.
func TestSlotInReleased(t *testing.T) {
	sessions(t, func(t *testing.T, s *device.Session) {
		if !tuned.Quirks(s.Caps()).HostBuffers {
			t.Skip("buffers are not memory of the process")
		}
		l := device.NewLayout("rank")
		slot := device.Reserve[uint8](l, "ranks", 8<<20)
		host := make([]uint8, 8<<20)
		slot.In(host)
		require.NoError(t, l.Allocate(s))
		slot.Buffer(s).Fill(5)
		l.Release(s)
		assert.Equal(t, 8<<20, bytes.Count(host, []byte{5}))
	})
}

func TestLayoutAllOrNothing(t *testing.T) {
	each(t, func(t *testing.T, d *cl.Device) {
		s := open(t, d, device.Config{MaxMemory: 100})
		l := device.NewLayout("rank")
		device.Reserve[uint32](l, "a", 10)
		device.Reserve[uint32](l, "b", 15)
		device.Reserve[uint8](l, "c", 1)
		err := l.Allocate(s)
		var memory *device.MemoryError
		require.ErrorAs(t, err, &memory)
		assert.Equal(t, device.MemoryError{What: `buffer "c" (rank)`, Need: 101, Have: 100, Limit: "memory limit"}, *memory)
		assert.Zero(t, s.LiveBytes())
		alloc[uint8](t, s, 100)

		for _, n := range []int{-1, math.MinInt} {
			l = device.NewLayout("rank")
			device.Reserve[uint64](l, "negative", n)
			assert.ErrorContains(t, l.Allocate(s), "negative length")
		}
		l = device.NewLayout("rank")
		for range 3 {
			device.Reserve[uint64](l, "huge", math.MaxInt/8+1)
		}
		assert.Equal(t, int64(math.MaxInt64), l.Size(), "the sum does not wrap around")
		assert.ErrorAs(t, l.Allocate(s), &memory)
		assert.ErrorAs(t, device.MemoryPlan{l.Memory()}.Fits(s), &memory)
	})
}

func TestMemoryPlan(t *testing.T) {
	plan := device.MemoryPlan{
		{Phase: "sort", Buffers: []device.BufferMemory{{"keys", 4096}, {"values", 1000}}, Host: 10},
		{Phase: "rank", Buffers: []device.BufferMemory{{"ranks", 5000}}, Host: 2048},
		{Phase: "done"},
	}
	assert.Equal(t, int64(5096), plan.Device())
	assert.Equal(t, int64(2048), plan.Host())
	assert.Zero(t, device.MemoryPlan(nil).Device())
	assert.Zero(t, device.MemoryPlan(nil).Host())
	text, err := json.Marshal(plan[1])
	require.NoError(t, err)
	assert.JSONEq(t, `{"phase": "rank", "buffers": [{"name": "ranks", "bytes": 5000}], "host": 2048}`, string(text))

	each(t, func(t *testing.T, d *cl.Device) {
		s := open(t, d, device.Config{MaxMemory: 5096})
		require.NoError(t, device.MemoryPlan(nil).Fits(s))
		require.NoError(t, plan.Fits(s))
		alloc[uint8](t, s, 1)
		var memory *device.MemoryError
		require.ErrorAs(t, plan.Fits(s), &memory, "what is allocated counts")
		assert.Equal(t, device.MemoryError{What: `phase "sort"`, Need: 5097, Have: 5096, Limit: "memory limit"}, *memory)
		alloc[uint8](t, s, 95)
		require.NoError(t, plan[1:2].Fits(s))

		s = openWith(t, d, device.Config{}, tuned.Edits{Caps: func(c *device.Caps) { c.MaxAlloc = 4095 }})
		require.ErrorAs(t, plan.Fits(s), &memory)
		assert.Equal(t, device.MemoryError{
			What:  `buffer "keys" of phase "sort"`,
			Need:  4096,
			Have:  4095,
			Limit: "largest buffer of " + s.Caps().Name,
		}, *memory)
		huge := device.MemoryPlan{{Phase: "p", Buffers: []device.BufferMemory{{"a", 4000}, {"b", 4000}}}}
		require.NoError(t, huge.Fits(s))
	})
}

func TestPieces(t *testing.T) {
	a, b := device.PieceOf[uint32](5), device.PieceOf[uint64](2)
	assert.Equal(t, device.Pieces{20}, a)
	assert.Equal(t, device.Pieces{20, 16, 20}, a.And(b, a))
	assert.Equal(t, device.Pieces{20, 20}, a.Or(b.And(a)), "the larger one of each")
	assert.Equal(t, device.Pieces{20, 20}, b.And(a).Or(nil, a))
	assert.Equal(t, device.Pieces{20}, a, "unchanged")
	assert.Equal(t, int64(56), a.And(b, a).Bytes())
	assert.Zero(t, device.Pieces(nil).Bytes())
	assert.Equal(t, int64(math.MaxInt64), device.PieceOf[uint64](math.MaxInt).And(a).Bytes())
}

func TestWorkspace(t *testing.T) {
	sessions(t, func(t *testing.T, s *device.Session) {
		k := scanKernel(t, s)
		before := s.LiveBytes()
		w, err := device.NewWorkspace(s, device.Pieces{20, 16, 300, 0})
		require.NoError(t, err)
		defer w.Release()
		assert.Equal(t, int64(336), s.LiveBytes()-before)
		start := w.Mark()
		a := device.Carve[uint32](w, 5)
		middle := w.Mark()
		b := device.Carve[uint64](w, 2)
		c := device.Carve[uint8](w, 300)
		assert.Zero(t, device.Carve[uint32](w, 0).Len())
		require.NoError(t, s.Err())
		require.NoError(t, a.Write([]uint32{1, 2, 3, 4, 0}))
		require.NoError(t, b.Write([]uint64{5, 6}))
		c.Fill(7)
		k.Launch(1, 0, a, uint64(4))
		k.Launch(1, 0, device.Reinterpret[uint32](b), uint64(1))
		assert.Equal(t, []uint32{0, 1, 3, 6, 10}, read(t, a))
		assert.Equal(t, []uint64{5 << 32, 6}, read(t, b))
		assert.Equal(t, uint8(7), read(t, c)[299])

		for _, n := range []int{0, 1, math.MaxInt, -1, math.MinInt} {
			assert.Zero(t, device.Carve[uint32](w, n).Len())
			assert.ErrorContains(t, s.Err(), "piece 5 of a workspace of 4")
			s.Recover()
		}
		w.Reset(middle)
		again := device.Carve[uint64](w, 2)
		assert.Equal(t, []uint64{5 << 32, 6}, read(t, again), "the same memory")
		for _, n := range []int{math.MaxInt, math.MaxInt / 4, 76, -1} { // with space left
			assert.Zero(t, device.Carve[uint32](w, n).Len())
			assert.ErrorContains(t, s.Err(), "piece 3 of a workspace of 4 has 300 bytes")
			s.Recover()
		}
		w.Reset(start)
		assert.Equal(t, 3, device.Carve[uint8](w, 3).Len(), "less than planned")
		w.Release()
		assert.Equal(t, before, s.LiveBytes())

		_, err = device.NewWorkspace(s, device.Pieces{8, math.MaxInt64})
		assert.True(t, device.IsTooLarge(err))
		assert.Equal(t, before, s.LiveBytes())
	})
}
