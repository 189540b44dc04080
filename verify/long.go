package verify

import (
	"context"
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// MaxLongLen is the longest text of a [LongChecker].
const MaxLongLen = 1 << 33

// longBlock is how many entries are on the device at a time.
const longBlock = 1 << 22

// none is what the counters of faults hold where there is none.
const none = 1<<32 - 1

// LongChecker checks suffix arrays with positions of 64 bits, which come in blocks. It is for one goroutine.
type LongChecker struct {
	s             *device.Session
	n, tile       int
	layout        *device.Layout
	text          *device.Slot[uint8]
	low           *device.Slot[uint32]
	high          *device.Slot[uint8]
	block         *device.Slot[uint64]
	faults        *device.Slot[uint32]
	invert, order *device.Kernel
}

// NewLong plans the check of texts of n bytes. It sizes the memory; Allocate takes it. Errors: a *[device.LengthError].
func NewLong(s *device.Session, n int) (*LongChecker, error) {
	if err := limits.CheckLen("text", n, MaxLongLen); err != nil {
		return nil, err
	}
	shape := tuned.Of(s).Map
	program := s.Program(device.Source{
		Files: []string{"verify_long.cl"}, Defines: device.Defines{"WG": shape.WG, "ITEMS": shape.Items},
	})
	c := &LongChecker{s: s, n: n, tile: shape.WG * shape.Items, layout: device.NewLayout("verify")}
	c.text = device.Reserve[uint8](c.layout, "text", n)
	c.low = device.Reserve[uint32](c.layout, "ISA, low words", n)
	c.high = device.Reserve[uint8](c.layout, "ISA, high bytes", n)
	c.block = device.Reserve[uint64](c.layout, "block", min(n, longBlock))
	c.faults = device.Reserve[uint32](c.layout, "faults", len(faults))
	c.invert, c.order = program.Kernel("verify_long_invert", shape.WG), program.Kernel("verify_long_order", shape.WG)
	return c, nil
}

// Memory is the device memory: 6 bytes a character, and 32 MiB.
func (c *LongChecker) Memory() device.PhaseMemory { return c.layout.Memory() }

// Allocate takes the device memory. It must be called before Run.
func (c *LongChecker) Allocate() error { return c.layout.Allocate(c.s) }

// Release frees the device memory. Allocate may take it again.
func (c *LongChecker) Release() { c.layout.Release(c.s) }

// Blocks calls yield for the parts of an array, from the first entry to the last, and returns yield's error.
type Blocks func(yield func(entries []uint64) error) error

// Run returns nil if the array is the suffix array of text [n]. blocks is called twice.
//
// Errors: a *MismatchError with a wrong entry, the first one of its block; a text of another length; those of blocks;
// the context's; the device's.
func (c *LongChecker) Run(ctx context.Context, text []byte, blocks Blocks) error {
	if len(text) != c.n {
		return fmt.Errorf("verify: text of %d characters, planned for %d", len(text), c.n)
	}
	c.s.Phase("verify")
	if err := c.text.Buffer(c.s).Upload(ctx, text, nil); err != nil {
		return err
	}
	low, high, block := c.low.Buffer(c.s), c.high.Buffer(c.s), c.block.Buffer(c.s)
	low.Fill(1<<32 - 1)
	high.Fill(1<<8 - 1)
	invert := func(first, count int, _ uint64, found *device.Buffer[uint32]) {
		c.invert.Launch(intmath.CeilDiv(count, c.tile), int64(count)*(8+64), block, uint64(first), uint32(count),
			uint64(c.n), low, high, found)
	}
	order := func(first, count int, before uint64, found *device.Buffer[uint32]) {
		c.order.Launch(intmath.CeilDiv(count, c.tile), int64(count)*(8+5*32), c.text.Buffer(c.s), block, before,
			uint64(first), uint32(count), uint64(c.n), low, high, found)
	}
	for _, check := range []func(first, count int, before uint64, found *device.Buffer[uint32]){invert, order} {
		if err := c.each(ctx, blocks, check); err != nil {
			return err
		}
	}
	return c.s.Check(ctx)
}

// each checks all entries, block after block. before is the entry in front of a block.
func (c *LongChecker) each(ctx context.Context, blocks Blocks,
	check func(first, count int, before uint64, found *device.Buffer[uint32])) error {
	found := c.faults.Buffer(c.s)
	first, before := 0, uint64(c.n)
	err := blocks(func(entries []uint64) error {
		if len(entries) > c.n-first {
			return &MismatchError{What: "suffix array", At: -1, Why: fmt.Sprintf("has more than %d entries", c.n)}
		}
		for len(entries) > 0 {
			part := entries[:min(len(entries), longBlock)]
			entries = entries[len(part):]
			if err := c.block.Buffer(c.s).Upload(ctx, part, nil); err != nil {
				return err
			}
			found.Fill(none)
			check(first, len(part), before, found)
			var at [len(faults)]uint32
			if err := found.Read(at[:]); err != nil {
				return err
			}
			var wrong *MismatchError
			for i, entry := range at {
				if slot := first + int(entry); entry != none && (wrong == nil || slot < wrong.At) {
					wrong = &MismatchError{What: "suffix array", At: slot, Why: faults[i]}
				}
			}
			if wrong != nil {
				return wrong
			}
			first, before = first+len(part), part[len(part)-1]
		}
		return c.s.Check(ctx)
	})
	if err == nil && first < c.n {
		err = &MismatchError{What: "suffix array", At: -1, Why: fmt.Sprintf("has %d entries of %d", first, c.n)}
	}
	return err
}
