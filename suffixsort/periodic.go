package suffixsort

import (
	"context"

	"github.com/suffixcl/suffixcl/device"
)

// A text that is periodic but for a short tail: text[i] = text[i+period] for all i below
// until-period, the least such period. Suffixes that start at the same place of a period, a
// chain, agree up to the end of the periodic part, where the shorter one leaves it first;
// so their order is by length, the same way in each chain. Beside one another a chain's
// suffixes are but for the shortest ones: any other suffix differs from them within one
// period or, if it starts in the last period or behind it, ends before they leave theirs.
// So it suffices to sort the end of the text, base on, as long as that takes, and to put
// the rest of each chain beside its member among the first period of it.
type periodic struct{ period, until, base int }

// shortTexts is how much shorter the end must be for the text to be treated so.
const shortTexts = 8

// alike is how many characters must recur for a period to be looked into; of short texts a
// quarter. The least such place within a third of the text is the least period if it is one
// at all, since the periodic part is 7/8 of the text or more.
const alike = 256

// periodicFrom tells whether a text of n bytes with that period up to `until` is to be treated
// as periodic.
func periodicFrom(n, period, until int) (periodic, bool) {
	tail := n - until
	short := device.Groups(period+tail+1, period)*period + period
	p := periodic{period: period, until: until, base: until - short}
	return p, p.base >= 0 && n-p.base <= n/shortTexts
}

// findPeriod looks for a period, given what suffixsort_recurs has found.
func (r *run) findPeriod(recurs uint32) (periodic, bool, error) {
	if recurs == 0 {
		return periodic{}, false, nil
	}
	period := r.n - int(recurs)
	r.differs.Launch(r.groups(r.n-period), 2*int64(r.n), r.text, uint64(r.n), uint32(period), r.counts)
	var differs [1]uint32
	if err := r.counts.View(countDiffers, 1).Read(differs[:]); err != nil {
		return periodic{}, false, err
	}
	until := r.n
	if differs[0] > 0 {
		until = r.n - int(differs[0]) + period
	}
	p, ok := periodicFrom(r.n, period, until)
	return p, ok, nil
}

// sortPeriodic sorts the end of the text, and expands its suffix array.
func (r *run) sortPeriodic(ctx context.Context, p periodic, progress Progress) error {
	end := *r
	end.n = r.n - p.base
	end.m = end.n
	end.text = device.Reinterpret[uint8](r.sa).View(0, end.n) // until the suffix array is made there
	device.Copy(end.text, r.text.View(p.base, end.n), end.n)
	end.sa = r.short.Buffer(r.s)
	bytes, _, err := end.countBytes(0)
	if err != nil {
		return err
	}
	err = end.sortCounted(ctx, bytes, func(phase string, done, _ int64) {
		if progress != nil {
			progress(phase, int64(p.base)+done, int64(r.n))
		}
	})
	if err != nil {
		return err
	}
	r.s.Phase(PhaseExpand)
	if progress != nil {
		progress(PhaseExpand, int64(r.n), int64(r.n))
	}
	r.chains.Run(r.ws, end.n, 8, end.sa, uint32(p.base), uint32(p.period), r.narrow)
	r.expand.Launch(r.groups(r.n), 4*int64(r.n), r.text, uint64(r.n), uint64(p.until), uint32(p.base), uint32(p.period), end.sa, r.narrow, uint32(end.n), r.sa)
	return r.s.Check(ctx)
}
