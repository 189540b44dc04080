package ranks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/arrays"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/operation"
	"github.com/suffixcl/suffixcl/cmd/internal/resume"
	"github.com/suffixcl/suffixcl/cmd/internal/source"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/distributed"
	"github.com/suffixcl/suffixcl/internal/atomicfile"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/mpi"
	"github.com/suffixcl/suffixcl/internal/regular"
)

// rankRanges is what ranks make in ranges.
type rankRanges struct {
	operation.InRanges
	plan device.MemoryPlan // of this rank
}

// InRanges makes a result in ranges, which all ranks sort and write to one file.
func InRanges(ctx context.Context, j *job.Job, name, outName string, result operation.InRanges) error {
	r := &Ranked{Job: j, Ctx: ctx, ranged: &rankRanges{InRanges: result}}
	err := runRanksOf(r, name, fmt.Sprint(outName, " ", result.Width, " ", j.Flags.Resume), func(r *Ranked) error {
		r.Report.Width = result.Width
		out, err := r.output(outName, result.Width)
		if err != nil {
			return err
		}
		if err := result.Fits(r.n); err != nil {
			return err
		}
		return r.resultInRanges(outName, out)
	})
	if err == nil && r.Report.Primary != nil && r.comm.Rank() == 0 && !r.Flags.JSON {
		err = cli.PrintResult("%d", *r.Report.Primary)
	}
	return err
}

// resultInRanges makes the result, which rank 0 has as out.
func (r *Ranked) resultInRanges(name string, out *cli.Output) error {
	plan, err := r.Builder.PlanRanges(r.Ctx, int(r.n), r.ranged.RankOptions())
	if err != nil {
		return err
	}
	r.ranged.plan = plan.Memory
	write := r.sortRanges
	if r.Flags.Resume != "" {
		write = r.resumeRanges
	}
	if err := write(name, out); err != nil {
		return err
	}
	return r.finish(out)
}

// rangesInstead tells whether a rank had too little memory, by the error that all have, and the result is made in
// ranges instead. Else it returns the error.
func (r *Ranked) rangesInstead(err error, result operation.InRanges) (bool, error) {
	var shared *distributed.RankError
	a := r.Flags.Algorithm.Value
	if err == nil || !errors.As(err, &shared) || a != "" && a != string(suffixcl.AlgorithmAuto) {
		return false, err
	}
	tooLarge := []uint32{0}
	if device.IsTooLarge(err) {
		tooLarge[0] = 1
	}
	any := []uint32{0}
	if failure := mpi.Allreduce(r.Ctx, r.comm, mpi.Max, tooLarge, any); failure != nil || any[0] == 0 {
		return false, err
	}
	if r.comm.Rank() == 0 {
		r.Session.Note("the %s does not fit: sorted in ranges", result.Name)
	}
	r.ranged, r.Block = &rankRanges{InRanges: result}, nil
	return true, nil
}

// openText opens the text for sorting in ranges.
func (r *Ranked) openText() (*arrays.Text, error) {
	file, err := regular.Open(r.Report.File)
	if err := r.Builder.Agree(r.Ctx, cli.WithoutPath(err)); err != nil {
		return nil, err
	}
	return &arrays.Text{N: int(r.n), File: file, In: &cli.Input{Name: r.Report.File}}, nil
}

// sortRanges sorts, and writes what this rank has sorted to its places.
func (r *Ranked) sortRanges(name string, _ *cli.Output) error {
	text, err := r.openText()
	if err != nil {
		return err
	}
	defer text.File.Close()
	temporary, err := r.temporary(name)
	if err := r.Builder.Agree(r.Ctx, err); err != nil {
		return err
	}
	remove := func() { os.Remove(temporary) } // by whichever rank comes to it
	keep := context.AfterFunc(r.Ctx, remove)  // before calls that wait for a rank that was killed
	complete := func() error { return r.complete(temporary, name) }
	if err = r.writeRanges(text, temporary, distributed.RangeKeeper{}, complete); err != nil {
		remove()
	}
	keep()
	return err
}

