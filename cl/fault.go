package cl

import (
	"slices"

	"github.com/suffixcl/suffixcl/internal/hooks"
)

// short is a failure after half of a transfer.
const short = Code(hooks.Short)

// injected returns the failure that a test wants instead of the call, or success.
func injected(f function) Code {
	if releases(f) {
		return success
	}
	code := Code(hooks.Ask(functions[f].name))
	if code == short && f != clEnqueueReadBuffer && f != clEnqueueWriteBuffer {
		return OutOfResources
	}
	return code
}

// half makes the first half of a transfer, waits for it, and returns the failure of the rest.
func half(e entry, args []uintptr) Code {
	const blocking, size, event = 2, 4, 8 // arguments of clEnqueueReadBuffer
	args = slices.Clone(args)
	args[blocking], args[size], args[event] = toBool(true), args[size]/2, 0
	if args[size] > 0 {
		status, _ := e.call(args)
		if code := Code(int32(status)); code != success {
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
