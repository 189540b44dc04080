package suffixcl

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/nucleotide"
	"github.com/suffixcl/suffixcl/lrq"
	"github.com/suffixcl/suffixcl/seqio"
)

// Repeat is a substring that occurs more than once: Length characters of the text from
// Start on. Length 0 says that there is none.
type Repeat struct{ Start, Length uint32 }

// RepeatOptions of longest repeats. The zero value takes the text as one sequence.
type RepeatOptions struct {
	// MinLength is the shortest repeat that counts; 0 and 1 take all.
	MinLength int
	// Records, if there are any, are the parts of the text: repeats lie inside of one, and positions
	// outside of all have none. They ascend and do not overlap; together they leave at least one byte
	// value unused.
	Records seqio.Table
	// ReverseComplement: the text is DNA, as seqio.DNA reads it, and what occurs on the
	// other strand is a repeat, too. A substring that is its own reverse complement, such
	// as ACGT, occurs there. Doubles time and memory.
	ReverseComplement bool
	// All: every longest repeat of each position is wanted, not only the leftmost. EachRepeats and PlanRepeats
	// heed it; the other methods say it by their names.
	All bool
}

// Repeats are the leftmost longest repeats that cover the positions of a text.
type Repeats struct {
	Start, Length []uint32 // for each position; Length is 0 where there is none
}

// All yields each position that a repeat covers, and the repeat.
func (r *Repeats) All() iter.Seq2[int, Repeat] {
	return func(yield func(int, Repeat) bool) {
		for k, length := range r.Length {
			if length > 0 && !yield(k, Repeat{Start: r.Start[k], Length: length}) {
				return
			}
		}
	}
}

// Distinct yields each of the repeats once, by start.
func (r *Repeats) Distinct() iter.Seq[Repeat] {
	return func(yield func(Repeat) bool) {
		var last Repeat
		for _, repeat := range r.All() {
			if repeat != last && !yield(repeat) {
				return
			}
			last = repeat
		}
	}
}

// AllRepeats are all longest repeats that cover the positions of a text of n characters, in compressed
// rows.
type AllRepeats struct {
	Length  []uint32 // [n]: of the longest repeats of each position, 0 where there is none
	Offsets []uint64 // [n+1]: those of position k start at Starts[Offsets[k]:Offsets[k+1]]
	Starts  []uint32 // ascending in each row
}

// All yields each position and each of its repeats, from left to right.
func (r *AllRepeats) All() iter.Seq2[int, Repeat] {
	return func(yield func(int, Repeat) bool) {
		for k, length := range r.Length {
			for _, start := range r.Starts[r.Offsets[k]:r.Offsets[k+1]] {
				if !yield(k, Repeat{Start: start, Length: length}) {
					return
				}
			}
		}
	}
}

// RepeatBlock is a part of a result: len(Length) positions from First on, all in one
// record.
type RepeatBlock struct {
	First  int // position in the text
	Record int // number of the record; 0 without records
	Length []uint32
	// Start of the leftmost longest repeat of each position.
	Start []uint32
	// Starts of all of them, those of position First+i at Starts[Offsets[i]:Offsets[i+1]];
	// nil if only the leftmost were asked for.
	Offsets []uint64
	Starts  []uint32
}

// repeatQuery is what the memory of a query depends on, besides the length.
type repeatQuery struct {
	all       bool // repeats of each position, not only the leftmost
	records   int  // number of ends
	positions int  // number of given ones; 0: all
	o         lrq.Options
}

// rowsAtOnce is how many positions are asked at once for all of their repeats. Each has
// at most as many as the square root of 2 n log2(n), less than the room for rowsAtOnce.
// Tests make it smaller.
var rowsAtOnce = 1 << 20

const roomPerRow = 4

// repeating finds the longest repeats of a text by its LCP array. In its last phase the arrays before take other
// roles: PLCP becomes the raw LLR array, the suffix array the leftmost starts, and the LCP array the starts of the
// useful repeats, and then the lengths. The text is not there any more.
type repeating struct {
	*comparing
	finder *lrq.Plan
	rows   *lrq.Rows // nil if only the leftmost are wanted
	extra  *device.Layout

	work                                *device.WorkspaceSlot
	ends, positions, start, length, out *device.Slot[uint32]
	offsets                             *device.Slot[uint64]
}

func leftmostOf(e *Engine, n int) (*repeating, error) { return newRepeating(e, n, repeatQuery{}) }

