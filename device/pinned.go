package device

import (
	"fmt"
	"unsafe"

	"github.com/suffixcl/suffixcl/internal/bytesize"
)

// Pinned is page-locked host memory for n elements. [Buffer.Upload] and [Buffer.Download] of the same session recognise
// slices of it. The device then reads and writes them by itself, at the speed of the bus. Other memory is copied once
// more on discrete GPUs.
type Pinned[T Element] struct {
	host *hostMemory
	mem  *pinned // nil for no elements
	n    int
}

// AllocPinned allocates pinned memory for n elements, with unspecified contents. It does not count as device memory.
// Close of the session frees it, too.
//
// Errors: a negative length, a closed session, the driver's where it cannot have as much.
func AllocPinned[T Element](s *Session, n int) (*Pinned[T], error) {
	p := &Pinned[T]{host: &s.host, n: n}
	switch bytes := bytesFor[T](n); {
	case s.queue.closed():
		return nil, errClosed
	case bytes < 0:
		return nil, fmt.Errorf("device: pinned memory of a negative length")
	case bytes > 0:
		var err error
		if p.mem, err = s.host.hold(int(bytes)); err != nil {
			return nil, fmt.Errorf("allocating pinned memory of %s: %w", bytesize.Format(bytes), err)
		}
	}
	return p, nil
}

// Slice is the memory, nil after Release. It must not be used after that.
func (p *Pinned[T]) Slice() []T {
	if p.mem == nil || p.mem.host == nil {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&p.mem.host[0])), p.n)
}

// Release frees the memory. Releasing twice, or nil, does nothing. Of a device with memory of its own the session keeps
// up to 256 MiB of what was released last, for what is allocated next.
func (p *Pinned[T]) Release() {
	if p != nil && p.mem != nil {
		p.host.giveBack(p.mem)
		p.mem = nil
	}
}
