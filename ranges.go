package suffixcl

import (
	"context"
	"errors"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/ranges"
)

// MaxRangesLen is the longest text that EachSuffixRange sorts, in bytes.
const MaxRangesLen = ranges.MaxLen

// EachSuffixRange calls yield for ranges of the suffix array, from its first entry to its last: a result need fit
// neither into the memory of the device nor into that of the host. first is the index of the first position. positions
// is valid until yield returns. An error of yield ends the computation. yield may not call the engine: see
// ErrInCallback. Texts have up to MaxRangesLen bytes.
//
// Where the sorters in one piece fit, they sort the text; else, and with AlgorithmRanges, package ranges, which takes
// the memory that there is. Stats tell the number of ranges. Memory: Plan(OpEachSuffixRange).
//
// Errors: those of SuffixArray and yield; a *device.MemoryError if not even one range fits.
func (e *Engine) EachSuffixRange(ctx context.Context, text []byte,
	yield func(first int, positions []uint64) error) (err error) {
	c, err := e.begin(ctx)
	if err != nil {
		return err
	}
	defer c.end()
	o, err := prepareAlone(c, func() (rangesOperation, error) { return newSuffixRanges(e, len(text), ranges.Width(text)) })
	if err != nil {
		return err
	}
	defer o.release(c.s)
	c.callsBack()
	return o.each(c, text, yield)
}

// rangesOperation is a suffix array that is handed out in ranges.
type rangesOperation interface {
	operation
	each(c *call, text []byte, yield func(first int, positions []uint64) error) error
}

// newSuffixRanges plans sorting n characters of so many bits: in one piece where that fits, unless the engine's
// algorithm says what to do.
func newSuffixRanges(e *Engine, n, width int) (rangesOperation, error) {
	if err := limits.CheckLen("text", n, MaxRangesLen); err != nil {
		return nil, err
	}
	var whole *source
	if e.algorithm != AlgorithmRanges {
		var err error
		if whole, _, err = planned(e, n, newSuffixArray); err == nil {
			err = whole.plan.Fits(e.session)
		}
		if err == nil || e.algorithm != AlgorithmAuto && whole.plan != nil {
			return piece{whole}, nil
		}
		if e.algorithm != AlgorithmAuto || !device.IsTooLarge(err) {
			return nil, err
		}
	}
	plan := newRanged[uint32]
	if n > MaxLen {
		plan = newRanged[uint64]
	}
	o, err := plan(e, n, width)
	if err != nil && whole != nil && whole.plan != nil {
		return piece{whole}, nil // whose numbers tell why
	}
	return o, err
}

// piece is a suffix array that is sorted in one piece.
type piece struct{ *source }

// pieceBlock is how many positions are handed out at a time.
const pieceBlock = 1 << 20

func (o piece) each(c *call, text []byte, yield func(first int, positions []uint64) error) error {
	if _, err := o.sort(c, text); err != nil {
		return err
	}
	o.sorter.Release()
	_, sa := o.arraysOf(c.s, len(text))
	block, positions := make([]uint32, min(len(text), pieceBlock)), make([]uint64, min(len(text), pieceBlock))
	for first := 0; first < len(text); first += pieceBlock {
		part := sa.View(first, min(pieceBlock, len(text)-first))
		if _, err := download(c, block[:part.Len()], part); err != nil {
			return err
		}
		if err := yield(first, widen(positions, block[:part.Len()])); err != nil {
			return err
		}
	}
	return nil
}

// ranged is a suffix array that is sorted in ranges.
type ranged[P uint32 | uint64] struct {
	sorter *ranges.Sorter[P]
	plan   device.MemoryPlan
}

func newRanged[P uint32 | uint64](e *Engine, n, width int) (rangesOperation, error) {
	sorter, err := ranges.New[P](e.session, n, ranges.Options{Width: width})
	if err != nil {
		return nil, err
	}
	return &ranged[P]{sorter, sorter.Memory()}, nil
}

func (o *ranged[P]) memory() device.MemoryPlan { return o.plan }

func (o *ranged[P]) release(*device.Session) {} // the sorter holds none after a run

func (o *ranged[P]) each(c *call, text []byte, yield func(first int, positions []uint64) error) error {
	c.stats.Algorithm = AlgorithmRanges
	var positions []uint64
	return c.compute(func() error {
		return o.sorter.Run(c.ctx, text, func(first int, block []P) error {
			c.stats.Ranges++
			if wide, ok := any(block).([]uint64); ok {
				return yield(first, wide)
			}
			if len(positions) < len(block) {
				positions = make([]uint64, len(block))
			}
			return yield(first, widen(positions, any(block).([]uint32)))
		}, c.progress)
	})
}

// widen copies positions of 32 bits.
func widen(to []uint64, from []uint32) []uint64 {
	for i, p := range from {
		to[i] = uint64(p)
	}
	return to[:len(from)]
}

// suffixArrayInRanges is the suffix array of a text that the sorters in one piece have no memory for.
func (c *call) suffixArrayInRanges(sa []uint32, text []byte) ([]uint32, error) {
	o, err := prepareAlone(c, func() (rangesOperation, error) {
		return newRanged[uint32](c.e, len(text), ranges.Width(text))
	})
	if err != nil {
		return nil, err
	}
	if sa == nil {
		sa = make([]uint32, len(text))
	}
	c.stats.Algorithm = AlgorithmRanges
	return sa, c.compute(func() error {
		return o.(*ranged[uint32]).sorter.Run(c.ctx, text, func(first int, block []uint32) error {
			c.stats.Ranges++
			copy(sa[first:], block)
			return nil
		}, c.progress)
	})
}

// inRanges tells whether a suffix array is sorted in ranges, given the error of a plan to sort it in one piece.
func (e *Engine) inRanges(err error) bool {
	var memory *device.MemoryError
	return e.algorithm == AlgorithmRanges || e.algorithm == AlgorithmAuto && errors.As(err, &memory)
}

// orInRanges is the plan of a suffix array in ranges, if the one in one piece, o, is not possible or does not fit.
func (e *Engine) orInRanges(n int, o operation, err error) (operation, error) {
	fits := err
	if err == nil {
		fits = o.memory().Fits(e.session)
	}
	if fits == nil || !e.inRanges(fits) {
		return o, err
	}
	if r, failed := newRanged[uint32](e, n, 8); failed == nil || err != nil {
		return r, failed
	}
	return o, nil
}
