package cl

import (
	"runtime"
	"unsafe"
)

// CommandQueueProperty is a set of properties of a queue.
type CommandQueueProperty uint64

// CommandQueueProfilingEnable (cl_command_queue_properties) gives events their times.
const CommandQueueProfilingEnable CommandQueueProperty = 1 << 1

// CommandQueue holds the commands for a device. They run in the order in which they were enqueued. Each method that
// enqueues a command takes the events that the command waits for. A nil event among these counts as complete.
type CommandQueue struct {
	object
	context *Context
	device  *Device
}

// CreateCommandQueue makes a queue for a device of the context.
func (c *Context) CreateCommandQueue(d *Device, props CommandQueueProperty) (*CommandQueue, error) {
	handle, err := c.create(clCreateCommandQueue, handleOf(d), uintptr(props))
	if err != nil {
		return nil, err
	}
	q := &CommandQueue{context: c, device: d}
	q.own(handle, clReleaseCommandQueue, nil)
	return q, nil
}

// Flush sends the commands to the device.
func (q *CommandQueue) Flush() error { return q.call(clFlush) }

// Finish waits until all commands are complete. An error of a command may be reported here, or only
// by its event.
func (q *CommandQueue) Finish() error {
	err := q.call(clFinish)
	sweep()
	return err
}

// Release releases the queue. Commands that are in it are executed.
func (q *CommandQueue) Release() {
	if q != nil {
		q.free()
	}
}

// EnqueueNDRangeKernel launches a kernel with its arguments. offset, global and local have an extent for each
// dimension. An empty offset is zeros. For an empty local the driver chooses. Sizes and arguments are checked first.
func (q *CommandQueue) EnqueueNDRangeKernel(k *Kernel, offset, global, local []int, wait []*Event) (*Event, error) {
	e := new(Event)
	if err := q.launch(k, offset, global, local, wait, e); err != nil {
		return nil, err
	}
	e.adopt()
	return e, nil
}

// EnqueueNDRangeKernelNoEvent is [CommandQueue.EnqueueNDRangeKernel] without an event, which is cheaper.
func (q *CommandQueue) EnqueueNDRangeKernelNoEvent(k *Kernel, offset, global, local []int, wait []*Event) error {
	return q.launch(k, offset, global, local, wait, nil)
}

func (q *CommandQueue) launch(k *Kernel, offset, global, local []int, wait []*Event, e *Event) error {
	if k == nil || k.handle.Load() == 0 {
		return clEnqueueNDRangeKernel.refuse(invalidKernel, "the kernel is released")
	}
	if err := k.checkArgs(); err != nil {
		return err
	}
	if err := k.checkSizes(q.device, offset, global, local); err != nil {
		return err
	}
	var offsets, locals *uintptr
	if len(offset) != 0 {
		offsets = &k.sizes[0]
	}
	if len(local) != 0 {
		locals = &k.sizes[6]
	}
	err := q.enqueue(clEnqueueNDRangeKernel, wait, e, k.handle.Load(), uintptr(len(global)),
		uintptr(unsafe.Pointer(offsets)), uintptr(unsafe.Pointer(&k.sizes[3])), uintptr(unsafe.Pointer(locals)))
	if err != nil {
		return detail(err, k.name, "%s", extents(offset, global, local))
	}
	runtime.KeepAlive(k)
	return nil
}

// enqueue calls f, one of the functions that take a queue, five arguments, the events to wait for and
// the event to make, which may be nil.
//
//go:uintptrescapes
func (q *CommandQueue) enqueue(f function, wait []*Event, e *Event, a1, a2, a3, a4, a5 uintptr) error {
	count, list, err := waitList(f, wait)
	if err != nil {
		return err
	}
	err = invoke9(f, q.handle.Load(), a1, a2, a3, a4, a5,
		count, uintptr(unsafe.Pointer(list)), uintptr(unsafe.Pointer(e)))
	runtime.KeepAlive(q)
	runtime.KeepAlive(wait)
	return err
}

// EnqueueReadBuffer copies size bytes from offset of the buffer to p. Unless blocking, the memory at p is pinned, and
// must be neither read nor written until the event is complete.
func (q *CommandQueue) EnqueueReadBuffer(
	b *MemObject, blocking bool, offset, size int, p unsafe.Pointer, wait []*Event,
) (*Event, error) {
	return q.transfer(clEnqueueReadBuffer, b, blocking, offset, size, p, wait)
}

// EnqueueWriteBuffer copies size bytes from p to offset of the buffer. Unless blocking, the memory at
// p is pinned and must not be changed until the event is complete.
func (q *CommandQueue) EnqueueWriteBuffer(
	b *MemObject, blocking bool, offset, size int, p unsafe.Pointer, wait []*Event,
) (*Event, error) {
	return q.transfer(clEnqueueWriteBuffer, b, blocking, offset, size, p, wait)
}

func (q *CommandQueue) transfer(
	f function, b *MemObject, blocking bool, offset, size int, p unsafe.Pointer, wait []*Event,
) (*Event, error) {
	e := new(Event)
	if !blocking {
		e.pin(p)
	}
	err := q.enqueue(f, wait, e, b.id(), toBool(blocking), uintptr(offset), uintptr(size), uintptr(p))
	runtime.KeepAlive(b)
	if err != nil {
		e.unpin()
		return nil, rangeDetail(err, b, offset, size)
	}
	e.adopt()
	return e, nil
}

// EnqueueCopyBuffer copies size bytes from one buffer to another, or to another part of the same.
func (q *CommandQueue) EnqueueCopyBuffer(
	src, dst *MemObject, srcOffset, dstOffset, size int, wait []*Event,
) (*Event, error) {
	e := new(Event)
	err := q.enqueue(clEnqueueCopyBuffer, wait, e,
		src.id(), dst.id(), uintptr(srcOffset), uintptr(dstOffset), uintptr(size))
	runtime.KeepAlive(src)
	runtime.KeepAlive(dst)
	if err != nil {
		return nil, detail(rangeDetail(err, dst, dstOffset, size), "", "from %d, to", srcOffset)
	}
	e.adopt()
	return e, nil
}

// EnqueueFillBuffer fills size bytes from offset with a pattern, which is copied at once. The size of the pattern is a
// power of two up to 128 bytes, and divides offset and size.
func (q *CommandQueue) EnqueueFillBuffer(
	b *MemObject, pattern unsafe.Pointer, patternSize, offset, size int, wait []*Event,
) (*Event, error) {
	e := new(Event)
	err := q.enqueue(clEnqueueFillBuffer, wait, e,
		b.id(), uintptr(pattern), uintptr(patternSize), uintptr(offset), uintptr(size))
	runtime.KeepAlive(b)
	if err != nil {
		return nil, detail(rangeDetail(err, b, offset, size), "", "pattern of %d bytes", patternSize)
	}
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
