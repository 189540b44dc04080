package thresholds

import (
	"context"
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/minima"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/scan"
)

// End is the letter of the row of the whole text. No text holds it.
const End = 0

// AtOnce is how many rows are looked at at once for the runs that begin there, on devices of GPU and of CPU shape.
// Tests make it smaller.
var AtOnce = [2]int{1 << 22, 1 << 18}

// noRow is NO_ROW of the kernels.
const noRow = 1<<32 - 1

const (
	file    = "thresholds.cl"
	letters = 256
)

// Plan lists the runs of texts of up to n characters.
type Plan struct {
	s       *device.Session
	n, part int // part: rows
	shape   tune.Intervals

	tree                        *minima.Plan
	before, closing, find, last *device.Kernel
	kept                        *scan.CompactTemplate
	byLetter                    *radixsort.Plan[uint32, uint32]
}

// template is the part of the file that another kernel file takes.
func template(what string) device.Source {
	return device.Source{Files: []string{file}, Defines: device.Defines{what: 1}}
}

// New plans listing the runs of texts of up to n characters, by parts of up to `part` rows. Errors: a
// *suffixcl.LengthError for n over suffixcl.MaxLen; parts of no rows.
func New(s *device.Session, n, part int) (*Plan, error) {
	if err := limits.CheckLen("text", n, limits.MaxLen); err != nil {
		return nil, err
	}
	if part < 1 {
		return nil, fmt.Errorf("thresholds: parts of %d rows", part)
	}
	p := &Plan{s: s, n: n, part: min(part, n+1), shape: tuned.Of(s).Intervals, tree: minima.New(s, n)}
	program := s.Program(device.Source{Files: []string{minima.File, file}, Defines: minima.Defines(s)})
	kernel := func(name string) *device.Kernel { return program.Kernel("thresholds_"+name, p.shape.WG) }
	p.before, p.closing, p.find, p.last = kernel("letters"), kernel("close"), kernel("find"), kernel("last")
	p.kept = scan.NewCompactTemplate(s, p.part, template("THRESHOLDS_RUNS"))
	p.byLetter = radixsort.NewTemplate[uint32, uint32](s, p.part, template("THRESHOLDS_LETTERS"))
	return p, nil
}

// Part is the number of rows of a part.
func (p *Plan) Part() int { return p.part }

func (p *Plan) groups(n int) int { return intmath.CeilDiv(n, p.shape.WG*p.shape.Items) }

// Workspace is what Index and then List carve from one workspace: 0.3 bytes a character, and 17 for each row of a part.
func (p *Plan) Workspace() device.Pieces {
	words := device.PieceOf[uint32](p.part)
	index := device.PieceOf[uint32](p.tree.Len()).And(device.PieceOf[uint32](letters))
	list := p.kept.Workspace().Or(words.And(words, words, words, p.byLetter.Workspace()))
	return index.And(device.PieceOf[uint8](p.part+1), device.PieceOf[uint64](1), list)
}

// Index has the arrays that List reads. It lives in the arrays that it was made of and in the workspace.
type Index struct {
	p                     *Plan
	text                  *device.Buffer[uint8]
	sa, lcp, minima, last *device.Buffer[uint32]
	next                  int // row
}

// Index enqueues what List needs of text [n], whose suffix array is sa [n]uint32 and whose LCP array is lcp [n]uint32.
// Its pieces of the workspace stay taken. The text must not hold End, and the arrays must be right: of others runs and
// thresholds mean nothing. Errors, on the session: a text longer than planned, arrays of other lengths.
func (p *Plan) Index(ws *device.Workspace, text *device.Buffer[uint8], sa, lcp *device.Buffer[uint32]) *Index {
	x := &Index{p: p, text: text, sa: sa, lcp: lcp}
	n := text.Len()
	if n > p.n || sa.Len() != n || lcp.Len() != n {
		p.s.Fail(fmt.Errorf("thresholds: text of %d characters, planned for %d; suffix array of %d, LCP array of %d", n, p.n,
			sa.Len(), lcp.Len()))
		return x
	}
	x.minima, x.last = device.Carve[uint32](ws, p.tree.Len()), device.Carve[uint32](ws, letters)
	x.last.Fill(noRow)
	p.tree.Run(lcp, x.minima, n)
	return x
}

// Rows is the number of rows.
func (x *Index) Rows() int { return x.text.Len() + 1 }

// Output has room for the runs of a part, an entry each.
type Output struct {
	Heads      *device.Buffer[uint32] // letter
	Starts     *device.Buffer[uint32] // first row
	Thresholds *device.Buffer[uint32] // row, 0 for the first run of a letter
}

// room is the number of runs that there is room for.
func (o Output) room() int { return min(o.Heads.Len(), o.Starts.Len(), o.Thresholds.Len()) }

// List enqueues writing to out the runs that begin in the next count rows, in their order, and returns their number,
// for which it waits. Parts follow one another from row 0 on. Errors: more rows than planned for a part, or than are
// left; room for fewer; the context's, the session's.
func (x *Index) List(ctx context.Context, ws *device.Workspace, count int, out Output) (runs int, err error) {
	p, n, first := x.p, x.text.Len(), x.next
	if count < 0 || count > p.part || count > x.Rows()-first || out.room() < count {
		return 0, fmt.Errorf("thresholds: rows %d to %d of %d, parts of %d, room for %d", first, first+count-1, x.Rows(),
			p.part, out.room())
	}
	if err := p.s.Check(ctx); err != nil || count == 0 {
		return 0, err
	}
	defer ws.Reset(ws.Mark())
	x.next += count
	before, kept := device.Carve[uint8](ws, p.part+1), device.Carve[uint64](ws, 1)
	if n > 0 {
		p.before.Launch(p.groups(count+1), int64(count)*(4+32+1), x.text, x.sa, uint64(n), uint64(first), uint64(count+1),
			before)
	} else {
		before.Fill(End)
	}
	p.kept.Run(ws, count, p.kept.Loads()*2+8, kept, before, uint64(first), out.Heads, out.Starts)
	var number [1]uint64
	if err := kept.Download(ctx, number[:], nil); err != nil {
		return 0, err
	}
	if runs = int(number[0]); runs == 0 {
		return 0, nil
	}
	keys := radixsort.Pair[uint32]{Cur: device.Carve[uint32](ws, p.part), Alt: device.Carve[uint32](ws, p.part)}
	order := radixsort.Pair[uint32]{Cur: device.Carve[uint32](ws, p.part), Alt: device.Carve[uint32](ws, p.part)}
	p.byLetter.Run(ws, &keys, &order, runs, 0, 8, out.Heads)
	if first > 0 {
		p.closing.Launch(1, 0, before, out.Starts, x.last)
	}
	p.find.Launch(p.groups(runs), int64(runs)*(8+2*32+4), keys.Cur, order.Cur, uint64(runs), out.Starts, x.last, x.lcp,
		x.minima, uint64(n), out.Thresholds)
	p.last.Launch(p.groups(runs), 4*int64(runs), keys.Cur, order.Cur, uint64(runs), out.Starts, x.last)
	return runs, p.s.Check(ctx)
}
