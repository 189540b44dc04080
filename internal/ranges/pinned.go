package ranges

import (
	"unsafe"

	"github.com/suffixcl/suffixcl/device"
)

// hostMemory is the page-locked memory of a run: of pieces of the text first, and then of blocks of results. It is
// allocated once, which takes some 0.5 ms a MB.
type hostMemory struct{ memory *device.Pinned[byte] }

func (h *hostMemory) allocate(s *device.Session, bytes int64) (err error) {
	h.memory, err = device.AllocPinned[byte](s, int(bytes))
	return err
}

// all returns all of the memory. Memory that was taken from it before must not be used after that.
func (h *hostMemory) all() *pinned { return &pinned{h.memory.Slice()} }

func (h *hostMemory) release() {
	h.memory.Release()
	h.memory = nil
}

// pinned is page-locked memory that is left to take.
type pinned struct{ left []byte }

// pinnedUnit is the unit that memory is taken in.
const pinnedUnit = 64

// take takes n elements. There must be room for them.
func take[T uint8 | uint32 | uint64](p *pinned, n int) []T {
	bytes := n * int(unsafe.Sizeof(*new(T)))
	part := p.left[:bytes]
	p.left = p.left[(bytes+pinnedUnit-1)/pinnedUnit*pinnedUnit:]
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(part))), n)
}
