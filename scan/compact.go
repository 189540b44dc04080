package scan

import (
	"fmt"
	"maps"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cltype"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// form is FORM of compact.cl.
type form int

const (
	toFront  form = iota // the kept elements
	inPlace2             // behind them the others
	apart2               // the others to a second buffer
	inPlace3             // three classes in one buffer
	apart3               // a buffer for each of three classes
)

// outputs is the number of buffers written.
func (f form) outputs() int { return [...]int{1, 1, 2, 1, 3}[f] }

// classes is the number of classes told apart.
func (f form) classes() int { return [...]int{2, 2, 2, 3, 3}[f] }

// Selection moves the elements of an array to one or more buffers, by flags, in
// order.
type Selection[T Value] struct {
	t    *CompactTemplate
	form form
}

// CompactOptions of a selection or partition.
type CompactOptions struct{ Method Method }

// NewSelect plans a selection from up to n elements: those whose flag is not 0.
func NewSelect[T Value](s *device.Session, n int, o CompactOptions) *Selection[T] {
	return newSelection[T](s, n, toFront, o)
}

// NewPartition plans a stable partition of up to n elements: the flagged ones
// in order, then the others in order. It reads the flags twice: nothing can be
// written behind the flagged ones before they have been counted.
func NewPartition[T Value](s *device.Session, n int, o CompactOptions) *Selection[T] {
	return newSelection[T](s, n, inPlace2, o)
}

// NewSplit plans a stable partition of up to n elements into two buffers: the
// flagged ones, the others.
func NewSplit[T Value](s *device.Session, n int, o CompactOptions) *Selection[T] {
	return newSelection[T](s, n, apart2, o)
}

// NewPartition3 plans a stable partition of up to n elements: those whose flag
// is 0 in order, then those whose flag is 1, then the others. It reads the flags
// twice, as NewPartition does.
func NewPartition3[T Value](s *device.Session, n int, o CompactOptions) *Selection[T] {
	return newSelection[T](s, n, inPlace3, o)
}

// NewSplit3 plans a stable partition of up to n elements into three buffers:
// those whose flag is 0, those whose flag is 1, the others.
func NewSplit3[T Value](s *device.Session, n int, o CompactOptions) *Selection[T] {
	return newSelection[T](s, n, apart3, o)
}

func newSelection[T Value](s *device.Session, n int, f form, o CompactOptions) *Selection[T] {
	return &Selection[T]{NewCompactTemplate(s, n, selectionOptions[T](f, o)), f}
}

func selectionOptions[T Value](f form, o CompactOptions) CompactTemplateOptions {
	return CompactTemplateOptions{
		Defines: device.Defines{"T": cltype.Name[T](), "FORM": int(f)},
		Classes: f.classes(), Totals: f == inPlace2 || f == inPlace3, Method: o.Method,
	}
}

// Workspace is what Run carves from its workspace.
func (c *Selection[T]) Workspace() device.Pieces { return c.t.Workspace() }

// Run enqueues moving the first n elements of in to the start of the buffers of
// out: one, two for a split, three for a split of three classes. A partition
// fills all of out[:n]. The number of elements that went first goes to kept[0],
// and that of the second of three classes to kept[1]. in and out must not overlap.
func (c *Selection[T]) Run(ws *device.Workspace, flags *device.Buffer[uint8], in *device.Buffer[T], n int, kept *device.Buffer[uint64], out ...*device.Buffer[T]) {
	s := in.Session()
	switch {
	case len(out) != c.form.outputs():
		s.Fail(fmt.Errorf("scan: compacting to %d buffers, want %d", len(out), c.form.outputs()))
		return
	case n > in.Len() || n > flags.Len() || c.t.totals && n > out[0].Len():
		s.Fail(fmt.Errorf("scan: compacting %d elements in buffers of %d and %d, %d flags", n, in.Len(), out[0].Len(), flags.Len()))
		return
	}
	args := []any{flags, in}
	for _, o := range out {
		args = append(args, o)
	}
	c.t.Run(ws, n, c.t.Loads()+2*int64(cltype.Size[T]()), kept, args...)
}

// SelectionIf keeps the elements of an array that satisfy a predicate, in order.
type SelectionIf[T Value] struct{ t *CompactTemplate }

// NewSelectIf plans a selection from up to n elements by a predicate: an OpenCL
// C expression of item (the element), i (its number) and bound (a ulong that Run is
// given), such as "item < bound".
func NewSelectIf[T Value](s *device.Session, n int, predicate string, o CompactOptions) *SelectionIf[T] {
	return &SelectionIf[T]{NewCompactTemplate(s, n, selectIfOptions[T](predicate, o))}
}

func selectIfOptions[T Value](predicate string, o CompactOptions) CompactTemplateOptions {
	return CompactTemplateOptions{
		Defines: device.Defines{"T": cltype.Name[T](), "FORM": int(toFront), "PREDICATE": predicate}, Method: o.Method,
	}
}

// Workspace is what Run carves from its workspace.
func (c *SelectionIf[T]) Workspace() device.Pieces { return c.t.Workspace() }

// Run enqueues moving the elements among the first n of in that satisfy the
// predicate to the start of out; their number goes to kept[0]. in and out must
// not overlap.
func (c *SelectionIf[T]) Run(ws *device.Workspace, bound uint64, in, out *device.Buffer[T], n int, kept *device.Buffer[uint64]) {
	if n > in.Len() {
		in.Session().Fail(fmt.Errorf("scan: compacting %d elements in a buffer of %d", n, in.Len()))
		return
	}
	c.t.Run(ws, n, (c.t.Loads()+1)*int64(cltype.Size[T]()), kept, bound, in, out)
}

// CompactTemplateOptions says what a CompactTemplate compacts.
type CompactTemplateOptions struct {
	// Files of package kernels that define the template parameters listed in
	// compact.cl, or none if Defines do.
	Files []string
	// Defines are the macros of the files.
	Defines device.Defines
	// Classes is 3 where they define COMPACT_SECOND, else 2 or 0.
	Classes int
	// Totals says that they define COMPACT_TOTALS.
	Totals bool
	Method Method
}

// source is the program of the template.
func (o CompactTemplateOptions) source(set tune.Set) device.Source {
	defines := maps.Clone(o.Defines)
	shapeDefines(defines, tune.Scan(set.Compact), set.Compact.Items)
	o.Method.defines(defines)
	return device.Source{Files: append(slices.Clip(o.Files), "lookback.cl", "compact.cl"), Defines: defines}
}

// CompactTemplate compacts elements that kernel code judges and moves.
type CompactTemplate struct {
	s       *device.Session
	n, tile int
	counts  int // of a tile: for each class but the last
	totals  bool

	onePass                *device.Kernel // nil if the method is reduce-then-scan
	count, partials, write *device.Kernel
}

// NewCompactTemplate plans a compaction of up to n elements.
func NewCompactTemplate(s *device.Session, n int, o CompactTemplateOptions) *CompactTemplate {
	shape := tuned.Of(s).Compact
	program := s.Program(o.source(*tuned.Of(s)))
	t := &CompactTemplate{s: s, n: n, tile: shape.WG * shape.Items, counts: max(o.Classes, 2) - 1, totals: o.Totals}
	if o.Method.looksBack(s.Caps()) && !o.Totals {
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
		return statusPiece(tiles, t.counts)
	}
	return device.PieceOf[uint64]((tiles + 1) * t.counts)
}

// Loads is how often a run judges each element: 1 or 2.
func (t *CompactTemplate) Loads() int64 {
	if t.onePass != nil {
		return 1
	}
	return 2
}

// Run enqueues the compaction of n elements; the number kept goes to kept[0], with
// three classes that of the second to kept[1]. bytesPerElement is the traffic of
// one element over the whole compaction, for the profile; args are the
// COMPACT_PARAMS.
func (t *CompactTemplate) Run(ws *device.Workspace, n int, bytesPerElement int64, kept *device.Buffer[uint64], args ...any) {
	if n > t.n || kept.Len() < t.counts {
		t.s.Fail(fmt.Errorf("scan: compacting %d elements, planned for %d; %d counts, want %d", n, t.n, kept.Len(), t.counts))
		return
	}
	tiles := intmath.CeilDiv(n, t.tile)
	if tiles == 0 {
		kept.View(0, t.counts).Fill(0)
		return
	}
	defer ws.Reset(ws.Mark())
	traffic := bytesPerElement * int64(n)
	if t.onePass != nil {
		t.onePass.Launch(tiles, traffic, status(ws, tiles, t.counts), kept, uint64(tiles), uint64(n), args)
		return
	}
	counts := device.Carve[uint64](ws, (tiles+1)*t.counts)
	var ofTiles any = counts
	if t.counts == 2 {
		ofTiles = device.Reinterpret[[2]uint64](counts)
	}
	t.count.Launch(tiles, traffic/3, ofTiles, uint64(n), args)
	t.partials.Launch(1, 16*int64(tiles), counts, uint64(tiles), kept)
	t.write.Launch(tiles, 2*(traffic/3), ofTiles, uint64(tiles), uint64(n), args)
}
