package suffixcl

import (
	"context"

	"github.com/suffixcl/suffixcl/device"
)

// EachSuffixBlock calls yield for blocks of the suffix array of a text of symbols, in plain or memory order, from its
// first entry to its last, so that the host need not hold it. first is the index of the first position. positions is
// valid until yield returns; the next block is copied meanwhile. An error of yield ends the computation. yield may not
// call the engine: see ErrInCallback.
//
// Device memory: that of Arrays with no array wanted; host memory: two blocks of 4 MiB, and with OrderMemory
// a copy of the text. Errors: those of Arrays and yield; a set, or another order.
func (e *Engine) EachSuffixBlock(
	ctx context.Context, text Text, order Order, yield func(first int, positions []uint32) error,
) error {
	switch err := order.check(text); {
	case err != nil:
		return err
	case order.separates(text):
		return &OrderError{order, "suffix array in blocks"}
	}
	if yield == nil {
		return ErrNoFunction
	}
	switch symbols := order.turn(text).symbols.(type) {
	case []uint16:
		return eachSuffixBlock(ctx, e, symbols, newSymbolSorter[uint16], yield)
	case []uint32:
		return eachSuffixBlock(ctx, e, symbols, newSymbolSorter[uint32], yield)
	}
	return eachSuffixBlock(ctx, e, text.Bytes(), newByteSorter, yield)
}

func eachSuffixBlock[T symbol](ctx context.Context, e *Engine, text []T, sorters symbolSorters[T],
	yield func(first int, positions []uint32) error) error {
	c, err := e.begin(ctx)
	if err != nil {
		return err
	}
	defer c.end()
	o, err := prepareAlone(c, func() (*building[T], error) { return newBuilding(e, len(text), Want{}, sorters) })
	if err != nil {
		return err
	}
	defer o.release(c.s)
	if err := o.sort(c, text); err != nil {
		return err
	}
	_, sa := o.buffers(c.s)
	c.callsBack()
	return c.eachBlock(len(text), 1, []*device.Buffer[uint32]{sa}, func(first int, blocks [][]uint32) error {
		c.progress("download", int64(first+len(blocks[0])), int64(len(text)))
		return yield(first, blocks[0])
	})
}
