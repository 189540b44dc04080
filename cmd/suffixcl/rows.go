package main

import (
	"context"
	"errors"
	"io"
	"iter"
	"runtime"
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// rowWriter writes lines of cells with tabs between them.
type rowWriter struct {
	w     io.Writer // nil: the lines are kept
	line  []byte    // what has not been written: the line that was begun, after whole ones
	lines parallel.Lines
	ended int64 // lines
}

func newRowWriter(w io.Writer) rowWriter { return rowWriter{w: w} }

// text and number append a cell to the line.
func (r *rowWriter) text(cell string)   { r.line = append(append(r.line, cell...), '\t') }
func (r *rowWriter) number(cell uint64) { r.line = append(strconv.AppendUint(r.line, cell, 10), '\t') }

// end ends the line.
func (r *rowWriter) end() error {
	r.line[len(r.line)-1] = '\n'
	r.ended++
	return r.spill()
}

// spill writes what there is, if it is much.
func (r *rowWriter) spill() error {
	if len(r.line) < writeChunk || r.w == nil {
		return nil
	}
	return r.flush()
}

// flush writes what is left.
func (r *rowWriter) flush() error {
	if len(r.line) == 0 {
		return nil
	}
	_, err := r.w.Write(r.line)
	r.line = r.line[:0]
	return err
}

// rows is the writer itself, of those that embed it.
func (r *rowWriter) rows() *rowWriter { return r }

// rowsEach are worth a processor, of a few cells each.
const rowsEach = 1 << 12

// eachOf is how many of so many things are worth a processor that have cells in a list, too.
func eachOf(things, cells int) int { return max(things*rowsEach/max(things+cells, 1), 1) }

// many writes the lines of n things in their order. Many of them are formatted on several processors, `each` or more on
// one: format is given a writer that keeps the lines of those from lo to hi-1, and returns it. What comes before an
// error is written.
func (r *rowWriter) many(n, each int, format func(rows rowWriter, lo, hi int) (rowWriter, error)) error {
	parts := n / each
	if parts < 2 || runtime.GOMAXPROCS(0) == 1 {
		rows, err := format(*r, 0, n)
		r.line, r.ended = rows.line, rows.ended
		return err
	}
	before := r.line
	var ended atomic.Int64
	err := r.lines.Write(r.w, parts, func(to []byte, i int) ([]byte, error) {
		if i == 0 {
			to = append(to, before...)
		}
		rows, err := format(rowWriter{line: to}, n*i/parts, n*(i+1)/parts)
		ended.Add(rows.ended)
		return rows.line, err
	})
	r.line, r.ended = r.line[:0], r.ended+ended.Load()
	return err
}

// eachPart gives the parts of a job to use, up to the first error.
func eachPart[P any](parts iter.Seq2[P, error], use func(P) error) error {
	for part, err := range parts {
		if err != nil {
			return err
		}
		if err := use(part); err != nil {
			return err
		}
	}
	return nil
}

// batch collects things until there are enough lines of them for several processors.
type batch[T any] struct {
	things []T
	format func(rows rowWriter, things []T) (rowWriter, error)
}

// thingsAtOnce is how many things are collected, with what they list.
const thingsAtOnce = 1 << 18

// add takes a thing, and writes those that there are if they are many.
func (b *batch[T]) add(to *rowWriter, thing T) error {
	if len(b.things) == rowsEach { // there will be many
		b.things = slices.Grow(b.things, thingsAtOnce-rowsEach)
	}
	if b.things = append(b.things, thing); len(b.things) < thingsAtOnce {
		return nil
	}
	return b.write(to)
}

// write writes those that there are.
func (b *batch[T]) write(to *rowWriter) error {
	err := to.many(len(b.things), rowsEach, func(rows rowWriter, lo, hi int) (rowWriter, error) {
		return b.format(rows, b.things[lo:hi])
	})
	b.things = b.things[:0]
	return err
}

// writeError is an error of the result file, and not of what is computed for it.
type writeError struct{ error }

func (e writeError) Unwrap() error { return e.error }

type markingWriter struct{ w io.Writer }

func (m markingWriter) Write(p []byte) (int, error) {
	n, err := m.w.Write(p)
	if err != nil {
		err = writeError{err}
	}
	return n, err
}

// streamRows is the end of a job whose rows are written as they come: f computes and writes them.
func (j *job) streamRows(ctx context.Context, out *cli.Output, f func(w io.Writer) error) error {
	if out.Name == "-" {
		j.progress.YieldTerminal()
	}
	err := timed(&j.report.Seconds.Write, func() error { return writeWhile(ctx, out, f) })
	if err != nil {
		return err
	}
	if err := cli.Commit(out); err != nil {
		return err
	}
	return j.finish(out)
}

// writeWhile writes a result as f computes it. Only errors of writing name the file.
func writeWhile(ctx context.Context, out *cli.Output, f func(w io.Writer) error) error {
	var computing error
	err := out.Write(ctx, func(w io.Writer) error {
		err := f(markingWriter{w})
		var writing writeError
		if !errors.As(err, &writing) {
			computing = err
		}
		return err
	})
	if computing != nil {
		return computing
	}
	return err
}
