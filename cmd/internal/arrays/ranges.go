package arrays

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/operation"
	"github.com/suffixcl/suffixcl/cmd/internal/resume"
	"github.com/suffixcl/suffixcl/cmd/internal/sink"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Text is the text of a job that may sort in ranges. Then a plain file is read piece by piece; other texts are in
// memory.
type Text struct {
	Ranged bool // it is sorted in ranges
	N      int
	Memory []byte
	In     *cli.Input // of a plain file that is sorted in ranges
	File   *os.File
}

// OpenDeviceAndRanges opens device and text. The text must be closed.
func OpenDeviceAndRanges(ctx context.Context, j *job.Job, name string, r operation.InRanges) (t *Text, err error) {
	in, err := j.Source.OpenDeviceAndInput(ctx, name, j.Flags.Options())
	if err != nil {
		return nil, err
	}
	t = &Text{In: in}
	defer func() {
		if err != nil || t.File == nil {
			in.Close()
		}
	}()
	if in.Length >= 0 {
		if t.Ranged, err = j.Planner.InRanges(r.Name, in.Length); err != nil {
			return nil, err
		}
		if t.Ranged {
			if err = j.Planner.Fits(in.Length); err != nil {
				return nil, err
			}
		}
		if err = r.Fits(in.Length); err != nil {
			return nil, err
		}
	}
	if t.Ranged && in.Plain() != nil {
		tuned.BuildAhead(j.Session.Device)
		t.File, t.N = in.Plain(), int(in.Length)
		j.Report.Bytes = t.N
		return t, nil
	}
	if t.Memory, err = j.Source.ReadText(ctx, in); err != nil {
		return nil, err
	}
	t.N = len(t.Memory)
	if err = r.Fits(int64(t.N)); err == nil && in.Length < 0 {
		t.Ranged, err = j.Planner.InRanges(r.Name, int64(t.N))
	}
	return t, err
}

// Close closes the file, if there is one.
func (t *Text) Close() {
	if t.File != nil {
		t.In.Close()
	}
}

// Unchanged returns an error for a file whose size is another than when it was opened.
func (t *Text) Unchanged() error {
	if t.File == nil {
		return nil
	}
	info, err := t.File.Stat()
	if err == nil && info.Size() != int64(t.N) {
		err = fmt.Errorf("%w: it had %s, and has %d", suffixcl.ErrTextChanged, bytesize.Count(t.N, "byte"), info.Size())
	}
	return t.explain(err)
}

// explain names the file in errors of reading it.
func (t *Text) explain(err error) error {
	if err != nil && t.File != nil {
		return fmt.Errorf("%s: %w", t.In.Name, cli.WithoutPath(err))
	}
	return err
}

// Checksum of the text, for --resume.
func (t *Text) Checksum() (string, error) {
	if t.File == nil {
		return resume.Checksum(t.Memory), nil
	}
	sum, err := resume.ChecksumAt(t.File, t.N)
	return sum, t.explain(err)
}

// SortRanges writes a result in ranges to w, on all devices. from and saved are those of suffixcl.RangeOptions.
func SortRanges(ctx context.Context, j *job.Job, text *Text, r operation.InRanges, w io.Writer,
	from suffixcl.RangeState, saved func(suffixcl.RangeState) error) (state suffixcl.RangeState, err error) {
	o := r.Options
	o.Others, o.From, o.Saved = j.Session.Others, from, saved
	if o.Yield, err = o.WriteBlocks(w, r.Width); err != nil {
		return state, err
	}
	return SortText(ctx, j, text, o)
}

// SortText sorts in ranges.
func SortText(ctx context.Context, j *job.Job, text *Text, o suffixcl.RangeOptions) (suffixcl.RangeState, error) {
	of := suffixcl.Bytes(text.Memory)
	if text.File != nil {
		of = suffixcl.Reader(text.File, text.N)
	}
	state, err := j.Engine().Ranges(of, o).All(j.Measured(ctx))
	if err == nil {
		err = text.Unchanged()
	}
	return state, err
}

