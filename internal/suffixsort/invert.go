package suffixsort

import (
	"math/bits"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/radixsort"
)

// inversion makes the ranks of all suffixes.
type inversion struct {
	grid
	near, window    int // ranks that may all be wanted, and that are written in any order
	cpu             bool
	direct, scatter *device.Kernel
	want, wanted    *device.Kernel
	partition       *radixsort.Plan[uint32, uint32]
}

func newInversion(b builder, o options) inversion {
	v := inversion{
		grid: b.grid, near: o.near(), window: o.window(), cpu: b.session.Caps().CPUShape,
		direct: b.maps(listsFile, "invert"), scatter: b.maps(listsFile, "scatter"),
		want: b.maps(listsFile, "want"), wanted: b.maps(listsFile, "invert_wanted"),
	}
	partition := func() {
		v.partition = radixsort.NewTemplate[uint32, uint32](b.session, b.n, partitionTemplate).Reads(4, 0)
	}
	if b.n > v.window {
		partition()
	} else {
		tuned.Rarely(b.session, partition)
	}
	return v
}

// partitioned are suffixes with their ranks, by the top bits of the suffix: shape suffixes, ranks [n]uint32.
type partitioned struct{ suffixes, ranks *device.Buffer[uint32] }

// early tells whether to invert before the host knows what a round leaves unsorted. Where much was before, something
// is, as a rule. On GPUs ranks need no lasts.
func (v *inversion) early(g *groups) bool {
	return !v.cpu && g.n <= v.window && g.unsorted.sum() > g.n/8
}

// run writes isa [n]uint32, and clears a bitmap of n suffixes. Of long texts of which less than an eighth is unsorted
// it writes only what chains ask for. Samples are not among these: their chains end where only the text tells. Short
// texts may be settled in their order, which takes all ranks.
func (v *inversion) run(ws *device.Workspace, g *groups, sampled bool, depths depths,
	lasts, isa *device.Buffer[uint32], p partitioned, cleared *device.Buffer[uint32]) {
	switch {
	case !sampled && g.n > v.near && g.unsorted.sum() < g.n/8:
		v.invertWanted(g, depths, lasts, isa, p.suffixes.View(0, g.words()), cleared)
	case g.n <= v.window:
		v.direct.Launch(v.tiles(g.n), (4+32)*int64(g.n), g.suffixes, g.heads, lasts, uint64(g.n), isa, cleared.Args())
	default:
		v.invertInParts(ws, g, lasts, isa, p, cleared)
	}
}

// invertWanted marks the places that chains ask for in a bitmap, and writes the ranks of these.
func (v *inversion) invertWanted(g *groups, depths depths, lasts, isa, wanted, cleared *device.Buffer[uint32]) {
	unsorted, span := g.unsorted.sum(), v.span(g.n, g.unsorted.sum())
	wanted.Fill(0)
	v.want.Launch(intmath.CeilDiv(g.n, span), int64(g.n)/4+int64(unsorted)*(4+1+3*32),
		g.suffixes, uint64(g.n), uint32(span), g.heads, g.classes, depths.args(), wanted)
	v.wanted.Launch(v.tiles(g.n), (4+32)*int64(g.n)+3*32*int64(unsorted),
		g.suffixes, g.heads, lasts, uint64(g.n), wanted, isa, cleared.Args())
}

// invertInParts partitions a text longer than the window, so that writes stay where caches reach. It is partitioned in
// one piece, as of two pieces every sector would be written twice.
func (v *inversion) invertInParts(ws *device.Workspace, g *groups, lasts, isa *device.Buffer[uint32], p partitioned,
	cleared *device.Buffer[uint32]) {
	top := bits.Len(uint(g.n - 1))
	// The one pass loads from groups and writes Alt; Cur is not touched.
	bySuffix := radixsort.Pair[uint32]{Cur: isa, Alt: p.suffixes}
	ranks := radixsort.Pair[uint32]{Cur: isa, Alt: p.ranks}
	v.partition.Run(ws, &bySuffix, &ranks, g.n, max(top-8, 0), top, g.suffixes, g.heads, lasts, uint64(g.n))
	v.scatter.Launch(v.tiles(g.n), (8+4)*int64(g.n), bySuffix.Cur, ranks.Cur, uint64(g.n), isa,
		cleared.Args())
}
