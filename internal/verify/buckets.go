package verify

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/radixsort"
)

// MaxBucketLen is the longest text of a [BucketChecker].
const MaxBucketLen = 1 << 36

// Bounds on devices where work-items cannot loop for long.
const (
	shortLoops = 1 << 15 // steps of a work-item
	shortBlock = 1 << 14 // entries
)

// blockOf is how many of n entries are on the device at a time.
func blockOf(n int) int { return min(n, max(n/16, 1<<12), 1<<20) }

// none is in the counters of faults if there is no fault.
const none = 1<<32 - 1

// buckets is the number of keys: characters, and none.
const buckets = 257

// BucketChecker checks suffix arrays, and transforms, with the text alone in device memory. The array is read at 257
// places at a time: from its first entry on, and from the first of each bucket on. It is for one goroutine.
//
// Entry i, less one, is the next of the bucket of the character before it, whatever i. If that holds for all, the array
// is a permutation: from the entry of the last suffix, which is the first of its bucket, such steps lead through all
// suffixes, down to the whole text. And it is in order, by induction over the lengths of the common prefixes of
// suffixes.
type BucketChecker struct {
	s                       *device.Session
	n, tile                 int
	size                    int // of a block
	sort                    *radixsort.Plan[uint32, uint64]
	layout                  *device.Layout
	text                    *device.Slot[uint8]
	block, entries          *device.Slot[uint64]
	letters                 *device.Slot[uint8]
	keys                    [2]*device.Slot[uint32]
	values                  [2]*device.Slot[uint64]
	starts, faults          *device.Slot[uint32]
	ws                      *device.WorkspaceSlot
	before, starting, equal *device.Kernel
	lengths                 *bucketLengths // nil if LCP arrays are not checked
}

// NewBuckets plans the check of texts of n bytes, without LCP arrays. It sizes the memory; Allocate takes it. Errors: a
// *[device.LengthError].
func NewBuckets(s *device.Session, n int) (*BucketChecker, error) { return newBuckets(s, n, false) }

// NewBucketsLCP plans the check of LCP arrays, too. It takes 8 bytes more for each entry of a block.
func NewBucketsLCP(s *device.Session, n int) (*BucketChecker, error) { return newBuckets(s, n, true) }

func newBuckets(s *device.Session, n int, lcp bool) (*BucketChecker, error) {
	if err := limits.CheckLen("text", n, MaxBucketLen); err != nil {
		return nil, err
	}
	shape, m := tuned.Of(s).Map, blockOf(n)
	if lcp && !tuned.Quirks(s.Caps()).LongLoops {
		// An entry takes as many steps as its block has minima, and two for each entry of a minimum.
		m = min(m, shortBlock)
		shape.Items = max(1, shortLoops/(shortBlock/near+2*near)/shape.WG)
	}
	source := device.Source{
		Files: []string{"verify_buckets.cl"}, Defines: device.Defines{"WG": shape.WG, "ITEMS": shape.Items},
	}
	program := s.Program(source)
	l := device.NewLayout("verify")
	c := &BucketChecker{s: s, n: n, size: m, tile: shape.WG * shape.Items, layout: l,
		sort: radixsort.NewPairs[uint32, uint64](s, m),
		text: device.Reserve[uint8](l, "text", n), block: device.Reserve[uint64](l, "block", m),
		entries: device.Reserve[uint64](l, "entries of buckets", m), letters: device.Reserve[uint8](l, "transform", m),
		starts: device.Reserve[uint32](l, "starts", buckets), faults: device.Reserve[uint32](l, "faults", len(faults))}
	for k := range 2 {
		c.keys[k], c.values[k] = device.Reserve[uint32](l, "keys", m), device.Reserve[uint64](l, "values", m)
	}
	c.ws = device.ReserveWorkspace(l, c.sort.Workspace())
	if lcp {
		c.lengths = newBucketLengths(s, l, m, source)
	}
	kernel := func(name string) *device.Kernel { return program.Kernel("verify_buckets_"+name, shape.WG) }
	c.before, c.starting, c.equal = kernel("before"), kernel("starts"), kernel("compare")
	return c, nil
}

// Memory is the device memory: a byte a character, and up to 60 MB: 4 bytes a character.
func (c *BucketChecker) Memory() device.PhaseMemory { return c.layout.Memory() }

// Allocate takes the device memory. It must be called before Run.
func (c *BucketChecker) Allocate() error { return c.layout.Allocate(c.s) }

// Release frees the device memory. Allocate may take it again.
func (c *BucketChecker) Release() { c.layout.Release(c.s) }

