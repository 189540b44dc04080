package intervals

import (
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/scan"
)

// Occurrences lists where the suffixes of intervals begin.
type Occurrences struct {
	s       *device.Session
	n, tile int
	offsets *scan.Template
	list    *device.Kernel
}

// NewOccurrences plans it for up to n intervals at once.
func NewOccurrences(s *device.Session, n int) *Occurrences {
	t := tuned.Of(s).Intervals
	return &Occurrences{s, n, t.WG * t.Items,
		scan.NewTemplate(s, n, scan.TemplateOptions{Source: part("INTERVALS_OFFSETS"), ElementBytes: 8}),
		program(s).Kernel("intervals_occurrences", t.WG)}
}

// Workspace is what Offsets carves from its workspace, which it gives back.
func (o *Occurrences) Workspace() device.Pieces { return o.offsets.Workspace() }

// Offsets enqueues writing offsets [m+1]uint64: the number of suffixes in the intervals before each of m. Errors, on
// the session: more intervals than planned, shorter arrays.
func (o *Occurrences) Offsets(ws *device.Workspace, m int, out Output, offsets *device.Buffer[uint64]) {
	if m > o.n || out.len(false) < m || offsets.Len() <= m {
		o.s.Fail(fmt.Errorf("intervals: %d of %d intervals, planned for %d; %d offsets", m, out.len(false), o.n,
			offsets.Len()))
		return
	}
	o.offsets.Run(ws, m, 8*o.offsets.Loads()+8, out.Left, out.Right, offsets)
}

// List enqueues writing positions [count]uint32: where suffixes first to first+count-1 of those in m intervals begin,
// in their order. Errors, on the session: no room.
func (o *Occurrences) List(sa *device.Buffer[uint32], m int, out Output, offsets *device.Buffer[uint64], first uint64,
	count int, positions *device.Buffer[uint32]) {
	if positions.Len() < count {
		o.s.Fail(fmt.Errorf("intervals: room for %d of %d occurrences", positions.Len(), count))
		return
	}
	o.list.Launch(intmath.CeilDiv(count, o.tile), int64(count)*(64+4), sa, out.Left, offsets, uint64(m), first,
		uint64(count), positions)
}
