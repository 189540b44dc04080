package ranges

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/segsort"
)

// run is the state of one Run.
type run[P uint32 | uint64] struct {
	*Sorter[P]
	*sampling[P]
	text  *Text
	order *order[P]

	number   int // of the device; the first one tells the progress, until there are ranges
	host     hostMemory
	delivery *delivery // of the text
	table    *table    // of the devices, if each hands out its own ranges; of the first

	ws    *device.Workspace
	ranks *device.Buffer[uint32] // of the sample, nil before they are known
	code  *alphabetic            // which suffixes are sorted by first when ranks are known; nil: windows
	from  elements[P]            // that suffixes are collected from
	group group[P]               // that they are
	at    int                    // of the next counter
	turn  int                    // ranges that were sorted
}

// Kinds of bounds: ranges.cl.
const (
	unbounded = 0
	notLess   = 1
	greater   = 2
)

// bound is an end of a range: a suffix. What is above it is not less, or greater.
type bound struct {
	suffix int
	window uint64
	kind   uint32
}

func (b bound) args() []any { return []any{uint64(b.suffix), b.window, b.kind} }

// args are the arguments of kernels about an interval.
func (i interval) args() []any {
	if i.high.kind == unbounded {
		i.high.window = math.MaxUint64
	}
	return append(i.low.args(), i.high.args()...)
}

// boundAt reads the window from the device: a file may have changed. A failure sticks to the session.
func (r *run[P]) boundAt(suffix int, kind uint32) bound {
	return bound{suffix, r.shape.of(r.firstBits(suffix), suffix, r.n), kind}
}

// interval is what is above low and not above high.
type interval struct{ low, high bound }

// isClass tells whether it is what agrees with one suffix.
func (i interval) isClass() bool {
	return i.low.kind == notLess && i.high.kind == greater && i.low.suffix == i.high.suffix
}

func (r *run[P]) begin(ctx context.Context, phase string) error {
	r.session.Phase(phase)
	if r.number == 0 || phase == phaseRanges {
		r.order.report(phase)
	}
	return r.session.Check(ctx)
}

func (r *run[P]) release() {
	m := r.memory
	r.host.release()
	m.coded.Release(r.session)
	m.tables.Release(r.session)
	m.sorting.Release(r.session)
	r.sampling.release(r.session)
}

// Arguments of kernels: ranges.cl.
func (r *run[P]) textArgs(w windows) []any {
	return []any{r.memory.packed.Buffer(r.session), uint64(r.n), uint32(w.width), uint32(w.chars), uint32(w.countBits)}
}

func (r *run[P]) coverArgs() []any {
	return []any{r.memory.cover.Buffer(r.session), uint32(r.cover.period), uint32(len(r.cover.residues))}
}

// counter is the next of the counters, which is 0.
func (r *run[P]) counter() int {
	r.at = (r.at + 1) % countWords
	r.memory.counts.Buffer(r.session).View(r.at, 1).Fill(0)
	return r.at
}

// count waits for a counter.
func (r *run[P]) count(at int) (int, error) {
	var v [1]uint32
	err := r.memory.counts.Buffer(r.session).View(at, 1).Read(v[:])
	return int(v[0]), err
}

// list is what is being sorted.
type list[P uint32 | uint64] struct {
	windows  radixsort.Pair[uint64]
	suffixes radixsort.Pair[P]
	slots    radixsort.Pair[uint32]
	heads    radixsort.Pair[uint32]
	allHeads *device.Buffer[uint32] // nil where nobody asks
	sa       *device.Buffer[P]
	of       interval               // which they are in
	key      key                    // they are sorted by first
	short    *device.Buffer[uint32] // short keys, which they have just been sorted by instead; else nil

	packed    *device.Buffer[uint32] // nil where nobody asks
	transform *device.Buffer[uint8]  // the same
	lcp       *device.Buffer[P]      // the same
}

func buffers[T uint32 | uint64](s *device.Session, slots [2]*device.Slot[T]) radixsort.Pair[T] {
	return radixsort.Pair[T]{Cur: slots[0].Buffer(s), Alt: slots[1].Buffer(s)}
}

// list is an empty list whose result goes to the array of that number.
func (r *run[P]) list(result int) *list[P] {
	s, l := r.session, &r.memory.lists
	of := &list[P]{
		windows: buffers(s, l.windows), suffixes: buffers(s, l.suffixes), slots: buffers(s, l.slots),
		heads: buffers(s, l.heads), sa: l.sa[result].Buffer(s),
	}
	if l.packed[result] != nil {
		of.packed = l.packed[result].Buffer(s)
	}
	if l.transform[result] != nil {
		of.transform = l.transform[result].Buffer(s)
	}
	if l.lcp[result] != nil {
		of.lcp = l.lcp[result].Buffer(s)
	}
	return of
}

