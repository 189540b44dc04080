package repeats

import (
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/jobs/arrays"
	"github.com/suffixcl/suffixcl/lrq"
)

// repeatQuery is what the memory of a query depends on, in addition to the length.
type repeatQuery struct {
	all     bool // repeats of each position, not only the leftmost
	records int  // number of ends
	o       lrq.Options
}

// RowsAtOnce is how many positions are asked at once for all of their repeats. A position has at most as many as the
// square root of 2 n log2(n), less than RowsAtOnce*startsPerRow. Tests make it smaller.
var RowsAtOnce = 1 << 20

const startsPerRow = 4

// repeating finds the longest repeats of a text by its LCP array. In its last phase the arrays have other tenants: PLCP
// the raw LLR array, the suffix array the leftmost starts, the LCP array the starts of the useful repeats and then the
// lengths.
type repeating struct {
	from   arrays.Comparison
	finder *lrq.Plan
	rows   *lrq.Rows // nil if only the leftmost are wanted
	extra  *device.Layout
	plan   device.MemoryPlan

	sa, plcp, lcp *device.Buffer[uint32] // of from

	work                     *device.WorkspaceSlot
	ends, start, length, out *device.Slot[uint32]
	offsets                  *device.Slot[uint64]
}

// newRepeating plans the repeats of a text of n symbols, of so many bytes on the host.
func newRepeating(e *call.Engine, from arrays.Comparison, n int, text int64, q repeatQuery) (o *repeating, err error) {
	l := device.NewLayout("repeats")
	o = &repeating{from: from, extra: l}
	if o.finder, err = lrq.New(e.Session, n, q.o); err != nil {
		return nil, err
	}
	pieces := o.finder.Workspace()
	count := 0
	if q.all {
		count = min(n, RowsAtOnce)
		o.rows = lrq.NewRows(o.finder, count)
		pieces = o.rows.Workspace()
	}
	o.ends = device.Reserve[uint32](l, "ends of records", q.records)
	o.work = device.ReserveWorkspace(l, pieces)
	host := 8 * int64(n)
	if q.all {
		o.start = device.Reserve[uint32](l, "starts of positions", count)
		o.length = device.Reserve[uint32](l, "lengths of positions", count)
		host = 16 * int64(count)
		o.offsets = device.Reserve[uint64](l, "offsets", count+1)
		o.out = device.Reserve[uint32](l, "starts", startsPerRow*count)
		host += 4 * startsPerRow * int64(count)
	}
	found := l.Memory()
	found.Buffers = slices.Concat(from.Stay(), found.Buffers)
	found.Host = text + host
	o.plan = append(slices.Clip(from.Plan()), found)
	return o, nil
}

func (o *repeating) Plan() device.MemoryPlan { return o.plan }

func (o *repeating) Free(s *device.Session) {
	o.extra.Release(s)
	o.from.Free(s)
}

// index computes the longest repeats from each position and prepares the queries.
func (o *repeating) index(c *call.Call, ends []uint32) (x *lrq.Index, ws *device.Workspace, err error) {
	s := c.Session
	if o.sa, o.plcp, o.lcp, err = o.from.Run(c); err != nil {
		return nil, nil, err
	}
	s.Phase("repeats")
	if err := o.extra.Allocate(s); err != nil {
		return nil, nil, err
	}
	if err := o.ends.Buffer(s).Upload(c.Ctx, ends, nil); err != nil {
		return nil, nil, err
	}
	ws = o.work.Workspace(s)
	err = c.Compute(func() error {
		o.finder.Raw(o.sa, o.lcp, o.ends.Buffer(s), o.plcp)
		x = o.finder.Index(ws, o.plcp, o.sa.Len(), o.lcp, o.sa)
		return s.Check(c.Ctx)
	})
	return x, ws, err
}
