package device

import (
	"fmt"
	"unsafe"

	"github.com/suffixcl/suffixcl/internal/bytesize"
)

// Pinned is page-locked host memory for n elements. [Buffer.Upload] and [Buffer.Download] of
// the same session recognise slices of it, which the device then reads and writes by itself,
// at the speed of the bus; other memory is copied once more.
type Pinned[T Element] struct {
	s   *Session
	mem *pinned // nil for no elements
	n   int
}

// AllocPinned allocates pinned memory; what it holds is unspecified. It does not count as
// device memory, and Close of the session frees it, too.
//
// Errors: a negative length, a closed session, the driver's where it cannot have as much.
func AllocPinned[T Element](s *Session, n int) (*Pinned[T], error) {
	p := &Pinned[T]{s: s, n: n}
	switch bytes := bytesFor[T](n); {
	case s.queue.closed():
		return nil, errClosed
	case bytes < 0:
		return nil, fmt.Errorf("device: pinned memory of a negative length")
	case bytes > 0:
		mem, err := s.host.hold(int(bytes))
		if err != nil {
			return nil, fmt.Errorf("allocating pinned memory of %s: %w", bytesize.Format(bytes), err)
		}
		p.mem = mem
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

// Release frees the memory. Releasing twice, or nil, does nothing.
func (p *Pinned[T]) Release() {
	if p == nil || p.mem == nil {
		return
	}
	p.s.host.giveBack(p.mem)
	p.mem = nil
}
