package mpi

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"unsafe"
)

// Window is memory that the ranks of a node share. It belongs to one goroutine at a time.
type Window struct {
	comm   *Comm
	handle uintptr
	memory []byte
	freed  atomic.Bool
}

// AllocateShared allocates n bytes, zero or not, that all ranks of the communicator see: a communicator made by
// [Comm.SplitShared]. It waits for the other ranks. What a rank writes the others see after Fence.
func AllocateShared(c *Comm, n int) (*Window, error) {
	if err := c.usable(); err != nil {
		return nil, err
	}
	if n < 0 {
		return nil, fmt.Errorf("mpi: shared memory of %d bytes: %w", n, ErrSize)
	}
	var (
		w   *Window
		err error
	)
	c.thread.do(func() { w, err = c.allocateShared(n) })
	return w, err
}

// allocateShared has rank 0 allocate all of it, and the others nothing.
func (c *Comm) allocateShared(n int) (*Window, error) {
	var pin runtime.Pinner
	defer pin.Unpin()
	out := new(struct {
		base   unsafe.Pointer
		handle uint64
		bytes  int64
		unit   int32
	})
	pin.Pin(out)
	mine := 0
	if c.rank == 0 {
		mine = n
	}
	if err := c.l.call(mpiWinAllocateShared, uintptr(mine), 1, c.l.abi.infoNull, c.handle, address(&out.base),
		address(&out.handle)); err != nil {
		return nil, err
	}
	w := &Window{comm: c, handle: uintptr(out.handle)}
	if err := c.l.call(mpiWinSharedQuery, w.handle, 0, address(&out.bytes), address(&out.unit),
		address(&out.base)); err != nil {
		return nil, err
	}
	if out.bytes < int64(n) {
		return nil, fmt.Errorf("mpi: shared memory of %d bytes, asked for %d on this rank and less on rank 0: %w",
			out.bytes, n, ErrSize)
	}
	if n > 0 {
		w.memory = unsafe.Slice((*byte)(out.base), n)
	}
	return w, nil
}

// Bytes is the memory. It is not to be used after Free.
func (w *Window) Bytes() []byte { return w.memory }

// Fence waits for all ranks; then each sees what the others have written before.
func (w *Window) Fence(ctx context.Context) error { return w.comm.Barrier(ctx) }

// Free gives the memory back. It waits for the other ranks; twice does nothing.
func (w *Window) Free() error {
	if w == nil || !w.freed.CompareAndSwap(false, true) {
		return nil
	}
	if err := w.comm.usable(); err != nil {
		return err
	}
	w.memory = nil
	return w.comm.l.free(w.comm.thread, mpiWinFree, w.handle)
}
