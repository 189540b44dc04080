package verify

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/radixsort"
)

// near is how many entries of a block share one minimum.
const near = 64

// noEntry is NO_ENTRY of verify_buckets_lcp.cl.
const noEntry = math.MaxUint64

// bucketLengths checks the LCP array block by block: an entry follows from the entries between two suffixes with the
// same character before them.
type bucketLengths struct {
	lcp, minima            *device.Slot[uint64]
	before, after          *device.Slot[uint64]
	slots, nearest, expect *device.Kernel

	block []uint64
	least [buckets]uint64 // entries after the last suffix of a character so far, or noEntry
}

func newBucketLengths(s *device.Session, l *device.Layout, m int, source device.Source) *bucketLengths {
	d := device.Defines{"NEAR": near}
	for name, value := range source.Defines {
		d[name] = value
	}
	program := s.Program(device.Source{Files: append(source.Files[:1:1], "verify_buckets_lcp.cl"), Defines: d})
	kernel := func(name string) *device.Kernel {
		return program.Kernel("verify_buckets_"+name, source.Defines["WG"].(int))
	}
	return &bucketLengths{
		lcp: device.Reserve[uint64](l, "LCP array", m), minima: device.Reserve[uint64](l, "minima", m/near+1),
		before: device.Reserve[uint64](l, "least before", buckets), after: device.Reserve[uint64](l, "least after", buckets),
		slots: kernel("slots"), nearest: kernel("minima"), expect: kernel("expect"),
	}
}

func wrongLength(at int, why string) error {
	return &MismatchError{What: "LCP array", At: at, Why: why}
}

// begin knows of the suffix of the end, which only the last character of the text is before, and checks the entry of
// the last suffix, in that slot.
func (b *bucketLengths) begin(given Given, last byte, slot int) error {
	for c := range b.least {
		b.least[c] = noEntry
	}
	b.least[last] = noEntry - 1
	var first [1]uint64
	if err := given.LCP(first[:], slot); err != nil {
		return err
	}
	if first[0] != 0 {
		return wrongLength(slot, fmt.Sprintf("holds %d instead of 0", first[0]))
	}
	return nil
}

// read reads the entries of a block, which must be less than n, and returns the least.
func (b *bucketLengths) read(given Given, at, m, n int) (least uint64, err error) {
	if len(b.block) < m {
		b.block = make([]uint64, m)
	}
	entries := b.block[:m]
	if err := given.LCP(entries, at); err != nil {
		return 0, err
	}
	var low, wrong atomic.Uint64
	low.Store(noEntry)
	wrong.Store(noEntry)
	lower := func(to *atomic.Uint64, v uint64) {
		for old := to.Load(); v < old && !to.CompareAndSwap(old, v); old = to.Load() {
		}
	}
	parallel.Do(m, 1<<14, func(lo, hi int) {
		mine := uint64(noEntry)
		for j, v := range entries[lo:hi] {
			if mine = min(mine, v); v >= uint64(n) {
				lower(&wrong, uint64(lo+j))
			}
		}
		lower(&low, mine)
	})
	if j := wrong.Load(); j != noEntry {
		return 0, wrongLength(at+int(j), fmt.Sprintf("holds %d, in a text of %d characters", entries[j], n))
	}
	return low.Load(), nil
}

// checkLengths checks the entries that follow from those of the block of m slots from `at` on, whose suffix array is
// right. lengths is memory for m entries.
func (c *BucketChecker) checkLengths(ctx context.Context, given Given, at, m int, lengths []uint64, all []stretch,
) error {
	if given.LCP == nil {
		return nil
	}
	s, b := c.s, c.lengths
	least, err := b.read(given, at, m, c.n)
	if err != nil {
		return err
	}
	lcp, before, after := b.lcp.Buffer(s), b.before.Buffer(s), b.after.Buffer(s)
	if err := lcp.Upload(ctx, b.block[:m], nil); err != nil {
		return err
	}
	if err := before.Write(b.least[:]); err != nil {
		return err
	}
	for k := range b.least {
		if b.least[k] != noEntry {
			b.least[k] = min(b.least[k], least)
		}
	}
	if err := after.Write(b.least[:]); err != nil {
		return err
	}
	keys := radixsort.Pair[uint32]{Cur: c.keys[0].Buffer(s), Alt: c.keys[1].Buffer(s)}
	values := radixsort.Pair[uint64]{Cur: c.values[0].Buffer(s), Alt: c.values[1].Buffer(s)}
	tiles := intmath.CeilDiv(m, c.tile)
	b.slots.Launch(tiles, 52*int64(m), c.text.Buffer(s), c.block.Buffer(s), uint32(m), keys.Cur, values.Cur)
	c.sort.Run(c.ws.Workspace(s), &keys, &values, m, 0, 9)
	b.nearest.Launch(intmath.CeilDiv(intmath.CeilDiv(m, near), c.tile), 8*int64(m), lcp, uint32(m), b.minima.Buffer(s))
	expected := values.Alt
	b.expect.Launch(tiles, 28*int64(m), keys.Cur, values.Cur, uint32(m), lcp, b.minima.Buffer(s), before, after, expected)
	if err := after.Read(b.least[:]); err != nil {
		return err
	}
	compared := 0
	for _, p := range all {
		if err := given.LCP(lengths[p.from:p.from+p.count], p.slot); err != nil {
			return err
		}
		compared += p.count
	}
	if compared == 0 {
		return s.Check(ctx)
	}
	found := c.faults.Buffer(s)
	found.Fill(none)
	entries := c.entries.Buffer(s)
	if err := entries.Upload(ctx, lengths[:compared], nil); err != nil {
		return err
	}
	c.equal.Launch(intmath.CeilDiv(compared, c.tile), 16*int64(compared), expected, entries, uint32(compared), found)
	var wrong [len(faults)]uint32
	if err := found.Read(wrong[:]); err != nil {
		return err
	}
	if j := int(wrong[2]); wrong[2] != none {
		return wrongLength(slotOf(all, j), fmt.Sprintf("holds %d, which is not what the suffixes share", lengths[j]))
	}
	return s.Check(ctx)
}
