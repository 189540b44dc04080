package suffixcl

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/lrq"
	"github.com/suffixcl/suffixcl/seqio"
)

// Repeat is a substring that occurs more than once: Length characters of the text from position Start on. Length 0 says
// that there is none.
type Repeat struct{ Start, Length uint32 }

// RepeatOptions of longest repeats. The zero value finds the leftmost in a text of one sequence.
type RepeatOptions struct {
	// MinLength is the length in characters from which on repeats count; 0 and 1 take all.
	MinLength int
	// Records, if there are any, are the parts of the text: repeats lie inside of one, and positions outside of all have
	// none. They ascend and do not overlap; together they leave at least one byte value unused.
	Records seqio.Table
	// ReverseComplement: the text is DNA in the codes of IUPAC, and what occurs on the other strand is a repeat, too. A
	// substring that is its own reverse complement, such as ACGT, occurs there. Time and memory are doubled.
	ReverseComplement bool
	// All: every longest repeat of each position is found, not only the leftmost.
	All bool
}

// Repeats are the longest repeats that cover n consecutive positions of a text: of all of it, or of a part.
type Repeats struct {
	First  int      // position in the text of the first of them
	Start  []uint32 // [n]: start of the leftmost longest repeat of each position; 0 where there is none
	Length []uint32 // [n]: of the longest repeats of each position; 0 where there is none
	// Offsets [n+1] and Starts are all longest repeats, with RepeatOptions.All; else nil. Those of position First+i start
	// at Starts[Offsets[i]:Offsets[i+1]], ascending.
	Offsets []uint64
	Starts  []uint32
}

// All yields each position that a repeat covers with its repeat; where all longest repeats were found, with each of
// them, from left to right.
func (r *Repeats) All() iter.Seq2[int, Repeat] {
	return func(yield func(int, Repeat) bool) {
		for i, length := range r.Length {
			if length == 0 {
				continue
			}
			starts := r.Start[i : i+1]
			if r.Offsets != nil {
				starts = r.Starts[r.Offsets[i]:r.Offsets[i+1]]
			}
			for _, start := range starts {
				if !yield(r.First+i, Repeat{Start: start, Length: length}) {
					return
				}
			}
		}
	}
}

// EachRepeats calls yield for the longest repeats of consecutive parts of the text, from left to right, so that a
// result need not fit into memory. A part lies in one record, and is valid until yield returns. An error of yield ends
// the computation. yield may not call the engine: see ErrInCallback.
//
// Memory: PlanRepeats; 33 bytes of device memory a character while suffixes are sorted, and 12.3 for the queries.
// Errors: those of SuffixArray and yield; *RecordError; a negative MinLength; records that use all byte values;
// *ComplementError, with ReverseComplement.
func (e *Engine) EachRepeats(ctx context.Context, text []byte, o RepeatOptions, yield func(*Repeats) error) error {
	if yield == nil {
		return ErrNoFunction
	}
	p, joined, err := joinRecords(text, o)
	if err != nil {
		return err
	}
	return e.repeats(ctx, joined, p, p.query(o, o.All, 0), eachRepeats(p, o.All, yield))
}

// eachRepeats asks for the repeats of all positions.
func eachRepeats(p *recordLayout, all bool, yield func(*Repeats) error) repeatsQuery {
	return func(c *call, op *repeating, x *lrq.Index, ws *device.Workspace) error {
		c.callsBack()
		if all {
			return op.eachRow(c, x, ws, p, yield)
		}
		return op.eachLeftmost(c, x, p, yield)
	}
}

// LongestRepeats returns the longest repeats that cover each position of text: 8 bytes of host memory a character. With
// RepeatOptions.All there are up to 2 log2(n) for each position in the mean, of 4 bytes each, and offsets of 8. Memory
// and errors as EachRepeats.
func (e *Engine) LongestRepeats(ctx context.Context, text []byte, o RepeatOptions) (*Repeats, error) {
	return collectRepeats(len(text), o, func(yield func(*Repeats) error) error {
		return e.EachRepeats(ctx, text, o, yield)
	})
}

