// Package verify checks a suffix array on the device in linear time, without sorting.
//
// The array must be a permutation of the positions. Each suffix must be larger than the one in the slot before: by its
// first character, or, where that is the same, by the rank of the rest (Burkhardt & Kärkkäinen, Fast lightweight
// suffix array construction and checking, CPM 2003). Memory: 4 bytes a character in addition to text and suffix array.
package verify

import (
	"context"
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cltype"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// MismatchError says why an array is not the one of the text.
type MismatchError struct {
	What string // "suffix array", "LCP array" or "Burrows-Wheeler transform"
	At   int    // the first wrong entry, or -1 where no entry is wrong by itself
	Why  string // what is wrong with it
}

func (e *MismatchError) Error() string {
	if e.At < 0 {
		return "the " + e.What + " " + e.Why
	}
	return fmt.Sprintf("not the %s of the text: slot %d %s", e.What, e.At, e.Why)
}

// The faults, in the order of the kernel's counters.
var faults = [...]string{
	"is not a position of the text",
	"holds a position that another slot holds too",
	"is not larger than the suffix in the slot before",
}

// Checker checks suffix arrays of texts of up to n characters. It may be used again and again, by one goroutine.
type Checker = SymbolChecker[uint8]

// SymbolChecker is Checker for texts of bytes or of symbols.
type SymbolChecker[T uint8 | uint16 | uint32] struct {
	s             *device.Session
	n, tile       int
	layout        *device.Layout
	isa           *device.Slot[uint32]
	faults        *device.Slot[uint32]
	invert, order *device.Kernel
}

// New plans the check of texts of up to n characters. It sizes the memory; Allocate takes it.
func New(s *device.Session, n int) *Checker { return NewSymbols[uint8](s, n) }

// NewSymbols is New for texts of bytes or of symbols.
func NewSymbols[T uint8 | uint16 | uint32](s *device.Session, n int) *SymbolChecker[T] {
	shape := tuned.Of(s).Map
	program := s.Program(device.Source{
		Files: []string{"verify.cl"}, Defines: cltype.Symbol[T](device.Defines{"WG": shape.WG, "ITEMS": shape.Items}),
	})
	c := &SymbolChecker[T]{s: s, n: n, tile: shape.WG * shape.Items, layout: device.NewLayout("verify")}
	c.isa = device.Reserve[uint32](c.layout, "ISA", n)
	c.faults = device.Reserve[uint32](c.layout, "faults", len(faults))
	c.invert, c.order = program.Kernel("verify_invert", shape.WG), program.Kernel("verify_order", shape.WG)
	return c
}

// Memory is the device memory in addition to text and suffix array: 4 bytes a character.
func (c *SymbolChecker[T]) Memory() device.PhaseMemory { return c.layout.Memory() }

// Allocate takes the device memory. It must be called before Run.
func (c *SymbolChecker[T]) Allocate() error { return c.layout.Allocate(c.s) }

// Release frees the device memory. Allocate may take it again.
func (c *SymbolChecker[T]) Release() { c.layout.Release(c.s) }

// Run returns nil if sa [n] is the suffix array of text [n]. It waits for the result.
//
// Errors: a *MismatchError with the first wrong entry; a text longer than planned, or arrays of different lengths; the
// context's; the device's.
func (c *SymbolChecker[T]) Run(ctx context.Context, text *device.Buffer[T], sa *device.Buffer[uint32]) error {
	n := text.Len()
	if n > c.n || sa.Len() != n {
		return fmt.Errorf("verify: text of %d characters, planned for %d, suffix array of %d entries", n, c.n, sa.Len())
	}
	c.s.Phase("verify")
	if err := c.s.Check(ctx); err != nil || n == 0 {
		return err
	}
	const none = 1<<32 - 1
	isa, found := c.isa.Buffer(c.s), c.faults.Buffer(c.s)
	isa.Fill(none)
	found.Fill(none)
	groups := intmath.CeilDiv(n, c.tile)
	c.invert.Launch(groups, int64(n)*(4+32), sa, uint64(n), isa, found)
	c.order.Launch(groups, int64(n)*(4+3*32), text, sa, uint64(n), isa, found)
	var at [len(faults)]uint32
	if err := found.Read(at[:]); err != nil {
		return err
	}
	var first *MismatchError
	for i, slot := range at {
		if slot != none && (first == nil || int(slot) < first.At) {
			first = &MismatchError{What: "suffix array", At: int(slot), Why: faults[i]}
		}
	}
	if first != nil {
		return first
	}
	return nil
}
