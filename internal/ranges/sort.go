package ranges

import (
	"context"
	"errors"
	"math"

	"golang.org/x/sync/errgroup"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
)

// errNoneLeft ends what a device does for the sample, when others have taken all ranges.
var errNoneLeft = errors.New("ranges: no range is left")

// runAll sorts the ranges on all devices. Each ranks the sample for itself, which takes no longer than if one did it
// for all. The first one chooses the bounds.
func runAll[P uint32 | uint64](ctx context.Context, runs []*run[P]) error {
	leader := runs[0]
	if o := leader.order; o.state.Done > 0 && o.state.Done == o.ranges() {
		return leader.session.Check(ctx)
	}
	defer context.AfterFunc(ctx, func() { leader.order.stop(context.Cause(ctx)) })()
	group, working := errgroup.WithContext(ctx)
	ranking, enough := context.WithCancelCause(working)
	defer enough(nil)
	splits := make(chan Split, len(runs))
	for i, r := range runs {
		group.Go(func() error {
			err := r.runAsDevice(working, ranking, i == 0, runs, splits)
			if err == nil {
				enough(errNoneLeft)
			} else if errors.Is(err, errNoneLeft) {
				return r.session.Check(working)
			} else {
				r.order.stop(err)
			}
			return err
		})
	}
	err := group.Wait()
	if failed := leader.order.failure(); err != nil && failed != nil {
		err = failed // what came first
	}
	for _, r := range runs { // a device may have failed after that
		err = withFailure(err, r.session)
	}
	return err
}

// withFailure is the error together with that of the device, unless it has one.
func withFailure(err error, s *device.Session) error {
	var code cl.Code
	if failed := s.Err(); failed != nil && !errors.As(err, &code) {
		return errors.Join(err, failed)
	}
	return err
}

// runAsDevice ranks the sample, and sorts ranges until none is left.
func (r *run[P]) runAsDevice(ctx, ranking context.Context, leads bool, runs []*run[P], splits chan Split) error {
	if err := r.rankSample(ranking); err != nil {
		return err
	}
	if leads {
		split, err := r.leadDevices(ctx, runs)
		if err != nil {
			return err
		}
		for range runs {
			splits <- split
		}
	}
	select {
	case split := <-splits:
		r.order.divide(split)
	case <-ranking.Done():
		return context.Cause(ranking)
	}
	return r.sortRanges(ctx)
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

// leastRanges is how many ranges are made at least: of several devices each gets its share, which differ by a range; of
// a device with memory of its own the results of one range leave while others are sorted.
func leastRanges(s *device.Session, n, devices int) int {
	switch {
	case devices > 1:
		return 6 * devices
	case ownMemory(s, n):
		return 4
	}
	return 1
}

// ownMemory tells whether results of n suffixes leave a device with memory of its own, and take their time.
func ownMemory(s *device.Session, n int) bool {
	const worthwhile = 1 << 26
	return !s.Caps().CPUShape && n >= worthwhile
}

// sortRanges takes range after range, and hands them out. While one is copied to the host, the next is sorted.
func (r *run[P]) sortRanges(ctx context.Context) error {
	if err := r.begin(ctx, phaseRanges); err != nil {
		return err
	}
	out, err := newOutput(r, r.order)
	if err != nil {
		return err
	}
	for err == nil {
		var number int
		var ok bool
		if number, ok, err = r.order.take(); !ok {
			break
		}
		err = r.sortRange(ctx, out, number)
	}
	if err != nil {
		r.order.stop(err)
	}
	return errors.Join(err, out.close())
}

// sortRange sorts a range, in parts if it turns out too large.
func (r *run[P]) sortRange(ctx context.Context, out *output[P], number int) error {
	of, err := r.collectFrom(number)
	if err != nil {
		return err
	}
	ended := false
	counted := func(suffixes int) error { return r.order.counted(number, suffixes) }
	err = r.each(ctx, []interval{of}, counted, func(l *list[P], m int, of interval, last bool) error {
		next, err := r.results(l, m, of)
		if err != nil {
			return err
		}
		next.number, next.ends = number, last
		ended = last
		if err := out.start(next); err != nil {
			return err
		}
		return r.begin(ctx, phaseRanges)
	}, nil)
	if err == nil && !ended { // it is empty, or its last part is
		err = out.start(rangeOf[P]{number: number, ends: true, whole: -1})
	}
	return err
}

// intervalOf is the interval of a range.
func (r *run[P]) intervalOf(number int) (i interval) {
	bounds := r.order.state.Bounds
	if number > 0 {
		i.low = r.boundAt(bounds[number-1], notLess)
	}
	if number < len(bounds) {
		i.high = r.boundAt(bounds[number], notLess)
	}
	return i
}

// results are what is made of the m suffixes of a range, or of a part of one.
func (r *run[P]) results(l *list[P], m int, of interval) (next rangeOf[P], err error) {
	s, k := r.session, &r.kernels
	next = rangeOf[P]{positions: l.sa, packed: l.packed, transform: l.transform, lcp: l.lcp, whole: -1, n: m}
	if l.packed != nil {
		k.entries.Launch(k.tiles(intmath.CeilDiv(PackedBytes*m, 4)), (wide[P]()+PackedBytes)*int64(m), l.sa,
			uint64(m), l.packed)
	}
	if l.lcp != nil {
		after := r.n
		if of.high.kind != unbounded {
			after = of.high.suffix
		}
		r.compare(l, m, after)
	}
	if l.transform == nil {
		return next, nil
	}
	whole := r.memory.kept.Buffer(s)
	whole.Fill(math.MaxUint64)
	k.transform.Launch(k.tiles(m), 41*int64(m), r.textArgs(r.shape), r.memory.letters.Buffer(s), r.tagged(), l.sa,
		uint64(m), l.transform, whole)
	var at [1]uint64
	if err := whole.Read(at[:]); err != nil {
		return next, err
	}
	if at[0] != math.MaxUint64 {
		next.whole = int(at[0])
	}
	return next, nil
}
