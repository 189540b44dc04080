package intervals

import (
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cltype"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Before writes the symbols before suffixes, of texts of symbols of type T.
type Before[T uint8 | uint16 | uint32] struct {
	s      *device.Session
	tile   int
	kernel *device.Kernel
}

// NewBefore plans it.
func NewBefore[T uint8 | uint16 | uint32](s *device.Session) *Before[T] {
	t := tuned.Of(s).Intervals
	source := device.Source{Files: []string{file},
		Defines: device.Defines{"WG": t.WG, "ITEMS": t.Items, "SYMBOL": cltype.Name[T]()}}
	return &Before[T]{s, t.WG * t.Items, s.Program(source).Kernel("intervals_before", t.WG)}
}

// Run enqueues writing before [n]uint32: text[sa[j]-1] for each j < n, n being the length of the text; 0 where sa[j] is
// 0. Terminators of documents must differ, so that no document begins after the same symbol as another. Errors, on the
// session: shorter arrays.
func (b *Before[T]) Run(text *device.Buffer[T], sa, before *device.Buffer[uint32]) {
	b.run(text, sa, before, 0)
}

// RunDelimited is Run for a text in which symbols 0 separate: no two of them are the same. What is written is 0x100 or
// 0x101 for them, and before the first symbol.
func (b *Before[T]) RunDelimited(text *device.Buffer[T], sa, before *device.Buffer[uint32]) {
	b.run(text, sa, before, 1)
}

func (b *Before[T]) run(text *device.Buffer[T], sa, before *device.Buffer[uint32], separators uint32) {
	n := text.Len()
	if sa.Len() < n || before.Len() < n {
		b.s.Fail(fmt.Errorf("intervals: text of %d, arrays of %d and %d", n, sa.Len(), before.Len()))
		return
	}
	b.kernel.Launch(intmath.CeilDiv(n, b.tile), int64(n)*(4+32+4), text, uint64(n), sa, separators, before)
}

// Documents writes document arrays.
type Documents struct {
	s      *device.Session
	tile   int
	kernel *device.Kernel
}

// NewDocuments plans it.
func NewDocuments(s *device.Session) *Documents {
	t := tuned.Of(s).Intervals
	return &Documents{s, t.WG * t.Items, program(s).Kernel("intervals_documents", t.WG)}
}

// Run enqueues writing documents [n]uint32: for each suffix of sa [n] the last document that starts at or before it.
// starts ascend, from 0 on. Errors, on the session: no starts, a shorter array.
func (d *Documents) Run(sa, starts, documents *device.Buffer[uint32]) {
	n := sa.Len()
	if documents.Len() < n || starts.Len() == 0 {
		d.s.Fail(fmt.Errorf("intervals: %d suffixes, document array of %d, %d documents", n, documents.Len(), starts.Len()))
		return
	}
	d.kernel.Launch(intmath.CeilDiv(n, d.tile), int64(n)*(4+64+4), sa, uint64(n), starts, uint64(starts.Len()), documents)
}
