package device

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"unsafe"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/internal/hooks"
)

// Buffer is typed device memory: an allocation, or a view of one. A buffer of length 0 is legal and has no memory.
type Buffer[T Element] struct {
	mem *allocation // nil when nothing was allocated
	s   *Session
	off int64 // bytes from the start of the allocation
	n   int
	// from is where the view begins that the buffer is the root of, in bytes: a kernel may touch nothing before.
	from int64
}

// Alloc allocates n elements, with unspecified contents.
//
// Errors: a *[MemoryError] if n exceeds the session's memory limit or the device's largest buffer; a negative length; a
// closed session; the driver's own.
func Alloc[T Element](s *Session, n int) (*Buffer[T], error) {
	b := &Buffer[T]{s: s, n: n}
	mem, err := s.memory.allocate(bytesFor[T](n), "buffer", nil)
	if err != nil {
		return nil, err
	}
	b.mem = mem
	return b, nil
}

// Release frees the whole allocation, of a view too. The buffer and its views are refused from then on. The driver
// keeps the memory alive until enqueued work has ended. Releasing twice, or nil, does nothing.
func (b *Buffer[T]) Release() {
	if b != nil {
		b.s.memory.free(b.mem)
		b.mem = nil
	}
}

// Len is the number of elements.
func (b *Buffer[T]) Len() int { return b.n }

// Bytes is the size in bytes.
func (b *Buffer[T]) Bytes() int64 { return int64(b.n) * int64(sizeof[T]()) }

// Session is the session that the buffer belongs to.
func (b *Buffer[T]) Session() *Session { return b.s }

// View returns n elements from element off, which share the buffer's memory. Out of range is a sticky error and yields
// an empty view.
//
// Every view can be read, written, filled and copied. A kernel takes a view only if it begins where the allocation
// does. For another it takes [Buffer.Args]. OpenCL has sub-buffers for that, but NVIDIA's driver (580) crashes now and
// then when it releases one.
func (b *Buffer[T]) View(off, n int) *Buffer[T] {
	if off < 0 || n < 0 || off > b.n-n {
		b.s.Fail(fmt.Errorf("device: view of %d elements from %d in a buffer of %d", n, off, b.n))
		return &Buffer[T]{s: b.s}
	}
	return &Buffer[T]{mem: b.mem, s: b.s, off: b.off + int64(off)*int64(sizeof[T]()), n: n}
}

// Reinterpret returns the same memory as elements of another type. A remainder that does not fill an element is left
// out.
func Reinterpret[U, T Element](b *Buffer[T]) *Buffer[U] {
	return &Buffer[U]{mem: b.mem, s: b.s, off: b.off, n: int(b.Bytes() / int64(sizeof[U]())), from: b.from}
}

// Root returns the buffer that a view is part of, and the element of it where the view begins. A kernel that takes a
// view is given both.
func (b *Buffer[T]) Root() (*Buffer[T], int) {
	if b == nil || b.off == 0 {
		return b, 0
	}
	at := int(b.off / int64(sizeof[T]()))
	return &Buffer[T]{mem: b.mem, s: b.s, n: at + b.n, from: b.off}, at
}

// Args are the two arguments of a kernel that takes a view: the buffer of [Buffer.Root], and the element of it where
// the view begins, a ulong.
func (b *Buffer[T]) Args() []any {
	root, at := b.Root()
	return []any{root, uint64(at)}
}

// kernelBuffer is implemented by *Buffer[T].
type kernelBuffer interface {
	kernelArg(s *Session) (*cl.MemObject, error)
	span() view
	element() reflect.Type
}

// kernelArg returns the memory object to bind for a launch on s.
func (b *Buffer[T]) kernelArg(s *Session) (*cl.MemObject, error) {
	switch {
	case b == nil || b.n == 0:
		return nil, nil
	case b.s != s:
		return nil, fmt.Errorf("device: buffer of another session")
	case b.mem == nil || b.mem.root == nil:
		return nil, fmt.Errorf("device: buffer was released")
	case b.off != 0:
		return nil, fmt.Errorf("device: view at byte %d: kernels need the start of a buffer", b.off)
	}
	return b.mem.root, nil
}

// span is what a kernel that gets the buffer may touch.
func (b *Buffer[T]) span() view {
	if b == nil || b.n == 0 {
		return view{}
	}
	return view{b.mem, span{b.off + b.from, b.off + b.Bytes()}}
}

// element is the type of the elements.
func (b *Buffer[T]) element() reflect.Type { return reflect.TypeFor[T]() }

// ready returns the allocation for a transfer of n elements, or a sticky error.
func (b *Buffer[T]) ready(n int, call string) (*cl.MemObject, error) {
	if b.s.queue.err != nil {
		return nil, b.s.queue.err
	}
	return b.holding(n, call)
}

// holding returns the allocation if it has n elements.
func (b *Buffer[T]) holding(n int, call string) (*cl.MemObject, error) {
	if n < 0 || n > b.n {
		return nil, fmt.Errorf("device: %s of %d elements, buffer holds %d", call, n, b.n)
	}
	if n > 0 && (b.mem == nil || b.mem.root == nil) {
		return nil, fmt.Errorf("device: %s of a released buffer", call)
	}
	if n == 0 {
		return nil, nil
	}
	return b.mem.root, nil
}

