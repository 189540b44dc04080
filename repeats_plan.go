package suffixcl

import (
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/lrq"
)

// repeatQuery is what the memory of a query depends on, in addition to the length.
type repeatQuery struct {
	all       bool // repeats of each position, not only the leftmost
	records   int  // number of ends
	positions int  // number of given ones; 0: all
	o         lrq.Options
}

// rowsAtOnce is how many positions are asked at once for all of their repeats. A position has at most as many as the
// square root of 2 n log2(n), less than rowsAtOnce*startsPerRow. Tests make it smaller.
var rowsAtOnce = 1 << 20

const startsPerRow = 4

// repeating finds the longest repeats of a text by its LCP array. In its last phase the arrays have other tenants: PLCP
// the raw LLR array, the suffix array the leftmost starts, the LCP array the starts of the useful repeats and then the
// lengths. The text has been released.
type repeating struct {
	*comparing
	finder *lrq.Plan
	rows   *lrq.Rows // nil if only the leftmost are wanted
	extra  *device.Layout

	work                                *device.WorkspaceSlot
	ends, positions, start, length, out *device.Slot[uint32]
	offsets                             *device.Slot[uint64]
}

func newLongestRepeats(e *Engine, n int) (*repeating, error) {
	return newRepeating(e, n, repeatQuery{})
}

func newRepeating(e *Engine, n int, q repeatQuery) (*repeating, error) {
	lengths, err := newLCP(e, n)
	if err != nil {
		return nil, err
	}
	l := device.NewLayout("repeats")
	o := &repeating{comparing: lengths, extra: l}
	if o.finder, err = lrq.New(e.session, n, q.o); err != nil {
		return nil, err
	}
	pieces := o.finder.Workspace()
	count := q.positions
	if q.all {
		count = min(n, rowsAtOnce)
		o.rows = lrq.NewRows(o.finder, count)
		pieces = o.rows.Workspace()
	}
	o.ends = device.Reserve[uint32](l, "ends of records", q.records)
	o.work = device.ReserveWorkspace(l, pieces)
	host := 8 * int64(n)
	if q.all || q.positions > 0 {
		o.start = device.Reserve[uint32](l, "starts of positions", count)
		o.length = device.Reserve[uint32](l, "lengths of positions", count)
		host = 16 * int64(count)
	}
	if q.positions > 0 {
		o.positions = device.Reserve[uint32](l, "positions", count)
	}
	if q.all {
		o.offsets = device.Reserve[uint64](l, "offsets", count+1)
		o.out = device.Reserve[uint32](l, "starts", startsPerRow*count)
		host += 4 * startsPerRow * int64(count)
	}
	arrays := device.PhaseMemory{Phase: l.Memory().Phase, Buffers: o.layout.Memory().Buffers}
	arrays.Buffers = slices.Concat(arrays.Buffers, o.output.Memory().Buffers, l.Memory().Buffers)
	arrays.Host = int64(n) + host
	o.plan = append(o.plan, arrays)
	return o, nil
}

func (o *repeating) release(s *device.Session) {
	o.extra.Release(s)
	o.comparing.release(s)
}

// index computes the longest repeats from each position and prepares the queries.
func (o *repeating) index(c *call, text []byte, ends []uint32) (*lrq.Index, *device.Workspace, error) {
	s, n := c.s, len(text)
	lcp, err := o.compare(c, text, nil)
	if err != nil {
		return nil, nil, err
	}
	_, sa := o.arraysOf(s, n)
	o.input.Release(s)
	s.Phase("repeats")
	if err := o.extra.Allocate(s); err != nil {
		return nil, nil, err
	}
	if err := o.ends.Buffer(s).Upload(c.ctx, ends, nil); err != nil {
		return nil, nil, err
	}
	ws := o.work.Workspace(s)
	var x *lrq.Index
	err = c.compute(func() error {
		raw := o.plcp.Buffer(s)
		o.finder.Raw(sa, lcp, o.ends.Buffer(s), raw)
		x = o.finder.Index(ws, raw, n, lcp, sa)
		return s.Check(c.ctx)
	})
	return x, ws, err
}
