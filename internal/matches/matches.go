package matches

import (
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/minima"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/scan"
)

// Options of a Plan.
type Options struct {
	// Least is the length of the shortest match, at least 1.
	Least uint32
	// Unique: of each position of a query only the longest match counts, if it is unique in the reference. Else all
	// maximal matches are listed.
	Unique bool
	// Classes is the number of classes of symbols, at most 256; not for Unique.
	Classes int
	// Part is how many positions of queries are listed at once.
	Part int
}

// Arrays are the arrays of a text of n symbols: the reference, then the queries, a byte 0 after each sequence.
type Arrays struct {
	Text *device.Buffer[uint8]  // text [n]
	SA   *device.Buffer[uint32] // sa [n]: the suffix array
	LCP  *device.Buffer[uint32] // lcp [n]: of common prefixes up to a separator, as lcp.Bound has them
	// Classes of all bytes, [256]: 0 of the separator, others less than Options.Classes; not for Unique.
	Classes *device.Buffer[uint8]
}

// Output has room for matches, an entry each.
type Output struct {
	Reference *device.Buffer[uint32] // position in the text
	Query     *device.Buffer[uint32] // position after the reference, from 0
	Length    *device.Buffer[uint32]
}

func (o Output) len() int { return min(o.Reference.Len(), o.Query.Len(), o.Length.Len()) }

// Plan finds matches in texts of n symbols.
type Plan struct {
	s             *device.Session
	n, references int
	o             Options
	shape         tune.Matches

	unique, reference, classes, count, list *device.Kernel // those of the options; the others are nil
	ranks, offsets                          *scan.Template
	kept                                    *scan.CompactTemplate
	tree, referenceTree                     *minima.Plan
	sums                                    *scan.Plan[uint32]
}

const file = "matches.cl"

func template(what string) device.Source {
	return device.Source{Files: []string{file}, Defines: device.Defines{what: 1}}
}

// New plans the matches in texts of n symbols, of which the first `references` are the reference. Errors: a
// *suffixcl.LengthError for n over suffixcl.MaxLen; a reference that is empty or longer than the text; no least length.
func New(s *device.Session, n, references int, o Options) (*Plan, error) {
	if err := limits.CheckLen("text", n, limits.MaxLen); err != nil {
		return nil, err
	}
	if references < 1 || references > n || o.Least < 1 || o.Classes > 256 {
		return nil, fmt.Errorf("matches: reference of %d in %d symbols, matches of %d and more, %d classes", references, n,
			o.Least, o.Classes)
	}
	t := tuned.Of(s).Matches
	p := &Plan{s: s, n: n, references: references, o: o, shape: t}
	p.o.Part = min(o.Part, p.queries())
	d := minima.Defines(s)
	d["WG"], d["ITEMS"], d["BLOCK"] = t.WG, t.Items, t.Block
	program := s.Program(device.Source{Files: []string{minima.File, file}, Defines: d})
	kernel := func(name string) *device.Kernel { return program.Kernel("matches_"+name, t.WG) }
	p.ranks = scan.NewTemplate(s, n, scan.TemplateOptions{Source: template("MATCHES_RANKS"), ElementBytes: 4})
	p.tree = minima.New(s, n)
	if o.Unique {
		p.unique = kernel("unique")
		p.kept = scan.NewCompactTemplate(s, p.o.Part, template("MATCHES_UNIQUE"))
		return p, nil
	}
	p.reference, p.classes, p.count, p.list = kernel("reference"), kernel("classes"), kernel("count"), kernel("list")
	p.referenceTree = minima.New(s, references)
	p.sums = scan.NewPlan[uint32](s, p.tableLen(), scan.Options{})
	p.kept = scan.NewCompactTemplate(s, p.o.Part, template("MATCHES_QUERIES"))
	p.offsets = scan.NewTemplate(s, p.o.Part,
		scan.TemplateOptions{Source: template("MATCHES_OFFSETS"), ElementBytes: 8})
	return p, nil
}

