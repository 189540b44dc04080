package cl_test

import (
	"runtime"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/internal/hooks"
)

func TestBufferReadWriteCopy(t *testing.T) {
	eachDevice(t, func(t *testing.T, s *setup) {
		const n = 1000
		values := iota32(n, 7)
		source := filled(t, s, values)
		require.Equal(t, values, read[uint32](t, s, source, n))

		patch := []uint32{1 << 31, 0xFFFFFFFF}
		event, err := s.queue.EnqueueWriteBuffer(source, true, 40, 8, unsafe.Pointer(&patch[0]), nil)
		require.NoError(t, err)
		event.Release()
		copy(values[10:], patch)

		target := filled(t, s, make([]uint32, n))
		event, err = s.queue.EnqueueCopyBuffer(source, target, 0, 400, 4*(n-100), nil)
		require.NoError(t, err)
		event.Release()
		want := append(make([]uint32, 100), values[:n-100]...)
		require.Equal(t, want, read[uint32](t, s, target, n))
	})
}

func TestBufferFill(t *testing.T) {
	eachDevice(t, func(t *testing.T, s *setup) {
		want := iota32(64, 0)
		buffer := filled(t, s, want)
		pattern := [2]uint32{0xAAAA5555, 3}
		event, err := s.queue.EnqueueFillBuffer(buffer, unsafe.Pointer(&pattern), 8, 16, 32, nil)
		require.NoError(t, err)
		event.Release()
		for i := 4; i < 12; i++ {
			want[i] = pattern[i%2]
		}
		require.Equal(t, want, read[uint32](t, s, buffer, 64))
	})
}

func TestMapBuffer(t *testing.T) {
	eachDevice(t, func(t *testing.T, s *setup) {
		const n = 4096
		buffer, err := s.context.CreateEmptyBuffer(cl.MemReadWrite|cl.MemAllocHostPtr, n)
		require.NoError(t, err)
		defer buffer.Release()

		mapped, event, err := s.queue.EnqueueMapBuffer(buffer, true, cl.MapFlagWrite, 0, n, nil)
		require.NoError(t, err)
		event.Release()
		require.Len(t, mapped.ByteSlice(), n)
		for i := range mapped.ByteSlice() {
			mapped.ByteSlice()[i] = byte(i * 7)
		}
		event, err = s.queue.EnqueueUnmapMemObject(buffer, mapped, nil)
		require.NoError(t, err)
		event.Release()
		require.Empty(t, mapped.ByteSlice())
		_, err = s.queue.EnqueueUnmapMemObject(buffer, mapped, nil)
		require.ErrorIs(t, err, cl.InvalidValue)

		mapped, event, err = s.queue.EnqueueMapBuffer(buffer, false, cl.MapFlagRead, 100, 200, nil)
		require.NoError(t, err)
		require.NoError(t, event.Wait())
		event.Release()
		require.Len(t, mapped.ByteSlice(), 200)
		for i, b := range mapped.ByteSlice() {
			require.Equal(t, byte((i+100)*7), b)
		}
		event, err = s.queue.EnqueueUnmapMemObject(buffer, mapped, nil)
		require.NoError(t, err)
		require.NoError(t, event.Wait())
		event.Release()
	})
}

// TestBufferIn: kernels work in host memory. It is what a map shows, and stays after the buffer.
func TestBufferIn(t *testing.T) {
	eachDevice(t, func(t *testing.T, s *setup) {
		whole := make([]byte, 1<<16+4096)
		at := -uintptr(unsafe.Pointer(&whole[0])) & 4095
		host := whole[at : at+1<<16]
		for i := range host {
			host[i] = byte(i)
		}
		buffer, err := s.context.CreateBufferIn(cl.MemReadWrite, host)
		require.NoError(t, err)
		pattern := uint32(0x01020304)
		event, err := s.queue.EnqueueFillBuffer(buffer, unsafe.Pointer(&pattern), 4, 4096, 8192, nil)
		require.NoError(t, err)
		event.Release()
		mapped, event, err := s.queue.EnqueueMapBuffer(buffer, true, cl.MapFlagRead, 0, len(host), nil)
		require.NoError(t, err)
		event.Release()
		require.Same(t, &host[0], &mapped.ByteSlice()[0])
		event, err = s.queue.EnqueueUnmapMemObject(buffer, mapped, nil)
		require.NoError(t, err)
		require.NoError(t, event.Wait())
		event.Release()
		buffer.Release()
		for i, b := range host {
			want := byte(i)
			if i >= 4096 && i < 4096+8192 {
				want = byte(4 - i%4)
			}
			require.Equal(t, want, b, i)
		}
		_, err = s.context.CreateBufferIn(cl.MemReadWrite, nil)
		require.ErrorIs(t, err, cl.InvalidBufferSize)
	})
}

