package ranges

import (
	"context"
	"errors"

	"golang.org/x/sync/errgroup"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
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

// withFailure is the error together with that of the device, unless it has one.
func withFailure(err error, s *device.Session) error {
	var code cl.Code
	if failed := s.Err(); failed != nil && !errors.As(err, &code) {
		return errors.Join(err, failed)
	}
	return err
}
