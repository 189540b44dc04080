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
		status, err := event.Status()
		require.NoError(t, err)
		require.Equal(t, cl.CommandComplete, status)
		last := int64(0)
		for _, moment := range []cl.ProfilingInfo{
			cl.ProfilingInfoCommandQueued, cl.ProfilingInfoCommandSubmit, cl.ProfilingInfoCommandStart, cl.ProfilingInfoCommandEnd,
		} {
			time, err := event.GetEventProfilingInfo(moment)
			require.NoError(t, err)
			require.GreaterOrEqual(t, time, last)
			last = time
		}
		duration, err := event.Duration()
		require.NoError(t, err)
		require.GreaterOrEqual(t, duration.Nanoseconds(), int64(0))
	})
}

func TestNoProfiling(t *testing.T) {
	eachDevice(t, func(t *testing.T, s *setup) {
		queue, err := s.context.CreateCommandQueue(s.device, 0)
		require.NoError(t, err)
		defer queue.Release()
		require.Equal(t, s.device, queue.Device())
		require.Equal(t, s.context, queue.Context())
		event, err := queue.EnqueueMarkerWithWaitList(nil)
		require.NoError(t, err)
		defer event.Release()
		require.NoError(t, event.Wait())
		_, err = event.Duration()
		if err != nil { // some drivers have the times all the same
			require.ErrorIs(t, err, cl.ProfilingInfoNotAvailable)
		}
	})
}

func TestUserEvent(t *testing.T) {
	eachDevice(t, func(t *testing.T, s *setup) {
		s.skip(t, "Oclgrind", "clFlush and clWaitForEvents never return, and threads crash")
		gate, err := s.context.CreateUserEvent()
		require.NoError(t, err)
		defer gate.Release()
		buffer := filled(t, s, iota32(4, 0))
		mark := uint32(77)
		write, err := s.queue.EnqueueWriteBuffer(buffer, false, 0, 4, unsafe.Pointer(&mark), []*cl.Event{nil, gate})
		require.NoError(t, err)
		defer write.Release()
		barrier, err := s.queue.EnqueueBarrierWithWaitList(nil)
		require.NoError(t, err)
		defer barrier.Release()
		require.NoError(t, s.queue.Flush())
		status, err := write.Status()
		require.NoError(t, err)
		require.NotEqual(t, cl.CommandComplete, status)

		require.NoError(t, gate.SetUserEventStatus(cl.CommandComplete))
		require.NoError(t, cl.WaitForEvents([]*cl.Event{write, nil, barrier}))
		require.Equal(t, []uint32{77, 1, 2, 3}, read[uint32](t, s, buffer, 4))
	})
}

// TestReleaseWaits releases the event of a transfer that has not begun.
func TestReleaseWaits(t *testing.T) {
	eachDevice(t, func(t *testing.T, s *setup) {
		s.skip(t, "Oclgrind", "clFlush and clWaitForEvents never return, and threads crash")
		gate, err := s.context.CreateUserEvent()
		require.NoError(t, err)
		defer gate.Release()
		buffer := filled(t, s, iota32(1024, 0))
		result := make([]uint32, 1024)
		event, err := s.queue.EnqueueReadBuffer(buffer, false, 0, 4096, unsafe.Pointer(&result[0]), []*cl.Event{gate})
		require.NoError(t, err)
		opened := make(chan struct{})
		go func() {
			defer close(opened)
			runtime.GC()
			_ = gate.SetUserEventStatus(cl.CommandComplete)
		}()
		event.Release()
		<-opened
		require.Equal(t, iota32(1024, 0), result)
	})
}

func TestWaitLists(t *testing.T) {
	require.NoError(t, cl.WaitForEvents(nil))
	require.NoError(t, cl.WaitForEvents([]*cl.Event{nil}))
	eachDevice(t, func(t *testing.T, s *setup) {
		event, err := s.queue.EnqueueMarkerWithWaitList(nil)
		require.NoError(t, err)
		event.Release()
		require.ErrorIs(t, cl.WaitForEvents([]*cl.Event{event}), cl.InvalidEventWaitList)
		_, err = s.queue.EnqueueMarkerWithWaitList([]*cl.Event{event})
		require.ErrorIs(t, err, cl.InvalidEventWaitList)
	})
}
