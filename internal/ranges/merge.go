package ranges

import (
	"context"

	"github.com/suffixcl/suffixcl/device"
)

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