// Write copies src to the start of the buffer. src is as long as the buffer, or shorter, and may be changed when Write
// returns. Write is for small data, [Buffer.Upload] for large. Errors: src is longer, the buffer is released, the
// sticky error of the session, the driver's.
func (b *Buffer[T]) Write(src []T) error {
	mem, err := b.ready(len(src), "write")
	if err != nil || mem == nil {
		return err
	}
	if host := bytesOf(src); b.s.zeroCopy.takes(b.off, len(host)) {
		root, _ := b.Root()
		return b.s.zeroCopy.write(Reinterpret[Void](root), b.off, host)
	}
	q, size := &b.s.queue, len(src)*sizeof[T]()
	e, err := q.commands.EnqueueWriteBuffer(mem, true, int(b.off), size, unsafe.Pointer(&src[0]), nil)
	return q.transferred(e, err, "write")
}

// Read waits for enqueued work and copies the start of the buffer to dst. dst is as long as the buffer, or shorter.
// Read is for small data, [Buffer.Download] for large. Errors: dst is longer, the buffer is released, the sticky error
// of the session, the driver's.
func (b *Buffer[T]) Read(dst []T) error {
	err := b.read(dst)
	if b.s.hooks.ReadBack != nil && err == nil {
		b.s.hooks.ReadBack(bytesOf(dst))
	}
	return err
}

func (b *Buffer[T]) read(dst []T) error {
	mem, err := b.ready(len(dst), "read")
	if err != nil || mem == nil {
		return err
	}
	if host := bytesOf(dst); b.s.zeroCopy.takes(b.off, len(host)) {
		root, _ := b.Root()
		return b.s.zeroCopy.read(Reinterpret[Void](root), b.off, host)
	}
	q, size := &b.s.queue, len(dst)*sizeof[T]()
	e, err := q.commands.EnqueueReadBuffer(mem, true, int(b.off), size, unsafe.Pointer(&dst[0]), nil)
	return q.transferred(e, err, "read")
}

// begunRead is a Buffer.Read that goes on while the host enqueues more.
type begunRead struct {
	s      *Session
	host   []byte
	ended  bool
	err    error
	event  *cl.Event // nil where a kernel copies
	number uint32    // of the read, there
}

// beginRead enqueues copying the start of the buffer to host. The device is handed it at once.
func (b *Buffer[T]) beginRead(host []byte) hooks.Transfer {
	r := &begunRead{s: b.s, host: host}
	mem, err := b.ready(len(host)/sizeof[T](), "read")
	switch {
	case err != nil || mem == nil:
		r.err, r.ended = err, true
		b.s.Fail(err)
	case b.s.zeroCopy.takes(b.off, len(host)):
		root, _ := b.Root()
		b.s.zeroCopy.begin(Reinterpret[Void](root), b.off, len(host))
		r.number = b.s.zeroCopy.number
		b.s.queue.flush()
	default:
		on := b.s.queue.commands
		r.event, r.err = on.EnqueueReadBuffer(mem, false, int(b.off), len(host), unsafe.Pointer(&host[0]), nil)
		b.s.queue.flush()
	}
	return r
}

// Wait does not wait for what was enqueued later.
func (r *begunRead) Wait() error {
	if r.ended {
		return r.err
	}
	r.ended = true
	switch z := &r.s.zeroCopy; {
	case r.event != nil:
		r.err = r.event.Wait()
		r.event.Release()
	case r.err == nil && r.number != z.number:
		r.err = errors.New("another read has begun meanwhile")
	case r.err == nil:
		r.err = z.end(r.host)
	}
	if r.err == nil {
		r.err = r.s.queue.err
	} else {
		r.s.Fail(fmt.Errorf("read: %w", r.err))
	}
	if r.s.hooks.ReadBack != nil && r.err == nil {
		r.s.hooks.ReadBack(r.host)
	}
	return r.err
}

// Fill enqueues that every element is set to v. Errors are sticky.
func (b *Buffer[T]) Fill(v T) {
	mem, err := b.ready(b.n, "fill")
	if err != nil || mem == nil {
		b.s.Fail(err)
		return
	}
	s, bytes := b.s, int(b.Bytes())
	if bytes >= wideFrom && b.off%widePattern == 0 {
		wide := bytes - bytes%widePattern
		pattern := slices.Repeat([]T{v}, widePattern/sizeof[T]())
		e, err := s.queue.commands.EnqueueFillBuffer(mem, unsafe.Pointer(&pattern[0]), widePattern, int(b.off), wide, nil)
		s.queue.record(e, "fill", int64(wide))
		s.Fail(err)
		rest := (bytes - wide) / sizeof[T]()
		Copy(b.View(b.n-rest, rest), b, rest)
		return
	}
	e, err := s.queue.commands.EnqueueFillBuffer(mem, unsafe.Pointer(&v), sizeof[T](), int(b.off), bytes, nil)
	s.queue.record(e, "fill", int64(bytes))
	s.Fail(err)
}

// Buffers of wideFrom bytes and more are filled by patterns of 16 bytes. NVIDIA's driver (580)
// fills 0.4 TB a second by patterns of one byte, 1.7 of four and 3.6 of 16, hangs or faults at
// 2^31 patterns from the start of the buffer, and leaves out fills of 2^32.
const (
	wideFrom    = 1 << 20
	widePattern = 16
)

// Copy enqueues a copy of the first n elements of src to dst. The two may not overlap. Errors are sticky.
func Copy[T Element](dst, src *Buffer[T], n int) {
	s := dst.s
	d, err := dst.ready(n, "copy")
	if err == nil && src.s != s {
		err = fmt.Errorf("device: copy from a buffer of another session")
	}
	if err == nil {
		var f *cl.MemObject
		if f, err = src.ready(n, "copy"); err == nil && d != nil {
			bytes := n * sizeof[T]()
			var e *cl.Event
			e, err = s.queue.commands.EnqueueCopyBuffer(f, d, int(src.off), int(dst.off), bytes, nil)
			s.queue.record(e, "copy", 2*int64(bytes))
		}
	}
	s.Fail(err)
}
