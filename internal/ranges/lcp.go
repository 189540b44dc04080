package ranges

import (
	"context"
	"maps"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/lcp"
	"github.com/suffixcl/suffixcl/internal/minima"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// phaseShared is the phase in which common prefixes of samples are counted.
const phaseShared = "LCP array of the sample"

// lengths make the LCP array of the names of the sample, a tree over it, and then the LCP array of each range.
type lengths[P uint32 | uint64] struct {
	names *lcp.SymbolPlan[uint32]
	tree  *minima.Plan
	of    *device.Kernel

	ranked *device.Layout // how many names neighbours share, which stays
	shared *device.Slot[uint32]
	minima *device.Slot[uint32]
	copied *device.Layout // the names, which the sorter overwrites
	copy   *device.Slot[uint32]
	ws     *device.WorkspaceSlot
}

func newLengths[P uint32 | uint64](s *device.Session, samples int) (*lengths[P], error) {
	names, err := lcp.NewSymbols[uint32](s, samples)
	if err != nil {
		return nil, err
	}
	l := &lengths[P]{names: names, tree: minima.New(s, samples),
		ranked: device.NewLayout(""), copied: device.NewLayout("")}
	m := tuned.Of(s).Map
	d := minima.Defines(s)
	d["WG"], d["TILE"] = m.WG, tileOf(s)
	maps.Copy(d, defines[P]())
	delete(d, "ITEMS")
	l.of = s.Program(device.Source{Files: []string{"text.cl", minima.File, "ranges.cl", "ranges_lcp.cl"}, Defines: d}).
		Kernel("ranges_lcp", m.WG)
	l.shared = device.Reserve[uint32](l.ranked, "names that samples share", samples)
	l.minima = device.Reserve[uint32](l.ranked, "minima of these", l.tree.Len())
	l.copy = device.Reserve[uint32](l.copied, "names, once more", samples)
	l.ws = device.ReserveWorkspace(l.copied, names.Workspace())
	return l, nil
}

// keepNames copies the names, which sorting overwrites.
func (r *run[P]) keepNames() error {
	if r.lengths == nil {
		return nil
	}
	if err := r.lengths.copied.Allocate(r.session); err != nil {
		return err
	}
	device.Copy(r.lengths.copy.Buffer(r.session), r.sample[0].Buffer(r.session), r.samples)
	return nil
}

// shareNames counts how many names neighbours in the suffix array of names share. The names are overwritten.
func (r *run[P]) shareNames(ctx context.Context, sa *device.Buffer[uint32]) error {
	if r.lengths == nil {
		return nil
	}
	s, l := r.session, r.lengths
	if err := r.begin(ctx, phaseShared); err != nil {
		return err
	}
	if err := l.ranked.Allocate(s); err != nil {
		return err
	}
	l.names.Run(l.ws.Workspace(s), l.copy.Buffer(s), sa, r.sample[0].Buffer(s), l.shared.Buffer(s))
	l.tree.Run(l.shared.Buffer(s), l.minima.Buffer(s), sa.Len())
	if err := s.Finish(); err != nil {
		return err
	}
	l.copied.Release(s)
	return s.Check(ctx)
}

// shareNothing does the work of shareNames if all names differ.
func (r *run[P]) shareNothing(ctx context.Context) error {
	if r.lengths == nil {
		return nil
	}
	s, l := r.session, r.lengths
	if err := l.ranked.Allocate(s); err != nil {
		return err
	}
	l.shared.Buffer(s).Fill(0)
	l.tree.Run(l.shared.Buffer(s), l.minima.Buffer(s), r.samples)
	return s.Check(ctx)
}

// compare enqueues the LCP array of m sorted suffixes, one entry further: each has what the suffix shares with the one
// after it, the last with `next`.
func (r *run[P]) compare(l *list[P], m, next int) {
	k, of := &r.kernels, r.lengths
	of.of.Launch(k.tiles(m), 64*int64(m), r.textArgs(r.shape), r.coverArgs(), r.ranks, of.shared.Buffer(r.session),
		of.minima.Buffer(r.session), uint64(r.samples), uint32(r.depth), l.sa, uint64(m), uint64(next), l.lcp)
}