// resumeRanges is sortRanges with what is finished kept in a directory, which rank 0 has locked.
func (r *Ranked) resumeRanges(name string, out *cli.Output) error {
	text, err := r.openText()
	if err != nil {
		return err
	}
	defer text.File.Close()
	var (
		dir    = r.Flags.Resume
		kept   *resume.Job
		keeper distributed.RangeKeeper
	)
	if r.comm.Rank() == 0 {
		var sum string
		if sum, err = text.Checksum(); err == nil {
			kept, err = resume.Open(dir, arrays.ResumedJobOf(r.Job, r.ranged.InRanges, text.N, sum), r.Report.File, name,
				source.PrimaryFile(name))
		}
		if err == nil {
			defer kept.Close()
			keeper.From = kept.State.Ranks
			arrays.NoteFinished(r.Job, keeper.From.Finished(), len(keeper.From.Sizes))
			same := text.SameAs(sum)
			keeper.Saved = func(state distributed.RangeState) error {
				if err := same(); err != nil {
					return err
				}
				return kept.SavedRanks(state)
			}
		}
	}
	if err := r.Builder.Agree(r.Ctx, err); err != nil {
		return err
	}
	err = r.writeRanges(text, filepath.Join(dir, resume.ResultFile), keeper, func() error {
		primary, err := r.primary(name)
		if err != nil {
			return err
		}
		for _, p := range primary {
			defer p.Discard()
		}
		return kept.Finish(r.Ctx, out, primary...)
	})
	if err != nil {
		return fmt.Errorf("%w; finished ranges are kept in %s", err, dir)
	}
	return nil
}

// writeRanges sorts ranges and writes them to a file, which is completed by rank 0.
func (r *Ranked) writeRanges(text *arrays.Text, name string, k distributed.RangeKeeper, complete func() error) error {
	f, err := resume.OpenFile(name, os.O_WRONLY)
	if err := r.Builder.Agree(r.Ctx, err); err != nil {
		return err
	}
	defer f.Close()
	w := &resume.Digester{To: &cli.PieceWriter{File: atomicfile.Limit(f)}}
	if dir := r.Flags.Resume; dir != "" {
		digests, err := resume.NewRankDigests(dir, r.comm.Rank())
		if err := r.Builder.Agree(r.Ctx, err); err != nil {
			return err
		}
		k.Flush = func() error {
			if err := f.Sync(); err != nil {
				return err
			}
			return digests.Keep(w.Cut())
		}
	}
	write, err := writerAt(r.ranged.InRanges, w)
	if err != nil {
		return err // the same of all ranks
	}
	var primary int
	err = cli.Timed(&r.Report.Seconds.Compute, func() error {
		primary, err = r.Builder.SuffixRangesAt(r.Ctx, text.File, text.N, r.ranged.RankOptions(), k, write)
		return err
	})
	r.stats = r.Builder.Stats()
	if err != nil {
		return err
	}
	return cli.Timed(&r.Report.Seconds.Write, func() error {
		err := errors.Join(f.Sync(), f.Close())
		if err == nil {
			err = text.Unchanged()
		}
		if err = r.Builder.Agree(r.Ctx, err); err != nil {
			return err
		}
		if r.ranged.Options.Transform {
			r.Report.Primary = &primary
		}
		if r.comm.Rank() == 0 {
			err = complete()
		}
		return r.Builder.Agree(r.Ctx, err)
	})
}

// complete gives the result its name, and then that of the primary index of a transform, which has been written.
func (r *Ranked) complete(temporary, name string) error {
	out, err := cli.NewOutput(name)
	if err != nil {
		return err
	}
	primary, err := r.primary(name)
	if err != nil {
		return err
	}
	for _, p := range primary {
		defer p.Discard()
	}
	if err := out.Adopt(temporary); err != nil {
		return err
	}
	return cli.Commit(primary...)
}

// primary is the file of the primary index of a transform, written, and nothing of other results.
func (r *Ranked) primary(name string) ([]*cli.Output, error) {
	if r.Report.Primary == nil {
		return nil, nil
	}
	out, err := cli.NewOutput(source.PrimaryFile(name), name)
	if err != nil {
		return nil, err
	}
	return []*cli.Output{out}, out.Write(r.Ctx, r.writePrimary)
}

func (r *Ranked) writePrimary(w io.Writer) error {
	_, err := fmt.Fprintln(w, *r.Report.Primary)
	return err
}

// writerAt writes blocks to their places.
func writerAt(r operation.InRanges, w *resume.Digester) (func(suffixcl.SuffixBlock) error, error) {
	write, err := r.Options.WriteBlocks(w, r.Width)
	return func(b suffixcl.SuffixBlock) error {
		first := b.First
		switch {
		case r.Options.Transform:
			first = b.TransformFirst
		case r.Options.LCP:
			first = b.LCPFirst
		}
		w.To.At = int64(first) * int64(r.Width)
		return write(b)
	}, err
}
