package device

import (
	"errors"
	"fmt"
	"strings"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/internal/addressspace"
	"github.com/suffixcl/suffixcl/internal/bytesize"
)

// ErrNoDevice is matched by every error which says that no usable device was found.
var ErrNoDevice = errors.New("no usable OpenCL device")

// MemoryError says that memory does not suffice. It is returned before anything is allocated, wherever the need can be
// computed.
type MemoryError struct {
	What  string // buffer or phase that does not fit
	Need  int64  // bytes needed
	Have  int64  // bytes that the limit allows
	Limit string // name of the limit: "memory of NVIDIA H200", "largest buffer of NVIDIA H200", "memory limit", ...
}

func (e *MemoryError) Error() string {
	return fmt.Sprintf("%s needs %s, but the %s is %s", e.What, bytesize.Format(e.Need), e.Limit, bytesize.Format(e.Have))
}

// LostError says that the device has stopped, and lost what it held: all calls of the session fail from then on. A
// kernel that goes outside of its memory does that, and so does a driver that is reset. It is learnt by a later call.
type LostError struct {
	Kernels []string // that were launched last, the latest last: 8 at most, none that is known to have run
	Err     error    // the driver's
}

func (e *LostError) Error() string {
	kernels := "no kernel was launched since it last answered"
	if len(e.Kernels) > 0 {
		kernels = "the last kernels, of which one may have gone outside of its memory: " + strings.Join(e.Kernels, ", ")
	}
	return fmt.Sprintf("the device has stopped: %v; %s; please report this line with the output of "+
		"\"suffixcl devices --long\", and what \"suffixcl-lab conformance --quick --variant bounds\" says", e.Err, kernels)
}

func (e *LostError) Unwrap() error { return e.Err }

// isLost tells an error by which drivers say that a device has stopped. CL_OUT_OF_RESOURCES says so where nothing is
// asked for but to wait: that of a launch may be about its local memory.
func isLost(err error) bool {
	if errors.Is(err, illegalAccess) || errors.Is(err, invalidCommandQueue) {
		return true
	}
	var refused *cl.Error
	if !errors.As(err, &refused) || refused.Code != cl.OutOfResources {
		return false
	}
	switch refused.Call {
	case "clFinish", "clFlush", "clWaitForEvents", "clEnqueueReadBuffer", "clEnqueueMapBuffer":
		return true
	}
	return false
}

// What NVIDIA's driver returns after an illegal access, the first without documenting it.
const (
	illegalAccess       cl.Code = -9999
	invalidCommandQueue cl.Code = -36
)

// launched has the names of the kernels that were launched last.
type launched struct {
	last  [8]string
	count int
}

func (l *launched) note(kernel string) {
	l.last[l.count%len(l.last)] = kernel
	l.count++
}

// names are those, the latest last.
func (l *launched) names() (names []string) {
	for i := max(l.count-len(l.last), 0); i < l.count; i++ {
		names = append(names, l.last[i%len(l.last)])
	}
	return names
}

// checkAddressSpace returns a *MemoryError where the process may not take so many bytes more of address space.
func checkAddressSpace(what string, bytes int64) error {
	left, ok := addressspace.Check(bytes)
	if ok {
		return nil
	}
	return &MemoryError{What: what, Need: bytes, Have: left, Limit: addressspace.Limit}
}

// IsTooLarge reports whether a smaller text may succeed. That is so where memory does not suffice, by the plan
// ([MemoryError]) or by the driver, and where a text is too long ([LengthError]).
func IsTooLarge(err error) bool {
	var memory *MemoryError
	var length *LengthError
	return errors.As(err, &memory) || errors.As(err, &length) && length.Len > length.Max ||
		errors.Is(err, cl.MemObjectAllocationFailure) || errors.Is(err, cl.OutOfHostMemory)
}
