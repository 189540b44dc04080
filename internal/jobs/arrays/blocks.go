package arrays

import (
	"context"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/sorter"
)

// suffixArrayBlocks hands out the suffix array of a text without separators in blocks, so that the host need not hold
// it.
func suffixArrayBlocks[T input.Symbol](e *call.Engine, text input.Text, want Want, sorters sorter.Choice[T],
) func(context.Context, func(*Result) error) error {
	return call.RunAlone(e, func() (*Building[T], error) { return NewBuilding(e, text.Len(), Want{}, sorters) },
		func(c *call.Call, o *Building[T], yield func(*Result) error) error {
			if err := o.Sort(c, input.SymbolsOf[T](want.Order.Turn(text))); err != nil {
				return err
			}
			_, sa := o.buffers(c.Session)
			return c.EachBlock(o.n, 1, []*device.Buffer[uint32]{sa}, func(first int, blocks [][]uint32) error {
				c.Progress("download", int64(first+len(blocks[0])), int64(o.n))
				return yield(&Result{SA: blocks[0], First: first, Order: want.Order})
			})
		})
}
