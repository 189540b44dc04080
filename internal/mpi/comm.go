package mpi

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"
)

// state of the library in this process.
var (
	world, self atomic.Pointer[Comm]
	ended       atomic.Bool
	owner       atomic.Bool // of the library: Finalize has to be called
	outstanding atomic.Int32
)

// Comm is a communicator. It belongs to one goroutine at a time.
type Comm struct {
	l          *library
	thread     *thread
	handle     uintptr
	rank, size int
	state      atomic.Pointer[error] // why it cannot be used
	internal   *Comm                 // a duplicate for messages that collectives of this package send
	parent     *Comm                 // of which this is that duplicate
}

// The colours and ranks with a meaning of their own.
const (
	Undefined = -1 // colour of Split: no communicator for this rank
	AnySource = -1 // of Recv
	AnyTag    = -1 // of Recv
)

// newComm takes over a handle. It runs on the thread of MPI.
func newComm(l *library, t *thread, handle uintptr) (*Comm, error) {
	var pin runtime.Pinner
	defer pin.Unpin()
	out := new([2]int32)
	pin.Pin(out)
	if err := l.call(mpiCommSetErrhandler, handle, l.abi.errorsReturn); err != nil {
		return nil, err
	}
	if err := l.call(mpiCommRank, handle, address(&out[0])); err != nil {
		return nil, err
	}
	if err := l.call(mpiCommSize, handle, address(&out[1])); err != nil {
		return nil, err
	}
	return &Comm{l: l, thread: t, handle: handle, rank: int(out[0]), size: int(out[1])}, nil
}

// Rank is the number of this rank, from 0.
func (c *Comm) Rank() int { return c.rank }

// Size is the number of ranks.
func (c *Comm) Size() int { return c.size }

// usable returns why the communicator cannot be used.
func (c *Comm) usable() error {
	switch {
	case c == nil:
		return ErrNotInitialized
	case ended.Load():
		return ErrFinalized
	}
	if why := c.state.Load(); why != nil {
		return *why
	}
	return nil
}

func (c *Comm) broken(why error) {
	for ; c != nil; c = c.parent {
		c.state.CompareAndSwap(nil, &why)
	}
}

// run begins an operation and waits for it.
func (c *Comm) run(ctx context.Context, begin func(*operation) error) (Status, error) {
	if err := c.usable(); err != nil {
		return Status{}, err
	}
	return run(ctx, c.l, c.thread, c.broken, begin)
}

// derive makes a communicator by a call that ends with the address of its handle, and returns nil where it is null.
// It runs on the thread of MPI.
func (c *Comm) derive(f function, args ...uintptr) (*Comm, error) {
	var pin runtime.Pinner
	defer pin.Unpin()
	handle := new(uint64)
	pin.Pin(handle)
	if err := c.l.call(f, append(args, address(handle))...); err != nil {
		return nil, err
	}
	if uintptr(*handle) == c.l.abi.commNull {
		return nil, nil
	}
	return newComm(c.l, c.thread, uintptr(*handle))
}

func (c *Comm) dup() (*Comm, error) { return c.derive(mpiCommDup, c.handle) }

// Dup duplicates the communicator. It waits for the other ranks.
func (c *Comm) Dup() (made *Comm, err error) {
	if err := c.usable(); err != nil {
		return nil, err
	}
	c.thread.do(func() { made, err = c.dup() })
	return made, err
}

// Split makes a communicator of the ranks with the same colour, ordered by key and then by rank. Colours are not
// negative; a rank that gives Undefined gets nil. It waits for the other ranks.
func (c *Comm) Split(color, key int) (made *Comm, err error) {
	if err := c.usable(); err != nil {
		return nil, err
	}
	if color < 0 {
		color = c.l.abi.undefined
	}
	c.thread.do(func() { made, err = c.derive(mpiCommSplit, c.handle, word(color), word(key)) })
	return made, err
}

// SplitShared makes a communicator of the ranks that can share memory with this one: those of a node. It waits for
// the other ranks.
func (c *Comm) SplitShared() (made *Comm, err error) {
	if err := c.usable(); err != nil {
		return nil, err
	}
	c.thread.do(func() {
		made, err = c.derive(mpiCommSplitType, c.handle, word(c.l.abi.commTypeShared), word(c.rank), c.l.abi.infoNull)
	})
	return made, err
}

// Free gives a communicator back that Dup, Split, SplitShared or FromFortran made. It waits for the other ranks;
// twice does nothing. A broken one is left as it is.
func (c *Comm) Free() error {
	if c == nil || ended.Load() {
		return nil
	}
	freed := ErrFreed
	if !c.state.CompareAndSwap(nil, &freed) {
		return nil
	}
	if err := c.internal.Free(); err != nil {
		return err
	}
	return c.l.free(c.thread, mpiCommFree, c.handle)
}

// messages is the communicator on which collectives of this package send messages. All ranks have to call it.
func (c *Comm) messages() (*Comm, error) {
	if c.internal == nil {
		made, err := c.Dup()
		if err != nil {
			return nil, err
		}
		made.parent, c.internal = c, made
	}
	return c.internal, nil
}

// abortPatience is how long Abort waits for a call of the library that another goroutine makes.
const abortPatience = time.Second

// Abort ends all ranks of the communicator, this one too, with a code that the launcher returns. It does not return
// where the library keeps its word.
func (c *Comm) Abort(code int) error {
	if c == nil || c.l == nil {
		return ErrNotInitialized
	}
	result := make(chan error, 2)
	abort := func() { result <- c.l.call(mpiAbort, c.handle, word(code)) }
	go c.thread.do(abort)
	select {
	case err := <-result:
		return err
	case <-time.After(abortPatience): // the thread is inside a call that may never end
		abort()
		return <-result
	}
}

// Barrier waits until all ranks have called it.
func (c *Comm) Barrier(ctx context.Context) error {
	_, err := c.run(ctx, func(o *operation) error { return o.start(mpiIbarrier, c.handle) })
	return err
}

// checkRank returns an error unless there is such a rank.
func (c *Comm) checkRank(what string, rank int) error {
	if err := c.usable(); err != nil {
		return err
	}
	if rank < 0 || rank >= c.size {
		return fmt.Errorf("mpi: %s %d in a communicator of %d: %w", what, rank, c.size, ErrRank)
	}
	return nil
}
