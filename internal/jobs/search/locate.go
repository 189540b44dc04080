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
	return x.answer(ctx, b, &x.counts, x.count)
}

// count counts the patterns of a batch that is coded.
func (x *Searcher) count(c *call.Call, b *patterns.Batch) ([]uint32, error) {
	if err := x.find(c, b); err != nil {
		return nil, err
	}
	counts := make([]uint32, b.Len())
	intervals := device.Reinterpret[uint32](x.batch.intervals.Buffer(c.Session))
	err := c.EachBlock(len(counts), 2, []*device.Buffer[uint32]{intervals}, func(first int, blocks [][]uint32) error {
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
	if of, ok := x.joins(b); ok {
		return x.locates.Ask(ctx, x.e, &locateQuestion{of, emit})
	}
	return x.during(ctx, func(c *call.Call) error {
		c.CallsBack()
		coded, err := x.coded(b)
		if err != nil {
			return err
		}
		return x.locate(c, coded, emit)
	})
}

// locate locates the patterns of a batch that is coded.
func (x *Searcher) locate(
	c *call.Call, b *patterns.Batch, emit func(pattern int, positions []uint32) error,
) error {
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
		old := len(host)
		host = slices.Grow(host, m)[:old+m]
		if err := x.positions(c, b.Len(), from, positions, host[old:]); err != nil {
			return err
		}
		for ; q < b.Len() && numbers[q+1] <= from+uint64(m); q++ {
			end := numbers[q+1] - done
			if err := x.handOut(q, host[numbers[q]-done:end:end], emit); err != nil {
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

// positions reads those with the numbers from `from` on through a buffer, of the count patterns that were found.
func (x *Searcher) positions(
	c *call.Call, count int, from uint64, buffer *device.Buffer[uint32], to []uint32,
) error {
	err := c.Compute(func() error {
		intervals, firsts := x.batch.intervals.Buffer(c.Session), x.batch.firsts.Buffer(c.Session)
		x.finder.locate(intervals, firsts, count, from, len(to), buffer)
		return nil
	})
	if err != nil {
		return err
	}
	return c.Timed(&c.Stats.Download, func() error { return buffer.Download(c.Ctx, to, nil) })
}

// handOut hands out the positions of a pattern, where there are some.
func (x *Searcher) handOut(pattern int, found []uint32, emit func(pattern int, positions []uint32) error) error {
	if len(found) == 0 {
		return nil
	}
	if x.width > 1 {
		for i := range found {
			found[i] /= uint32(x.width)
		}
	}
	slices.Sort(found)
	return emit(pattern, found)
}
