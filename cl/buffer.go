package cl

import (
	"runtime"
	"unsafe"
)

// MemFlag says how a buffer is used, by kernels and by the host.
type MemFlag uint64

// The flags of buffers (cl_mem_flags).
const (
	MemReadWrite    MemFlag = 1 << 0
	MemAllocHostPtr MemFlag = 1 << 4 // memory that the host can reach: fast to map

	memUseHostPtr MemFlag = 1 << 3 // is that of CreateBufferIn
)

// MapFlag says what a mapped region is used for.
type MapFlag uint64

// The flags of mappings (cl_map_flags).
const (
	MapFlagRead  MapFlag = 1 << 0
	MapFlagWrite MapFlag = 1 << 1
)

// MemObject is a buffer.
type MemObject struct {
	object
	context *Context
	size    int
	pins    *pinned // host memory, or nil
}

// CreateEmptyBuffer makes a buffer of size bytes, with unspecified contents. A size of 0 is refused.
func (c *Context) CreateEmptyBuffer(flags MemFlag, size int) (*MemObject, error) {
	if flags&memUseHostPtr != 0 {
		return nil, clCreateBuffer.refuse(invalidHostPtr, "CL_MEM_USE_HOST_PTR without memory")
	}
	if size <= 0 {
		return nil, clCreateBuffer.refuse(invalidBufferSize, "%d bytes", size)
	}
	return c.buffer(flags, size, nil, nil)
}

// CreateBufferIn makes a buffer of host memory (CL_MEM_USE_HOST_PTR), which has to be aligned as the kernels want it.
// The host reads and writes it only while it is mapped, until all commands that use the buffer have ended. The memory
// is held until the buffer is released.
func (c *Context) CreateBufferIn(flags MemFlag, host []byte) (*MemObject, error) {
	if len(host) == 0 {
		return nil, clCreateBuffer.refuse(invalidBufferSize, "%d bytes", len(host))
	}
	pins := new(pinned)
	pins.pinner.Pin(&host[0])
	b, err := c.buffer(flags|memUseHostPtr, len(host), unsafe.Pointer(&host[0]), pins)
	if err != nil {
		pins.release()
	}
	return b, err
}

func (c *Context) buffer(flags MemFlag, size int, host unsafe.Pointer, pins *pinned) (*MemObject, error) {
	handle, err := c.create(clCreateBuffer, uintptr(flags), uintptr(size), uintptr(host))
	if err != nil {
		return nil, detail(err, "", "%d bytes", size)
	}
	b := &MemObject{context: c, size: size, pins: pins}
	b.own(handle, clReleaseMemObject, pins)
	return b, nil
}

// Release releases the buffer. Commands that are in a queue still use it. A kernel that has it as an argument does not
// keep it.
func (b *MemObject) Release() {
	if b == nil {
		return
	}
	b.free()
	if b.pins != nil {
		b.pins.release()
	}
}

func (b *MemObject) id() uintptr {
	if b == nil {
		return 0
	}
	return b.handle.Load()
}

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

// rangeDetail adds the part of a buffer that a command was about.
func rangeDetail(err error, b *MemObject, offset, size int) error {
	if b == nil {
		return detail(err, "", "no buffer")
	}
	return detail(err, "", "%d bytes from %d of %d", size, offset, b.size)
}