func allOf(e *Engine, n int) (*repeating, error) { return newRepeating(e, n, repeatQuery{all: true}) }

func newRepeating(e *Engine, n int, q repeatQuery) (*repeating, error) {
	lengths, err := newLCP(e, n)
	if err != nil {
		return nil, err
	}
	l := device.NewLayout("repeats")
	o := &repeating{comparing: lengths, extra: l}
	if o.finder, err = lrq.New(e.session, n, q.o); err != nil {
		return nil, err
	}
	pieces := o.finder.Workspace()
	count := q.positions
	if q.all {
		count = min(n, rowsAtOnce)
		o.rows = lrq.NewRows(o.finder, count)
		pieces = o.rows.Workspace()
	}
	o.ends = device.Reserve[uint32](l, "ends of records", q.records)
	o.work = device.ReserveWorkspace(l, pieces)
	host := 8 * int64(n)
	if q.all || q.positions > 0 {
		o.start = device.Reserve[uint32](l, "starts of positions", count)
		o.length = device.Reserve[uint32](l, "lengths of positions", count)
		host = 16 * int64(count)
	}
	if q.positions > 0 {
		o.positions = device.Reserve[uint32](l, "positions", count)
	}
	if q.all {
		o.offsets = device.Reserve[uint64](l, "offsets", count+1)
		o.out = device.Reserve[uint32](l, "starts", roomPerRow*count)
		host += 4 * roomPerRow * int64(count)
	}
	arrays := device.PhaseMemory{Phase: l.Memory().Phase, Buffers: o.layout.Memory().Buffers}
	arrays.Buffers = slices.Concat(arrays.Buffers, o.output.Memory().Buffers, l.Memory().Buffers)
	arrays.Host = int64(n) + host
	o.plan = append(o.plan, arrays)
	return o, nil
}

func (o *repeating) release(s *device.Session) {
	o.extra.Release(s)
	o.comparing.release(s)
}

// index computes the longest repeats from each position and prepares the queries.
func (o *repeating) index(c *call, text []byte, ends []uint32) (*lrq.Index, *device.Workspace, error) {
	s, n := c.s, len(text)
	lcp, err := o.compare(c, text, nil)
	if err != nil {
		return nil, nil, err
	}
	_, sa := o.arraysOf(s, n)
	o.input.Release(s)
	s.Phase("repeats")
	if err := o.extra.Allocate(s); err != nil {
		return nil, nil, err
	}
	if err := o.ends.Buffer(s).Upload(c.ctx, ends, nil); err != nil {
		return nil, nil, err
	}
	ws := o.work.Workspace(s)
	var x *lrq.Index
	err = c.compute(func() error {
		raw := o.plcp.Buffer(s)
		o.finder.Raw(sa, lcp, o.ends.Buffer(s), raw)
		x = o.finder.Index(ws, raw, n, lcp, sa)
		return s.Check(c.ctx)
	})
	return x, ws, err
}

// repeats plans the operation for the text that goes to the device, and calls body with what index returns.
func (e *Engine) repeats(ctx context.Context, text []byte, p *recordLayout, q repeatQuery,
	body func(c *call, o *repeating, x *lrq.Index, ws *device.Workspace) error) error {
	c, err := e.begin(ctx)
	if err != nil {
		return err
	}
	defer c.end()
	c.alone()
	o, err := newRepeating(e, len(text), q)
	if err != nil {
		return err
	}
	if err := o.memory().Fits(c.s); err != nil {
		return err
	}
	defer o.release(c.s)
	x, ws, err := o.index(c, text, p.ends)
	if err != nil {
		return err
	}
	return body(c, o, x, ws)
}

// PlanRepeats is Plan for repeats of a text of n bytes with these options.
func (e *Engine) PlanRepeats(ctx context.Context, n int, o RepeatOptions) (device.MemoryPlan, error) {
	p, err := layRecords(n, o)
	if err != nil {
		return nil, err
	}
	c, err := e.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer c.e.give()
	c.alone()
	op, err := newRepeating(e, p.length, p.query(o, o.All, 0))
	if err != nil {
		return nil, err
	}
	return op.memory(), nil
}

