package distributed

import (
	"context"
	"errors"
	"sync/atomic"
	"unsafe"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/mpi"
)

// OverMPI makes a Communicator of one of MPI. Both are used by one goroutine at a time.
func OverMPI(c *mpi.Comm) Communicator { return overMPI{c, new(atomic.Bool)} }

type overMPI struct {
	c *mpi.Comm
	// left tells that a call has failed here, after which nothing is said that waits for the others: they may be in
	// another call.
	left *atomic.Bool
}

// seen notes a failure.
func (m overMPI) seen(err error) error {
	if err != nil {
		m.left.Store(true)
	}
	return err
}

func (m overMPI) Rank() int { return m.c.Rank() }
func (m overMPI) Size() int { return m.c.Size() }

func (m overMPI) Allgatherv(ctx context.Context, data, all []byte, counts []int) error {
	return m.seen(mpi.Allgatherv(ctx, m.c, data, all, counts))
}

func (m overMPI) Alltoallv(ctx context.Context, data []byte, outCounts []int, all []byte, inCounts []int) error {
	return m.seen(mpi.Alltoallv(ctx, m.c, data, outCounts, all, inCounts))
}

func (m overMPI) Shared(ctx context.Context, n int) (Memory, error) {
	node, err := m.c.SplitShared()
	if err != nil {
		return nil, m.seen(err)
	}
	leader := []uint32{uint32(m.c.Rank())}
	if err := mpi.Bcast(ctx, node, leader, 0); err != nil {
		return nil, m.seen(err)
	}
	w, err := mpi.AllocateShared(node, n+device.InPlaceAlignment)
	if err != nil {
		return nil, m.seen(err)
	}
	// Libraries put it after some words of their own, which are as many for all ranks: pages are pages everywhere.
	bytes := w.Bytes()
	bytes = bytes[-uintptr(unsafe.Pointer(unsafe.SliceData(bytes)))%device.InPlaceAlignment:][:n]
	return &window{Window: w, bytes: bytes, of: m, node: node, leader: int(leader[0])}, nil
}

// window is a Memory with the communicator that it belongs to.
type window struct {
	*mpi.Window
	bytes  []byte // aligned
	of     overMPI
	node   *mpi.Comm
	leader int
}

func (w *window) Bytes() []byte { return w.bytes }

func (w *window) Leader() int { return w.leader }

func (w *window) Fence(ctx context.Context) error { return w.of.seen(w.Window.Fence(ctx)) }

// Free leaves the memory to the end of the process once a call has failed: it would wait for the other ranks.
func (w *window) Free() error {
	if w.of.left.Load() {
		return nil
	}
	if err := w.Window.Free(); err != nil {
		return err
	}
	return w.node.Free()
}

func (m overMPI) Messages(context.Context) (Messages, error) {
	up, err := m.c.Dup()
	if err != nil {
		return nil, m.seen(err)
	}
	down, err := m.c.Dup()
	if err != nil {
		return nil, m.seen(err)
	}
	if m.c.Rank() > 0 {
		return messages{of: m, out: up, in: down}, nil
	}
	return messages{of: m, out: down, in: up}, nil
}

// messages has a communicator for those to rank 0, and one for those from it: each belongs to one goroutine at a time.
type messages struct {
	of      overMPI
	out, in *mpi.Comm
}

func (m messages) Send(ctx context.Context, to int, message Message) error {
	return m.of.seen(mpi.Send(ctx, m.out, message[:], to, 0))
}

func (m messages) Recv(ctx context.Context) (from int, message Message, err error) {
	list := new(Message)
	st, err := mpi.Recv(ctx, m.in, list[:], mpi.AnySource, 0)
	return st.Source, *list, m.of.seen(err)
}

func (m messages) Free() error {
	up, down := m.in, m.out
	if up.Rank() > 0 {
		up, down = down, up
	}
	return errors.Join(up.Free(), down.Free())
}