// sort sorts the m listed suffixes into sa: to their depth, and by ranks if there are any. allHeads gets which of them
// differ from the one before, up to the depth.
func (r *run[P]) sort(ctx context.Context, l *list[P], m int) error {
	k := &r.kernels
	if l.allHeads != nil {
		l.allHeads.View(0, segsort.HeadWords(m)).Fill(0)
	}
	var slots, heads *device.Buffer[uint32]
	depth := 0
	for m > 0 && depth < r.depth && (heads == nil || !r.mergesEarly(m, depth)) {
		if err := r.session.Check(ctx); err != nil {
			return err
		}
		done, counted := 0, wholeShift
		switch {
		case heads != nil:
			r.sortNext(l, heads, m, depth)
			depth += r.shape.chars
			done, counted = depth, 64
		case r.shortens(m):
			r.sortShort(l, m)
			counted = 64
		default:
			depth = r.sortFirst(l, m)
		}
		k.split.Launch(k.tiles(m), 20*int64(m), l.windows.Cur, l.short, l.suffixes.Cur, slots, heads, uint64(m),
			l.heads.Alt, l.sa, l.allHeads)
		l.heads.Swap()
		k.small.Launch(intmath.CeilDiv(m, 2*k.pairs), 64*int64(m), r.textArgs(r.shape), r.coverArgs(), r.ranks,
			uint32(done), uint32(counted), uint32(r.depth), l.windows.Cur, l.suffixes.Cur, slots, l.heads.Cur, uint64(m),
			l.sa, l.allHeads)
		var err error
		if m, err = r.keep(l, slots, m); err != nil {
			return err
		}
		slots, heads = l.slots.Cur, l.heads.Cur
	}
	if m == 0 {
		return r.session.Check(ctx)
	}
	if r.ranks != nil {
		if err := r.merge(ctx, l, m, depth); err != nil {
			return err
		}
	}
	k.place.Launch(k.tiles(m), 12*int64(m), l.suffixes.Cur, l.slots.Cur, uint64(m), l.sa)
	return r.session.Check(ctx)
}

// sortFirst sorts the m listed suffixes by their first characters, and returns how many these are at least.
func (r *run[P]) sortFirst(l *list[P], m int) (depth int) {
	k := &r.kernels
	l.key = r.keyOf(l.of)
	key := []any{l.suffixes.Cur, uint64(m), uint32(l.key.bits), l.key.base, l.windows.Cur}
	if r.codes() {
		k.coded.Launch(intmath.CeilDiv(m, k.codedTile), 32*int64(m), r.textArgs(r.shape), r.codeArgs(), key)
	} else {
		k.keys.Launch(k.tiles(m), 32*int64(m), r.textArgs(r.shape), key)
	}
	// Shorter suffixes come first in the list. So numbers of characters need not be sorted by.
	r.primitives.radix.Run(r.ws, &l.windows, &l.suffixes, m, 0, l.key.sorted)
	return l.key.chars
}

// sortShort sorts the m listed suffixes by short keys. They agree in no characters.
func (r *run[P]) sortShort(l *list[P], m int) {
	k := &r.kernels
	key := shortKeyOf(r.ends(l.of, r.firstBits))
	keys := radixsort.Pair[uint32]{
		Cur: device.Reinterpret[uint32](l.windows.Cur), Alt: device.Reinterpret[uint32](l.windows.Alt)}
	k.shortKeys.Launch(k.tiles(m), 28*int64(m), r.textArgs(r.shape), l.suffixes.Cur, uint64(m), key.base, key.scale,
		keys.Cur)
	r.primitives.short.Run(r.ws, &keys, &l.suffixes, m, 0, shortBits)
	l.short = keys.Cur
}

// sortNext sorts the m listed suffixes, which agree in so many characters, by their next windows.
func (r *run[P]) sortNext(l *list[P], heads *device.Buffer[uint32], m, depth int) {
	k := &r.kernels
	l.short = nil
	if !r.codes() {
		k.windows.Launch(k.tiles(m), 32*int64(m), r.textArgs(r.shape), l.suffixes.Cur, uint64(m), uint32(depth),
			l.windows.Cur)
	} else {
		k.afterCoded.Launch(intmath.CeilDiv(m, k.codedTile), 64*int64(m), r.textArgs(r.shape), r.codeArgs(),
			l.suffixes.Cur, uint64(m), uint32(l.key.bits), uint32(depth-l.key.chars), l.windows.Cur)
	}
	r.primitives.segments.Run(r.ws, &l.windows, &l.suffixes, heads, m)
}

