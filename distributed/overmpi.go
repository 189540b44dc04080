package distributed

import (
	"context"
	"errors"

	"github.com/suffixcl/suffixcl/mpi"
)

// OverMPI makes a Communicator of one of MPI. Both are used by one goroutine at a time.
func OverMPI(c *mpi.Comm) Communicator { return overMPI{c} }

type overMPI struct{ c *mpi.Comm }

func (m overMPI) Rank() int { return m.c.Rank() }
func (m overMPI) Size() int { return m.c.Size() }

func (m overMPI) Allgatherv(ctx context.Context, data, all []byte, counts []int) error {
	return mpi.Allgatherv(ctx, m.c, data, all, counts)
}

func (m overMPI) Alltoallv(ctx context.Context, data []byte, outCounts []int, all []byte, inCounts []int) error {
	return mpi.Alltoallv(ctx, m.c, data, outCounts, all, inCounts)
}

func (m overMPI) Shared(ctx context.Context, n int) (Memory, error) {
	node, err := m.c.SplitShared()
	if err != nil {
		return nil, err
	}
	leader := []uint32{uint32(m.c.Rank())}
	if err := mpi.Bcast(ctx, node, leader, 0); err != nil {
		return nil, err
	}
	w, err := mpi.AllocateShared(node, n)
	if err != nil {
		return nil, err
	}
	return &window{Window: w, node: node, leader: int(leader[0])}, nil
}

// window is a Memory with the communicator that it belongs to.
type window struct {
	*mpi.Window
	node   *mpi.Comm
	leader int
}

func (w *window) Leader() int { return w.leader }

func (w *window) Free() error {
	if err := w.Window.Free(); err != nil {
		return err
	}
	return w.node.Free()
}

func (m overMPI) Messages(context.Context) (Messages, error) {
	up, err := m.c.Dup()
	if err != nil {
		return nil, err
	}
	down, err := m.c.Dup()
	if err != nil {
		return nil, err
	}
	if m.c.Rank() > 0 {
		return messages{out: up, in: down}, nil
	}
	return messages{out: down, in: up}, nil
}

// messages has a communicator for those to rank 0, and one for those from it: each belongs to one goroutine at a time.
type messages struct{ out, in *mpi.Comm }

func (m messages) Send(ctx context.Context, to int, message Message) error {
	return mpi.Send(ctx, m.out, message[:], to, 0)
}

func (m messages) Recv(ctx context.Context) (from int, message Message, err error) {
	list := new(Message)
	st, err := mpi.Recv(ctx, m.in, list[:], mpi.AnySource, 0)
	return st.Source, *list, err
}

func (m messages) Free() error {
	up, down := m.in, m.out
	if up.Rank() > 0 {
		up, down = down, up
	}
	return errors.Join(up.Free(), down.Free())
}
