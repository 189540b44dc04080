package device

import (
	"errors"
	"fmt"

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
