// Package hooks holds what cl and device show to this module only. By it tests have calls to the driver fail, count the
// objects that are not released, and have sessions do checks besides their work. Package async makes its transfers by
// it.
package hooks

import "sync/atomic"

// Fault is asked before a call to the driver, by the name that the specification gives the function. If it
// returns an OpenCL status code other than 0, the call is not made, and fails with that. Calls that wait for the device
// wait before they fail: what follows may rely on that (launchLock of package device).
type Fault func(call string) (code int32)

// Short is a code of a Fault: clEnqueueReadBuffer and clEnqueueWriteBuffer copy the first half of their bytes and
// then fail with CL_OUT_OF_RESOURCES. Other calls fail with that at once. No driver returns it.
const Short int32 = 1

var fault atomic.Pointer[Fault]

// InjectFaults asks f before all calls of the process, those that release objects excepted, until restore is
// called.
func InjectFaults(f Fault) (restore func()) {
	fault.Store(&f)
	return func() { fault.CompareAndSwap(&f, nil) }
}

// Ask returns the code with which a call has to fail, or 0.
func Ask(call string) int32 {
	f := fault.Load()
	if f == nil {
		return 0
	}
	return (*f)(call)
}

// LiveObjects is the number of OpenCL objects that were made and that nobody has released, garbage included.
var LiveObjects atomic.Int64
