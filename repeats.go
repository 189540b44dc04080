package suffixcl

import (
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
type Repeat = lrq.Repeat

// RepeatOptions of longest repeats. The zero value takes the text as one sequence.
type RepeatOptions struct {
	// MinLength is the shortest repeat that counts; 0 and 1 take all.
	MinLength int
	// Records, if there are any, are sequences of the text: repeats lie inside of one,
	// and what is outside of all has none. They ascend and do not overlap, and leave at
	// least one byte value unused.
	Records seqio.Table
	// ReverseComplement: the text is DNA, as seqio.DNA reads it, and what occurs on the
	// other strand is a repeat, too. A substring that is its own reverse complement, such
	// as ACGT, occurs there. Doubles time and memory.
	ReverseComplement bool
	// Method of the search, for comparisons. The zero value is the fastest.
	Method lrq.Method
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

// AllRepeats are all longest repeats that cover the positions of a text, in compressed
// rows.
type AllRepeats struct{ lrq.AllRepeats }

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

// repeatQuery is what the memory of a query depends on beside the length.
type repeatQuery struct {
	records   int // number of ends
	positions int // number of given ones; 0: all
	o         lrq.Options
}

// rowsAtOnce is how many positions are asked at once for all of their repeats. Each has
// at most as many as the square root of 2 n log2(n), less than the room for rowsAtOnce.
// Tests make it smaller.
var rowsAtOnce = 1 << 20

const roomPerRow = 4

// repeatPlan is the last phase of an operation.
type repeatPlan struct {
	plan   *lrq.Plan
	rows   *lrq.Rows // nil if only the leftmost are wanted
	layout *device.Layout

	ws                                  *device.WorkspaceSlot
	ends, positions, start, length, out *device.Slot[uint32]
	offsets                             *device.Slot[uint64]
}

func (r *repeatPlan) release(s *device.Session) {
	if r == nil {
		return
	}
	if r.layout != nil {
		r.layout.Release(s)
	}
}

// repeating plans the last phase. The arrays before take other roles: PLCP becomes the
// raw LLR array, the suffix array the leftmost starts, and the LCP array the starts of the
// useful repeats, and then the lengths. The text is not there any more.
func repeating(all bool, q repeatQuery) part {
	return func(o *operation, n int) error {
		s := o.e.session
		r := &repeatPlan{layout: device.NewLayout("repeats")}
		o.repeats, o.cleanup = r, func() { r.release(o.e.session) }
		var err error
		if r.plan, err = lrq.New(s, n, q.o); err != nil {
			return err
		}
		pieces := r.plan.Workspace()
		count := q.positions
		if all {
			count = min(n, rowsAtOnce)
			r.rows = lrq.NewRows(r.plan, count)
			pieces = r.rows.Workspace()
		}
		r.ends = device.Reserve[uint32](r.layout, "ends of records", q.records)
		r.ws = device.ReserveWorkspace(r.layout, pieces)
		host := 8 * int64(n)
		if all || q.positions > 0 {
			r.start = device.Reserve[uint32](r.layout, "starts of positions", count)
			r.length = device.Reserve[uint32](r.layout, "lengths of positions", count)
			host = 16 * int64(count)
		}
		if q.positions > 0 {
			r.positions = device.Reserve[uint32](r.layout, "positions", count)
		}
		if all {
			r.offsets = device.Reserve[uint64](r.layout, "offsets", count+1)
			r.out = device.Reserve[uint32](r.layout, "starts", roomPerRow*count)
			host += 4 * roomPerRow * int64(count)
		}
		m := r.layout.Memory()
		m.Buffers = slices.Concat(o.resident.Memory().Buffers, o.output.Memory().Buffers, m.Buffers)
		m.Host = int64(n) + host
		o.memory = append(o.memory, m)
		return nil
	}
}

// index computes the longest repeats from each position and prepares the queries.
func (o *operation) index(text []byte, ends []uint32) (*lrq.Index, *device.Workspace, error) {
	s, r := o.e.session, o.repeats
	if err := o.sort(text); err != nil {
		return nil, nil, err
	}
	if err := o.computeLCP(); err != nil {
		return nil, nil, err
	}
	o.input.Release(s)
	s.Phase("repeats")
	if err := r.layout.Allocate(s); err != nil {
		return nil, nil, err
	}
	if err := r.ends.Buffer(s).Upload(o.ctx, ends, nil); err != nil {
		return nil, nil, err
	}
	ws := r.ws.Workspace(s)
	var x *lrq.Index
	err := o.timed(&o.e.stats.Compute, func() error {
		raw := o.plcp.Buffer(s)
		r.plan.RawOf(o.sa, o.lcp.Buffer(s), r.ends.Buffer(s), raw)
		x = r.plan.Index(ws, raw, len(text), o.lcp.Buffer(s), o.sa)
		return s.Check(o.ctx)
	})
	return x, ws, err
}

// PlanRepeats is Plan for repeats of a text of n bytes with these options; all says that
// all longest repeats of each position are wanted.
func (e *Engine) PlanRepeats(n int, all bool, o RepeatOptions) (device.MemoryPlan, error) {
	p, err := layRecords(n, o)
	if err != nil {
		return nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	op, err := e.plan(repeatOp(all), p.length, repeating(all, p.query(o, 0)))
	if err != nil {
		return nil, err
	}
	defer op.release()
	return op.memory, nil
}

func repeatOp(all bool) Op {
	if all {
		return OpAllRepeats
	}
	return OpRepeats
}

// EachRepeats calls yield for the longest repeats of consecutive parts of the text, from
// left to right, so that a result need not fit into memory: the leftmost of each position,
// or with all every one. The block is valid until yield returns, and an error of yield ends
// the computation. Memory: see PlanRepeats; 33 bytes of device memory a character while
// suffixes are sorted, and 12.3 for the queries. Errors as SuffixArray, and for options
// that do not fit the text.
func (e *Engine) EachRepeats(ctx context.Context, text []byte, all bool, o RepeatOptions, yield func(*RepeatBlock) error) error {
	p, err := layRecords(len(text), o)
	if err != nil {
		return err
	}
	joined, err := p.join(text, o)
	if err != nil {
		return err
	}
	return e.run(ctx, repeatOp(all), len(joined), func(op *operation) error {
		x, ws, err := op.index(joined, p.ends)
		if err != nil {
			return err
		}
		if all {
			return op.eachRow(x, ws, p, yield)
		}
		return op.eachLeftmost(x, p, yield)
	}, repeating(all, p.query(o, 0)))
}

func (o *operation) eachLeftmost(x *lrq.Index, p *recordLayout, yield func(*RepeatBlock) error) error {
	n, start, length := p.forward(), o.sa, o.lcp.Buffer(o.e.session)
	err := o.timed(&o.e.stats.Compute, func() error {
		x.Leftmost(0, n, start)
		x.Lengths(start, n, length)
		return nil
	})
	if err != nil {
		return err
	}
	return o.e.eachBlock(o.ctx, n, 1, []*device.Buffer[uint32]{start, length}, func(first int, blocks [][]uint32) error {
		o.progress("repeats", int64(first+len(blocks[0])), int64(n))
		return p.blocks(first, &RepeatBlock{Start: blocks[0], Length: blocks[1]}, yield)
	})
}

func (o *operation) eachRow(x *lrq.Index, ws *device.Workspace, p *recordLayout, yield func(*RepeatBlock) error) error {
	s, n, r := o.e.session, p.forward(), o.repeats
	start, length, offsets, out := r.start.Buffer(s), r.length.Buffer(s), r.offsets.Buffer(s), r.out.Buffer(s)
	var starts, lengths, all []uint32
	var rows, own []uint64
	for first := 0; first < n; first += rowsAtOnce {
		count := min(rowsAtOnce, n-first)
		starts, lengths, rows = resize(starts, count), resize(lengths, count), resize(rows, count+1)
		err := o.timed(&o.e.stats.Compute, func() error {
			x.Leftmost(first, count, start)
			r.rows.Count(ws, x, start, first, count, offsets)
			x.Lengths(start, count, length)
			return s.Check(o.ctx)
		})
		if err != nil {
			return err
		}
		err = o.timed(&o.e.stats.Download, func() error {
			if err := start.View(0, count).Download(o.ctx, starts, nil); err != nil {
				return err
			}
			if err := length.View(0, count).Download(o.ctx, lengths, nil); err != nil {
				return err
			}
			return offsets.View(0, count+1).Download(o.ctx, rows, nil)
		})
		if err != nil {
			return err
		}
		for from := 0; from < count; {
			to := from + 1 // one position's repeats always have room
			for to < count && rows[to+1]-rows[from] <= uint64(out.Len()) {
				to++
			}
			m := int(rows[to] - rows[from])
			all = resize(all, m)
			if m > 0 {
				err = o.timed(&o.e.stats.Compute, func() error {
					r.rows.Emit(x, start, first, count, offsets, rows[from], out.View(0, m))
					return nil
				})
				if err == nil {
					err = o.timed(&o.e.stats.Download, func() error { return out.View(0, m).Download(o.ctx, all, nil) })
				}
				if err != nil {
					return err
				}
			}
			own = resize(own, to-from+1)
			for i := range own {
				own[i] = rows[from+i] - rows[from]
			}
			b := &RepeatBlock{Start: starts[from:to], Length: lengths[from:to], Offsets: own, Starts: all}
			if err := p.blocks(first+from, b, yield); err != nil {
				return err
			}
			from = to
		}
		o.progress("repeats", int64(first+count), int64(n))
	}
	return nil
}

func resize[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }

// LongestRepeats returns the leftmost longest repeat that covers each position of text.
// Memory and errors as EachRepeats.
func (e *Engine) LongestRepeats(ctx context.Context, text []byte, o RepeatOptions) (*Repeats, error) {
	r := &Repeats{make([]uint32, len(text)), make([]uint32, len(text))}
	err := e.EachRepeats(ctx, text, false, o, func(b *RepeatBlock) error {
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
	r := &AllRepeats{lrq.AllRepeats{Length: make([]uint32, len(text)), Offsets: make([]uint64, len(text)+1)}}
	done := 0
	err := e.EachRepeats(ctx, text, true, o, func(b *RepeatBlock) error {
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

// PositionError is a position that the text does not have.
type PositionError struct {
	Position uint32
	Len      int // of the text
}

func (e *PositionError) Error() string {
	return fmt.Sprintf("position %d is not in the text of %d characters", e.Position, e.Len)
}

// LongestRepeatsAt returns the leftmost longest repeat that covers each of the positions,
// without computing those of others. Memory and errors as EachRepeats, and a
// *PositionError.
func (e *Engine) LongestRepeatsAt(ctx context.Context, text []byte, positions []uint32, o RepeatOptions) ([]Repeat, error) {
	for _, k := range positions {
		if int64(k) >= int64(len(text)) {
			return nil, &PositionError{k, len(text)}
		}
	}
	p, err := layRecords(len(text), o)
	if err != nil {
		return nil, err
	}
	joined, err := p.join(text, o)
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
	err = e.run(ctx, OpRepeats, len(joined), func(op *operation) error {
		x, _, err := op.index(joined, p.ends)
		if err != nil {
			return err
		}
		s, r := e.session, op.repeats
		at, start, length := r.positions.Buffer(s), r.start.Buffer(s), r.length.Buffer(s)
		if err := at.Upload(ctx, asked, nil); err != nil {
			return err
		}
		err = op.timed(&e.stats.Compute, func() error {
			x.At(at, start)
			x.Lengths(start, len(asked), length)
			return nil
		})
		if err != nil {
			return err
		}
		starts, err := download(op, start)
		if err != nil {
			return err
		}
		lengths, err := download(op, length)
		if err != nil {
			return err
		}
		for i := range result {
			if lengths[i] > 0 {
				result[i] = Repeat{Start: p.from(starts[i]), Length: lengths[i]}
			}
		}
		return nil
	}, repeating(false, p.query(o, len(positions))))
	if err != nil {
		return nil, err
	}
	return result, nil
}

// recordLayout is the text that goes to the device: that given, or its records, each with
// a separator behind it, and behind those their reverse complements.
type recordLayout struct {
	records seqio.Table
	whole   bool     // the text as it is
	length  int      // of the text on the device
	ends    []uint32 // of records, there
}

func layRecords(n int, o RepeatOptions) (*recordLayout, error) {
	if o.MinLength < 0 {
		return nil, fmt.Errorf("a shortest repeat of %d characters", o.MinLength)
	}
	p := &recordLayout{records: o.Records}
	if len(o.Records) == 0 {
		p.records = seqio.Table{{Length: n}}
		if p.whole = !o.ReverseComplement; p.whole {
			p.length = n
			return p, nil
		}
	}
	end := 0
	for i, r := range p.records {
		if r.Offset < end || r.Length < 0 || r.Length > n-r.Offset {
			return nil, fmt.Errorf("record %d, %d characters from %d on, is not behind those before and in the text of %d", i, r.Length, r.Offset, n)
		}
		end = r.End()
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

func (p *recordLayout) query(o RepeatOptions, positions int) repeatQuery {
	return repeatQuery{len(p.ends), positions, lrq.Options{Method: o.Method, MinLength: uint32(min(o.MinLength, MaxLen))}}
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
	for at, behind := first, first+len(b.Length); at < behind; {
		r := p.recordAt(at)
		end := min(int(p.ends[r]), behind)
		if end > at {
			shift := uint32(p.records[r].Offset - p.begin(r)) // wraps around
			i, j := at-first, end-first
			part := &RepeatBlock{First: p.records[r].Offset + at - p.begin(r), Record: r, Start: b.Start[i:j], Length: b.Length[i:j]}
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
