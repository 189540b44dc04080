// Package sink writes the results of verbs to files that appear when they are complete,
// and ends a verb with its report.
package sink

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/report"
	"github.com/suffixcl/suffixcl/cmd/internal/session"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// Sink takes the results of a verb, and tells what the verb has done.
type Sink struct {
	Flags   *options.Job
	Session *session.Session
	Report  *report.Report
}

// Result is all of a job with one result file, which is none of its inputs: what compute returns writes it.
func (s *Sink) Result(ctx context.Context, name string, inputs []string,
	compute func() (write func(io.Writer) error, err error)) error {
	out, err := cli.NewOutput(name, inputs...)
	if err != nil {
		return err
	}
	write, err := compute()
	if err != nil {
		return err
	}
	err = cli.Timed(&s.Report.Seconds.Write, func() error {
		defer out.Discard()
		if err := WriteWhile(ctx, out, write); err != nil {
			return err
		}
		return cli.Commit(out)
	})
	if err != nil {
		return err
	}
	return s.Finish(out)
}

// StreamRows is the end of a job whose rows are written as they come: f computes and writes them.
func (s *Sink) StreamRows(ctx context.Context, out *cli.Output, f func(w io.Writer) error) error {
	if out.Name == "-" {
		s.Session.Progress.YieldTerminal()
	}
	err := cli.Timed(&s.Report.Seconds.Write, func() error { return WriteWhile(ctx, out, f) })
	if err != nil {
		return err
	}
	if err := cli.Commit(out); err != nil {
		return err
	}
	return s.Finish(out)
}

// Finish tells about the work on standard error, or as JSON where out leaves
// room for it. out is nil if there is no result file.
func (s *Sink) Finish(out *cli.Output) error {
	s.Session.Progress.Stop()
	s.Report.Finish(s.Session)
	if out != nil {
		s.Report.Output = out.Name
	}
	if s.Flags.JSON {
		return cli.PrintJSON(StreamOfJSON(out), s.Report)
	}
	if s.Flags.Phases {
		s.Report.PrintStages(os.Stderr)
	}
	s.Report.PrintPhases(os.Stderr)
	s.Report.PrintProfile(os.Stderr)
	if !s.Flags.Quiet {
		cli.Tell("suffixcl: %s\n", s.Report.Summary())
	}
	return nil
}

// StreamOfJSON is where an object goes: standard output, unless the result is there. out is nil if there is no result
// file.
func StreamOfJSON(out *cli.Output) io.Writer {
	if out != nil && out.Name == "-" {
		return os.Stderr
	}
	return os.Stdout
}

// writeError is an error of a result file, and not of what is computed for it.
type writeError struct {
	error
	of *cli.Output
}

func (e writeError) Unwrap() error { return e.error }

type markingWriter struct {
	w  io.Writer
	of *cli.Output
}

func (m markingWriter) Write(p []byte) (int, error) {
	n, err := m.w.Write(p)
	return n, m.mark(err)
}

// Begin is that of the writer, of parallel.Beginner.
func (m markingWriter) Begin(parts [][]byte) (wait func() error) {
	written := parallel.Begin(m.w, parts)
	return func() error { return m.mark(written()) }
}

func (m markingWriter) mark(err error) error {
	if err == nil {
		return nil
	}
	return writeError{err, m.of}
}

// WriteWhile writes a result as f computes it. Only errors of writing name the file. f may write another result in the
// same way, whose errors name that one alone.
func WriteWhile(ctx context.Context, out *cli.Output, f func(w io.Writer) error) error {
	var computing error
	err := out.Write(ctx, func(w io.Writer) error {
		err := f(markingWriter{w, out})
		var writing writeError
		if !errors.As(err, &writing) || writing.of != out {
			computing = err
		}
		return err
	})
	if computing != nil {
		return computing
	}
	return err
}