// queries is the number of symbols of queries and separators.
func (p *Plan) queries() int { return p.n - p.references }

// blocks is the number of blocks of suffixes of the reference.
func (p *Plan) blocks() int { return p.references/p.shape.Block + 1 }

func (p *Plan) tableLen() int { return p.blocks() * p.o.Classes }

func (p *Plan) groups(n int) int { return intmath.CeilDiv(n, p.shape.WG*p.shape.Items) }

// Workspace is what Find and then List, or Count and Expand, carve from one workspace. Bytes a symbol:
//
//	of the text       4.3
//	of the reference  4; of all matches 9.3, and 4/Block for each class
//	of the queries    8
//
// and 20 for each position of a part of the queries, with all matches.
func (p *Plan) Workspace() device.Pieces {
	words := func(n int) device.Pieces { return device.PieceOf[uint32](n) }
	pieces := words(p.n).And(words(p.references), words(p.tree.Len()), words(p.queries()), words(p.queries()))
	if p.o.Unique {
		return pieces.And(p.ranks.Workspace().Or(p.kept.Workspace()))
	}
	pieces = pieces.And(words(p.references), words(p.referenceTree.Len()), device.PieceOf[uint8](p.references),
		words(p.tableLen()))
	list := words(p.o.Part).And(device.PieceOf[uint64](p.o.Part+1), p.kept.Workspace().Or(p.offsets.Workspace()))
	return pieces.And(p.ranks.Workspace().Or(p.sums.Workspace(), list))
}

// Found are the matches of a text, not yet listed. It lives in the arrays that it was made of and in the workspace.
type Found struct {
	p                    *Plan
	a                    Arrays
	ranks, slots, minima *device.Buffer[uint32]
	amounts, places      *device.Buffer[uint32] // of positions of queries
	shared, sharedMinima *device.Buffer[uint32]
	lefts                *device.Buffer[uint8]
	table                *device.Buffer[uint32]
	queries              *device.Buffer[uint32]
	offsets              *device.Buffer[uint64]
	positions            int // that Positions has listed
}

// Find enqueues finding how many matches begin at each position of the queries. Its pieces of the workspace stay
// taken: reset it after the last List. Errors, on the session: arrays of other lengths than planned.
func (p *Plan) Find(ws *device.Workspace, a Arrays) *Found {
	f := &Found{p: p, a: a}
	n, m := p.n, p.references
	if a.Text.Len() < n || a.SA.Len() != n || a.LCP.Len() < n || !p.o.Unique && a.Classes.Len() != 256 {
		p.s.Fail(fmt.Errorf("matches: text of %d, suffix array of %d, LCP array of %d, planned for %d", a.Text.Len(),
			a.SA.Len(), a.LCP.Len(), n))
		return f
	}
	f.ranks, f.slots = device.Carve[uint32](ws, n), device.Carve[uint32](ws, m)
	f.minima = device.Carve[uint32](ws, p.tree.Len())
	f.amounts, f.places = device.Carve[uint32](ws, p.queries()), device.Carve[uint32](ws, p.queries())
	if !p.o.Unique {
		f.shared, f.sharedMinima = device.Carve[uint32](ws, m), device.Carve[uint32](ws, p.referenceTree.Len())
		f.lefts, f.table = device.Carve[uint8](ws, m), device.Carve[uint32](ws, p.tableLen())
	}
	p.ranks.Run(ws, n, 4*p.ranks.Loads()+4+4*int64(m)/int64(n), a.SA, uint64(m), f.ranks, f.slots)
	p.tree.Run(a.LCP, f.minima, n)
	f.amounts.Fill(0)
	if p.o.Unique {
		args := append(f.all9(), f.amounts, f.places)
		p.unique.Launch(p.groups(n), int64(n)*(4+4+4)+int64(p.queries())*(4*32+8), args...)
		return f
	}
	p.reference.Launch(p.groups(m), int64(m)*(4+32+32+5), a.Text, a.SA, a.LCP, f.minima, uint64(n), uint64(m), f.slots,
		p.o.Least, a.Classes, f.shared, f.lefts)
	p.referenceTree.Run(f.shared, f.sharedMinima, m)
	f.table.Fill(0)
	p.classes.Launch(p.groups(p.blocks()), int64(m)+8*int64(p.tableLen()), f.lefts, uint64(m), uint64(p.blocks()), f.table)
	p.sums.Run(ws, f.table, f.table, p.tableLen())
	p.count.Launch(p.groups(n), int64(n)*(4+4+4)+int64(p.queries())*(4*32+8), append(f.all15(), f.amounts, f.places)...)
	return f
}

