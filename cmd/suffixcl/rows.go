package main

import (
	"context"
	"errors"
	"io"
	"runtime"
	"strconv"

	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// rowWriter writes lines of cells with tabs between them.
type rowWriter struct {
	w     io.Writer // nil: the lines are kept
	line  []byte    // what has not been written: the line that was begun, after whole ones
	parts []formatted
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

// rowsEach are worth a processor.
const rowsEach = 1 << 12

// many writes the lines of n things in their order. Many of them are formatted on several processors: format is given a
// writer that keeps the lines of those from lo to hi-1, and returns it. What comes before an error is written.
func (r *rowWriter) many(n int, format func(rows rowWriter, lo, hi int) (rowWriter, error)) error {
	processors := runtime.GOMAXPROCS(0)
	for from := 0; from < n; {
		parts := min((n-from)/rowsEach, 2*processors)
		if parts < 2 || processors == 1 {
			rows, err := format(*r, from, n)
			r.line, r.ended = rows.line, rows.ended
			return err
		}
		if err := r.flush(); err != nil {
			return err
		}
		r.parts = append(r.parts, make([]formatted, max(parts-len(r.parts), 0))...)
		parallel.Each(processors, parts, func(i int) {
			p, lo := &r.parts[i], from+i*rowsEach
			p.rows, p.err = format(rowWriter{line: p.rows.line[:0]}, lo, lo+rowsEach)
		})
		for _, p := range r.parts[:parts] {
			if _, err := r.w.Write(p.rows.line); err != nil {
				return err
			}
			r.ended += p.rows.ended
			if p.err != nil {
				return p.err
			}
		}
		from += parts * rowsEach
	}
	return nil
}

// formatted are the lines of some things.
type formatted struct {
	rows rowWriter
	err  error
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
