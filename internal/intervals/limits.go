package intervals

import (
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// The parts of a limit.
const (
	MaxLimit = 1<<7 - 1 // the longest prefix that a limit allows
	Cut      = 1 << 7   // is added: a longer common prefix ends there, instead of being taken away
)

// Limits takes intervals away by what their prefixes begin with.
type Limits struct {
	s      *device.Session
	tile   int
	kernel *device.Kernel
}

// NewLimits plans it.
func NewLimits(s *device.Session) *Limits {
	t := tuned.Of(s).Intervals
	return &Limits{s, t.WG * t.Items, program(s).Kernel("intervals_limit", t.WG)}
}

// Run enqueues changing lcp [n] so that it has no intervals of prefixes that are longer than `longest` allows:
// longest [n], by place in the text, is how long a prefix may be that begins there, up to MaxLimit, and may have Cut.
// Where two places begin with the same prefix, either both must allow it or none, and both or none cut it there. Plan
// must have a Filter with a MaxDepth of up to MaxLimit: prefixes that are too long become longer. Errors, on the
// session: shorter arrays.
func (l *Limits) Run(sa *device.Buffer[uint32], longest *device.Buffer[uint8], lcp *device.Buffer[uint32]) {
	n := sa.Len()
	if longest.Len() < n || lcp.Len() < n {
		l.s.Fail(fmt.Errorf("intervals: %d suffixes, limits of %d, lcp of %d", n, longest.Len(), lcp.Len()))
		return
	}
	l.kernel.Launch(intmath.CeilDiv(n, l.tile), int64(n)*(4+32+8), sa, uint64(n), longest, lcp)
}
