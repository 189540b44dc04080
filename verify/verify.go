// Package verify checks a suffix array on the device in linear time, without
// sorting: it must be a permutation of the positions, and each suffix must be
// larger than its neighbour by first character, or by the rank of what follows
// (Burkhardt & Kärkkäinen, CPM 2003). Memory: 4 bytes a character beside text and
// suffix array.
package verify

import (
	"context"
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Error says why an array is not the suffix array of a text.
type Error struct {
	Slot int    // first slot that is wrong
	Why  string // what is wrong with it
}

func (e *Error) Error() string {
	return fmt.Sprintf("not the suffix array of the text: slot %d %s", e.Slot, e.Why)
}

// The faults, in the order of the kernel's counters.
var faults = [...]string{
	"is not a position of the text",
	"holds a position that another slot holds too",
	"is not larger than the suffix in the slot before",
}

// Checker checks arrays for texts of up to n characters.
type Checker struct {
	s             *device.Session
	n, tile       int
	layout        *device.Layout
	isa           *device.Slot[uint32]
	faults        *device.Slot[uint32]
	invert, order *device.Kernel
}

// New plans the check for texts of up to n characters and sizes its memory; Allocate
// takes it.
func New(s *device.Session, n int) *Checker {
	shape := tuned.Of(s).Map
	program := s.Program(device.Source{
		Files: []string{"verify.cl"}, Defines: device.Defines{"WG": shape.WG, "ITEMS": shape.Items},
	})
	c := &Checker{s: s, n: n, tile: shape.WG * shape.Items, layout: device.NewLayout("verify")}
	c.isa = device.Reserve[uint32](c.layout, "ISA", n)
	c.faults = device.Reserve[uint32](c.layout, "faults", len(faults))
	c.invert, c.order = program.Kernel("verify_invert", shape.WG), program.Kernel("verify_order", shape.WG)
	return c
}

// Memory is the checker's device memory, without text and suffix array.
func (c *Checker) Memory() device.PhaseMemory { return c.layout.Memory() }

// Allocate takes the device memory.
func (c *Checker) Allocate() error { return c.layout.Allocate(c.s) }

// Release frees the device memory.
func (c *Checker) Release() { c.layout.Release(c.s) }

// Run returns nil if sa is the suffix array of text, an *Error if it is not, or
// the device's error.
func (c *Checker) Run(ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32]) error {
	n := text.Len()
	if sa.Len() != n {
		return &Error{Slot: min(n, sa.Len()), Why: fmt.Sprintf("is where the lengths differ: %d entries for %d characters", sa.Len(), n)}
	}
	if n > c.n {
		return fmt.Errorf("verify: text of %d bytes, planned for %d", n, c.n)
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
	var first *Error
	for i, slot := range at {
		if slot != none && (first == nil || int(slot) < first.Slot) {
			first = &Error{Slot: int(slot), Why: faults[i]}
		}
	}
	if first != nil {
		return first
	}
	return nil
}
