package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/distributed"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/mpi"
)

// rankRanges is what ranks make in ranges.
type rankRanges struct {
	rangesResult
	plan device.MemoryPlan // of this rank
}

// ranksInRanges tells whether --mpi sorts in ranges.
func (f *jobFlags) ranksInRanges() bool {
	return f.mpi && f.algorithm.Value == string(suffixcl.AlgorithmRanges)
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
	err := runRanksOf(r, name, fmt.Sprint(outName, " ", result.width), func(r *ranked) error {
		r.report.Width = result.width
		out, err := r.output(outName)
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
	if err := r.sortRanges(name); err != nil {
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

// sortRanges sorts, and writes what this rank has sorted to its places.
func (r *ranked) sortRanges(name string) error {
	text, err := os.Open(r.report.File)
	if err := r.builder.Agree(r.ctx, cli.WithoutPath(err)); err != nil {
		return err
	}
	defer text.Close()
	temporary, err := r.temporary(name)
	if err := r.builder.Agree(r.ctx, err); err != nil {
		return err
	}
	remove := func() { os.Remove(temporary) } // by whichever rank comes to it
	keep := context.AfterFunc(r.ctx, remove)  // before calls that wait for a rank that was killed
	if err = r.writeRanges(text, temporary, name); err != nil {
		remove()
	}
	keep()
	return err
}

func (r *ranked) writeRanges(text *os.File, temporary, name string) error {
	f, err := os.OpenFile(temporary, os.O_WRONLY, 0)
	if err := r.builder.Agree(r.ctx, err); err != nil {
		return err
	}
	defer f.Close()
	write, err := r.ranged.writerAt(f)
	if err != nil {
		return err // the same of all ranks
	}
	var primary int
	err = timed(&r.report.Seconds.Compute, func() error {
		primary, err = r.builder.SuffixRangesAt(r.ctx, text, int(r.n), r.ranged.rankOptions(), write)
		return err
	})
	r.stats = r.builder.Stats()
	if err != nil {
		return err
	}
	return timed(&r.report.Seconds.Write, func() error {
		err := errors.Join(f.Sync(), f.Close())
		if err == nil {
			err = (&rangesText{n: int(r.n), file: text, in: &cli.Input{Name: r.report.File}}).unchanged()
		}
		if err = r.builder.Agree(r.ctx, err); err != nil {
			return err
		}
		if r.ranged.options.Transform {
			r.report.Primary = &primary
		}
		if r.comm.Rank() == 0 {
			err = r.complete(temporary, name)
		}
		return r.builder.Agree(r.ctx, err)
	})
}

// complete gives the result its name.
func (r *ranked) complete(temporary, name string) error {
	if r.report.Primary == nil {
		return os.Rename(temporary, name)
	}
	err := cli.SaveFile(primaryFile(name), func(w io.Writer) error {
		_, err := fmt.Fprintln(w, *r.report.Primary)
		return err
	})
	if err != nil {
		return err
	}
	if err = os.Rename(temporary, name); err != nil {
		os.Remove(primaryFile(name))
	}
	return err
}

// writerAt writes blocks to their places.
func (r rangesResult) writerAt(f io.WriterAt) (func(suffixcl.SuffixBlock) error, error) {
	w := &cli.PieceWriter{File: f}
	write, err := r.options.WriteBlocks(w, r.width)
	return func(b suffixcl.SuffixBlock) error {
		first := b.First
		switch {
		case r.options.Transform:
			first = b.TransformFirst
		case r.options.LCP:
			first = b.LCPFirst
		}
		w.At = int64(first) * int64(r.width)
		return write(b)
	}, err
}
