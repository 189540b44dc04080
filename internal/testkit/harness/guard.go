package harness

import (
	"context"
	"fmt"
	"slices"
	"unsafe"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/driver"
)

// Canary fills the memory after and in a Guarded buffer.
const Canary = 0xA5

// Guarded is a buffer with a guard after it.
type Guarded[T device.Element] struct {
	*device.Buffer[T]
	whole *device.Buffer[T]
}

// guardOf is the length of guards: none on Oclgrind, which checks bounds by itself.
func guardOf(s *device.Session) int {
	if s.Caps().Vendor == driver.Oclgrind {
		return 0
	}
	return 64
}

// Guard allocates n elements before a guard; guard and contents are canaries.
func Guard[T device.Element](s *device.Session, n int) (*Guarded[T], error) {
	guard := guardOf(s)
	whole, err := device.Alloc[T](s, n+guard)
	if err != nil {
		return nil, err
	}
	if guard > 0 {
		device.Reinterpret[uint8](whole).Fill(Canary)
	}
	return &Guarded[T]{Buffer: whole.View(0, n), whole: whole}, nil
}

// Release frees the buffer and its guard; nil has none.
func (g *Guarded[T]) Release() {
	if g != nil {
		g.Buffer.Release()
		g.whole.Release()
	}
}

// Slice reads the contents back after checking that the guard is intact.
func (g *Guarded[T]) Slice() ([]T, error) {
	all := make([]T, g.whole.Len())
	if err := g.whole.Download(context.Background(), all, nil); err != nil {
		return nil, err
	}
	n := g.Len()
	if err := Intact("after the buffer", all[n:]); err != nil {
		return nil, err
	}
	return all[:n:n], nil
}

// Guards are the guards after the pieces of a workspace.
type Guards []*Guarded[uint8]

// Workspace makes a guarded workspace of exactly the pieces that a plan asks for.
func Workspace(s *device.Session, p device.Pieces) (*device.Workspace, Guards, error) {
	padded := slices.Clone(p)
	for i := range padded {
		padded[i] += int64(guardOf(s))
	}
	ws, err := device.NewWorkspace(s, padded)
	if err != nil {
		return nil, nil, err
	}
	var guards Guards
	for i := range p {
		whole := device.Carve[uint8](ws, int(padded[i]))
		if guardOf(s) > 0 {
			whole.Fill(Canary)
		}
		guards = append(guards, &Guarded[uint8]{Buffer: whole.View(0, int(p[i])), whole: whole})
	}
	ws.Reset(0)
	return ws, guards, nil
}

// Fill sets all bytes of the pieces.
func (g Guards) Fill(v uint8) {
	for _, piece := range g {
		piece.Buffer.Fill(v)
	}
}

// Intact checks the guards.
func (g Guards) Intact() error {
	for i, g := range g {
		if _, err := g.Slice(); err != nil {
			return fmt.Errorf("piece %d of the workspace: %w", i+1, err)
		}
	}
	return nil
}

// Intact checks that memory still holds canaries.
func Intact[T any](where string, guard []T) error {
	if len(guard) == 0 {
		return nil
	}
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&guard[0])), len(guard)*int(unsafe.Sizeof(guard[0])))
	for i, b := range bytes {
		if b != Canary {
			return fmt.Errorf("memory %s was overwritten at byte %d", where, i)
		}
	}
	return nil
}
