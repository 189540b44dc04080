package ranges

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/segsort"
)

// chooseBounds returns suffixes between ranges of about equal size, but for the last ones, for so many devices of which
// none has room for more than capacity suffixes.
func (r *run[P]) chooseBounds(ctx context.Context, capacity, devices int) ([]int, error) {
	if err := r.begin(ctx, phaseRanges); err != nil {
		return nil, err
	}
	ends := equal(max(rangesFor(r.n, capacity), min(leastRanges(r.session, r.n, devices), r.n)))
	if ownMemory(r.session, r.n) && entryBytes[P](r.options) > 1 && len(ends) > 0 {
		// Nothing is sorted while the last ranges leave. So these are small ones.
		ends = tapered(len(ends)+1, devices)
	}
	return r.split(ctx, r.n, ends, func(x int) int { return x })
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

// boundAt reads the window from the device: a file may have changed. A failure sticks to the session.
func (r *run[P]) boundAt(suffix int, kind uint32) bound {
	return bound{suffix, r.shape.of(r.firstBits(suffix), suffix, r.n), kind}
}

// leadDevices chooses the bounds of all.
func (r *run[P]) leadDevices(ctx context.Context, runs []*run[P]) (split Split, err error) {
	split.Bounds = r.order.state.Bounds
	if r.order.state.Done == 0 {
		capacity := r.memory.lists.capacity
		for _, other := range runs[1:] {
			capacity = min(capacity, other.memory.lists.capacity)
		}
		if split.Bounds, err = r.chooseBounds(ctx, capacity, len(runs)); err != nil {
			return split, err
		}
	}
	if r.table != nil {
		if split.Whole, err = r.rangeOfWhole(split.Bounds); err != nil {
			return split, err
		}
		r.table.open(len(split.Bounds) + 1)
	}
	return split, nil
}

// lead divides the suffix array.
func (r *run[P]) lead(ctx context.Context) (s Split, err error) {
	t := r.order.ranks
	if s.Bounds = t.Bounds; s.Bounds == nil {
		if s.Bounds, err = r.chooseBounds(ctx, t.Capacity, t.Count); err != nil {
			return s, err
		}
	}
	s.Whole, err = r.rangeOfWhole(s.Bounds)
	return s, err
}

// rangeOfWhole is the number of the range that has the whole text.
func (r *run[P]) rangeOfWhole(bounds []int) (number int, err error) {
	from, to := 0, len(bounds) // bounds before from are not greater than the whole text, those from to on are
	for from < to {
		at := (from + to) / 2
		greater, err := r.greaterThanWhole(bounds[at])
		switch {
		case err != nil:
			return 0, err
		case greater:
			to = at
		default:
			from = at + 1
		}
	}
	return from, nil
}

// greaterThanWhole tells whether a suffix is greater than the whole text, by ranks of the sample where a period does
// not tell.
func (r *run[P]) greaterThanWhole(suffix int) (bool, error) {
	if suffix == 0 {
		return false, nil
	}
	period, left := r.cover.period, r.n-suffix
	chars := min(period, left)
	head, err := r.bitsOf(0, chars)
	if err != nil {
		return false, err
	}
	other, err := r.bitsOf(suffix, chars)
	if err != nil {
		return false, err
	}
	if order := slices.Compare(other, head); order != 0 || left <= period {
		return order > 0, nil // one that ends there is less
	}
	x := int(r.cover.table()[suffix%period]) // and x + suffix is in the sample
	var ranks [2][1]uint32
	for k, i := range []int{suffix + x, x} {
		if err := r.ranks.View(r.cover.sampleAt(i), 1).Read(ranks[k][:]); err != nil {
			return false, err
		}
	}
	return ranks[0][0] > ranks[1][0], nil
}

// bitsOf reads so many characters of suffix i from the device, as they are packed there: a file may have changed.
func (r *run[P]) bitsOf(i, chars int) ([]uint64, error) {
	at, size := i*r.shape.width, chars*r.shape.width
	packed := r.memory.packed.Buffer(r.session)
	words := make([]uint64, min(intmath.CeilDiv(at%64+size, 64)+1, packed.Len()-at/64))
	if err := packed.View(at/64, len(words)).Read(words); err != nil {
		return nil, err
	}
	window := make([]uint64, intmath.CeilDiv(size, 64))
	for k := range window {
		window[k] = words[k] << (at % 64)
		if k+1 < len(words) {
			window[k] |= words[k+1] >> 1 >> (63 - at%64)
		}
	}
	if rest := size % 64; rest > 0 {
		window[len(window)-1] &= math.MaxUint64 << (64 - rest)
	}
	return window, nil
}
