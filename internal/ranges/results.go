package ranges

import (
	"context"
	"errors"
	"math"
)

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
	next = rangeOf[P]{positions: l.sa, packed: l.packed, transform: l.transform, lcp: l.lcp, whole: -1, n: m,
		entries: m}
	if l.packed != nil {
		if next.entries, err = r.pack(l, m); err != nil {
			return next, err
		}
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

// pack enqueues packing m sorted suffixes, and returns how many entries that makes. Where some are left out, the others
// move to the list of what is to be sorted, in which nothing is left.
func (r *run[P]) pack(l *list[P], m int) (entries int, err error) {
	p, places, from := r.primitives.entries, r.memory.places.Buffer(r.session), l.sa
	if p.only != nil {
		from = l.suffixes.Cur
		if m, err = p.keep(r.ws, l.sa, 0, m, places, r.memory.kept.Buffer(r.session), from); err != nil {
			return 0, err
		}
	}
	p.pack(from, 0, m, places, l.packed)
	return m, nil
}

// compare enqueues the LCP array of m sorted suffixes, one entry further: each has what the suffix shares with the one
// after it, the last with `next`.
func (r *run[P]) compare(l *list[P], m, next int) {
	k, of := &r.kernels, r.lengths
	of.of.Launch(k.tiles(m), 64*int64(m), r.textArgs(r.shape), r.coverArgs(), r.ranks, of.shared.Buffer(r.session),
		of.minima.Buffer(r.session), uint64(r.samples), uint32(r.depth), l.sa, uint64(m), uint64(next), l.lcp)
}