// collectRepeats are the repeats of all parts of a text of n symbols.
func collectRepeats(n int, o RepeatOptions, each func(yield func(*Repeats) error) error) (*Repeats, error) {
	r := &Repeats{}
	room := func() { // not for a text that is refused
		if r.Start != nil {
			return
		}
		r.Start, r.Length = make([]uint32, n), make([]uint32, n)
		if o.All {
			r.Offsets = make([]uint64, n+1)
		}
	}
	row := 0 // of the next position
	skip := func(to int) {
		for ; o.All && row < to; row++ {
			r.Offsets[row+1] = r.Offsets[row]
		}
	}
	err := each(func(part *Repeats) error {
		room()
		copy(r.Start[part.First:], part.Start)
		copy(r.Length[part.First:], part.Length)
		skip(part.First) // positions between records
		for i := 1; i < len(part.Offsets); i++ {
			r.Offsets[row+1] = r.Offsets[row] + part.Offsets[i] - part.Offsets[i-1]
			row++
		}
		r.Starts = append(r.Starts, part.Starts...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	room()
	skip(n)
	return r, nil
}

// LongestRepeatsAt returns repeats [len(positions)]: the leftmost longest repeat that covers each of the positions,
// without those of others. Memory and errors as EachRepeats; a position that the text does not have; RepeatOptions.All.
func (e *Engine) LongestRepeatsAt(
	ctx context.Context, text []byte, positions []uint32, o RepeatOptions,
) ([]Repeat, error) {
	if o.All {
		return nil, errors.New("suffixcl: RepeatOptions.All is not for LongestRepeatsAt, which finds the leftmost")
	}
	for _, k := range positions {
		if int64(k) >= int64(len(text)) {
			return nil, fmt.Errorf("suffixcl: position %d is not in the text of %s", k,
				bytesize.Count(len(text), "character"))
		}
	}
	p, joined, err := joinRecords(text, o)
	if err != nil {
		return nil, err
	}
	asked := make([]uint32, len(positions))
	for i, k := range positions {
		asked[i] = p.onDevice(k)
	}
	result := make([]Repeat, len(positions))
	if len(positions) == 0 {
		return result, ctx.Err()
	}
	query := func(c *call, op *repeating, x *lrq.Index, _ *device.Workspace) error {
		starts, lengths, err := op.at(c, x, asked)
		if err != nil {
			return err
		}
		for i, length := range lengths {
			if length > 0 {
				result[i] = Repeat{Start: p.inText(starts[i]), Length: length}
			}
		}
		return nil
	}
	if err := e.repeats(ctx, joined, p, p.query(o, false, len(positions)), query); err != nil {
		return nil, err
	}
	return result, nil
}

// PlanRepeats is Plan for EachRepeats and LongestRepeats on a text of n bytes with these options; LongestRepeatsAt
// takes 12 bytes more for each position in the last phase. The host memory is that of EachRepeats. Errors as Plan;
// *RecordError.
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
	op, err := newByteRepeats(e, nil, p.length, p.query(o, o.All, 0))
	if err != nil {
		return nil, err
	}
	return op.memory(), nil
}

// repeatsQuery asks an index.
type repeatsQuery func(c *call, o *repeating, x *lrq.Index, ws *device.Workspace) error

// repeats plans the operation for the text that goes to the device, and calls body with what index returns.
func (e *Engine) repeats(ctx context.Context, text []byte, p *recordLayout, q repeatQuery, body repeatsQuery) error {
	return e.repeatsOf(ctx, p.ends, func() (*repeating, error) { return newByteRepeats(e, text, len(text), q) }, body)
}

// repeatsOf is repeats of any text, with the ends of records.
func (e *Engine) repeatsOf(
	ctx context.Context, ends []uint32, plan func() (*repeating, error), body repeatsQuery,
) error {
	c, err := e.begin(ctx)
	if err != nil {
		return err
	}
	defer c.end()
	o, err := prepareAlone(c, plan)
	if err != nil {
		return err
	}
	defer o.release(c.s)
	x, ws, err := o.index(c, ends)
	if err != nil {
		return err
	}
	return body(c, o, x, ws)
}
