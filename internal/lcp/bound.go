package lcp

import (
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Bound makes the LCP array of a text of sequences end where these do: each is followed by a byte that no sequence
// holds, and that is the same after all of them. The order of suffixes beyond their ends does not matter then.
type Bound struct {
	s      *device.Session
	shape  tune.LCP
	kernel *device.Kernel
}

// NewBound plans it for texts of bytes.
func NewBound(s *device.Session) *Bound {
	shape := shapeOf[uint8](*tuned.Of(s))
	return &Bound{s, shape, s.Program(source[uint8](*tuned.Of(s))).Kernel("lcp_bound", shape.WG)}
}

// Run enqueues lowering lcp [n]uint32 to the number of characters before the next of ends [m]uint32, which ascend up to
// n-1. Entries less than `least` stay as they are, which spares most of the work. Errors, on the session: no ends,
// a shorter array.
func (b *Bound) Run(sa, lcp, ends *device.Buffer[uint32], least uint32) {
	n := sa.Len()
	if lcp.Len() < n || ends.Len() == 0 {
		b.s.Fail(fmt.Errorf("lcp: %d suffixes, LCP array of %d, %d ends", n, lcp.Len(), ends.Len()))
		return
	}
	b.kernel.Launch(intmath.CeilDiv(n, b.shape.WG*b.shape.Items), int64(n)*(4+4+4), sa, uint64(n), ends,
		uint64(ends.Len()), least, lcp)
}
