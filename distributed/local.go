package distributed

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// Local makes the communicators of n ranks that are goroutines of this process.
func Local(n int) []Communicator {
	h := &hub{parts: make([]part, n), broken: make(chan struct{}), turn: make(chan struct{})}
	ranks := make([]Communicator, n)
	for r := range ranks {
		ranks[r] = &local{hub: h, rank: r}
	}
	return ranks
}

// hub is where the ranks of a process meet.
type hub struct {
	mu     sync.Mutex
	here   int           // ranks that have arrived
	turn   chan struct{} // closed when all have
	broken chan struct{} // closed when one has left
	why    error
	parts  []part
	memory []byte
}

// part is what a rank hands out.
type part struct {
	data   []byte
	counts []int
}

type local struct {
	*hub
	rank int
}

func (l *local) Rank() int { return l.rank }
func (l *local) Size() int { return len(l.parts) }

var errLeft = errors.New("distributed: another rank has left")

// meet waits until all ranks have called it.
func (h *hub) meet(ctx context.Context) error {
	h.mu.Lock()
	turn := h.turn
	if h.here++; h.here == len(h.parts) {
		h.here, h.turn = 0, make(chan struct{})
		close(turn)
	}
	h.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-h.broken:
		return fmt.Errorf("%w: %w", errLeft, h.why)
	case <-ctx.Done():
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.why == nil {
			h.why = context.Cause(ctx)
			close(h.broken)
		}
		return context.Cause(ctx)
	}
}

// trade shows data to the other ranks while take runs.
func (l *local) trade(ctx context.Context, p part, take func()) error {
	l.parts[l.rank] = p
	if err := l.meet(ctx); err != nil {
		return err
	}
	take()
	return l.meet(ctx)
}

func (l *local) Allgatherv(ctx context.Context, data, all []byte, counts []int) error {
	return l.trade(ctx, part{data: data}, func() {
		at := 0
		for r, n := range counts {
			copy(all[at:at+n], l.parts[r].data)
			at += n
		}
	})
}

func (l *local) Alltoallv(ctx context.Context, data []byte, outCounts []int, all []byte, inCounts []int) error {
	return l.trade(ctx, part{data, outCounts}, func() {
		at := 0
		for r, n := range inCounts {
			from := 0
			for _, skip := range l.parts[r].counts[:l.rank] {
				from += skip
			}
			copy(all[at:at+n], l.parts[r].data[from:from+n])
			at += n
		}
	})
}

func (l *local) Shared(ctx context.Context, n int) (Memory, error) {
	if l.rank == 0 {
		l.memory = make([]byte, n)
	}
	if err := l.meet(ctx); err != nil {
		return nil, err
	}
	return &heap{l, l.memory}, nil
}

// heap is a Memory of one process.
type heap struct {
	l      *local
	memory []byte
}

func (h *heap) Bytes() []byte                   { return h.memory }
func (h *heap) Leader() int                     { return 0 }
func (h *heap) Fence(ctx context.Context) error { return h.l.meet(ctx) }
func (h *heap) Free() error                     { return nil }
