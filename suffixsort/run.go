package suffixsort

import (
	"context"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/periodic"
	"github.com/suffixcl/suffixcl/radixsort"
)

// run is the state of one Run.
type run struct {
	*Sorter
	n     int // characters
	ahead int // suffixes that are not sorted by a window yet

	text, end                      *device.Buffer[uint8]
	out                            *device.Buffer[uint8] // of the transform, or nil
	sa, isa, behind, theirs, table *device.Buffer[uint32]
	packed                         *device.Buffer[uint64]
	uniform                        int // depth of all groups, or 0
	depths                         *device.Buffer[uint32]
	overDepths                     bool                   // theirs are in their way
	preceding                      *device.Buffer[uint32] // nil unless the transform is wanted of this text
	counts                         *device.Buffer[uint32]
	round                          int                    // where counts has those of the next round
	hi, lo                         radixsort.Pair[uint32] // words of the first sort
	all                            grouped
	listed                         listing
	lasts                          *device.Buffer[uint32] // of all, or nil: see findLasts
	marked                         *device.Buffer[uint32] // chosen suffixes, ends of chains, and where these are in the text
	doubling                       doubling
	ws                             *device.Workspace
}

func (r *run) sort(ctx context.Context, progress progress) error {
	if progress != nil { // which skew begins anew
		tell, most := progress, int64(0)
		progress = func(phase string, done, total int64) {
			most = max(most, done)
			tell(phase, most, total)
		}
	}
	if err := r.begin(ctx, progress, phaseAlphabet); err != nil {
		return err
	}
	r.clearCounts()
	r.periods.Look(r.text, r.counts, countPeriods)
	bytes, recurs, err := r.countBytes()
	if err != nil {
		return err
	}
	t, ok, err := r.periods.Find(r.text, recurs, r.counts, countPeriods)
	switch {
	case err != nil:
		return err
	case ok:
		return r.sortPeriodic(ctx, t, progress)
	}
	sorted, err := r.sortCounted(ctx, bytes, progress)
	if err == nil && !sorted {
		err = r.sortBySkew(ctx, progress)
	}
	return err
}

// sortPeriodic sorts the end of the text, and expands its suffix array.
func (r *run) sortPeriodic(ctx context.Context, t periodic.Text, progress progress) error {
	end := *r
	end.n = r.n - t.Base
	end.ahead = end.n
	end.text = r.end.View(0, end.n)
	device.Copy(end.text, r.text.View(t.Base, end.n), end.n)
	end.sa = r.sa.View(0, end.n)
	end.all.n, end.all.suffixes = end.n, end.sa
	end.out = nil
	end.clearCounts()
	bytes, _, err := end.countBytes()
	if err != nil {
		return err
	}
	behind := func(phase string, done, _ int64) {
		if progress != nil {
			progress(phase, int64(t.Base)+done, int64(r.n))
		}
	}
	sorted, err := end.sortCounted(ctx, bytes, behind)
	if err == nil && !sorted {
		if err = end.sortBySkew(ctx, behind); err == nil {
			r, err = r.newRun(r.text, r.sa) // takes the memory back
		}
	}
	if err != nil {
		return err
	}
	r.s.Phase(phaseExpand)
	if progress != nil {
		progress(phaseExpand, int64(r.n), int64(r.n))
	}
	device.Copy(r.behind, end.sa, end.n)
	r.periods.Expand(r.ws, r.text, t, r.behind, r.isa, r.sa)
	return r.s.Check(ctx)
}

// sorted is how many suffixes are in their final place.
func (r *run) sorted() int64 { return int64(r.n - r.ahead - r.all.left.sum()) }

// begin begins a phase, or another round of it.
func (r *run) begin(ctx context.Context, progress progress, phase string) error {
	r.s.Phase(phase)
	if progress != nil {
		progress(phase, r.sorted(), int64(r.n))
	}
	return r.s.Check(ctx)
}

// sortCounted sorts a text that has those bytes, and is not periodic. false: skew is faster.
func (r *run) sortCounted(ctx context.Context, bytes []uint32, progress progress) (bool, error) {
	step := func(phase string) error { return r.begin(ctx, progress, phase) }
	if err := r.makeCode(bytes); err != nil {
		return false, err
	}
	if r.code.sigma == 1 {
		r.descend.Launch(r.tiles(r.n), 4*int64(r.n), r.sa, uint64(r.n))
		r.ahead = 0
		return true, step(phaseInitial)
	}
	if err := step(phaseInitial); err != nil {
		return false, err
	}
	r.sortFirst()
	if err := r.findUnsorted(&r.all); err != nil {
		return false, err
	}
	r.ahead = 0
	if ok, err := r.sortLeft(step); err != nil || !ok {
		return false, err
	}
	return true, step(phaseDouble)
}

// sortBySkew begins anew.
func (r *run) sortBySkew(ctx context.Context, progress progress) error {
	r.preceding = nil
	if err := r.give(true); err != nil {
		return err
	}
	return r.skew.Run(ctx, r.text, r.sa, progress)
}

// tiles is the number of work-groups of a map of n elements.
func (r *run) tiles(n int) int { return intmath.CeilDiv(n, r.tile) }

// span is how many of n slots a work-group of kernels for some of them looks through: many, where few are wanted.
func (r *run) span(n, wanted int) int {
	if n > 1<<22 && wanted < n/4 {
		return 8 * r.tile
	}
	return 2 * r.tile
}
