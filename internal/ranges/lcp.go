package ranges

import (
	"maps"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/lcp"
	"github.com/suffixcl/suffixcl/internal/minima"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

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
