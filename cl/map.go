package cl

import (
	"runtime"
	"unsafe"
)

// MapFlag says what a mapped region is used for.
type MapFlag uint64

// The flags of mappings (cl_map_flags).
const (
	MapFlagRead  MapFlag = 1 << 0
	MapFlagWrite MapFlag = 1 << 1
)

// MappedMemObject is a region of a buffer in the host's address space, until it is unmapped.
type MappedMemObject struct {
	address unsafe.Pointer // not Go memory
	size    int
}

// ByteSlice returns the region, which is empty once it is unmapped. A slice must not be used after that.
func (m *MappedMemObject) ByteSlice() []byte { return unsafe.Slice((*byte)(m.address), m.size) }

// EnqueueMapBuffer maps size bytes from offset of the buffer. Unless blocking, the region must not be used before the
// event is complete.
func (q *CommandQueue) EnqueueMapBuffer(
	b *MemObject, blocking bool, flags MapFlag, offset, size int, wait []*Event,
) (*MappedMemObject, *Event, error) {
	count, list, err := waitList(clEnqueueMapBuffer, wait)
	if err != nil {
		return nil, nil, err
	}
	e := new(Event)
	address, err := q.create(clEnqueueMapBuffer, b.id(), toBool(blocking), uintptr(flags), uintptr(offset), uintptr(size),
		count, uintptr(unsafe.Pointer(list)), uintptr(unsafe.Pointer(e)))
	runtime.KeepAlive(b)
	runtime.KeepAlive(wait)
	if err != nil {
		return nil, nil, rangeDetail(err, b, offset, size)
	}
	e.adopt()
	return &MappedMemObject{address: *(*unsafe.Pointer)(unsafe.Pointer(&address)), size: size}, e, nil
}

// EnqueueUnmapMemObject ends a mapping. What was written to it is in the buffer when the event is complete.
func (q *CommandQueue) EnqueueUnmapMemObject(b *MemObject, m *MappedMemObject, wait []*Event) (*Event, error) {
	if m == nil || m.address == nil {
		return nil, clEnqueueUnmapMemObject.refuse(invalidValue, "the region is not mapped")
	}
	count, list, err := waitList(clEnqueueUnmapMemObject, wait)
	if err != nil {
		return nil, err
	}
	e := new(Event)
	err = q.call(clEnqueueUnmapMemObject, b.id(), uintptr(m.address),
		count, uintptr(unsafe.Pointer(list)), uintptr(unsafe.Pointer(e)))
	runtime.KeepAlive(b)
	runtime.KeepAlive(wait)
	if err != nil {
		return nil, err
	}
	m.address, m.size = nil, 0
	e.adopt()
	return e, nil
}
