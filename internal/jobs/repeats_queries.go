package jobs

import (
	"cmp"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/lrq"
)

func (o *repeating) eachLeftmost(c *call, x *lrq.Index, p *recordLayout, yield func(*Repeats) error) error {
	n, start, length := p.forward(), o.sa, o.lcp
	err := c.compute(func() error {
		x.Leftmost(0, n, start)
		x.Lengths(start, n, length)
		return nil
	})
	if err != nil {
		return err
	}
	return c.eachBlock(n, 1, []*device.Buffer[uint32]{start, length}, func(first int, blocks [][]uint32) error {
		c.progress("repeats", int64(first+len(blocks[0])), int64(n))
		return p.blocks(first, &Repeats{Start: blocks[0], Length: blocks[1]}, yield)
	})
}

// rowBatch is a part of the positions on the host: their leftmost starts, lengths, and where their rows begin.
type rowBatch struct {
	starts, lengths []uint32
	rows            []uint64
}

func (o *repeating) eachRow(
	c *call, x *lrq.Index, ws *device.Workspace, p *recordLayout, yield func(*Repeats) error,
) error {
	n := p.forward()
	var b rowBatch
	for first := 0; first < n; first += RowsAtOnce {
		count := min(RowsAtOnce, n-first)
		if err := o.count(c, x, ws, first, count, &b); err != nil {
			return err
		}
		if err := o.emit(c, x, p, first, count, &b, yield); err != nil {
			return err
		}
		c.progress("repeats", int64(first+count), int64(n))
	}
	return nil
}

// count computes how many repeats each of count positions has, and copies that to the host.
func (o *repeating) count(c *call, x *lrq.Index, ws *device.Workspace, first, count int, b *rowBatch) error {
	start, length, offsets := o.start.Buffer(c.s), o.length.Buffer(c.s), o.offsets.Buffer(c.s)
	b.starts, b.lengths, b.rows = resize(b.starts, count), resize(b.lengths, count), resize(b.rows, count+1)
	err := c.compute(func() error {
		x.Leftmost(first, count, start)
		o.rows.Count(ws, x, start, first, count, offsets)
		x.Lengths(start, count, length)
		return c.s.Check(c.ctx)
	})
	if err != nil {
		return err
	}
	return c.timed(&c.stats.Download, func() error {
		return cmp.Or(start.View(0, count).Download(c.ctx, b.starts, nil),
			length.View(0, count).Download(c.ctx, b.lengths, nil),
			offsets.View(0, count+1).Download(c.ctx, b.rows, nil))
	})
}

// emit yields the rows of count positions, as many at a time as there is room for.
func (o *repeating) emit(
	c *call, x *lrq.Index, p *recordLayout, first, count int, b *rowBatch, yield func(*Repeats) error,
) error {
	start, offsets, out := o.start.Buffer(c.s), o.offsets.Buffer(c.s), o.out.Buffer(c.s)
	var all []uint32
	var rows []uint64
	for from := 0; from < count; {
		to := from + 1 // one position's repeats always have room
		for to < count && b.rows[to+1]-b.rows[from] <= uint64(out.Len()) {
			to++
		}
		m := int(b.rows[to] - b.rows[from])
		all = resize(all, m)
		if m > 0 {
			err := c.compute(func() error {
				o.rows.Emit(x, start, first, count, offsets, b.rows[from], out.View(0, m))
				return nil
			})
			if err == nil {
				err = c.timed(&c.stats.Download, func() error { return out.View(0, m).Download(c.ctx, all, nil) })
			}
			if err != nil {
				return err
			}
		}
		rows = resize(rows, to-from+1)
		for i := range rows {
			rows[i] = b.rows[from+i] - b.rows[from]
		}
		block := &Repeats{Start: b.starts[from:to], Length: b.lengths[from:to], Offsets: rows, Starts: all}
		if err := p.blocks(first+from, block, yield); err != nil {
			return err
		}
		from = to
	}
	return nil
}