func TestBufferErrors(t *testing.T) {
	eachDevice(t, func(t *testing.T, s *setup) {
		_, err := s.context.CreateEmptyBuffer(cl.MemReadWrite, 0)
		require.ErrorIs(t, err, cl.InvalidBufferSize)
		_, err = s.context.CreateEmptyBuffer(cl.MemReadWrite, -1)
		require.ErrorIs(t, err, cl.InvalidBufferSize)
		_, err = s.context.CreateEmptyBuffer(1<<3, 1) // CL_MEM_USE_HOST_PTR
		require.ErrorIs(t, err, cl.InvalidHostPtr)

		buffer := s.buffer(t, 16)
		var value uint64
		_, err = s.queue.EnqueueReadBuffer(buffer, true, 12, 8, unsafe.Pointer(&value), nil)
		require.ErrorIs(t, err, cl.InvalidValue)
		require.ErrorContains(t, err, "8 bytes from 12 of 16")
		buffer.Release()
		_, err = s.queue.EnqueueReadBuffer(buffer, false, 0, 8, unsafe.Pointer(&value), nil)
		require.Error(t, err)
	})
}

// TestShortTransfers: a Fault may have a transfer end half-way.
func TestShortTransfers(t *testing.T) {
	eachDevice(t, func(t *testing.T, s *setup) {
		const n = 100
		values := iota32(n, 7)
		buffer := filled(t, s, values)
		short := func(transfer func() (*cl.Event, error)) {
			defer hooks.InjectFaults(func(string) int32 { return hooks.Short })()
			_, err := transfer()
			require.ErrorIs(t, err, cl.OutOfResources)
		}
		for _, blocking := range []bool{false, true} {
			got := make([]uint32, n)
			short(func() (*cl.Event, error) {
				return s.queue.EnqueueReadBuffer(buffer, blocking, 0, 4*n, unsafe.Pointer(&got[0]), nil)
			})
			require.Equal(t, append(slices.Clone(values[:n/2]), make([]uint32, n/2)...), got)
		}
		zeros := make([]uint32, n)
		short(func() (*cl.Event, error) {
			return s.queue.EnqueueWriteBuffer(buffer, true, 0, 4*n, unsafe.Pointer(&zeros[0]), nil)
		})
		require.Equal(t, append(make([]uint32, n/2), values[n/2:]...), read[uint32](t, s, buffer, n))
		short(func() (*cl.Event, error) { return s.queue.EnqueueCopyBuffer(buffer, buffer, 0, 4, 4, nil) })
		short(func() (*cl.Event, error) { // half a byte is none
			return s.queue.EnqueueReadBuffer(buffer, true, 0, 1, unsafe.Pointer(&zeros[0]), nil)
		})
	})
}

// TestNonBlockingTransfers drops every other reference to the host memory of transfers while the
// garbage collector runs.
func TestNonBlockingTransfers(t *testing.T) {
	eachDevice(t, func(t *testing.T, s *setup) {
		const size, rounds = 64 << 10, 40
		buffers := make([]*cl.MemObject, rounds)
		writes := make([]*cl.Event, rounds)
		for i := range buffers {
			buffers[i] = s.buffer(t, 4*size)
			data := iota32(size, uint32(i)<<20)
			var err error
			writes[i], err = s.queue.EnqueueWriteBuffer(buffers[i], false, 0, 4*size, unsafe.Pointer(&data[0]), nil)
			require.NoError(t, err)
			runtime.GC()
			_ = iota32(size, 0xDEAD) // reuses what was freed
		}
		results := make([][]uint32, rounds)
		reads := make([]*cl.Event, rounds)
		for i := range results {
			results[i] = make([]uint32, size)
			var err error
			result := unsafe.Pointer(&results[i][0])
			reads[i], err = s.queue.EnqueueReadBuffer(buffers[i], false, 0, 4*size, result, writes[i:i+1])
			require.NoError(t, err)
		}
		runtime.GC()
		require.NoError(t, s.queue.Flush())
		for i := range results {
			require.NoError(t, reads[i].Wait())
			require.Equal(t, iota32(size, uint32(i)<<20), results[i])
			reads[i].Release()
			writes[i].Release()
		}
	})
}

// TestDroppedTransfers leaves events of pinned memory to the garbage collector.
func TestDroppedTransfers(t *testing.T) {
	eachDevice(t, func(t *testing.T, s *setup) {
		buffer := s.buffer(t, 1<<20)
		for range 50 {
			_, err := s.queue.EnqueueWriteBuffer(buffer, false, 0, 1<<20, unsafe.Pointer(&make([]byte, 1<<20)[0]), nil)
			require.NoError(t, err)
			runtime.GC()
		}
		require.NoError(t, s.queue.Finish())
		require.Equal(t, make([]byte, 1<<20), read[byte](t, s, buffer, 1<<20))
	})
}
