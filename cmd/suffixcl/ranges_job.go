package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// rangesText is the text of a job that may sort in ranges. Then a plain file is read piece by piece; other texts are in
// memory.
type rangesText struct {
	ranged bool // it is sorted in ranges
	n      int
	memory []byte
	in     *cli.Input // of a plain file that is sorted in ranges
	file   *os.File
}

// openRangesText opens device and text. The text must be closed.
func (j *job) openRangesText(ctx context.Context, name string, r rangesResult) (t *rangesText, err error) {
	in, err := j.openDeviceAndInput(ctx, name, j.flags.Options())
	if err != nil {
		return nil, err
	}
	t = &rangesText{in: in}
	defer func() {
		if err != nil || t.file == nil {
			in.Close()
		}
	}()
	if in.Length >= 0 {
		if t.ranged, err = j.inRanges(r.name, in.Length); err != nil {
			return nil, err
		}
		if t.ranged {
			if err = j.fits(in.Length); err != nil {
				return nil, err
			}
		}
		if err = r.fits(in.Length); err != nil {
			return nil, err
		}
	}
	if t.ranged && in.Plain() != nil {
		tuned.BuildAhead(j.session)
		t.file, t.n = in.Plain(), int(in.Length)
		j.report.Bytes = t.n
		return t, nil
	}
	if t.memory, err = j.readText(ctx, in); err != nil {
		return nil, err
	}
	t.n = len(t.memory)
	if err = r.fits(int64(t.n)); err == nil && in.Length < 0 {
		t.ranged, err = j.inRanges(r.name, int64(t.n))
	}
	return t, err
}

func (t *rangesText) Close() {
	if t.file != nil {
		t.in.Close()
	}
}

// unchanged returns an error for a file whose size is another than when it was opened.
func (t *rangesText) unchanged() error {
	if t.file == nil {
		return nil
	}
	info, err := t.file.Stat()
	if err == nil && info.Size() != int64(t.n) {
		err = fmt.Errorf("%w: it had %s, and has %d", suffixcl.ErrTextChanged, bytesize.Count(t.n, "byte"), info.Size())
	}
	return t.explain(err)
}

// explain names the file in errors of reading it.
func (t *rangesText) explain(err error) error {
	if err != nil && t.file != nil {
		return fmt.Errorf("%s: %w", t.in.Name, cli.WithoutPath(err))
	}
	return err
}

// checksum of the text, for --resume.
func (t *rangesText) checksum() (string, error) {
	if t.file == nil {
		return checksum(t.memory), nil
	}
	sum, err := checksumAt(t.file, t.n)
	return sum, t.explain(err)
}

// sortRanges writes a result in ranges to w, on all devices. from and saved are those of suffixcl.RangeOptions.
func (j *job) sortRanges(ctx context.Context, text *rangesText, r rangesResult, w io.Writer, from suffixcl.RangeState,
	saved func(suffixcl.RangeState) error) (state suffixcl.RangeState, err error) {
	o := r.options
	o.Others, o.From, o.Saved = j.others, from, saved
	if o.Yield, err = o.WriteBlocks(w, r.width); err != nil {
		return state, err
	}
	return j.ranges(ctx, text, o)
}

// ranges sorts in ranges.
func (j *job) ranges(ctx context.Context, text *rangesText, o suffixcl.RangeOptions) (suffixcl.RangeState, error) {
	of := suffixcl.Bytes(text.memory)
	if text.file != nil {
		of = suffixcl.Reader(text.file, text.n)
	}
	state, err := j.engine.Ranges(of, o).All(j.measured(ctx))
	if err == nil {
		err = text.unchanged()
	}
	return state, err
}

// resumedJob is what has to be the same for this job to go on.
func (j *job) resumedJob(r rangesResult, bytes int, checksum string) resumedJob {
	return resumedJob{Verb: j.report.Verb, Width: r.width, Bytes: bytes, Checksum: checksum, Device: j.report.Device,
		Driver: j.report.Driver, MaxMemory: int64(j.flags.MaxMemory), MPI: j.flags.mpi}
}

// sameAs returns a function that reads a file once more, at its first call: what was sorted is what the checksum is of.
func (t *rangesText) sameAs(sum string) func() error {
	checked := t.file == nil
	return func() error {
		if checked {
			return nil
		}
		now, err := t.checksum()
		if err == nil && now != sum {
			err = t.explain(suffixcl.ErrTextChanged)
		}
		checked = err == nil
		return err
	}
}

// resumeRanges makes a result in ranges, with what is finished kept in a directory. also are other results, which
// write writes once the first one is complete.
func (j *job) resumeRanges(ctx context.Context, text *rangesText, r rangesResult, out *cli.Output,
	write func(suffixcl.RangeState) error, also ...*cli.Output) error {
	dir := j.flags.resume
	sum, err := text.checksum()
	if err != nil {
		return err
	}
	files := []string{j.report.File}
	for _, o := range append(also, out) {
		files = append(files, o.Name)
	}
	kept, err := openResumption(dir, j.resumedJob(r, text.n, sum), files...)
	if err != nil {
		return err
	}
	defer kept.close()
	from := kept.kept.State
	j.noteFinished(from.Done, len(from.Bounds)+1)
	same := text.sameAs(sum)
	saved := func(state suffixcl.RangeState) error {
		if err := same(); err != nil {
			return err
		}
		return kept.saved(state)
	}
	state, err := j.sortRanges(ctx, text, r, cli.ContextWriter{Context: ctx, Writer: kept.writer()}, from, saved)
	if err == nil && write != nil {
		err = write(state)
	}
	if err != nil {
		return fmt.Errorf("%w; finished ranges are kept in %s", cli.WithoutPath(err), dir)
	}
	return kept.finish(ctx, out, also...)
}

// noteFinished tells how many ranges an earlier job has finished.
func (j *job) noteFinished(ranges, all int) {
	if ranges > 0 {
		j.note("%s of %s were finished", bytesize.Count(ranges, "range"), bytesize.Count(all, "range"))
	}
}

// runRanges is a job that makes one file: in ranges, where it does not fit in one piece, and with what is finished kept
// in a directory. whole makes it in one piece.
func (j *job) runRanges(ctx context.Context, inputs []string, outName string, r rangesResult,
	whole func(text []byte) ([]uint32, error)) error {
	defer j.Close()
	out, err := cli.NewOutput(outName, inputs...)
	if err != nil {
		return err
	}
	text, err := j.openRangesText(ctx, inputs[0], r)
	if err != nil {
		return err
	}
	defer text.Close()
	if err := (resultFile{int64(text.n) * int64(r.width), outName, j.flags.resume}).checkRoom(); err != nil {
		return err
	}
	j.report.Width = r.width
	var array []uint32
	if !text.ranged {
		if array, err = whole(text.memory); err != nil {
			return err
		}
	}
	err = timed(&j.report.Seconds.Write, func() error {
		if j.flags.resume != "" {
			return j.resumeRanges(ctx, text, r, out, nil)
		}
		defer out.Discard()
		err := writeWhile(ctx, out, func(w io.Writer) error {
			if !text.ranged {
				return writeArray(w, array, r.width, j.progress.Of("write"))
			}
			_, err := j.sortRanges(ctx, text, r, w, suffixcl.RangeState{}, nil)
			return err
		})
		if err != nil {
			return err
		}
		return cli.Commit(out)
	})
	if err != nil {
		return err
	}
	return j.finish(out)
}