// all9 are the arguments of all kernels that look for the place of a suffix, all15 those that look at the reference,
// too.
func (f *Found) all9() []any {
	return []any{f.a.Text, f.a.SA, f.a.LCP, f.minima, uint64(f.p.n), uint64(f.p.references), f.ranks, f.slots, f.p.o.Least}
}

func (f *Found) all15() []any {
	return append(f.all9(), f.shared, f.sharedMinima, f.a.Classes, f.lefts, f.table, uint64(f.p.blocks()))
}

// checkPart fails the session where a part is not one.
func (f *Found) checkPart(first, count int) bool {
	if first < 0 || count < 0 || count > f.p.o.Part || count > f.p.queries()-first {
		f.p.s.Fail(fmt.Errorf("matches: positions %d to %d of %d, parts of %d", first, first+count-1,
			f.p.queries(), f.p.o.Part))
		return false
	}
	return true
}

// List enqueues writing to out the unique matches at positions first to first+count-1 of the queries, in their order,
// and to kept[0] their number. Errors, on the session: a part longer than planned or than out, or out of the queries.
func (f *Found) List(ws *device.Workspace, first, count int, out Output, kept *device.Buffer[uint64]) {
	if !f.checkPart(first, count) {
		return
	}
	if out.len() < count {
		f.p.s.Fail(fmt.Errorf("matches: room for %d of %d matches", out.len(), count))
		return
	}
	f.p.kept.Run(ws, count, 4*f.p.kept.Loads()+16, kept, f.amounts, f.places, uint64(first), out.Reference, out.Query,
		out.Length)
}

// Positions enqueues listing the positions from first to first+count-1 of the queries at which matches begin, and
// writing to kept[0] their number. Their piece of the workspace stays taken. Errors as List.
func (f *Found) Positions(ws *device.Workspace, first, count int, kept *device.Buffer[uint64]) {
	if !f.checkPart(first, count) {
		return
	}
	f.queries, f.offsets = device.Carve[uint32](ws, f.p.o.Part), device.Carve[uint64](ws, f.p.o.Part+1)
	f.p.kept.Run(ws, count, 4*f.p.kept.Loads()+4, kept, f.amounts, uint64(first), f.queries)
}

// Offsets enqueues counting the matches at the m positions that Positions has listed, m > 0, and returns the buffer of
// their number.
func (f *Found) Offsets(ws *device.Workspace, m int) *device.Buffer[uint64] {
	f.positions = m
	f.p.offsets.Run(ws, m, 40*f.p.offsets.Loads()+8, f.amounts, f.queries, f.offsets)
	return f.offsets.View(m, 1)
}

// Expand enqueues writing to out matches first to first+count-1 of those that Offsets has counted, by position in the
// queries, those of one position in the order of the suffixes of the reference. Errors, on the session: no room.
func (f *Found) Expand(first uint64, count int, out Output) {
	if out.len() < count {
		f.p.s.Fail(fmt.Errorf("matches: room for %d of %d matches", out.len(), count))
		return
	}
	args := append(f.all15(), f.places, f.queries, f.offsets, uint64(f.positions), first, uint64(count), out.Reference,
		out.Query, out.Length)
	f.p.list.Launch(f.p.groups(count), int64(count)*(12*32+12), args...)
}
