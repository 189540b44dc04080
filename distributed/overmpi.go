package distributed

import (
	"context"
	"errors"
	"sync/atomic"
	"unsafe"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/mpi"
)

// ErrNoMPI is the error where no library of MPI is found; its text says what was tried and what to install.
var ErrNoMPI = mpi.ErrNoLibrary

// InitMPI initialises MPI by MPI_Init_thread, which waits for the other ranks, and returns the Communicator of all
// ranks. A process may do it once. The library is that of the launcher, or the one that SUFFIXCL_MPI_LIBRARY names; it
// is loaded here, and needs no linking. A rank ends with FinalizeMPI, or with AbortMPI after a failure.
//
// Errors: ErrNoMPI; the library's; MPI is initialised already.
func InitMPI() (Communicator, error) {
	if err := mpi.Init(); err != nil {
		return nil, err
	}
	return newOverMPI(mpi.World()), nil
}

// FinalizeMPI ends MPI, and waits for the other ranks. Errors: MPI is not initialised; the library's.
func FinalizeMPI() error { return mpi.Finalize() }

// AbortMPI ends all ranks with an exit code, as after a failure that the others do not know. It returns only where the
// library cannot.
func AbortMPI(code int) error { return mpi.World().Abort(code) }

// VisitMPI is for a library in a program that initialised MPI itself. It duplicates the program's communicator, given
// by its Fortran handle, which is what MPI_Comm_c2f returns, so that messages never mix. f gets the duplicate, which is
// freed when f returns. All ranks of the communicator have to call VisitMPI. The OS thread of the caller makes the
// calls of MPI; f runs on another goroutine. Visits of several threads at once need MPI_THREAD_MULTIPLE, and a
// communicator each.
//
// Errors: those of f; ErrNoMPI; MPI is not initialised, or ended; the thread may not call MPI, or another visit goes
// on; the handle is of no communicator.
func VisitMPI(handle int32, f func(Communicator) error) error {
	return mpi.Visit(handle, func(c *mpi.Comm) error { return f(newOverMPI(c)) })
}

// newOverMPI makes a Communicator of one of MPI. Both are used by one goroutine at a time.
func newOverMPI(c *mpi.Comm) Communicator { return overMPI{c, new(atomic.Bool)} }

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

// place is the number of this rank among those of its node.
func (m overMPI) place() (int, error) {
	node, err := m.c.SplitShared()
	if err != nil {
		return 0, err
	}
	return node.Rank(), node.Free()
}

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
