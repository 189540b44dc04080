package cl

import (
	"slices"
	"sync/atomic"
)

// A Fault is asked before a call to the driver, by the name that the specification gives the
// function. If it returns a code other than Success, the call is not made, and fails with that.
type Fault func(call string) Code

// Short, from a Fault, has EnqueueReadBuffer and EnqueueWriteBuffer copy the first half of their bytes and
// then fail with OutOfResources, as other calls do at once. No driver returns it.
const Short Code = 1

var fault atomic.Pointer[Fault]

// InjectFaults asks f before all calls of the process, those that release objects excepted, until
// restore is called. It is for tests of what comes after a failure.
func InjectFaults(f Fault) (restore func()) {
	fault.Store(&f)
	return func() { fault.CompareAndSwap(&f, nil) }
}

// injected returns the failure that a test wants instead of the call, or Success.
func injected(f function) Code {
	ask := fault.Load()
	if ask == nil || releases(f) {
		return Success
	}
	code := (*ask)(functions[f].name)
	if code == Short && f != clEnqueueReadBuffer && f != clEnqueueWriteBuffer {
		return OutOfResources
	}
	return code
}

// half makes the first half of a transfer, waits for it, and returns the failure of the rest.
func half(address uintptr, args []uintptr) Code {
	const blocking, size, event = 2, 4, 8 // arguments of clEnqueueReadBuffer
	args = slices.Clone(args)
	args[blocking], args[size], args[event] = toBool(true), args[size]/2, 0
	if args[size] > 0 {
		if code := Code(int32(syscall(address, args))); code != Success {
			return code
		}
	}
	return OutOfResources
}

func releases(f function) bool {
	switch f {
	case clReleaseContext, clReleaseCommandQueue, clReleaseMemObject, clReleaseProgram, clReleaseKernel, clReleaseEvent:
		return true
	}
	return false
}

var live atomic.Int64

// LiveObjects is the number of objects that this package has made and nobody has released, garbage
// included. Tests find leaks by it.
func LiveObjects() int64 { return live.Load() }
