package distributed

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// Local makes the communicators of n ranks that are goroutines of this process.
func Local(n int) []Communicator {
	h := &hub{parts: make([]part, n), broken: make(chan struct{}), turn: make(chan struct{}),
		boxes: make([]chan letter, n)}
	for r := range h.boxes {
		h.boxes[r] = make(chan letter, boxLen)
	}
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
	boxes  []chan letter // of messages, by the rank that receives
}

// part is a part that a rank hands out.
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
		return h.leave(ctx)
	}
}

// leave tells the others that a rank has left, and returns why.
func (h *hub) leave(ctx context.Context) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.why == nil {
		h.why = context.Cause(ctx)
		close(h.broken)
	}
	return context.Cause(ctx)
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

// letter is a message on its way. boxLen of them may be waiting for a rank.
type letter struct {
	from    int
	message Message
}

const boxLen = 64

func (l *local) Messages(ctx context.Context) (Messages, error) { return mail{l}, l.meet(ctx) }

// mail are the Messages of a process.
type mail struct{ l *local }

func (m mail) Send(ctx context.Context, to int, message Message) error {
	select {
	case m.l.boxes[to] <- letter{m.l.rank, message}:
		return nil
	case <-m.l.broken:
		return fmt.Errorf("%w: %w", errLeft, m.l.why)
	case <-ctx.Done():
		return m.l.leave(ctx)
	}
}

func (m mail) Recv(ctx context.Context) (from int, message Message, err error) {
	select {
	case next := <-m.l.boxes[m.l.rank]:
		return next.from, next.message, nil
	case <-m.l.broken:
		return 0, message, fmt.Errorf("%w: %w", errLeft, m.l.why)
	case <-ctx.Done():
		return 0, message, m.l.leave(ctx)
	}
}

func (m mail) Free() error { return nil }
