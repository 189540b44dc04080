package cl_test

import (
	"runtime"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
)

func TestProfiling(t *testing.T) {
	eachDevice(t, func(t *testing.T, s *setup) {
		buffer := s.buffer(t, 1<<20)
		var zero uint32
		event, err := s.queue.EnqueueFillBuffer(buffer, unsafe.Pointer(&zero), 4, 0, 1<<20, nil)
		require.NoError(t, err)
		defer event.Release()
		require.NoError(t, event.Wait())
		start, end, err := event.Times()
		require.NoError(t, err)
		require.GreaterOrEqual(t, end, start)
	})
}

func TestNoProfiling(t *testing.T) {
	eachDevice(t, func(t *testing.T, s *setup) {
		queue, err := s.context.CreateCommandQueue(s.device, 0)
		require.NoError(t, err)
		defer queue.Release()
		event, err := queue.EnqueueFillBuffer(s.buffer(t, 4), unsafe.Pointer(new(uint32)), 4, 0, 4, nil)
		require.NoError(t, err)
		defer event.Release()
		require.NoError(t, event.Wait())
		_, _, err = event.Times()
		if err != nil { // some drivers have the times all the same
			require.ErrorIs(t, err, cl.ProfilingInfoNotAvailable)
		}
	})
}

// slow writes 2^16 numbers, for some time.
const slow = `
__kernel void slow(__global uint *out) {
	uint x = get_global_id(0);
	for (uint i = 0; i < 5000; i++) x = x * 1664525 + 1013904223;
	out[get_global_id(0)] = x;
}`

func slowWant() []uint32 {
	want := iota32(1<<16, 0)
	for i := range want {
		for range 5000 {
			want[i] = want[i]*1664525 + 1013904223
		}
	}
	return want
}

// TestReleaseWaits releases the event of a transfer that has not begun.
func TestReleaseWaits(t *testing.T) {
	want := slowWant()
	eachDevice(t, func(t *testing.T, s *setup) {
		s.skip(t, "Oclgrind", "an interpreter: too slow")
		kernel := s.kernel(t, slow, "slow")
		out := s.buffer(t, 4*len(want))
		require.NoError(t, kernel.SetArgs(out))
		require.NoError(t, s.queue.EnqueueNDRangeKernelNoEvent(kernel, nil, []int{len(want)}, nil, nil))
		result := make([]uint32, len(want))
		event, err := s.queue.EnqueueReadBuffer(out, false, 0, 4*len(want), unsafe.Pointer(&result[0]), nil)
		require.NoError(t, err)
		runtime.GC()
		event.Release()
		require.Equal(t, want, result)
	})
}

// TestWaitAcrossQueues: a command waits for one of another queue.
func TestWaitAcrossQueues(t *testing.T) {
	want := slowWant()
	eachDevice(t, func(t *testing.T, s *setup) {
		s.skip(t, "Oclgrind", "an interpreter: too slow")
		other, err := s.context.CreateCommandQueue(s.device, 0)
		require.NoError(t, err)
		defer other.Release()
		kernel := s.kernel(t, slow, "slow")
		out := s.buffer(t, 4*len(want))
		require.NoError(t, kernel.SetArgs(out))
		ran, err := s.queue.EnqueueNDRangeKernel(kernel, nil, []int{len(want)}, nil, nil)
		require.NoError(t, err)
		defer ran.Release()
		require.NoError(t, s.queue.Flush())
		result := make([]uint32, len(want))
		wait := []*cl.Event{nil, ran}
		read, err := other.EnqueueReadBuffer(out, false, 0, 4*len(want), unsafe.Pointer(&result[0]), wait)
		require.NoError(t, err)
		defer read.Release()
		require.NoError(t, read.Wait())
		require.Equal(t, want, result)
	})
}

func TestWaitLists(t *testing.T) {
	eachDevice(t, func(t *testing.T, s *setup) {
		buffer := s.buffer(t, 8)
		event, err := s.queue.EnqueueCopyBuffer(buffer, buffer, 0, 4, 4, nil)
		require.NoError(t, err)
		event.Release()
		require.ErrorIs(t, event.Wait(), cl.InvalidEventWaitList)
		_, err = s.queue.EnqueueCopyBuffer(buffer, buffer, 0, 4, 4, []*cl.Event{event})
		require.ErrorIs(t, err, cl.InvalidEventWaitList)
	})
}
