package search

import (
	"context"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/patterns"
)

// Count is that of suffixcl.Index.
func (x *Searcher) Count(ctx context.Context, b *patterns.Batch) ([]uint32, error) {
	c, err := x.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer c.End()
	if err := x.find(c, b); err != nil {
		return nil, err
	}
	counts := make([]uint32, b.Len())
	intervals := device.Reinterpret[uint32](x.batch.intervals.Buffer(c.Session))
	err = c.EachBlock(len(counts), 2, []*device.Buffer[uint32]{intervals}, func(first int, blocks [][]uint32) error {
		block, counts := blocks[0], counts[first:first+len(blocks[0])/2]
		parallel.Do(len(counts), 1<<16, func(lo, hi int) {
			for q := lo; q < hi; q++ {
				counts[q] = block[2*q+1] - block[2*q]
			}
		})
		return nil
	})
	if err != nil {
		return nil, err
	}
	return counts, nil
}

// numbers are those of the first occurrence of each pattern that was found, and of all.
func (x *Searcher) numbers(c *call.Call, count int) ([]uint64, error) {
	firsts := x.batch.firsts.Buffer(c.Session)
	err := c.Compute(func() error {
		x.batch.numbering.Run(x.batch.ws.Workspace(c.Session), x.batch.intervals.Buffer(c.Session), count, firsts)
		return nil
	})
	if err != nil {
		return nil, err
	}
	numbers := make([]uint64, count+1)
	err = c.Timed(&c.Stats.Download, func() error { return firsts.Download(c.Ctx, numbers, nil) })
	return numbers, err
}

// locatePiece is the number of positions that are on the device at once.
const locatePiece = 1 << 24

// Locate is that of suffixcl.Index.
func (x *Searcher) Locate(
	ctx context.Context, b *patterns.Batch, emit func(pattern int, positions []uint32) error,
) error {
	if emit == nil {
		return call.ErrNoFunction
	}
	c, err := x.begin(ctx)
	if err != nil {
		return err
	}
	defer c.End()
	c.CallsBack()
	if err := x.find(c, b); err != nil {
		return err
	}
	numbers, err := x.numbers(c, b.Len())
	if err != nil {
		return err
	}
	total := numbers[b.Len()]
	piece := int(min(total, locatePiece))
	positions, err := device.Alloc[uint32](c.Session, piece)
	if err != nil {
		return err
	}
	defer positions.Release()
	var host []uint32 // from number `done` on
	done := uint64(0)
	q := 0
	for from := uint64(0); from < total; from += uint64(piece) {
		m := int(min(uint64(piece), total-from))
		err := c.Compute(func() error {
			x.finder.locate(x.batch.intervals.Buffer(c.Session), x.batch.firsts.Buffer(c.Session), b.Len(), from, m, positions)
			return nil
		})
		if err != nil {
			return err
		}
		old := len(host)
		host = slices.Grow(host, m)[:old+m]
		err = c.Timed(&c.Stats.Download, func() error { return positions.Download(c.Ctx, host[old:], nil) })
		if err != nil {
			return err
		}
		for ; q < b.Len() && numbers[q+1] <= from+uint64(m); q++ {
			found := host[numbers[q]-done : numbers[q+1]-done]
			if len(found) == 0 {
				continue
			}
			if x.width > 1 {
				for i := range found {
					found[i] /= uint32(x.width)
				}
			}
			slices.Sort(found)
			if err := emit(q, found); err != nil {
				return err
			}
		}
		if q < b.Len() { // the rest belongs to a pattern that goes on
			host = slices.Delete(host, 0, int(numbers[q]-done))
			done = numbers[q]
		}
	}
	return nil
}