// keep leaves those of m suffixes that are in large groups, and returns how many these are.
func (r *run[P]) keep(l *list[P], slots *device.Buffer[uint32], m int) (int, error) {
	kept := r.memory.kept.Buffer(r.session)
	l.heads.Alt.View(0, segsort.HeadWords(m)).Fill(0)
	r.primitives.keep.Run(r.ws, m, 16, kept, l.heads.Cur, uint64(m), uint32(mostSmall),
		l.suffixes.Cur, slots, l.suffixes.Alt, l.slots.Alt, l.heads.Alt)
	l.suffixes.Swap()
	l.slots.Swap()
	l.heads.Swap()
	var count [1]uint64
	err := kept.Read(count[:])
	return int(count[0]), err
}

// mostMerged is how many suffixes are merged instead of sorted by more than fewRounds further windows: the launches
// take longer than what they do.
var mostMerged = 1 << 20

const fewRounds = 4

// mergesEarly tells whether m suffixes that agree in so many characters are merged before they agree in a period.
func (r *run[P]) mergesEarly(m, depth int) bool {
	return r.ranks != nil && m <= mostMerged && (r.depth-depth)/r.shape.chars > fewRounds
}

// merge sorts the m listed suffixes within their groups, which agree in so many characters: neighbouring runs are
// merged, and what they have become. Suffixes are compared by windows and ranks of the sample.
func (r *run[P]) merge(ctx context.Context, l *list[P], m, agreed int) error {
	var runs *device.Buffer[uint32] // each suffix is one
	most, err := r.groups(l, m, runs)
	if err != nil {
		return err
	}
	if agreed >= r.depth && most >= worthRuns*len(r.cover.residues) {
		runs = r.runs(l, m)
		if most, err = r.groups(l, m, runs); err != nil {
			return err
		}
	}
	k := &r.kernels
	for merged := 1; merged < most; merged *= 2 {
		k.merge.Launch(k.tiles(m), 64*int64(m), r.textArgs(r.shape), r.coverArgs(), r.ranks, uint32(agreed),
			device.Reinterpret[uint32](l.windows.Cur), runs, uint64(m), uint32(merged), l.suffixes.Cur, l.suffixes.Alt)
		l.suffixes.Swap()
		if err := r.session.Check(ctx); err != nil {
			return err
		}
	}
	return nil
}

// groups finds the groups of m listed suffixes, in windows, and how many runs the largest has.
func (r *run[P]) groups(l *list[P], m int, runs *device.Buffer[uint32]) (most int, err error) {
	k, groups := &r.kernels, device.Reinterpret[uint32](l.windows.Cur)
	r.primitives.starts.Run(r.ws, m, 8, l.heads.Cur, uint64(m), groups)
	at := r.counter()
	k.ends.Launch(k.tiles(m), 8*int64(m), l.heads.Cur, uint64(m), groups, runs, r.memory.counts.Buffer(r.session),
		uint32(at))
	return r.count(at)
}

// worthRuns is how many suffixes of a group there must be for each residue of the cover to make runs of them. That
// takes about as long as three rounds of merging.
var worthRuns = 8

// runs sorts the m listed suffixes, which agree in a period within their groups, by ranks of the sample: those whose
// samples have a residue of the cover for their distance are a run. So a group has at most as many runs as there are
// residues. They are in the other half of windows.
func (r *run[P]) runs(l *list[P], m int) *device.Buffer[uint32] {
	k := &r.kernels
	k.ranked.Launch(k.tiles(m), 32*int64(m), r.coverArgs(), r.ranks, l.suffixes.Cur, uint64(m), l.windows.Cur)
	r.primitives.segments.Run(r.ws, &l.windows, &l.suffixes, l.heads.Cur, m)
	runs := device.Reinterpret[uint32](l.windows.Alt)
	r.primitives.runs.Run(r.ws, m, 16, l.heads.Cur, uint64(m), l.windows.Cur, runs)
	return runs
}

// oversampling is how many suffixes are sorted for each range, to choose bounds among them.
const oversampling = 4096

// equal are the ends of that many equal parts, but the last end, as shares of all.
func equal(parts int) (ends []float64) {
	for part := 1; part < parts; part++ {
		ends = append(ends, float64(part)/float64(parts))
	}
	return ends
}

// tapered are the ends of parts that are equal, but for the last ones: for each device one of half the size, and two of
// a quarter.
func tapered(parts, devices int) (ends []float64) {
	end, share := 0.0, 1/float64(parts)
	for part := range parts + 2*devices - 1 {
		switch left := parts + 2*devices - part; {
		case left <= 2*devices:
			end += share / 4
		case left <= 3*devices:
			end += share / 2
		default:
			end += share
		}
		ends = append(ends, end)
	}
	return ends
}

