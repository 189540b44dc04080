// Package tsv writes lines of cells with tabs between them, formatted on several
// processors where there are many.
package tsv

import (
	"io"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/suffixcl/suffixcl/internal/parallel"
)

// chunk is how many bytes are written at once, or more.
const chunk = 1 << 20

// Writer writes lines of cells with tabs between them.
type Writer struct {
	w     io.Writer // nil: the lines are kept
	Line  []byte    // what has not been written: the line that was begun, after whole ones
	lines parallel.Lines
	Ended int64 // lines
}

// New is a writer to w.
func New(w io.Writer) Writer { return Writer{w: w} }

// Text appends a cell to the line.
func (r *Writer) Text(cell string) { r.Line = append(append(r.Line, cell...), '\t') }

// Number appends a cell that is a number.
func (r *Writer) Number(cell uint64) { r.Line = append(AppendNumber(r.Line, cell), '\t') }

// End ends the line.
func (r *Writer) End() error {
	r.Line[len(r.Line)-1] = '\n'
	r.Ended++
	return r.Spill()
}

// Spill writes what there is, if it is much.
func (r *Writer) Spill() error {
	if len(r.Line) < chunk || r.w == nil {
		return nil
	}
	return r.Flush()
}

// Flush writes what is left.
func (r *Writer) Flush() error {
	if len(r.Line) == 0 {
		return nil
	}
	_, err := r.w.Write(r.Line)
	r.Line = r.Line[:0]
	return err
}

// Rows is the writer itself, of those that embed it.
func (r *Writer) Rows() *Writer { return r }

// Each are worth a processor, of a few cells each.
const Each = 1 << 12

// EachOf is how many of so many things are worth a processor that have cells in a list, too.
func EachOf(things, cells int) int { return max(things*Each/max(things+cells, 1), 1) }

// Many writes the lines of n things in their order. Many of them are formatted on several processors, `each` or more on
// one: format is given a writer that keeps the lines of those from lo to hi-1, and returns it. What comes before an
// error is written.
func (r *Writer) Many(n, each int, format func(rows Writer, lo, hi int) (Writer, error)) error {
	parts := n / each
	if parts < 2 || runtime.GOMAXPROCS(0) == 1 {
		rows, err := format(*r, 0, n)
		r.Line, r.Ended = rows.Line, rows.Ended
		return err
	}
	before := r.Line
	var ended atomic.Int64
	err := r.lines.Write(r.w, parts, func(to []byte, i int) ([]byte, error) {
		if i == 0 {
			to = append(to, before...)
		}
		rows, err := format(Writer{Line: to}, n*i/parts, n*(i+1)/parts)
		ended.Add(rows.Ended)
		return rows.Line, err
	})
	r.Line, r.Ended = r.Line[:0], r.Ended+ended.Load()
	return err
}

// Batch collects things until there are enough lines of them for several processors.
type Batch[T any] struct {
	things []T
	Format func(rows Writer, things []T) (Writer, error)
}

// AtOnce is how many things are collected, with what they list.
const AtOnce = 1 << 18

// Add takes a thing, and writes those that there are if they are many.
func (b *Batch[T]) Add(to *Writer, thing T) error {
	if len(b.things) == Each { // there will be many
		b.things = slices.Grow(b.things, AtOnce-Each)
	}
	if b.things = append(b.things, thing); len(b.things) < AtOnce {
		return nil
	}
	return b.Write(to)
}

// Write writes those that there are.
func (b *Batch[T]) Write(to *Writer) error {
	err := to.Many(len(b.things), Each, func(rows Writer, lo, hi int) (Writer, error) {
		return b.Format(rows, b.things[lo:hi])
	})
	b.things = b.things[:0]
	return err
}
