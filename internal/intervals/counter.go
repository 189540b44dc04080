package intervals

import (
	"fmt"

	"github.com/suffixcl/suffixcl/device"
)

// Counter counts the documents that have a string, whose suffixes are those of some slots (Hui 1992; see package).
type Counter struct {
	p     *Plan
	count *device.Kernel
}

// NewCounter plans a Counter for texts of up to n symbols in so many documents.
func NewCounter(s *device.Session, n, documents int) *Counter {
	p := newIndexing(s, n, Options{Documents: documents})
	return &Counter{p, program(s).Kernel("intervals_counts", p.shape.WG)}
}

// Workspace is what Sum carves from one workspace: 20.3 bytes a suffix.
func (c *Counter) Workspace() device.Pieces { return c.p.index().And(c.p.once()) }

// Sum enqueues writing sums [n]uint32 of the arrays of a text, for Count. Errors as Plan.Index; shorter sums.
func (c *Counter) Sum(ws *device.Workspace, a Arrays, sums *device.Buffer[uint32]) {
	defer ws.Reset(ws.Mark())
	n := a.SA.Len()
	if sums.Len() < n {
		c.p.s.Fail(fmt.Errorf("intervals: suffix array of %d, sums of %d", n, sums.Len()))
		return
	}
	if x := c.p.Index(ws, a); n > 0 && len(x.sums) > 0 {
		device.Copy(sums, x.sums[0], n)
	}
}

// Count enqueues writing counts [m]uint32: how many documents the suffixes of slots [x, y) are in, for each of the
// first m intervals. All suffixes of an interval have a common prefix that no other suffix has. Errors, on the session:
// shorter arrays.
func (c *Counter) Count(sums *device.Buffer[uint32], intervals *device.Buffer[[2]uint32], m int,
	counts *device.Buffer[uint32]) {
	if intervals.Len() < m || counts.Len() < m {
		c.p.s.Fail(fmt.Errorf("intervals: %d to count, room for %d of %d", m, counts.Len(), intervals.Len()))
		return
	}
	c.count.Launch(c.p.groups(m), int64(m)*(8+64+4), sums, uint64(sums.Len()), intervals, uint64(m), counts)
}
