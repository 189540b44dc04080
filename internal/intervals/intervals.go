package intervals

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/minima"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/scan"
)

// AtOnce is how many slots of an LCP array are asked at once for their intervals, on devices of GPU and of
// CPU shape. Tests make it smaller.
var AtOnce = [2]int{1 << 22, 1 << 18}

// Filter says what an interval must have to be listed. The zero value takes all.
type Filter struct {
	MinDepth, MaxDepth uint32 // length of the common prefix in symbols; MaxDepth 0: no limit
	MinCount, MaxCount uint32 // number of suffixes; MaxCount 0: no limit
	// Number of documents that the suffixes are in; MaxDocuments 0: no limit. Needs Options.Documents.
	MinDocuments, MaxDocuments uint32
	// Number of suffixes in each document that has any; MostEach 0: no limit. Needs Options.Documents.
	LeastEach, MostEach uint32
	// LeftMaximal: different symbols stand before the suffixes, or one of them begins the text. What an interval that
	// has it stands for is a maximal repeat. Needs Arrays.Before.
	LeftMaximal bool
	// Supermaximal: the interval holds no other, and no symbol stands before two of its suffixes. What it stands for is
	// a repeat that is in no longer one. Needs Arrays.Before.
	Supermaximal bool
}

// Options of a Plan.
type Options struct {
	Filter
	// Documents is the number of documents; 0: there is no document array, and documents are not counted.
	Documents int
	// SymbolBits is how many low bits of the symbols of Arrays.Before may be set; 0: all 32. Fewer make Supermaximal
	// faster.
	SymbolBits int
}

// Arrays are the arrays of a text of n symbols.
type Arrays struct {
	SA        *device.Buffer[uint32] // sa [n]uint32
	LCP       *device.Buffer[uint32] // lcp [n]uint32; lcp[0] is 0
	Documents *device.Buffer[uint32] // da [n]uint32: the document of each suffix; nil without Options.Documents
	Before    *device.Buffer[uint32] // before [n]uint32: the symbol before each suffix, as Before writes it; may be nil
}

// Output has room for the intervals of a part, an entry each. Documents may be nil if documents are not counted.
type Output struct {
	Left, Right *device.Buffer[uint32] // the slots of the first and the last suffix
	Depth       *device.Buffer[uint32] // length of the common prefix
	Position    *device.Buffer[uint32] // sa[Left]
	Documents   *device.Buffer[uint32] // number of documents
}

// args are the buffers as kernels take them.
func (o Output) args() []any { return []any{o.Left, o.Right, o.Depth, o.Position, o.Documents} }

// len is the number of intervals that there is room for.
func (o Output) len(documents bool) int {
	n := min(o.Left.Len(), o.Right.Len(), o.Depth.Len(), o.Position.Len())
	if !documents {
		return n
	}
	if o.Documents == nil {
		return 0
	}
	return min(n, o.Documents.Len())
}

// Plan lists the intervals of texts of up to n symbols, by parts of up to `part` slots.
type Plan struct {
	s       *device.Session
	n, part int
	o       Options
	shape   tune.Intervals

	minima         *minima.Plan
	bounds, pairs  *device.Kernel
	kept           *scan.CompactTemplate
	colours        *radixsort.Plan[uint32, uint32] // nil if no colours are counted
	sums           *scan.Plan[uint32]
	changes, alone *scan.Template // nil if not asked for
	distances      []int          // of pairs in a document, whose sums are kept
}

const file = "intervals.cl"

func part(what string) device.Source {
	return device.Source{Files: []string{file}, Defines: device.Defines{what: 1}}
}

// program has the kernels without a template.
func program(s *device.Session) *device.Program {
	return s.Program(device.Source{Files: []string{minima.File, file}, Defines: minima.Defines(s)})
}

// New plans listing intervals of texts of up to n symbols, by parts of up to `part` slots. Errors: a
// *suffixcl.LengthError for n over suffixcl.MaxLen; a filter of documents without documents.
func New(s *device.Session, n, partLen int, o Options) (*Plan, error) {
	if err := limits.CheckLen("text", n, limits.MaxLen); err != nil {
		return nil, err
	}
	f := &o.Filter
	if o.Documents == 0 && (f.MinDocuments > 1 || f.MaxDocuments > 0 || f.LeastEach > 1 || f.MostEach > 0) {
		return nil, fmt.Errorf("intervals: a filter of documents needs a document array")
	}
	for _, most := range []*uint32{&f.MaxDepth, &f.MaxCount, &f.MaxDocuments} {
		if *most == 0 {
			*most = math.MaxUint32
		}
	}
	if o.SymbolBits == 0 {
		o.SymbolBits = 32
	}
	p := newIndexing(s, n, o)
	p.part = min(partLen, n)
	p.bounds = program(s).Kernel("intervals_bounds", p.shape.WG)
	p.kept = scan.NewCompactTemplate(s, p.part, part("INTERVALS_KEPT"))
	if o.Documents > 0 {
		for _, d := range []uint32{f.MostEach, f.LeastEach - min(f.LeastEach, 1), f.LeastEach} {
			useful := d > 1 && (d == f.MostEach || f.LeastEach > 1)
			if useful && !slices.Contains(p.distances, int(d)) {
				p.distances = append(p.distances, int(d))
			}
		}
	}
	scanOf := func(what string) *scan.Template {
		return scan.NewTemplate(s, n, scan.TemplateOptions{Source: part(what), ElementBytes: 4})
	}
	if f.LeftMaximal {
		p.changes = scanOf("INTERVALS_CHANGES")
	}
	if f.Supermaximal {
		p.alone = scanOf("INTERVALS_ALONE")
	}
	return p, nil
}