// EachRepeats calls yield for the longest repeats of consecutive parts of the text, from
// left to right, so that a result need not fit into memory: the leftmost of each position,
// or with RepeatOptions.All every one. The block is valid until yield returns, and an error of yield ends
// the computation. yield may not call the engine: see ErrInCallback.
//
// Memory: see PlanRepeats; 33 bytes of device memory a character while
// suffixes are sorted, and 12.3 for the queries. Errors as SuffixArray, *RecordError, and those for options
// that do not fit the text.
func (e *Engine) EachRepeats(ctx context.Context, text []byte, o RepeatOptions, yield func(*RepeatBlock) error) error {
	p, joined, err := joinRecords(text, o)
	if err != nil {
		return err
	}
	query := func(c *call, op *repeating, x *lrq.Index, ws *device.Workspace) error {
		c.callsBack()
		if o.All {
			return op.eachRow(c, x, ws, p, yield)
		}
		return op.eachLeftmost(c, x, p, yield)
	}
	return e.repeats(ctx, joined, p, p.query(o, o.All, 0), query)
}

func (o *repeating) eachLeftmost(c *call, x *lrq.Index, p *recordLayout, yield func(*RepeatBlock) error) error {
	n, start, length := p.forward(), o.sa.Buffer(c.s), o.lcp.Buffer(c.s)
	err := c.compute(func() error {
		x.Leftmost(0, n, start)
		x.Lengths(start, n, length)
		return nil
	})
	if err != nil {
		return err
	}
	return c.eachBlock(n, 1, []*device.Buffer[uint32]{start, length}, func(first int, blocks [][]uint32) error {
		c.progress("repeats", int64(first+len(blocks[0])), int64(n))
		return p.blocks(first, &RepeatBlock{Start: blocks[0], Length: blocks[1]}, yield)
	})
}

// rowBatch is a part of the positions on the host: their leftmost starts, lengths, and where their rows begin.
type rowBatch struct {
	starts, lengths []uint32
	rows            []uint64
}

func (o *repeating) eachRow(
	c *call, x *lrq.Index, ws *device.Workspace, p *recordLayout, yield func(*RepeatBlock) error,
) error {
	n := p.forward()
	var b rowBatch
	for first := 0; first < n; first += rowsAtOnce {
		count := min(rowsAtOnce, n-first)
		if err := o.count(c, x, ws, first, count, &b); err != nil {
			return err
		}
		if err := o.emit(c, x, p, first, count, &b, yield); err != nil {
			return err
		}
		c.progress("repeats", int64(first+count), int64(n))
	}
	return nil
}

// count computes how many repeats each of count positions has, and copies that to the host.
func (o *repeating) count(c *call, x *lrq.Index, ws *device.Workspace, first, count int, b *rowBatch) error {
	start, length, offsets := o.start.Buffer(c.s), o.length.Buffer(c.s), o.offsets.Buffer(c.s)
	b.starts, b.lengths, b.rows = resize(b.starts, count), resize(b.lengths, count), resize(b.rows, count+1)
	err := c.compute(func() error {
		x.Leftmost(first, count, start)
		o.rows.Count(ws, x, start, first, count, offsets)
		x.Lengths(start, count, length)
		return c.s.Check(c.ctx)
	})
	if err != nil {
		return err
	}
	return c.timed(&c.stats.Download, func() error {
		return cmp.Or(start.View(0, count).Download(c.ctx, b.starts, nil),
			length.View(0, count).Download(c.ctx, b.lengths, nil),
			offsets.View(0, count+1).Download(c.ctx, b.rows, nil))
	})
}

// emit yields the rows of count positions, as many at a time as there is room for.
func (o *repeating) emit(
	c *call, x *lrq.Index, p *recordLayout, first, count int, b *rowBatch, yield func(*RepeatBlock) error,
) error {
	start, offsets, out := o.start.Buffer(c.s), o.offsets.Buffer(c.s), o.out.Buffer(c.s)
	var all []uint32
	var rows []uint64
	for from := 0; from < count; {
		to := from + 1 // one position's repeats always have room
		for to < count && b.rows[to+1]-b.rows[from] <= uint64(out.Len()) {
			to++
		}
		m := int(b.rows[to] - b.rows[from])
		all = resize(all, m)
		if m > 0 {
			err := c.compute(func() error {
				o.rows.Emit(x, start, first, count, offsets, b.rows[from], out.View(0, m))
				return nil
			})
			if err == nil {
				err = c.timed(&c.stats.Download, func() error { return out.View(0, m).Download(c.ctx, all, nil) })
			}
			if err != nil {
				return err
			}
		}
		rows = resize(rows, to-from+1)
		for i := range rows {
			rows[i] = b.rows[from+i] - b.rows[from]
		}
		block := &RepeatBlock{Start: b.starts[from:to], Length: b.lengths[from:to], Offsets: rows, Starts: all}
		if err := p.blocks(first+from, block, yield); err != nil {
			return err
		}
		from = to
	}
	return nil
}

