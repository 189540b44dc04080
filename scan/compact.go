package scan

import (
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cltype"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Selection moves the elements of an array to another, by flags, in order.
type Selection[T Value] struct{ t *CompactTemplate }

// NewSelect plans a selection from up to n elements: those whose flag is not 0.
func NewSelect[T Value](s *device.Session, n int) *Selection[T] {
	return &Selection[T]{NewCompactTemplate(s, n, selectSource[T]())}
}

// NewPartition plans a stable partition of up to n elements: the flagged ones
// in order, then the others in order. It reads the flags twice: nothing can be
// written after the flagged ones before they have been counted.
func NewPartition[T Value](s *device.Session, n int) *Selection[T] {
	source := selectSource[T]()
	source.Defines["COMPACT_TOTALS"] = 1
	return &Selection[T]{NewCompactTemplate(s, n, source)}
}

func selectSource[T Value]() device.Source {
	return device.Source{Defines: device.Defines{"T": cltype.Name[T]()}}
}

// Workspace is what Run carves from its workspace.
func (c *Selection[T]) Workspace() device.Pieces { return c.t.Workspace() }

// Run enqueues moving the flagged ones of the first n elements of in to the start of out; flags[i] is not 0 for those.
// Their number goes to kept[0]. A partition fills all of out[:n]. in and out must not overlap. Errors, on the session:
// more elements than planned, shorter buffers. out of a selection must hold the flagged ones, which is not checked.
func (c *Selection[T]) Run(ws *device.Workspace, flags *device.Buffer[uint8], in, out *device.Buffer[T], n int,
	kept *device.Buffer[uint64]) {
	if n > in.Len() || n > flags.Len() || c.t.totals && n > out.Len() {
		c.t.s.Fail(fmt.Errorf("scan: compacting %d elements in buffers of %d and %d, %d flags",
			n, in.Len(), out.Len(), flags.Len()))
		return
	}
	c.t.Run(ws, n, c.t.Loads()+2*int64(cltype.Size[T]()), kept, flags, in, out)
}

// CompactTemplate compacts elements that kernel code judges and moves.
type CompactTemplate struct {
	shape   tune.Scan
	s       *device.Session
	n, tile int
	totals  bool

	onePass                *device.Kernel // nil if the method is reduce-then-scan
	count, partials, write *device.Kernel
}

// NewCompactTemplate plans a compaction of up to n elements. The source has the files and macros that define the
// template parameters:
//
//	COMPACT_PARAMS         parameters of the kernels, each after a comma: the args of Run
//	COMPACT_KEEP(i)        whether element i is kept; evaluated once or twice
//	COMPACT_EMIT(i, to)    writes kept element i as number `to` of those kept
//	COMPACT_ITEM           optional, a type: COMPACT_LOAD(i), of that type, is `item` in the others
//	COMPACT_BY_ITEM        optional: COMPACT_EMIT uses `item` and `to`, not i, and so writes whole lines
//	COMPACT_DROP(i, to)    optional: writes another element as number `to` of those not kept
//	COMPACT_TOTALS         optional, and among the defines: COMPACT_DROP may use `kept`, the number of those kept
//
// kernels/compact.cl says more.
func NewCompactTemplate(s *device.Session, n int, src device.Source) *CompactTemplate {
	shape := tuned.Of(s).Compact
	program := s.Program(programOf(src, "compact.cl", tune.Scan(shape), shape.Items))
	t := &CompactTemplate{s: s, shape: tune.Scan(shape), n: n, tile: shape.WG * shape.Items}
	_, t.totals = src.Defines["COMPACT_TOTALS"]
	if looksBack(s.Caps()) && !t.totals {
		t.onePass = program.Kernel("compact_tiles", shape.WG)
		return t
	}
	t.count = program.Kernel("compact_count", shape.WG)
	t.partials = program.Kernel("compact_partials", shape.WG)
	t.write = program.Kernel("compact_write", shape.WG)
	return t
}

// Workspace is what Run carves from its workspace.
func (t *CompactTemplate) Workspace() device.Pieces {
	tiles := intmath.CeilDiv(t.n, t.tile)
	if t.onePass != nil {
		return statusPiece(tiles, 1)
	}
	return device.PieceOf[uint64](tiles + 1)
}

// Loads is how often a run judges each element, 1 or 2: for the traffic that Run is told.
func (t *CompactTemplate) Loads() int64 {
	if t.onePass != nil {
		return 1
	}
	return 2
}

// Run enqueues the compaction of n elements. The number of those kept goes to kept[0]. bytesPerElement is the traffic
// of one element over the whole compaction, for the profile alone; args are the COMPACT_PARAMS. Errors, on the
// session: more elements than planned.
func (t *CompactTemplate) Run(ws *device.Workspace, n int, bytesPerElement int64, kept *device.Buffer[uint64],
	args ...any) {
	if n > t.n || kept.Len() < 1 {
		t.s.Fail(fmt.Errorf("scan: compacting %d elements, planned for %d; %d counts", n, t.n, kept.Len()))
		return
	}
	tiles := intmath.CeilDiv(n, t.tile)
	if tiles == 0 {
		kept.View(0, 1).Fill(0)
		return
	}
	defer ws.Reset(ws.Mark())
	traffic := bytesPerElement * int64(n)
	if t.onePass != nil {
		t.onePass.Launch(tiles, traffic, status(t.s, ws, tiles, 1, t.shape), kept, uint64(tiles), uint64(n), args)
		return
	}
	counts := device.Carve[uint64](ws, tiles+1)
	t.count.Launch(tiles, traffic/3, counts, uint64(n), args)
	t.partials.Launch(1, 16*int64(tiles), counts, uint64(tiles), kept)
	t.write.Launch(tiles, 2*(traffic/3), counts, uint64(tiles), uint64(n), args)
}
