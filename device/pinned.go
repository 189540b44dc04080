package device

import (
	"fmt"
	"unsafe"

	"github.com/suffixcl/suffixcl/cl"
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
	case s.queue == nil:
		return nil, errClosed
	case bytes < 0:
		return nil, fmt.Errorf("device: pinned memory of a negative length")
	case bytes > 0:
		mem, err := s.pin(int(bytes))
		if err != nil {
			return nil, fmt.Errorf("allocating pinned memory of %s: %w", bytesize.Format(bytes), err)
		}
		p.mem = mem
		s.pins = append(s.pins, mem)
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
	for i, mem := range p.s.pins {
		if mem == p.mem {
			p.s.pins = append(p.s.pins[:i], p.s.pins[i+1:]...)
			p.mem.release(p.s)
			break
		}
	}
	p.mem = nil
}

// pinned is a buffer in host memory that stays mapped.
type pinned struct {
	mem    *cl.MemObject
	mapped *cl.MappedMemObject
	host   []byte
}

func (s *Session) pin(bytes int) (*pinned, error) {
	mem, err := s.ctx.CreateEmptyBuffer(cl.MemReadWrite|cl.MemAllocHostPtr, bytes)
	if err != nil {
		return nil, err
	}
	mapped, e, err := s.queue.EnqueueMapBuffer(mem, true, cl.MapFlagRead|cl.MapFlagWrite, 0, bytes, nil)
	e.Release()
	if err != nil {
		mem.Release()
		return nil, err
	}
	return &pinned{mem, mapped, mapped.ByteSlice()}, nil
}

func (p *pinned) release(s *Session) {
	if p == nil {
		return
	}
	if e, err := s.queue.EnqueueUnmapMemObject(p.mem, p.mapped, nil); err == nil {
		e.Wait()
		e.Release()
	}
	p.mem.Release()
	p.host = nil
}

// isPinned reports whether all of host is pinned memory of the session.
func (s *Session) isPinned(host []byte) bool {
	if len(host) == 0 {
		return false
	}
	at := uintptr(unsafe.Pointer(&host[0]))
	for _, p := range s.pins {
		begin := uintptr(unsafe.Pointer(&p.host[0]))
		if at >= begin && at-begin <= uintptr(len(p.host)-len(host)) && len(host) <= len(p.host) {
			return true
		}
	}
	return false
}
