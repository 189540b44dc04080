package radixsort

import (
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/scan"
)

// Segments sorts pairs of 32-bit words inside segments, each by a radix sort of its own in
// which all work-groups take part. A segment is cut into sub-segments. Their digits are
// counted, and a scan over all counts tells where each goes. Counts take 1 KiB for each
// sub-segment, so segments should not be short.
type Segments struct {
	s              *device.Session
	n, m, span     int
	cut            *scan.Template
	counts         *scan.Plan[uint32]
	count, scatter *device.Kernel
}

var (
	segmentFiles = []string{"radixsegments.cl"}
	cutTemplate  = scan.TemplateOptions{
		Source:       device.Source{Files: segmentFiles, Defines: device.Defines{"SEGMENTS_CUT": 1}},
		ElementBytes: 4,
	}
	passesInParts = device.Source{Files: segmentFiles}
)

// segmentsStep is the kernels' method, by the shape of the device.
func segmentsStep(set tune.Set) step {
	if set.RadixSort.Reduce.WG == 1 {
		return chunks
	}
	return reduce
}

func segmentsSource(set tune.Set) device.Source {
	shape := set.RadixSort.Reduce
	return typesOf[uint32, uint32](true).source(segmentsStep(set), shape.WG, shape.Items, 0, 0, passesInParts)
}

// NewSegments plans a sort of up to n pairs, at most 2^32-1, in up to m segments.
func NewSegments(s *device.Session, n, m int) *Segments {
	set := *tuned.Of(s)
	shape := set.RadixSort.Reduce
	g := &Segments{s: s, n: min(n, maxPairs), m: m, span: shape.WG * shape.Items}
	g.cut = scan.NewTemplate(s, m, cutTemplate)
	g.counts = scan.NewPlan[uint32](s, g.tiles(g.n, m)*radix, scan.Options{})
	program := s.Program(segmentsSource(set))
	g.count, g.scatter = program.Kernel("radix_count", shape.WG), program.Kernel("radix_scatter", shape.WG)
	return g
}

// tiles bounds the sub-segments of n pairs in m segments.
func (g *Segments) tiles(n, m int) int { return n/g.span + m }

// Workspace is what Run carves from its workspace.
func (g *Segments) Workspace() device.Pieces {
	tiles := g.tiles(g.n, g.m)
	return device.PieceOf[[4]uint32](tiles).And(device.PieceOf[uint32](1),
		g.cut.Workspace().Or(device.PieceOf[uint32](tiles*radix).And(g.counts.Workspace())))
}

// Run enqueues sorting the first n pairs by the bits [lo, hi) of their keys inside m segments. offsets [m] ascend;
// segment k begins at pair offsets[k] - offsets[0]. Pairs with equal bits keep their order. Cur and Alt are exchanged
// once for each 8 bits. Errors, on the session: more pairs or segments than planned, shorter buffers, bits that keys
// do not have.
func (g *Segments) Run(
	ws *device.Workspace, keys, values *Pair[uint32], offsets *device.Buffer[uint32], m, n, lo, hi int,
) {
	if n < 0 || n > g.n || m < 0 || m > g.m || m > offsets.Len() || lo < 0 || hi > 32 ||
		n > min(keys.Cur.Len(), keys.Alt.Len(), values.Cur.Len(), values.Alt.Len()) {
		g.s.Fail(fmt.Errorf("radixsort: bits [%d, %d) of %d pairs in %d segments, planned for %d in %d",
			lo, hi, n, m, g.n, g.m))
		return
	}
	if n == 0 || m == 0 {
		return
	}
	defer ws.Reset(ws.Mark())
	tiles := g.tiles(n, m)
	cuts, parts := device.Carve[[4]uint32](ws, tiles), device.Carve[uint32](ws, 1)
	g.cut.Run(ws, m, 8+16, offsets, uint64(m), uint32(n), uint32(g.span), cuts, parts)
	counts := device.Carve[uint32](ws, tiles*radix)
	for ; lo < hi; lo += digitBits {
		bits := min(digitBits, hi-lo)
		args := []any{counts, uint64(n), uint64(0), uint32(lo), uint32(bits)}
		inputs := []any{cuts, parts, keys.Cur, values.Cur}
		g.count.Launch(tiles, 4*int64(n), args, inputs)
		g.counts.Run(ws, counts, counts, tiles<<bits)
		g.scatter.Launch(tiles, 16*int64(n), args, keys.Alt, values.Alt, inputs)
		keys.Swap()
		values.Swap()
	}
}