// Given are the arrays that are checked. Functions read entries from an index on.
type Given struct {
	Len         int // entries of the suffix array
	SuffixArray func(entries []uint64, first int) error
	// Transform, of as many bytes as the text, and Primary are checked, too, unless Transform is nil.
	Transform func(part []byte, first int) error
	Primary   int
	// LCP, an array of as many entries, is checked, too, unless it is nil: see NewBucketsLCP.
	LCP func(entries []uint64, first int) error
	// Letters, unless they are nil, are all that is not special: other characters, and the end of the text, are greater,
	// equal to nothing, and ordered by place. Then the suffix array is checked alone.
	Letters []byte
}

// Run returns nil if the arrays are those of text [n]. progress may be nil.
//
// Errors: a *MismatchError with a wrong entry, or where something is wrong; a text of another length; those of the
// functions; the context's; the device's.
func (c *BucketChecker) Run(ctx context.Context, text []byte, given Given, progress func(done, total int64)) error {
	if len(text) != c.n {
		return fmt.Errorf("verify: text of %d characters, planned for %d", len(text), c.n)
	}
	if given.SuffixArray == nil {
		return errors.New("verify: Given.SuffixArray is nil")
	}
	if given.Len != c.n {
		return wrongEntry(-1, fmt.Sprintf("has %d entries instead of %d", given.Len, c.n))
	}
	if given.Transform != nil && (given.Primary < min(c.n, 1) || given.Primary > c.n) {
		return &MismatchError{What: "transform", At: -1, Why: fmt.Sprintf("has primary index %d", given.Primary)}
	}
	if given.LCP != nil && c.lengths == nil {
		return errors.New("verify: an LCP array, of a check that is planned without")
	}
	if given.Letters != nil && (given.Transform != nil || given.LCP != nil) {
		return errors.New("verify: of a text with specials the suffix array is checked alone")
	}
	if c.n == 0 {
		return c.s.Check(ctx)
	}
	c.s.Phase("verify")
	if given.Letters != nil {
		return c.runSpecial(ctx, text, given, progress)
	}
	if err := c.text.Buffer(c.s).Upload(ctx, text, nil); err != nil {
		return err
	}
	next, ends := bucketsOf(text)
	last := text[c.n-1]
	var first [1]uint64
	if err := given.SuffixArray(first[:], next[last]); err != nil {
		return err
	}
	if first[0] != uint64(c.n-1) {
		return wrongEntry(next[last], "is not the last suffix, the first of its letter")
	}
	if given.LCP != nil {
		if err := c.lengths.begin(given, last, next[last]); err != nil {
			return err
		}
	}
	next[last]++
	if given.Transform != nil {
		var front [1]byte
		if err := given.Transform(front[:], 0); err != nil {
			return err
		}
		if front[0] != last {
			return wrongLetter(0)
		}
	}
	return c.checkBlocks(ctx, given, next, ends, progress)
}

// checkBlocks checks all entries. next are the first slots of the buckets, and ends those after their last.
func (c *BucketChecker) checkBlocks(ctx context.Context, given Given, next, ends []int,
	progress func(done, total int64)) error {
	size := c.size
	block, entries, letters := make([]uint64, size), make([]uint64, size), make([]byte, size)
	for at := 0; at < c.n; at += size {
		m := min(size, c.n-at)
		if err := c.checkBlock(ctx, given, at, block[:m], entries[:m], letters[:m], next, ends); err != nil {
			return err
		}
		if progress != nil {
			progress(int64(at+m), int64(c.n))
		}
	}
	for b, end := range ends {
		if next[b] != end {
			return wrongEntry(next[b], "is of no suffix before another")
		}
	}
	return nil
}

func wrongEntry(at int, why string) error {
	return &MismatchError{What: "suffix array", At: at, Why: why}
}

func wrongLetter(at int) error {
	return &MismatchError{What: "transform", At: at, Why: "holds another character"}
}

// bucketsOf are the slots of the first suffix of each character, and after its last.
func bucketsOf(text []byte) (starts, ends []int) {
	counts := countsOf(text)
	return slotsOf(&counts)
}

// countsOf is how often each character occurs.
func countsOf(text []byte) (counts [256]int) {
	var mu sync.Mutex
	parallel.Do(len(text), 1<<20, func(lo, hi int) {
		var mine [256]int
		for _, b := range text[lo:hi] {
			mine[b]++
		}
		mu.Lock()
		defer mu.Unlock()
		for b, count := range mine {
			counts[b] += count
		}
	})
	return counts
}

func slotsOf(counts *[256]int) (starts, ends []int) {
	at := 0
	for _, count := range counts {
		starts = append(starts, at)
		at += count
		ends = append(ends, at)
	}
	return starts, ends
}