// ResumedJobOf is what has to be the same for this job to go on.
func ResumedJobOf(j *job.Job, r operation.InRanges, bytes int, checksum string) resume.Identity {
	return resume.Identity{Verb: j.Report.Verb, Width: r.Width, Bytes: bytes, Checksum: checksum, Device: j.Report.Device,
		Driver: j.Report.Driver, MaxMemory: int64(j.Flags.MaxMemory), MPI: j.Flags.MPI}
}

// SameAs returns a function that reads a file once more, at its first call: what was sorted is what the checksum is of.
func (t *Text) SameAs(sum string) func() error {
	checked := t.File == nil
	return func() error {
		if checked {
			return nil
		}
		now, err := t.Checksum()
		if err == nil && now != sum {
			err = t.explain(suffixcl.ErrTextChanged)
		}
		checked = err == nil
		return err
	}
}

// ResumeRanges makes a result in ranges, with what is finished kept in a directory. also are other results, which
// write writes once the first one is complete.
func ResumeRanges(ctx context.Context, j *job.Job, text *Text, r operation.InRanges, out *cli.Output,
	write func(suffixcl.RangeState) error, also ...*cli.Output) error {
	dir := j.Flags.Resume
	sum, err := text.Checksum()
	if err != nil {
		return err
	}
	files := []string{j.Report.File}
	for _, o := range append(also, out) {
		files = append(files, o.Name)
	}
	kept, err := resume.Open(dir, ResumedJobOf(j, r, text.N, sum), files...)
	if err != nil {
		return err
	}
	defer kept.Close()
	from := kept.State.State
	NoteFinished(j, from.Done, len(from.Bounds)+1)
	same := text.SameAs(sum)
	saved := func(state suffixcl.RangeState) error {
		if err := same(); err != nil {
			return err
		}
		return kept.Saved(state)
	}
	state, err := SortRanges(ctx, j, text, r, cli.ContextWriter{Context: ctx, Writer: kept.Writer()}, from, saved)
	if err == nil && write != nil {
		err = write(state)
	}
	if err != nil {
		return fmt.Errorf("%w; finished ranges are kept in %s", cli.WithoutPath(err), dir)
	}
	return kept.Finish(ctx, out, also...)
}

// NoteFinished tells how many ranges an earlier job has finished.
func NoteFinished(j *job.Job, ranges, all int) {
	if ranges > 0 {
		j.Session.Note("%s of %s were finished", bytesize.Count(ranges, "range"), bytesize.Count(all, "range"))
	}
}

// RunRanges is a job that makes one file: in ranges, where it does not fit in one piece, and with what is finished kept
// in a directory. whole makes it in one piece.
func RunRanges(ctx context.Context, j *job.Job, inputs []string, outName string, r operation.InRanges,
	whole func(text []byte) ([]uint32, error)) error {
	defer j.Close()
	out, err := cli.NewOutput(outName, inputs...)
	if err != nil {
		return err
	}
	text, err := OpenDeviceAndRanges(ctx, j, inputs[0], r)
	if err != nil {
		return err
	}
	defer text.Close()
	if err := j.File(int64(text.N)*int64(r.Width), outName).CheckRoom(); err != nil {
		return err
	}
	j.Report.Width = r.Width
	var array []uint32
	if !text.Ranged {
		array, err = whole(text.Memory)
		if r.Ordered() && device.IsTooLarge(err) { // which depends on what the text holds
			j.Session.Note("the %s does not fit in one piece: sorted in ranges", r.Name)
			text.Ranged, err = true, nil
		}
		if err != nil {
			return err
		}
	}
	err = cli.Timed(&j.Report.Seconds.Write, func() error {
		if j.Flags.Resume != "" {
			return ResumeRanges(ctx, j, text, r, out, nil)
		}
		defer out.Discard()
		err := sink.WriteWhile(ctx, out, func(w io.Writer) error {
			if !text.Ranged {
				return sink.WriteArray(w, array, r.Width, j.Session.Progress.Of("write"))
			}
			_, err := SortRanges(ctx, j, text, r, w, suffixcl.RangeState{}, nil)
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
	return j.Sink.Finish(out)
}
