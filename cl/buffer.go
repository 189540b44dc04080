package cl

import (
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
