package ranges

import (
	"context"
	"slices"
)

// Ranks are several runs on one text, as processes or goroutines, of sorters of the same plan. Each ranks the sample,
// sorts ranges, and hands them out with their places in the results.
type Ranks struct {
	Leads    bool // this one chooses the bounds
	Count    int
	Capacity int   // the least one of their sorters
	Bounds   []int // of an earlier run, for the one that leads; nil: it chooses them
	// Share passes the leader's bounds on to all. Every rank calls it once, also after an error, which then is one of all.
	Share func(ctx context.Context, s Split, err error) (Split, error)
	Desk  Desk
}

// Desk is where ranks get their ranges. Several goroutines of a rank use it.
type Desk interface {
	// Take returns the number of the next range. !ok: there is none, or an error.
	Take() (number int, ok bool, err error)
	// Counted tells how many suffixes a range has that was taken.
	Counted(number, suffixes int) error
	// First returns the index of the first suffix of a range that was taken. It waits until all ranges before are counted.
	First(number int) (int, error)
	// Finished tells that all of a range was handed out. primary is the index of the transform, if this rank has found it,
	// else 0.
	Finished(number, primary int) error
	// Handed tells how many suffixes this rank has handed out, and returns how many all have, as far as it is known here.
	Handed(suffixes int) int
	// Stop ends the runs of all ranks.
	Stop(err error)
}

// Split is how the suffix array is divided into ranges.
type Split struct {
	Bounds []int // suffixes, ascending
	Whole  int   // the range that has the whole text
}

// runAsRank sorts its share of the ranges.
func (r *run[P]) runAsRank(ctx context.Context) error {
	o, t := r.order, r.order.ranks
	var split Split
	err := r.rankSample(ctx)
	if err == nil && t.Leads {
		split, err = r.lead(ctx)
	}
	if split, err = t.Share(ctx, split, err); err != nil {
		return err
	}
	o.divide(split)
	defer context.AfterFunc(ctx, func() { o.stop(context.Cause(ctx)) })()
	if err := r.sortRanges(ctx); err != nil {
		o.stop(err)
		return o.failure()
	}
	return nil
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