// checkBlock checks the entries from slot `at` on. next are the next slots of the buckets.
func (c *BucketChecker) checkBlock(ctx context.Context, given Given, at int, block, entries []uint64, letters []byte,
	next, ends []int) error {
	s, m := c.s, len(block)
	if err := given.SuffixArray(block, at); err != nil {
		return err
	}
	if err := c.block.Buffer(s).Upload(ctx, block, nil); err != nil {
		return err
	}
	var transform *device.Buffer[uint8]
	if given.Transform != nil {
		if err := c.readLetters(given, at, block, letters); err != nil {
			return err
		}
		transform = c.letters.Buffer(s)
		if err := transform.Upload(ctx, letters, nil); err != nil {
			return err
		}
	}
	found, starts := c.faults.Buffer(s), c.starts.Buffer(s)
	keys := radixsort.Pair[uint32]{Cur: c.keys[0].Buffer(s), Alt: c.keys[1].Buffer(s)}
	values := radixsort.Pair[uint64]{Cur: c.values[0].Buffer(s), Alt: c.values[1].Buffer(s)}
	found.Fill(none)
	starts.Fill(none)
	tiles := intmath.CeilDiv(m, c.tile)
	c.before.Launch(tiles, int64(m)*(8+32+12), c.text.Buffer(s), uint64(c.n), c.block.Buffer(s), uint32(m), transform,
		keys.Cur, values.Cur, found)
	c.sort.Run(c.ws.Workspace(s), &keys, &values, m, 0, 9)
	c.starting.Launch(tiles, 4*int64(m), keys.Cur, uint32(m), starts)
	var first [buckets]uint32
	var wrong [len(faults)]uint32
	if err := starts.Read(first[:]); err != nil {
		return err
	}
	if err := found.Read(wrong[:]); err != nil {
		return err
	}
	switch {
	case wrong[0] != none:
		return wrongEntry(at+int(wrong[0]), faults[0])
	case wrong[1] != none:
		slot := at + int(wrong[1])
		if slot < given.Primary-1 {
			slot++ // of the transform
		}
		return wrongLetter(slot)
	}
	var all []stretch
	end := uint32(m)
	for b := buckets - 1; b >= 0; b-- {
		if first[b] == none {
			continue
		}
		if b < len(next) {
			all = append(all, stretch{b, int(first[b]), int(end - first[b]), next[b]})
		}
		end = first[b]
	}
	compared := 0
	for _, p := range all {
		if p.slot+p.count > ends[p.bucket] {
			return wrongEntry(ends[p.bucket]-1, "is of the last suffix of its letter, and there are more")
		}
		if err := given.SuffixArray(entries[p.from:p.from+p.count], p.slot); err != nil {
			return err
		}
		next[p.bucket] += p.count
		compared += p.count
	}
	if compared == 0 {
		return cmp.Or(s.Check(ctx), c.checkLengths(ctx, given, at, m, entries, all))
	}
	if err := c.entries.Buffer(s).Upload(ctx, entries[:compared], nil); err != nil {
		return err
	}
	c.equal.Launch(intmath.CeilDiv(compared, c.tile), 16*int64(compared), values.Cur, c.entries.Buffer(s),
		uint32(compared), found)
	if err := found.Read(wrong[:]); err != nil {
		return err
	}
	if j := int(wrong[2]); wrong[2] != none {
		return wrongEntry(slotOf(all, j), "is not the suffix whose turn it is in its bucket")
	}
	return cmp.Or(s.Check(ctx), c.checkLengths(ctx, given, at, m, entries, all))
}

// stretch is the part of a bucket that a block has: the first of its sorted entries, their number, and the slot of the
// first.
type stretch struct{ bucket, from, count, slot int }

// slotOf is the slot of a sorted entry.
func slotOf(all []stretch, entry int) int {
	i := slices.IndexFunc(all, func(p stretch) bool { return entry >= p.from && entry < p.from+p.count })
	return all[i].slot + entry - all[i].from
}

// readLetters reads the part of the transform that belongs to the entries of a block from slot `at` on. The whole text
// has none.
func (c *BucketChecker) readLetters(given Given, at int, block []uint64, letters []byte) error {
	whole := given.Primary - 1 // its slot
	if here := whole - at; here >= 0 && here < len(block) && block[here] != 0 {
		return &MismatchError{What: "transform", At: -1,
			Why: fmt.Sprintf("has primary index %d, and the suffix there is not the whole text", given.Primary)}
	}
	before := min(max(whole-at, 0), len(letters)) // entries of slots before it
	if before > 0 {
		if err := given.Transform(letters[:before], at+1); err != nil {
			return err
		}
	}
	after := letters[min(max(whole+1-at, 0), len(letters)):]
	if len(after) == 0 {
		return nil
	}
	return given.Transform(after, at+len(letters)-len(after))
}
