package lrq

import (
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/scan"
)

// Options of a Plan.
type Options struct {
	// MinLength is the length in characters from which on repeats count; 0 and 1 take all.
	MinLength uint32
}

// Plan finds longest repeats in texts of up to n characters on the device.
type Plan struct {
	s     *device.Session
	n     int
	o     Options
	shape tune.LRQ

	raw, maxima, leftmost, lengths, count, emit *device.Kernel
	pieces                                      *device.Kernel        // tune.LRQBounded only
	useful                                      *scan.CompactTemplate // nil for tune.LRQRaw
}

var usefulTemplate = device.Source{Files: []string{"lrq.cl"}, Defines: device.Defines{"LRQ_USEFUL": 1}}

func source(t tune.LRQ) device.Source {
	return device.Source{Files: []string{"lrq.cl"}, Defines: device.Defines{
		"WG": t.WG, "ITEMS": t.Items, "WALK": t.Walk, "PIECE": t.Piece, "FANOUT_LOG": t.FanoutLog, "METHOD": t.Method - 1}}
}

// New plans the queries for texts of up to n characters. Errors: a *suffixcl.LengthError for n over suffixcl.MaxLen.
func New(s *device.Session, n int, o Options) (*Plan, error) {
	if err := limits.CheckLen("text", n, limits.MaxLen); err != nil {
		return nil, err
	}
	o.MinLength = max(o.MinLength, 1)
	p := &Plan{s: s, n: n, o: o, shape: tuned.Of(s).LRQ}
	program := s.Program(source(p.shape))
	kernel := func(name string) *device.Kernel { return program.Kernel("lrq_"+name, p.shape.WG) }
	p.raw, p.maxima, p.leftmost = kernel("raw"), kernel("maxima"), kernel("leftmost")
	p.lengths, p.count, p.emit = kernel("lengths"), kernel("count"), kernel("emit")
	if p.shape.Method == tune.LRQBounded {
		p.pieces = kernel("pieces")
	}
	if p.shape.Method != tune.LRQRaw {
		p.useful = scan.NewCompactTemplate(s, n, usefulTemplate)
	}
	return p, nil
}

// blocks is the number of blocks of the level where a block has 2^shift useful repeats.
func blocks(n, shift int) int { return intmath.CeilDiv(n, 1<<shift) }

// levels calls f for each level of maxima of up to n useful repeats, the lowest first,
// and returns the number of entries of all, of two words.
func (p *Plan) levels(n int, f func(shift, below, base int)) int {
	base, below := 0, 0
	if p.shape.Method == tune.LRQBounded {
		w := p.shape.FanoutLog
		for shift := w; blocks(n, shift-w) > 1<<w; shift += w {
			f(shift, below, base)
			below, base = base, base+blocks(n, shift)
		}
	}
	return base
}

// Workspace is what Index carves from its workspace: up to 0.3 bytes a character.
func (p *Plan) Workspace() device.Pieces { return p.workspace(nil) }

// workspace is that of Index, and then of steps that use what it keeps.
func (p *Plan) workspace(then device.Pieces) device.Pieces {
	if p.shape.Method == tune.LRQRaw {
		return then
	}
	maxima := p.levels(p.n, func(_, _, _ int) {})
	return device.PieceOf[uint64](1).And(device.PieceOf[[2]uint32](maxima), p.useful.Workspace().Or(then))
}

// groups of tiles for n elements.
func (p *Plan) groups(n int) int { return intmath.CeilDiv(n, p.shape.WG*p.shape.Items) }

func (p *Plan) fits(what string, n int, lengths ...int) bool {
	for _, have := range lengths {
		if n > p.n || have < n {
			p.s.Fail(fmt.Errorf("lrq: %s of %d, planned for %d, in a buffer of %d", what, n, p.n, have))
			return false
		}
	}
	return true
}

// Raw enqueues writing raw [n]uint32: the length of the longest repeat that starts at each position (Lemma 1), of sa
// [n] and lcp [n]. Repeats end where a record does: ends holds the position after the last of each record, ascending,
// or is nil. The character there must not occur in records.
//
// Errors, on the session: a text longer than planned, shorter buffers.
func (p *Plan) Raw(sa, lcp, ends, raw *device.Buffer[uint32]) {
	n := sa.Len()
	if p.fits("suffix array", n, lcp.Len(), raw.Len()) {
		p.raw.Launch(p.groups(n), int64(n)*(4+4+32), sa, lcp, uint64(n), ends, records(ends), raw)
	}
}

func records(ends *device.Buffer[uint32]) uint32 {
	if ends == nil {
		return 0
	}
	return uint32(ends.Len())
}

// Index is what queries read. It lives in the buffers that it was made of and in the workspace, and is valid as long as
// they hold what Plan.Index wrote.
type Index struct {
	p                 *Plan
	n                 int
	raw, starts, upto *device.Buffer[uint32]
	maxima            *device.Buffer[[2]uint32]
	kept              *device.Buffer[uint64]
}

