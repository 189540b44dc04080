package devicetest

import (
	"fmt"
	"testing"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/radixsort"
)

// Pair is the ping-pong pair of a sort in guarded buffers.
type Pair[T uint32 | uint64] struct {
	radixsort.Pair[T]
	buffers [2]*Guarded[T]
}

// NewPair is a pair whose Cur has the data. It is released with the test, if not before.
func NewPair[T uint32 | uint64](t testing.TB, s *device.Session, data []T) *Pair[T] {
	p := &Pair[T]{buffers: [2]*Guarded[T]{From(t, s, data), Guard[T](t, s, len(data))}}
	p.Cur, p.Alt = p.buffers[0].Buffer, p.buffers[1].Buffer
	return p
}

// Release frees the buffers.
func (p *Pair[T]) Release() {
	p.buffers[0].Release()
	p.buffers[1].Release()
}

// Result is what Cur holds, after checking the guards of both buffers.
func (p *Pair[T]) Result() ([]T, error) {
	var contents [2][]T
	for i, b := range p.buffers {
		var err error
		if contents[i], err = b.Slice(); err != nil {
			return nil, err
		}
	}
	switch p.Cur {
	case p.buffers[0].Buffer:
		return contents[0], nil
	case p.buffers[1].Buffer:
		return contents[1], nil
	}
	return nil, fmt.Errorf("the pair has another buffer as Cur")
}

// Exchanged tells whether Cur and Alt have changed places.
func (p *Pair[T]) Exchanged() bool { return p.Cur == p.buffers[1].Buffer }
