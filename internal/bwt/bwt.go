package bwt

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cltype"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Forward turns text and suffix array into the transform, of texts of any length. It may be used again and again, by
// one goroutine.
type Forward = SymbolForward[uint8]

// SymbolForward does what Forward does, for texts of bytes or of symbols.
type SymbolForward[T uint8 | uint16 | uint32] struct {
	s             *device.Session
	tile          int
	layout        *device.Layout
	primary       *device.Slot[uint32]
	rows, emitRow *device.Kernel
}

func forwardSource[T uint8 | uint16 | uint32](set tune.Set) device.Source {
	return device.Source{
		Files:   []string{"bwt.cl"},
		Defines: cltype.Symbol[T](device.Defines{"WG": set.Map.WG, "ITEMS": set.Map.Items}),
	}
}

// NewForward plans the transform and sizes its memory.
func NewForward(s *device.Session) *Forward { return NewSymbolForward[uint8](s) }

// NewSymbolForward does what NewForward does, for texts of bytes or of symbols.
func NewSymbolForward[T uint8 | uint16 | uint32](s *device.Session) *SymbolForward[T] {
	shape := tuned.Of(s).Map
	program := s.Program(forwardSource[T](*tuned.Of(s)))
	f := &SymbolForward[T]{s: s, tile: shape.WG * shape.Items, layout: device.NewLayout("bwt")}
	f.primary = device.Reserve[uint32](f.layout, "primary index", 1)
	f.rows, f.emitRow = program.Kernel("bwt_rows", shape.WG), program.Kernel("bwt_emit", shape.WG)
	return f
}

// Memory is the device memory in addition to text, suffix array and transform: 4 bytes.
func (f *SymbolForward[T]) Memory() device.PhaseMemory { return f.layout.Memory() }

// Allocate takes the device memory. It must be called before Run.
func (f *SymbolForward[T]) Allocate() error { return f.layout.Allocate(f.s) }

// Release frees the device memory. Allocate may take it again.
func (f *SymbolForward[T]) Release() { f.layout.Release(f.s) }

// Run writes the transform of text [n] to out [n], and returns the primary index, for which it waits. sa [n] must be
// the suffix array of text. out must overlap neither.
//
// Errors: buffers of other lengths, the context's, the device's.
func (f *SymbolForward[T]) Run(
	ctx context.Context, text *device.Buffer[T], sa *device.Buffer[uint32], out *device.Buffer[T],
) (primary int, err error) {
	n := text.Len()
	if sa.Len() != n || out.Len() < n {
		return 0, fmt.Errorf("bwt: text of %d characters, suffix array of %d entries, room for %d", n, sa.Len(), out.Len())
	}
	f.s.Phase("bwt")
	if err := f.s.Check(ctx); err != nil || n == 0 {
		return 0, err
	}
	index := f.primary.Buffer(f.s)
	groups := intmath.CeilDiv(n, f.tile)
	f.rows.Launch(groups, 4*int64(n), sa, uint64(n), uint32(32), index)
	f.emitRow.Launch(groups, int64(n)*int64(4+32+cltype.Size[T]()), text, sa, uint64(n), index, out)
	var row [1]uint32
	err = index.Read(row[:])
	return int(row[0]), err
}

// Sample enqueues writing samples [ceil(n / rate)]uint32, the auxiliary indexes of libsais's bwt_aux. Entry k is the
// row of the suffix that starts at character k*rate, so that entry 0 is the primary index. sa [n] is the suffix array;
// rate is a power of two up to 2^32. Errors, on the session: another rate, fewer samples.
func (f *SymbolForward[T]) Sample(sa *device.Buffer[uint32], rate int, samples *device.Buffer[uint32]) {
	n := sa.Len()
	if rate < 1 || rate > 1<<32 || rate&(rate-1) != 0 || samples.Len() < intmath.CeilDiv(n, rate) {
		f.s.Fail(fmt.Errorf("bwt: auxiliary indexes at a rate of %d for %d characters, room for %d", rate, n, samples.Len()))
		return
	}
	f.rows.Launch(intmath.CeilDiv(n, f.tile), 4*int64(n), sa, uint64(n), uint32(bits.TrailingZeros(uint(rate))), samples)
}