// newIndexing is the part of a plan that the minima, the pairs of documents and those of symbols need.
func newIndexing(s *device.Session, n int, o Options) *Plan {
	t := tuned.Of(s).Intervals
	p := &Plan{s: s, n: n, o: o, shape: t,
		minima: minima.New(s, n), pairs: program(s).Kernel("intervals_pairs", t.WG)}
	if o.Documents > 0 {
		p.distances = []int{1}
	}
	if o.Documents > 0 || o.Supermaximal {
		p.colours = radixsort.NewTemplate[uint32, uint32](s, n, part("INTERVALS_COLOURS"))
		p.sums = scan.NewPlan[uint32](s, n, scan.Options{Inclusive: true})
	}
	return p
}

// index has the pieces that Index carves and keeps.
func (p *Plan) index() device.Pieces {
	pieces := device.PieceOf[uint32](p.minima.Len())
	for range p.distances {
		pieces = pieces.And(device.PieceOf[uint32](p.n))
	}
	if p.changes != nil {
		pieces = pieces.And(device.PieceOf[uint32](p.n))
	}
	if p.alone != nil {
		pieces = pieces.And(device.PieceOf[uint32](p.n))
	}
	return pieces
}

// Workspace is what Index and then List carve from one workspace: 0.3 bytes a suffix, 4 for each distance of pairs in a
// document (1, with LeastEach and MostEach up to 3 more), 4 each for LeftMaximal and Supermaximal, and 8 for each slot
// of a part; with documents or Supermaximal 16 bytes a suffix more while Index works. Then has what other steps carve
// from it after Index, in place of List.
func (p *Plan) Workspace(then ...device.Pieces) device.Pieces {
	list := device.PieceOf[[2]uint32](p.part).And(p.kept.Workspace()).Or(then...)
	return p.index().And(p.once().Or(list))
}

// once has the pieces that Index carves in addition while it works.
func (p *Plan) once() (once device.Pieces) {
	if p.colours != nil {
		words := device.PieceOf[uint32](p.n)
		once = words.And(words, words, words, p.colours.Workspace().Or(p.sums.Workspace()))
	}
	if p.changes != nil {
		once = once.Or(p.changes.Workspace())
	}
	if p.alone != nil {
		once = once.Or(p.alone.Workspace())
	}
	return once
}

// groups of tiles for n elements.
func (p *Plan) groups(n int) int { return intmath.CeilDiv(n, p.shape.WG*p.shape.Items) }

// Index has the arrays that List reads. It lives in the arrays that it was made of and in the workspace.
type Index struct {
	p      *Plan
	n      int
	a      Arrays
	minima *device.Buffer[uint32]
	sums   []*device.Buffer[uint32] // of pairs in a document, for each distance of the plan
	// nil where not asked for
	changes, alone *device.Buffer[uint32]
}

// Index enqueues what List needs of the arrays. Its pieces of the workspace stay taken: reset it after the last List.
// Errors, on the session: a text longer than planned; arrays that are shorter than others, or missing. Documents must
// be less than Options.Documents.
func (p *Plan) Index(ws *device.Workspace, a Arrays) *Index {
	n := a.SA.Len()
	x := &Index{p: p, n: n, a: a}
	lengths := []int{a.LCP.Len()}
	if p.o.Documents > 0 {
		lengths = append(lengths, lengthOf(a.Documents))
	}
	if p.o.LeftMaximal || p.o.Supermaximal {
		lengths = append(lengths, lengthOf(a.Before))
	}
	if n > p.n || slices.Min(lengths) < n {
		p.s.Fail(fmt.Errorf("intervals: suffix array of %d, planned for %d; other arrays have %v", n, p.n, lengths))
		return x
	}
	x.minima = device.Carve[uint32](ws, p.minima.Len())
	p.minima.Run(a.LCP, x.minima, n)
	for range p.distances {
		x.sums = append(x.sums, device.Carve[uint32](ws, p.n))
	}
	if p.changes != nil {
		x.changes = device.Carve[uint32](ws, p.n)
	}
	if p.alone != nil {
		x.alone = device.Carve[uint32](ws, p.n)
	}
	if n == 0 {
		return x
	}
	if p.o.Documents > 0 {
		x.count(ws, a.Documents, bits.Len(uint(p.o.Documents-1)), nil, p.distances, x.sums)
	}
	if p.alone != nil {
		x.count(ws, a.Before, p.o.SymbolBits, a.SA, []int{1}, []*device.Buffer[uint32]{x.alone})
		p.alone.Run(ws, n, p.alone.Loads()*8+4, a.LCP, x.alone)
	}
	if p.changes != nil {
		p.changes.Run(ws, n, p.changes.Loads()*8+4, a.Before, a.SA, x.changes)
	}
	return x
}

