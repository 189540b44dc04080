package repeats

import (
	"cmp"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/lrq"
)

func (o *repeating) eachLeftmost(c *call.Call, x *lrq.Index, p *recordLayout, yield func(*Repeats) error) error {
	n, start, length := p.forward(), o.sa, o.lcp
	err := c.Compute(func() error {
		x.Leftmost(0, n, start)
		x.Lengths(start, n, length)
		return nil
	})
	if err != nil {
		return err
	}
	return c.EachBlock(n, 1, []*device.Buffer[uint32]{start, length}, func(first int, blocks [][]uint32) error {
		c.Progress("repeats", int64(first+len(blocks[0])), int64(n))
		return p.blocks(first, &Repeats{Start: blocks[0], Length: blocks[1]}, yield)
	})
}

// rowBatch is a part of the positions on the host: their leftmost starts, lengths, and where their rows begin.
type rowBatch struct {
	starts, lengths []uint32
	rows            []uint64
}

func (o *repeating) eachRow(
	c *call.Call, x *lrq.Index, ws *device.Workspace, p *recordLayout, yield func(*Repeats) error,
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
		c.Progress("repeats", int64(first+count), int64(n))
	}
	return nil
}

// count computes how many repeats each of count positions has, and copies that to the host.
func (o *repeating) count(c *call.Call, x *lrq.Index, ws *device.Workspace, first, count int, b *rowBatch) error {
	start, length, offsets := o.start.Buffer(c.Session), o.length.Buffer(c.Session), o.offsets.Buffer(c.Session)
	b.starts, b.lengths, b.rows = call.Resize(b.starts, count), call.Resize(b.lengths, count), call.Resize(b.rows, count+1)
	err := c.Compute(func() error {
		x.Leftmost(first, count, start)
		o.rows.Count(ws, x, start, first, count, offsets)
		x.Lengths(start, count, length)
		return c.Session.Check(c.Ctx)
	})
	if err != nil {
		return err
	}
	return c.Timed(&c.Stats.Download, func() error {
		return cmp.Or(start.View(0, count).Download(c.Ctx, b.starts, nil),
			length.View(0, count).Download(c.Ctx, b.lengths, nil),
			offsets.View(0, count+1).Download(c.Ctx, b.rows, nil))
	})
}

// emit yields the rows of count positions, as many at a time as there is room for.
func (o *repeating) emit(
	c *call.Call, x *lrq.Index, p *recordLayout, first, count int, b *rowBatch, yield func(*Repeats) error,
) error {
	start, offsets, out := o.start.Buffer(c.Session), o.offsets.Buffer(c.Session), o.out.Buffer(c.Session)
	var all []uint32
	var rows []uint64
	for from := 0; from < count; {
		to := from + 1 // one position's repeats always have room
		for to < count && b.rows[to+1]-b.rows[from] <= uint64(out.Len()) {
			to++
		}
		m := int(b.rows[to] - b.rows[from])
		all = call.Resize(all, m)
		if m > 0 {
			err := c.Compute(func() error {
				o.rows.Emit(x, start, first, count, offsets, b.rows[from], out.View(0, m))
				return nil
			})
			if err == nil {
				err = c.Timed(&c.Stats.Download, func() error { return out.View(0, m).Download(c.Ctx, all, nil) })
			}
			if err != nil {
				return err
			}
		}
		rows = call.Resize(rows, to-from+1)
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
