package mpi

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync/atomic"
)

// File is a file that the ranks of a communicator have open. It belongs to one goroutine at a time.
type File struct {
	l      *library
	thread *thread
	name   string
	handle uintptr
	state  atomic.Pointer[error]
}

// OpenFile opens a file on all ranks. It waits for the other ranks. Errors: ErrNoSuchFile, errAccess, errFileExists
// and their kin, with the name.
func OpenFile(c *Comm, name string, mode Mode) (*File, error) {
	if err := c.usable(); err != nil {
		return nil, err
	}
	if strings.ContainsRune(name, 0) {
		return nil, fmt.Errorf("mpi: file name %q: %w", name, errBadFile)
	}
	f := &File{l: c.l, thread: c.thread, name: name}
	var err error
	f.thread.do(func() {
		var pin runtime.Pinner
		defer pin.Unpin()
		path, handle := append([]byte(name), 0), new(uint64)
		pin.Pin(&path[0])
		pin.Pin(handle)
		err = c.l.call(mpiFileOpen, c.handle, address(&path[0]), word(mode.of(c.l.abi)), c.l.abi.infoNull, address(handle))
		f.handle = uintptr(*handle)
	})
	if err != nil {
		return nil, f.explain(err)
	}
	return f, nil
}

func (f *File) explain(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", f.name, err)
}

func (f *File) usable() error {
	if ended.Load() {
		return ErrFinalized
	}
	if why := f.state.Load(); why != nil {
		return f.explain(*why)
	}
	return nil
}

func (f *File) broken(why error) { f.state.CompareAndSwap(nil, &why) }

// call calls a function that takes the file and then arguments.
func (f *File) call(fn function, args func(*runtime.Pinner) []uintptr) error {
	if err := f.usable(); err != nil {
		return err
	}
	var err error
	f.thread.do(func() {
		var pin runtime.Pinner
		defer pin.Unpin()
		err = f.l.call(fn, append([]uintptr{f.handle}, args(&pin)...)...)
	})
	return f.explain(err)
}

// Size is the length of the file in bytes.
func (f *File) Size() (int64, error) {
	size := new(int64)
	err := f.call(mpiFileGetSize, func(pin *runtime.Pinner) []uintptr {
		pin.Pin(size)
		return []uintptr{address(size)}
	})
	return *size, err
}

// SetSize makes the file that long. It waits for the other ranks, which give the same length.
func (f *File) SetSize(bytes int64) error {
	return f.call(mpiFileSetSize, func(*runtime.Pinner) []uintptr { return []uintptr{uintptr(bytes)} })
}

// Sync brings what was written to the storage. It waits for the other ranks.
func (f *File) Sync() error {
	return f.call(mpiFileSync, func(*runtime.Pinner) []uintptr { return nil })
}

// Close closes the file. It waits for the other ranks; twice does nothing.
func (f *File) Close() error {
	if f == nil || ended.Load() {
		return nil
	}
	closed := ErrFreed
	if !f.state.CompareAndSwap(nil, &closed) {
		return nil
	}
	return f.explain(f.l.free(f.thread, mpiFileClose, f.handle))
}

// ReadAt reads from a byte of the file on, and returns the number of elements: fewer than len(data) at its end. The
// context is looked at between parts of 64 MiB.
func ReadAt[T any](ctx context.Context, f *File, at int64, data []T) (int, error) {
	return transfer(ctx, f, mpiFileReadAt, at, data)
}

// WriteAt writes to a byte of the file and what follows, and returns the number of elements written. The context is
// looked at between parts of 64 MiB.
func WriteAt[T any](ctx context.Context, f *File, at int64, data []T) (int, error) {
	return transfer(ctx, f, mpiFileWriteAt, at, data)
}

// filePart is the most bytes that a blocking call moves. The non-blocking ones are no choice: MPI_File_iread_at of
// Open MPI 4.1 never completes where the file ends before the data.
const filePart = 64 << 20

// transfer moves data in parts.
func transfer[T any](ctx context.Context, f *File, fn function, at int64, data []T) (int, error) {
	b, err := bytesOf(data)
	if err != nil {
		return 0, err
	}
	done, part := 0, min(filePart, maxPart)
	for done < len(b) {
		if err := f.usable(); err != nil {
			return done / size[T](), err
		}
		to := min(len(b), done+part)
		st, err := run(ctx, f.l, f.thread, f.broken, func(o *operation) error {
			return o.finish(fn, f.handle, uintptr(at+int64(done)), o.bytes(b[done:to]), word(to-done), f.l.abi.typeByte)
		})
		if err != nil {
			return done / size[T](), f.explain(err)
		}
		if done += st.bytes; done < to {
			break
		}
	}
	return done / size[T](), nil
}

// ReadAtAll is ReadAt of all ranks together, which lets the library join what they read. most is the largest len(data)
// of any of them, which all have to know: long reads are made in parts.
func ReadAtAll[T any](ctx context.Context, f *File, at int64, data []T, most int) (int, error) {
	size, err := f.Size()
	if err != nil {
		return 0, err
	}
	return together(ctx, f, mpiFileIreadAtAll, at, data, most, size)
}

// WriteAtAll is WriteAt of all ranks together; most as in ReadAtAll.
func WriteAtAll[T any](ctx context.Context, f *File, at int64, data []T, most int) (int, error) {
	return together(ctx, f, mpiFileIwriteAtAll, at, data, most, math.MaxInt64)
}

// together moves data up to byte `end` of the file, in parts, as many as for `most` elements.
func together[T any](ctx context.Context, f *File, fn function, at int64, data []T, most int, end int64) (int, error) {
	b, err := bytesOf(data)
	if err != nil {
		return 0, err
	}
	if err := f.usable(); err != nil {
		return 0, err
	}
	if len(data) > most {
		return 0, fmt.Errorf("%s: %d elements, at most %d were announced: %w", f.name, len(data), most, ErrCount)
	}
	b = b[:max(0, min(int64(len(b)), end-at))]
	done := 0
	err = parts(most*size[T](), func(from, to int) error {
		from, to = min(from, len(b)), min(to, len(b))
		st, err := run(ctx, f.l, f.thread, f.broken, func(o *operation) error {
			return o.start(fn, f.handle, uintptr(at+int64(from)), o.bytes(b[from:to]), word(to-from), f.l.abi.typeByte)
		})
		done += st.bytes
		return err
	})
	return done / size[T](), f.explain(err)
}
