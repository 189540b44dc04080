package cl

import "sync/atomic"

// A Fault is asked before a call to the driver, by the name that the specification gives the
// function. If it returns a code other than Success, the call is not made, and fails with that.
type Fault func(call string) Code

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
	return (*ask)(functions[f].name)
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
