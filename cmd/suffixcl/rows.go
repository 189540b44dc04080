package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strconv"

	"github.com/suffixcl/suffixcl/internal/cli"
)

// rowWriter writes lines of cells with tabs between them.
type rowWriter struct {
	w    *bufio.Writer
	line []byte
	rows int64
}

func newRowWriter(w io.Writer) rowWriter { return rowWriter{w: bufio.NewWriterSize(w, writeChunk)} }

// text and number append a cell to the line.
func (r *rowWriter) text(cell string)   { r.line = append(append(r.line, cell...), '\t') }
func (r *rowWriter) number(cell uint64) { r.line = append(strconv.AppendUint(r.line, cell, 10), '\t') }

// end writes the line.
func (r *rowWriter) end() error {
	r.line[len(r.line)-1] = '\n'
	_, err := r.w.Write(r.line)
	r.line = r.line[:0]
	r.rows++
	return err
}

func (r *rowWriter) flush() error { return r.w.Flush() }

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