// Index enqueues finding the useful repeats of raw [n]: those that are no part of the one that starts before. starts
// [n] receives their positions, as many as there are, and upto [n] how many start at or before each position. The
// pieces of the workspace stay taken: reset it after the last query.
func (p *Plan) Index(ws *device.Workspace, raw *device.Buffer[uint32], n int,
	starts, upto *device.Buffer[uint32]) *Index {
	x := &Index{p: p, n: n, raw: raw, starts: starts, upto: upto}
	if !p.fits("LLR array", n, raw.Len()) || p.shape.Method == tune.LRQRaw {
		return x
	}
	if !p.fits("LLR array", n, starts.Len(), upto.Len()) {
		return x
	}
	x.kept = device.Carve[uint64](ws, 1)
	x.maxima = device.Carve[[2]uint32](ws, p.levels(p.n, func(_, _, _ int) {}))
	p.useful.Run(ws, n, p.useful.Loads()*8+8, x.kept, raw, p.o.MinLength, starts, upto)
	p.levels(n, func(shift, below, base int) {
		there := blocks(n, shift)
		p.maxima.Launch(p.groups(there), int64(there)<<p.shape.FanoutLog*8, raw, starts, x.kept, uint64(there),
			uint32(shift), uint64(below), uint64(base), x.maxima)
	})
	return x
}

// Leftmost enqueues writing to start [count] the start of the leftmost longest repeat of positions first to
// first+count-1, or 1<<32 - 1 where there is none. For all positions start may be the buffer upto of the index; only
// Lengths may follow then.
func (x *Index) Leftmost(first, count int, start *device.Buffer[uint32]) {
	if start.Len() < count || first < 0 || count > x.n-first {
		x.p.s.Fail(fmt.Errorf("lrq: positions %d to %d of %d, room for %d", first, first+count-1, x.n, start.Len()))
		return
	}
	x.find(nil, first, count, start)
}

// At is Leftmost of given positions: start [positions.Len()]. Beyond the text there are no repeats.
func (x *Index) At(positions, start *device.Buffer[uint32]) {
	if start.Len() < positions.Len() {
		x.p.s.Fail(fmt.Errorf("lrq: %d positions, room for %d", positions.Len(), start.Len()))
		return
	}
	x.find(positions, 0, positions.Len(), start)
}

func (x *Index) find(positions *device.Buffer[uint32], first, count int, start *device.Buffer[uint32]) {
	x.p.leftmost.Launch(x.p.groups(count), int64(count)*(4+4+4), x.raw, x.starts, x.maxima, uint64(x.n), x.upto,
		x.p.o.MinLength, positions, uint64(first), uint64(count), start)
}

// Lengths enqueues writing to lengths [count] the lengths of the repeats at start [count], which Leftmost or At has
// written. Where there is none, length and start become 0. lengths may be the buffer starts of the index; no query may
// follow then.
func (x *Index) Lengths(start *device.Buffer[uint32], count int, lengths *device.Buffer[uint32]) {
	if start.Len() < count || lengths.Len() < count {
		x.p.s.Fail(fmt.Errorf("lrq: %d lengths, room for %d, %d starts", count, lengths.Len(), start.Len()))
		return
	}
	x.p.lengths.Launch(x.p.groups(count), int64(count)*16, x.raw, uint64(count), start, lengths)
}

// Rows lists all longest repeats of positions in compressed rows: the repeats of the i-th position are those from
// offsets[i] to offsets[i+1].
type Rows struct {
	p    *Plan
	n    int
	scan *scan.Plan[uint64]
}

// NewRows plans Rows of up to n positions at once.
func NewRows(p *Plan, n int) *Rows {
	return &Rows{p, n, scan.NewPlan[uint64](p.s, n+1, scan.Options{})}
}

// Workspace is what Index and then Count carve from one workspace.
func (r *Rows) Workspace() device.Pieces { return r.p.workspace(r.scan.Workspace()) }

// Count enqueues writing offsets [count+1]: entry i is how many longest repeats the i positions from first on have
// together. start [count] is what Leftmost has written for them.
func (r *Rows) Count(ws *device.Workspace, x *Index, start *device.Buffer[uint32], first, count int,
	offsets *device.Buffer[uint64]) {
	if start.Len() < count || offsets.Len() <= count || count > r.n || count > x.n-first {
		r.p.s.Fail(fmt.Errorf("lrq: rows of %d positions from %d on, planned for %d, %d starts, %d offsets", count, first,
			r.n, start.Len(), offsets.Len()))
		return
	}
	offsets.View(count, 1).Fill(0)
	r.p.count.Launch(r.p.groups(count), int64(count)*(4+8+8), x.raw, x.starts, x.maxima, uint64(x.n), x.upto, start,
		uint64(first), uint64(count), offsets)
	r.scan.Run(ws, offsets, offsets, count+1)
}

// Emit enqueues writing the starts of repeats number from to from+starts.Len()-1 of those that Count has counted.
// first, count, start and offsets are those of Count.
func (r *Rows) Emit(x *Index, start *device.Buffer[uint32], first, count int, offsets *device.Buffer[uint64],
	from uint64, starts *device.Buffer[uint32]) {
	p, to := r.p, from+uint64(starts.Len())
	args := []any{x.raw, x.starts, x.maxima, uint64(x.n), x.upto, start, uint64(first), uint64(count), offsets, from, to,
		starts}
	p.emit.Launch(p.groups(count), int64(count)*(4+8)+4*int64(starts.Len()), args...)
	if p.shape.Method == tune.LRQBounded {
		pieces := intmath.CeilDiv(starts.Len(), p.shape.Piece)
		p.pieces.Launch(intmath.CeilDiv(pieces, p.shape.WG), int64(pieces)*32, args...)
	}
}
