package segsort

import (
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Heads makes bitmaps of heads: bit i%32 of word i/32 is set if item i is the first of a segment.
type Heads struct {
	s              *device.Session
	wg             int
	flags, offsets *device.Kernel
}

// NewHeads plans bitmaps of any length.
func NewHeads(s *device.Session) *Heads {
	program, wg := s.Program(headsSource(*tuned.Of(s))), tuned.Of(s).Map.WG
	return &Heads{s: s, wg: wg, flags: program.Kernel("segsort_flags", wg), offsets: program.Kernel("segsort_offsets", wg)}
}

// HeadWords is the number of words in the bitmap of n items: ceil(n / 32).
func HeadWords(n int) int { return intmath.CeilDiv(n, 32) }

// FromFlags enqueues writing heads [HeadWords(n)]: item i is a head if flags[i] is not 0.
func (h *Heads) FromFlags(heads *device.Buffer[uint32], flags *device.Buffer[uint8], n int) {
	if n < 0 || n > flags.Len() || HeadWords(n) > heads.Len() {
		h.s.Fail(fmt.Errorf("segsort: heads of %d items from %d flags in %d words", n, flags.Len(), heads.Len()))
		return
	}
	h.flags.Launch(intmath.CeilDiv(HeadWords(n), h.wg), int64(n), flags, heads, uint64(n))
}

// FromOffsets enqueues writing heads [HeadWords(n)]: the items at offsets [m], in any order, are heads. Offsets from
// n on do not count; equal ones, those of empty segments, count once.
func (h *Heads) FromOffsets(heads, offsets *device.Buffer[uint32], m, n int) {
	if n < 0 || m < 0 || m > offsets.Len() || HeadWords(n) > heads.Len() {
		h.s.Fail(fmt.Errorf("segsort: heads of %d items from %d of %d offsets in %d words", n, m, offsets.Len(), heads.Len()))
		return
	}
	if n == 0 {
		return
	}
	heads.View(0, HeadWords(n)).Fill(0)
	h.offsets.Launch(intmath.CeilDiv(m, h.wg), 8*int64(m), offsets, uint64(m), heads, uint64(n))
}