// sumsAt are the sums of pairs at a distance, or nil.
func (x *Index) sumsAt(distance uint32) *device.Buffer[uint32] {
	if i := slices.Index(x.p.distances, int(distance)); i >= 0 {
		return x.sums[i]
	}
	return nil
}

func lengthOf(b *device.Buffer[uint32]) int {
	if b == nil {
		return -1
	}
	return b.Len()
}

// count writes to pairs, for each distance, at which slots the least lcp is between a slot and the one so many before
// it of the same colour, and how often. Those of documents are summed; those of symbols before, which come with
// sa, stay.
func (x *Index) count(ws *device.Workspace, colours *device.Buffer[uint32], colourBits int, sa *device.Buffer[uint32],
	distances []int, pairs []*device.Buffer[uint32]) {
	defer ws.Reset(ws.Mark())
	p, n := x.p, x.n
	keys := radixsort.Pair[uint32]{Cur: device.Carve[uint32](ws, p.n), Alt: device.Carve[uint32](ws, p.n)}
	slots := radixsort.Pair[uint32]{Cur: device.Carve[uint32](ws, p.n), Alt: device.Carve[uint32](ws, p.n)}
	p.colours.Run(ws, &keys, &slots, n, 0, colourBits, colours)
	for i, to := range pairs {
		to.View(0, n).Fill(0)
		p.pairs.Launch(p.groups(n), int64(n)*(8+64), keys.Cur, slots.Cur, uint64(n), uint64(distances[i]), sa, x.a.LCP,
			x.minima, to)
		if sa == nil {
			p.sums.Run(ws, to, to, n)
		}
	}
}

// threshold is a score that intervals have to exceed: scores[worst-1], if worst is not 0.
type threshold struct {
	scores *device.Buffer[uint64]
	worst  int
	by     Score
}

// List enqueues writing to out, from entry `have` on, the intervals that slots first to first+count-1 stand for and
// that the filter accepts, in the order of the slots, and to kept[0] their number. The slot of an interval is the first
// one after its left bound whose lcp is its depth: where its second child begins. out must have room for as many as
// there are, at most count. Errors, on the session: a part longer than planned or out of the arrays; no room.
func (x *Index) List(ws *device.Workspace, first, count, have int, out Output, kept *device.Buffer[uint64]) {
	x.list(ws, first, count, have, out, kept, threshold{})
}

func (x *Index) list(ws *device.Workspace, first, count, have int, out Output, kept *device.Buffer[uint64],
	best threshold) {
	p, f := x.p, &x.p.o.Filter
	if first < 0 || count < 0 || count > p.part || count > x.n-first || out.len(p.o.Documents > 0) < have+count ||
		kept.Len() < 1 {
		p.s.Fail(fmt.Errorf("intervals: slots %d to %d of %d, parts of %d, room for %d after %d", first, first+count-1, x.n,
			p.part, out.len(p.o.Documents > 0)-have, have))
		return
	}
	defer ws.Reset(ws.Mark())
	bounds := device.Carve[[2]uint32](ws, p.part)
	var least, fewer *device.Buffer[uint32]
	sums, most := x.sumsAt(1), x.sumsAt(f.MostEach)
	if f.LeastEach > 1 {
		least, fewer = x.sumsAt(f.LeastEach-1), x.sumsAt(f.LeastEach)
	}
	p.bounds.Launch(p.groups(count), int64(count)*(4+64+8), x.a.LCP, x.minima, uint64(x.n), uint64(first),
		uint64(count), f.MinDepth, f.MaxDepth, f.MinCount, f.MaxCount, f.MinDocuments, f.MaxDocuments, x.changes, x.alone,
		sums, most, least, fewer, best.scores, uint64(best.worst), uint32(best.by), bounds)
	args := append([]any{bounds, uint64(first), uint64(have), x.a.SA, x.a.LCP, sums}, out.args()...)
	p.kept.Run(ws, count, p.kept.Loads()*8+56, kept, args...)
}
