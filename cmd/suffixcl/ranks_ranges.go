package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/distributed"
	"github.com/suffixcl/suffixcl/internal/atomicfile"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/regular"
	"github.com/suffixcl/suffixcl/mpi"
)

// rankRanges is what ranks make in ranges.
type rankRanges struct {
	rangesResult
	plan device.MemoryPlan // of this rank
}

// ranksInRanges tells whether --mpi sorts in ranges.
func (f *jobFlags) ranksInRanges() bool {
	return f.mpi && (f.resume != "" || f.algorithm.Value == string(suffixcl.AlgorithmRanges))
}

// rankOptions are those of distributed.
func (r rangesResult) rankOptions() distributed.RangeOptions {
	return distributed.RangeOptions{Transform: r.options.Transform, LCP: r.options.LCP,
		NoPositions: r.options.NoPositions}
}

// planRanks is the memory of one rank for n bytes in ranges, if no other shares its device.
func (r rangesResult) planRanks(s *device.Session, n int64) (device.MemoryPlan, error) {
	b := distributed.New(distributed.Local(1)[0], s, distributed.Options{})
	plan, err := b.PlanRanges(context.Background(), int(n), r.rankOptions())
	return plan.Memory, err
}

// runRanksInRanges makes a result in ranges, which all ranks sort and write to one file.
func runRanksInRanges(ctx context.Context, j *job, name, outName string, result rangesResult) error {
	r := &ranked{job: j, ctx: ctx, ranged: &rankRanges{rangesResult: result}}
	err := runRanksOf(r, name, fmt.Sprint(outName, " ", result.width, " ", j.flags.resume), func(r *ranked) error {
		r.report.Width = result.width
		out, err := r.output(outName, result.width)
		if err != nil {
			return err
		}
		if err := result.fits(r.n); err != nil {
			return err
		}
		return r.resultInRanges(outName, out)
	})
	if err == nil && r.report.Primary != nil && r.comm.Rank() == 0 && !r.flags.json {
		err = cli.PrintResult("%d", *r.report.Primary)
	}
	return err
}

// resultInRanges makes the result, which rank 0 has as out.
func (r *ranked) resultInRanges(name string, out *cli.Output) error {
	plan, err := r.builder.PlanRanges(r.ctx, int(r.n), r.ranged.rankOptions())
	if err != nil {
		return err
	}
	r.ranged.plan = plan.Memory
	write := r.sortRanges
	if r.flags.resume != "" {
		write = r.resumeRanges
	}
	if err := write(name, out); err != nil {
		return err
	}
	return r.finish(out)
}

// rangesInstead tells whether a rank had too little memory, by the error that all have, and the result is made in
// ranges instead. Else it returns the error.
func (r *ranked) rangesInstead(err error, result rangesResult) (bool, error) {
	var shared *distributed.RankError
	a := r.flags.algorithm.Value
	if err == nil || !errors.As(err, &shared) || a != "" && a != string(suffixcl.AlgorithmAuto) {
		return false, err
	}
	tooLarge := []uint32{0}
	if device.IsTooLarge(err) {
		tooLarge[0] = 1
	}
	any := []uint32{0}
	if failure := mpi.Allreduce(r.ctx, r.comm, mpi.Max, tooLarge, any); failure != nil || any[0] == 0 {
		return false, err
	}
	if r.comm.Rank() == 0 {
		r.note("the %s does not fit: sorted in ranges", result.name)
	}
	r.ranged, r.block = &rankRanges{rangesResult: result}, nil
	return true, nil
}

// openText opens the text for sorting in ranges.
func (r *ranked) openText() (*rangesText, error) {
	file, err := regular.Open(r.report.File)
	if err := r.builder.Agree(r.ctx, cli.WithoutPath(err)); err != nil {
		return nil, err
	}
	return &rangesText{n: int(r.n), file: file, in: &cli.Input{Name: r.report.File}}, nil
}

// sortRanges sorts, and writes what this rank has sorted to its places.
func (r *ranked) sortRanges(name string, _ *cli.Output) error {
	text, err := r.openText()
	if err != nil {
		return err
	}
	defer text.file.Close()
	temporary, err := r.temporary(name)
	if err := r.builder.Agree(r.ctx, err); err != nil {
		return err
	}
	remove := func() { os.Remove(temporary) } // by whichever rank comes to it
	keep := context.AfterFunc(r.ctx, remove)  // before calls that wait for a rank that was killed
	complete := func() error { return r.complete(temporary, name) }
	if err = r.writeRanges(text, temporary, distributed.RangeKeeper{}, complete); err != nil {
		remove()
	}
	keep()
	return err
}

