package cl_test

import (
	"errors"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/cl"
)

func TestCodeNames(t *testing.T) {
	require.EqualError(t, cl.Code(0), "CL_SUCCESS (0)")
	require.EqualError(t, cl.OutOfResources, "CL_OUT_OF_RESOURCES (-5)")
	require.EqualError(t, cl.Code(-72), "CL_MAX_SIZE_RESTRICTION_EXCEEDED (-72)")
	require.EqualError(t, cl.Code(-1001), "CL_PLATFORM_NOT_FOUND_KHR (-1001)")
	require.EqualError(t, cl.Code(-4242), "CL_UNKNOWN (-4242)")
	for code := cl.Code(-72); code <= 0; code++ {
		if code < -30 || code > -20 {
			require.NotContains(t, code.Error(), "UNKNOWN", "%d", int32(code))
		}
	}
}

func TestErrorText(t *testing.T) {
	err := cl.NewError("clEnqueueNDRangeKernel", "scan", cl.OutOfResources, "global [64]")
	require.Equal(t, `clEnqueueNDRangeKernel: kernel "scan": CL_OUT_OF_RESOURCES (-5): global [64]`, err.Error())
	require.True(t, errors.Is(err, cl.OutOfResources))
	require.False(t, errors.Is(err, cl.InvalidValue))
	plain := &cl.Error{Call: "clFinish", Code: cl.InvalidCommandQueue}
	require.Equal(t, "clFinish: CL_INVALID_COMMAND_QUEUE (-36)", plain.Error())
}

func TestReleaseTwice(t *testing.T) {
	eachDevice(t, func(t *testing.T, s *setup) {
		program := s.build(t, vectorAdd)
		kernel := s.kernel(t, vectorAdd, "add")
		buffer := s.buffer(t, 16)
		event, err := s.queue.EnqueueFillBuffer(buffer, unsafe.Pointer(new(uint32)), 4, 0, 16, nil)
		require.NoError(t, err)
		for range 2 {
			event.Release()
			buffer.Release()
			kernel.Release()
			program.Release()
			s.queue.Release()
			s.context.Release()
		}

		// What is released gives errors.
		require.ErrorIs(t, s.queue.Finish(), cl.InvalidCommandQueue)
		require.ErrorIs(t, s.queue.EnqueueNDRangeKernelNoEvent(kernel, nil, []int{1}, nil, nil), cl.InvalidKernel)
		require.ErrorIs(t, kernel.SetArg(3, uint32(1)), cl.InvalidKernel)
		_, err = s.context.CreateEmptyBuffer(cl.MemReadWrite, 16)
		require.ErrorIs(t, err, cl.InvalidContext)
		_, err = program.CreateKernel("add")
		require.ErrorIs(t, err, cl.InvalidProgram)
		require.ErrorIs(t, event.Wait(), cl.InvalidEventWaitList)
		_, _, err = event.Times()
		require.ErrorIs(t, err, cl.InvalidEvent)
	})
}

func TestReleaseNil(t *testing.T) {
	(*cl.Context)(nil).Release()
	(*cl.CommandQueue)(nil).Release()
	(*cl.MemObject)(nil).Release()
	(*cl.Program)(nil).Release()
	(*cl.Kernel)(nil).Release()
	(*cl.Event)(nil).Release()
}

// TestZeroValues are never made by this package, and still give errors.
func TestZeroValues(t *testing.T) {
	allDevices(t)
	require.ErrorIs(t, new(cl.CommandQueue).Finish(), cl.InvalidCommandQueue)
	_, err := new(cl.Context).CreateEmptyBuffer(cl.MemReadWrite, 1)
	require.ErrorIs(t, err, cl.InvalidContext)
	require.Empty(t, new(cl.Device).Name())
	new(cl.Event).Release()
}