// split returns suffixes that divide all into parts of about these ends.
func (r *run[P]) split(ctx context.Context, elements int, ends []float64, position func(x int) int) ([]int, error) {
	capacity, parts := r.memory.lists.capacity, len(ends)+1
	if parts == 1 {
		return nil, nil
	}
	// One of each stretch of the text: they differ. The last one comes first, as in all lists.
	rng := rand.New(rand.NewPCG(uint64(r.n), 34))
	chosen := make([]P, min(elements, capacity, oversampling*parts))
	for j := range chosen {
		from, end := j*elements/len(chosen), (j+1)*elements/len(chosen)
		chosen[len(chosen)-1-j] = P(position(from + rng.IntN(end-from)))
	}
	l := r.list(0)
	if err := l.suffixes.Cur.Upload(ctx, chosen, nil); err != nil {
		return nil, err
	}
	return r.pick(ctx, l, len(chosen), ends)
}

// pick sorts m listed suffixes and returns some that divide them into parts of these ends. They differ, up to the depth
// where there are no ranks.
func (r *run[P]) pick(ctx context.Context, l *list[P], m int, ends []float64) (picked []int, err error) {
	l.allHeads = r.memory.lists.allHeads.Buffer(r.session)
	if err := r.sort(ctx, l, m); err != nil {
		return nil, err
	}
	sorted, heads := make([]P, m), make([]uint32, segsort.HeadWords(m))
	if err := l.sa.Download(ctx, sorted, nil); err != nil {
		return nil, err
	}
	if err := l.allHeads.Download(ctx, heads, nil); err != nil {
		return nil, err
	}
	last := 0
	for _, end := range ends {
		at := int(end * float64(m))
		for r.ranks == nil && at > 0 && heads[at/32]>>(at%32)&1 == 0 {
			at--
		}
		if at > last || at == 0 && r.ranks == nil && len(picked) == 0 {
			picked = append(picked, positionOf(sorted[at]))
			last = at
		}
	}
	return picked, nil
}

// divide divides an interval with `count` suffixes, more than the capacity, of which the list has the first ones.
func (r *run[P]) divide(ctx context.Context, l *list[P], i interval, count int) ([]interval, error) {
	if r.ranks == nil && i.low.kind == notLess { // a frequent one is likely to be a bound
		above := bound{i.low.suffix, i.low.window, greater}
		return []interval{{i.low, above}, {above, i.high}}, nil
	}
	capacity := r.memory.lists.capacity
	parts := rangesFor(count, capacity)
	picked, err := r.pick(ctx, l, min(capacity, oversampling*parts), equal(parts))
	if err != nil {
		return nil, err
	}
	var all []interval
	low := i.low
	for _, suffix := range picked {
		high := r.boundAt(suffix, notLess)
		all = append(all, interval{low, high})
		if low = high; r.ranks == nil {
			low = bound{suffix, high.window, greater}
			all = append(all, interval{high, low})
		}
	}
	return append(all, interval{low, i.high}), nil
}

// each calls sorted for the intervals, in their order, with the sorted suffixes of each; and class for those of what
// agrees with a suffix. last tells that no interval is left. counted, if not nil, is told how many suffixes the first
// interval has.
func (r *run[P]) each(ctx context.Context, intervals []interval, counted func(suffixes int) error,
	sorted func(l *list[P], m int, of interval, last bool) error,
	class func(suffix int) error) error {
	slices.Reverse(intervals) // the next one is the last
	for len(intervals) > 0 {
		next := intervals[len(intervals)-1]
		intervals = intervals[:len(intervals)-1]
		if next.isClass() {
			if err := class(next.low.suffix); err != nil {
				return err
			}
			continue
		}
		if err := r.session.Check(ctx); err != nil {
			return err
		}
		l := r.list(r.turn % 2)
		l.of = next
		m, err := r.collect(next, l.suffixes.Cur)
		if err == nil && counted != nil {
			err = counted(m)
			counted = nil
		}
		switch {
		case err != nil:
			return err
		case m == 0:
			continue
		case m > r.memory.lists.capacity:
			parts, err := r.divide(ctx, l, next, m)
			if err != nil {
				return err
			}
			slices.Reverse(parts)
			intervals = append(intervals, parts...)
			continue
		}
		if r.ranks == nil {
			l.allHeads = r.memory.lists.allHeads.Buffer(r.session)
		}
		if err := r.sort(ctx, l, m); err != nil {
			return err
		}
		if err := sorted(l, m, next, len(intervals) == 0); err != nil {
			return err
		}
		r.turn++
	}
	return nil
}