func resize[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }

// LongestRepeats returns the leftmost longest repeat that covers each position of text.
// Memory and errors as EachRepeats.
func (e *Engine) LongestRepeats(ctx context.Context, text []byte, o RepeatOptions) (*Repeats, error) {
	r := &Repeats{make([]uint32, len(text)), make([]uint32, len(text))}
	o.All = false
	err := e.EachRepeats(ctx, text, o, func(b *RepeatBlock) error {
		copy(r.Start[b.First:], b.Start)
		copy(r.Length[b.First:], b.Length)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// AllLongestRepeats returns all longest repeats that cover each position of text; there
// may be 2 log2(n) for each position in the mean. Memory and errors as EachRepeats.
func (e *Engine) AllLongestRepeats(ctx context.Context, text []byte, o RepeatOptions) (*AllRepeats, error) {
	r := &AllRepeats{Length: make([]uint32, len(text)), Offsets: make([]uint64, len(text)+1)}
	o.All = true
	done := 0
	err := e.EachRepeats(ctx, text, o, func(b *RepeatBlock) error {
		for ; done < b.First; done++ { // between records
			r.Offsets[done+1] = r.Offsets[done]
		}
		copy(r.Length[b.First:], b.Length)
		for i := range b.Length {
			r.Offsets[done+1] = r.Offsets[done] + b.Offsets[i+1] - b.Offsets[i]
			done++
		}
		r.Starts = append(r.Starts, b.Starts...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for ; done < len(text); done++ {
		r.Offsets[done+1] = r.Offsets[done]
	}
	return r, nil
}

// LongestRepeatsAt returns the leftmost longest repeat that covers each of the positions,
// without computing those of others. Memory and errors as EachRepeats, and a
// *PositionError.
func (e *Engine) LongestRepeatsAt(
	ctx context.Context, text []byte, positions []uint32, o RepeatOptions,
) ([]Repeat, error) {
	for _, k := range positions {
		if int64(k) >= int64(len(text)) {
			return nil, &PositionError{k, len(text)}
		}
	}
	p, joined, err := joinRecords(text, o)
	if err != nil {
		return nil, err
	}
	asked := make([]uint32, len(positions))
	for i, k := range positions {
		asked[i] = p.to(k)
	}
	result := make([]Repeat, len(positions))
	if len(positions) == 0 {
		return result, ctx.Err()
	}
	query := func(c *call, op *repeating, x *lrq.Index, _ *device.Workspace) error {
		at, start, length := op.positions.Buffer(c.s), op.start.Buffer(c.s), op.length.Buffer(c.s)
		if err := upload(c, at, asked); err != nil {
			return err
		}
		err := c.compute(func() error {
			x.At(at, start)
			x.Lengths(start, len(asked), length)
			return nil
		})
		if err != nil {
			return err
		}
		starts, err := download(c, nil, start)
		if err != nil {
			return err
		}
		lengths, err := download(c, nil, length)
		if err != nil {
			return err
		}
		for i := range result {
			if lengths[i] > 0 {
				result[i] = Repeat{Start: p.from(starts[i]), Length: lengths[i]}
			}
		}
		return nil
	}
	err = e.repeats(ctx, joined, p, p.query(o, false, len(positions)), query)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// recordLayout is the text that goes to the device: that given, or its records, each with
// a separator after it, and after those their reverse complements.
type recordLayout struct {
	records seqio.Table
	whole   bool     // the text as it is
	length  int      // of the text on the device
	ends    []uint32 // of records, there
}

func layRecords(n int, o RepeatOptions) (*recordLayout, error) {
	if o.MinLength < 0 {
		return nil, fmt.Errorf("suffixcl: a shortest repeat of %d characters", o.MinLength)
	}
	if n < 0 || n > MaxLen {
		return nil, device.CheckLen("text", n, MaxLen)
	}
	p := &recordLayout{records: o.Records}
	if len(o.Records) == 0 {
		p.records = seqio.Table{{Length: n}}
		if p.whole = !o.ReverseComplement; p.whole {
			p.length = n
			return p, nil
		}
	}
	if err := checkRecords(p.records, n); err != nil {
		return nil, err
	}
	strands := 1
	if o.ReverseComplement {
		strands = 2
	}
	for range strands {
		for _, r := range p.records {
			p.length += r.Length + 1
			if err := device.CheckLen("text with separators", p.length, MaxLen); err != nil {
				return nil, err
			}
			p.ends = append(p.ends, uint32(p.length-1))
		}
	}
	return p, nil
}

func (p *recordLayout) query(o RepeatOptions, all bool, positions int) repeatQuery {
	return repeatQuery{all, len(p.ends), positions, lrq.Options{MinLength: uint32(min(o.MinLength, MaxLen))}}
}

// joinRecords lays out the records of a text and makes the text for the device.
func joinRecords(text []byte, o RepeatOptions) (*recordLayout, []byte, error) {
	p, err := layRecords(len(text), o)
	if err != nil {
		return nil, nil, err
	}
	joined, err := p.join(text, o)
	return p, joined, err
}

// join makes the text for the device.
func (p *recordLayout) join(text []byte, o RepeatOptions) ([]byte, error) {
	if p.whole {
		return text, nil
	}
	var used [256]bool
	for _, r := range p.records {
		for i, c := range text[r.Offset:r.End()] {
			if used[c] = true; !o.ReverseComplement {
				continue
			}
			if _, ok := nucleotide.Complement(c); !ok {
				return nil, fmt.Errorf("position %d: %q is no nucleotide, and has no complement", r.Offset+i, c)
			}
		}
	}
	separator := slices.Index(used[:], false)
	if separator < 0 {
		return nil, fmt.Errorf("records that use all 256 byte values leave none to separate them")
	}
	joined := make([]byte, 0, p.length)
	for _, r := range p.records {
		joined = append(append(joined, text[r.Offset:r.End()]...), byte(separator))
	}
	if !o.ReverseComplement {
		return joined, nil
	}
	for _, r := range p.records {
		for i := r.End() - 1; i >= r.Offset; i-- {
			other, _ := nucleotide.Complement(text[i])
			joined = append(joined, other)
		}
		joined = append(joined, byte(separator))
	}
	return joined, nil
}

// forward is how many positions of the device's text are the text's.
func (p *recordLayout) forward() int {
	if p.whole {
		return p.length
	}
	return int(p.ends[len(p.records)-1])
}

// begin is where record r begins in the device's text.
func (p *recordLayout) begin(r int) int {
	if r == 0 {
		return 0
	}
	return int(p.ends[r-1]) + 1
}

// to is where position k of the text is in that of the device; the separator at the end
// of a record stands for what is outside of all.
func (p *recordLayout) to(k uint32) uint32 {
	if p.whole {
		return k
	}
	r, place, ok := p.records.Find(int(k), 1)
	if !ok {
		return p.ends[len(p.ends)-1]
	}
	return uint32(p.begin(r) + place)
}

// recordAt is the record that holds position k of the device's text, its separator
// included.
func (p *recordLayout) recordAt(k int) int {
	r, _ := slices.BinarySearch(p.ends[:len(p.records)], uint32(k))
	return r
}

// from is the opposite of to.
func (p *recordLayout) from(k uint32) uint32 {
	if p.whole {
		return k
	}
	r := p.recordAt(int(k))
	return uint32(p.records[r].Offset + int(k) - p.begin(r))
}

// blocks cuts b, which holds positions of the device's text from first on, by records, and
// yields the parts with positions of the text. It changes b.
func (p *recordLayout) blocks(first int, b *RepeatBlock, yield func(*RepeatBlock) error) error {
	if p.whole {
		b.First = first
		return yield(b)
	}
	for at, after := first, first+len(b.Length); at < after; {
		r := p.recordAt(at)
		end := min(int(p.ends[r]), after)
		if end > at {
			shift := uint32(p.records[r].Offset - p.begin(r)) // wraps around
			i, j := at-first, end-first
			part := &RepeatBlock{
				First:  p.records[r].Offset + at - p.begin(r),
				Record: r,
				Start:  b.Start[i:j],
				Length: b.Length[i:j],
			}
			for i, length := range part.Length {
				if length > 0 {
					part.Start[i] += shift
				}
			}
			if b.Offsets != nil {
				part.Starts = b.Starts[b.Offsets[i]:b.Offsets[j]]
				for i := range part.Starts {
					part.Starts[i] += shift
				}
				part.Offsets = slices.Clone(b.Offsets[i : j+1])
				for i := range part.Offsets {
					part.Offsets[i] -= b.Offsets[at-first]
				}
			}
			if err := yield(part); err != nil {
				return err
			}
		}
		at = int(p.ends[r]) + 1
	}
	return nil
}
