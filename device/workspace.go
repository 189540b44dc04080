package device

import (
	"fmt"
	"slices"
)

// Pieces are the sizes in bytes of what a step carves from its workspace, in the order of the calls. A nested step
// carves on top of it:
//
//	device.PieceOf[uint32](tiles).And(nested.Workspace())
//
// nil is no piece.
type Pieces []int64

// PieceOf is a piece of n elements.
func PieceOf[T Element](n int) Pieces { return Pieces{bytesFor[T](n)} }

// And is the need of a step that carves p, and then each of q on top of it.
func (p Pieces) And(q ...Pieces) Pieces {
	return slices.Concat(append([]Pieces{p}, q...)...)
}

// Or is the need of steps that follow each other, where each gives back what it has carved.
func (p Pieces) Or(q ...Pieces) Pieces {
	p = slices.Clone(p)
	for _, other := range q {
		for i, bytes := range other {
			if i == len(p) {
				p = append(p, other[i:]...)
				break
			}
			p[i] = max(p[i], bytes)
		}
	}
	return p
}

// Bytes is the sum of the sizes.
func (p Pieces) Bytes() int64 {
	var total int64
	for _, bytes := range p {
		total = sum(total, bytes)
	}
	return total
}

// Workspace is scratch memory. Steps carve typed buffers from it, as from a stack:
//
//	defer ws.Reset(ws.Mark())
//	partials := device.Carve[uint32](ws, tiles)
//
// Each piece is an allocation of its own, since a kernel cannot be given a part of one: see [Buffer.View].
type Workspace struct {
	s      *Session
	pieces []*piece
	top    int
}

// NewWorkspace allocates a workspace. Errors: those of [Alloc].
func NewWorkspace(s *Session, p Pieces) (*Workspace, error) {
	l := NewLayout(s.queue.phase)
	slot := ReserveWorkspace(l, p)
	if err := l.Allocate(s); err != nil {
		return nil, err
	}
	return slot.Workspace(s), nil
}

// Release frees the memory of a workspace that NewWorkspace made.
func (w *Workspace) Release() {
	if w == nil {
		return
	}
	for _, p := range w.pieces {
		w.s.memory.free(p.mem)
		p.mem = nil
	}
}

// WorkspaceSlot is a workspace that a [Layout] has reserved.
type WorkspaceSlot struct{ pieces []*piece }

// ReserveWorkspace adds a workspace of these pieces.
func ReserveWorkspace(l *Layout, p Pieces) *WorkspaceSlot {
	first := len(l.pieces)
	for i, bytes := range p {
		l.pieces = append(l.pieces, &piece{name: fmt.Sprintf("workspace %d", i+1), bytes: bytes})
	}
	return &WorkspaceSlot{slices.Clone(l.pieces[first:])}
}

// Workspace returns the workspace, once the layout is allocated on the session.
func (w *WorkspaceSlot) Workspace(s *Session) *Workspace { return &Workspace{s: s, pieces: w.pieces} }

// Carve takes the next piece, as a buffer of n elements with unspecified contents. A piece that is too small, or none,
// is a sticky error of the session and yields an empty buffer.
func Carve[T Element](w *Workspace, n int) *Buffer[T] {
	bytes := bytesFor[T](n)
	if w.top == len(w.pieces) || bytes < 0 || bytes > w.pieces[w.top].bytes {
		have := int64(0)
		if w.top < len(w.pieces) {
			have = w.pieces[w.top].bytes
		}
		w.s.Fail(fmt.Errorf("device: piece %d of a workspace of %d has %d bytes, %d wanted",
			w.top+1, len(w.pieces), have, bytes))
		return &Buffer[T]{s: w.s}
	}
	b := &Buffer[T]{mem: w.pieces[w.top].mem, s: w.s, n: n}
	w.top++
	w.s.Fail(w.s.memory.initialise(b.mem, bytes))
	return b
}

// Mark returns the number of pieces in use, for [Workspace.Reset].
func (w *Workspace) Mark() int { return w.top }

// Reset gives back what was carved since the mark. Work that was enqueued with those pieces is not affected, since the
// queue is in order.
func (w *Workspace) Reset(mark int) { w.top = mark }
