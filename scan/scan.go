package scan

import (
	"fmt"
	"maps"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cltype"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Op is the operator of a scan.
type Op int

// The operators.
const (
	Sum Op = iota // identity 0, wraps around
	Max           // identity 0
)

// looksBack says what the kernels do: LOOK_BACK of lookback.cl.
func looksBack(c *device.Caps) bool { return c.ForwardProgress && c.Int64Atomics && !c.CPUShape }

// programOf is a template's source with the library's file after it, and the tuning parameters among its defines.
func programOf(src device.Source, file string, shape tune.Scan, items int) device.Source {
	d := maps.Clone(src.Defines)
	if d == nil {
		d = device.Defines{}
	}
	d["WG"], d["ITEMS"], d["LOOK"], d["TICKETS"] = shape.WG, items, shape.Look, 1-shape.InOrder
	src.Defines = d
	return tuned.Append(src, "lookback.cl", file)
}

// ticketWords is TICKET_WORDS of lookback.cl.
const ticketWords = 16

// status is what a launch is told of the words that its tiles publish: STATUS_PARAMS of lookback.cl.
func status(s *device.Session, ws *device.Workspace, tiles, wordsPerTile int, shape tune.Scan) []any {
	words, tickets := ticketWords+tiles*wordsPerTile, uint32(0)
	if shape.InOrder == 0 && tiles > 1 {
		tickets = uint32(tiles)
	}
	if of, ok := tuned.Status(s, words, tickets); ok {
		return []any{of.Words, of.Ticket, of.Run}
	}
	b := device.Carve[uint64](ws, words)
	if tiles > 1 { // one tile asks nobody
		b.Fill(0)
	}
	return []any{b, uint32(0), uint32(0)}
}

func statusPiece(tiles, wordsPerTile int) device.Pieces {
	return device.PieceOf[uint64](ticketWords + tiles*wordsPerTile)
}

// Value is the element type of array scans. The two words of a pair are scanned each on its own.
type Value interface{ uint32 | uint64 | [2]uint32 }

// Options of a Plan.
type Options struct {
	Op        Op
	Inclusive bool // result i combines values 0 to i; else those before i
}

func (o Options) defines() device.Defines {
	d := device.Defines{"OP": "OP_ADD", "INCLUSIVE": 0}
	if o.Op == Max {
		d["OP"] = "OP_MAX"
	}
	if o.Inclusive {
		d["INCLUSIVE"] = 1
	}
	return d
}

// Plan scans arrays of up to n elements.
type Plan[T Value] struct{ t *Template }

// NewPlan plans a scan of arrays of up to n elements.
func NewPlan[T Value](s *device.Session, n int, o Options) *Plan[T] {
	return &Plan[T]{NewTemplate(s, n, planOptions[T](o))}
}

// planOptions is the template of a scan of arrays.
func planOptions[T Value](o Options) TemplateOptions {
	typ, size := cltype.Name[T](), cltype.Size[T]()
	d := o.defines()
	d["T"], d["T_BYTES"], d["IDENTITY"] = typ, size, "(("+typ+")(0))"
	return TemplateOptions{Source: device.Source{Defines: d}, ElementBytes: size}
}

// Workspace is what Run carves from its workspace.
func (p *Plan[T]) Workspace() device.Pieces { return p.t.Workspace() }

// Run enqueues the scan of the first n elements of in to out, which may be the same buffer. Errors, on the session:
// more elements than planned, shorter buffers.
func (p *Plan[T]) Run(ws *device.Workspace, in, out *device.Buffer[T], n int) {
	if n > in.Len() || n > out.Len() {
		in.Session().Fail(fmt.Errorf("scan: %d elements in buffers of %d and %d", n, in.Len(), out.Len()))
		return
	}
	p.t.Run(ws, n, p.t.passes()*int64(cltype.Size[T]()), in, out)
}

// Segmented scans arrays of up to n elements segment by segment.
type Segmented[T uint32 | uint64] struct{ t *Template }

// NewSegmented plans a segmented scan of arrays of up to n elements.
func NewSegmented[T uint32 | uint64](s *device.Session, n int, o Options) *Segmented[T] {
	return &Segmented[T]{NewTemplate(s, n, segmentedOptions[T](o))}
}

func segmentedOptions[T uint32 | uint64](o Options) TemplateOptions {
	typ, size := cltype.Name[T](), cltype.Size[T]()
	d := o.defines()
	d["V"], d["V_BYTES"], d["V_OP"] = typ, size, d["OP"]
	delete(d, "OP")
	return TemplateOptions{Source: device.Source{Files: []string{"segscan.cl"}, Defines: d}, ElementBytes: 2 * size}
}

// Workspace is what Run carves from its workspace.
func (p *Segmented[T]) Workspace() device.Pieces { return p.t.Workspace() }

// Run enqueues the scan of the first n elements of in to out, which may be the same buffer. A segment starts at
// element 0 and at every element whose head is not 0. Errors as those of Plan.Run.
func (p *Segmented[T]) Run(ws *device.Workspace, heads *device.Buffer[uint8], in, out *device.Buffer[T], n int) {
	if n > in.Len() || n > out.Len() || n > heads.Len() {
		in.Session().Fail(fmt.Errorf("scan: %d elements in buffers of %d and %d, %d heads", n, in.Len(), out.Len(),
			heads.Len()))
		return
	}
	p.t.Run(ws, n, p.t.passes()*int64(cltype.Size[T]())+p.t.passes()-1, heads, in, out)
}

// TemplateOptions says what a Template scans.
type TemplateOptions struct {
	// Source has the files and macros that define the template parameters:
	//
	//	T, OP(a, b), IDENTITY          element type (uint, ulong, uint2 or uint4), an associative operator and its
	//	                               neutral element
	//	SCAN_PARAMS                    parameters of the kernels, each after a comma: the args of Run
	//	SCAN_LOAD(i)                   element i; evaluated once or twice
	//	SCAN_STORE(i, before, value)   uses element i: before combines the elements before i, value also i itself
	//
	// kernels/scan.cl says more.
	Source device.Source
	// ElementBytes is sizeof(T).
	ElementBytes int
}

func (o TemplateOptions) shape(set *tune.Set) tune.Scan {
	shape := set.Scan
	if len(o.Source.Files) > 0 {
		shape.Items = min(shape.Items, set.Template.Items)
	}
	return shape
}

// Template scans elements that kernel code loads and stores.
type Template struct {
	s             *device.Session
	shape         tune.Scan
	n, tile, size int

	onePass                 *device.Kernel // nil if the method is reduce-then-scan
	reduce, partials, apply *device.Kernel
}

// NewTemplate plans a scan of up to n elements.
func NewTemplate(s *device.Session, n int, o TemplateOptions) *Template {
	shape := o.shape(tuned.Of(s))
	items := shape.ItemsOf(o.ElementBytes)
	program := s.Program(programOf(o.Source, "scan.cl", shape, items))
	t := &Template{s: s, shape: shape, n: n, tile: shape.WG * items, size: o.ElementBytes}
	if looksBack(s.Caps()) {
		t.onePass = program.Kernel("scan_tiles", shape.WG)
		return t
	}
	t.reduce = program.Kernel("scan_reduce", shape.WG)
	t.partials = program.Kernel("scan_partials", shape.WG)
	t.apply = program.Kernel("scan_apply", shape.WG)
	return t
}

// statusWords is how many words a tile publishes: 32 bits each of an element.
func (t *Template) statusWords() int {
	if t.size == 16 {
		return 3 // the last 32 bits are unused
	}
	return t.size / 4
}

// Workspace is what Run carves from its workspace.
func (t *Template) Workspace() device.Pieces {
	if t.onePass != nil {
		return statusPiece(intmath.CeilDiv(t.n, t.tile), t.statusWords())
	}
	return device.PieceOf[device.Void](t.partialBytes(t.n))
}

func (t *Template) partialBytes(n int) int { return (intmath.CeilDiv(n, t.tile) + 1) * t.size }

// Loads is how often a run loads each element, 1 or 2: for the traffic that Run is told.
func (t *Template) Loads() int64 {
	if t.onePass != nil {
		return 1
	}
	return 2
}

// passes over arrays: what is loaded, and the store.
func (t *Template) passes() int64 { return t.Loads() + 1 }

// Run enqueues the scan of n elements. bytesPerElement is the traffic of one element over the whole scan, for the
// profile alone; args are the SCAN_PARAMS. Errors, on the session: more elements than planned.
func (t *Template) Run(ws *device.Workspace, n int, bytesPerElement int64, args ...any) {
	if n > t.n {
		t.s.Fail(fmt.Errorf("scan: %d elements, planned for %d", n, t.n))
		return
	}
	tiles := intmath.CeilDiv(n, t.tile)
	if tiles == 0 {
		return
	}
	defer ws.Reset(ws.Mark())
	traffic := bytesPerElement * int64(n)
	if t.onePass != nil {
		t.onePass.Launch(tiles, traffic, status(t.s, ws, tiles, t.statusWords(), t.shape), uint64(n), args)
		return
	}
	partials := device.Carve[device.Void](ws, t.partialBytes(n))
	t.reduce.Launch(tiles, traffic/3, partials, uint64(n), args)
	t.partials.Launch(1, 2*int64(tiles*t.size), partials, uint64(tiles))
	t.apply.Launch(tiles, 2*(traffic/3), partials, uint64(n), args)
}