// resumeRanges is sortRanges with what is finished kept in a directory, which rank 0 has locked.
func (r *ranked) resumeRanges(name string, out *cli.Output) error {
	text, err := r.openText()
	if err != nil {
		return err
	}
	defer text.file.Close()
	var (
		dir    = r.flags.resume
		kept   *resumption
		keeper distributed.RangeKeeper
	)
	if r.comm.Rank() == 0 {
		var sum string
		if sum, err = text.checksum(); err == nil {
			kept, err = openResumption(dir, r.resumedJob(r.ranged.rangesResult, text.n, sum), r.report.File, name,
				primaryFile(name))
		}
		if err == nil {
			defer kept.close()
			keeper.From = kept.kept.Ranks
			r.noteFinished(keeper.From.Finished(), len(keeper.From.Sizes))
			same := text.sameAs(sum)
			keeper.Saved = func(state distributed.RangeState) error {
				if err := same(); err != nil {
					return err
				}
				return kept.savedRanks(state)
			}
		}
	}
	if err := r.builder.Agree(r.ctx, err); err != nil {
		return err
	}
	err = r.writeRanges(text, filepath.Join(dir, keptResult), keeper, func() error {
		primary, err := r.primary(name)
		if err != nil {
			return err
		}
		for _, p := range primary {
			defer p.Discard()
		}
		return kept.finish(r.ctx, out, primary...)
	})
	if err != nil {
		return fmt.Errorf("%w; finished ranges are kept in %s", err, dir)
	}
	return nil
}

// writeRanges sorts ranges and writes them to a file, which is completed by rank 0.
func (r *ranked) writeRanges(text *rangesText, name string, k distributed.RangeKeeper, complete func() error) error {
	f, err := openKept(name, os.O_WRONLY)
	if err := r.builder.Agree(r.ctx, err); err != nil {
		return err
	}
	defer f.Close()
	w := &digester{to: &cli.PieceWriter{File: atomicfile.Limit(f)}}
	if dir := r.flags.resume; dir != "" {
		digests, err := newRankDigests(dir, r.comm.Rank())
		if err := r.builder.Agree(r.ctx, err); err != nil {
			return err
		}
		k.Flush = func() error {
			if err := f.Sync(); err != nil {
				return err
			}
			return digests.keep(w.cut())
		}
	}
	write, err := r.ranged.writerAt(w)
	if err != nil {
		return err // the same of all ranks
	}
	var primary int
	err = timed(&r.report.Seconds.Compute, func() error {
		primary, err = r.builder.KeptSuffixRangesAt(r.ctx, text.file, text.n, r.ranged.rankOptions(), k, write)
		return err
	})
	r.stats = r.builder.Stats()
	if err != nil {
		return err
	}
	return timed(&r.report.Seconds.Write, func() error {
		err := errors.Join(f.Sync(), f.Close())
		if err == nil {
			err = text.unchanged()
		}
		if err = r.builder.Agree(r.ctx, err); err != nil {
			return err
		}
		if r.ranged.options.Transform {
			r.report.Primary = &primary
		}
		if r.comm.Rank() == 0 {
			err = complete()
		}
		return r.builder.Agree(r.ctx, err)
	})
}

// complete gives the result its name, and then that of the primary index of a transform, which has been written.
func (r *ranked) complete(temporary, name string) error {
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
func (r *ranked) primary(name string) ([]*cli.Output, error) {
	if r.report.Primary == nil {
		return nil, nil
	}
	out, err := cli.NewOutput(primaryFile(name), name)
	if err != nil {
		return nil, err
	}
	return []*cli.Output{out}, out.Write(r.ctx, r.writePrimary)
}

func (r *ranked) writePrimary(w io.Writer) error {
	_, err := fmt.Fprintln(w, *r.report.Primary)
	return err
}

// writerAt writes blocks to their places.
func (r rangesResult) writerAt(w *digester) (func(suffixcl.SuffixBlock) error, error) {
	write, err := r.options.WriteBlocks(w, r.width)
	return func(b suffixcl.SuffixBlock) error {
		first := b.First
		switch {
		case r.options.Transform:
			first = b.TransformFirst
		case r.options.LCP:
			first = b.LCPFirst
		}
		w.to.At = int64(first) * int64(r.width)
		return write(b)
	}, err
}
