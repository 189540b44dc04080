package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"time"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/distributed"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/mpi"
)

// A rank that did not fail itself waits before it ends all, for the one that did to tell why; that one waits for the
// launcher to pass it on.
const (
	abortGrace = time.Second
	printGrace = 100 * time.Millisecond
)

// rankGC has a collection when the heap has grown by so many percent: a rank holds few, large arrays without pointers,
// which cost a collection nothing. Those that it drops are as large.
const rankGC = 10

// ranked is a job of ranks under MPI: each has a block of the text and of the result.
type ranked struct {
	*job
	ctx     context.Context
	comm    *mpi.Comm
	builder *distributed.Builder
	n       int64 // characters of the text
	from    int64 // of the block of this rank
	block   []byte
	stats   distributed.Stats // of the suffix array, or else of the verification
}

// runRanks runs a verb on all ranks. Any failure ends all of them.
func runRanks(ctx context.Context, j *job, name string, f func(*ranked) error) error {
	defer j.Close()
	debug.SetGCPercent(rankGC)
	if err := mpi.Init(); err != nil {
		return err
	}
	r := &ranked{job: j, ctx: ctx, comm: mpi.World()}
	if r.comm.Rank() > 0 {
		j.progress.Stop()
		j.progress = nil
	}
	err := r.open(name)
	if err == nil {
		err = f(r)
	}
	if err == nil {
		return mpi.Finalize()
	}
	return r.abort(err)
}

// abort ends all ranks: at once where this one knows a reason that the others do not.
func (r *ranked) abort(err error) error {
	j := r.job
	j.progress.Stop()
	var shared *distributed.RankError
	if known := errors.As(err, &shared) && shared.Err == nil; known || r.comm.Rank() > 0 && cli.IsMismatch(err) {
		time.Sleep(abortGrace)
	} else {
		if shared == nil && r.comm.Size() > 1 {
			err = fmt.Errorf("rank %d: %w", r.comm.Rank(), err)
		}
		fmt.Fprintf(os.Stderr, "suffixcl: %v\n", err)
		time.Sleep(printGrace)
	}
	r.comm.Abort(cli.ExitCode(r.ctx, err))
	return err // where the library did not keep its word
}

// open reads the block and opens the device of this rank.
func (r *ranked) open(name string) error {
	err := timed(&r.report.Seconds.Open, r.openRankDevice)
	if err == nil {
		r.builder = distributed.New(distributed.OverMPI(r.comm), r.session, distributed.Options{
			Algorithm: distributed.Algorithm(r.algorithm()), Progress: r.progress.Update,
		})
		err = timed(&r.report.Seconds.Read, func() error { return r.read(name) })
	} else {
		r.builder = distributed.New(distributed.OverMPI(r.comm), nil, distributed.Options{})
	}
	return r.builder.Agree(r.ctx, err)
}

// algorithm is pCSS unless another is given.
func (r *ranked) algorithm() string {
	if a := r.flags.algorithm.Value; a != "" && a != string(suffixcl.AlgorithmAuto) {
		return a
	}
	return string(distributed.PCSS)
}

// openRankDevice opens the device of this rank.
func (r *ranked) openRankDevice() error {
	selector, err := distributed.Selector(r.comm, r.flags.Device)
	if err != nil {
		return err
	}
	r.flags.Device = selector
	return r.openDevice()
}

// read reads the block of this rank.
func (r *ranked) read(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", name, cli.WithoutPath(err))
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("cannot read %s: with --mpi each rank reads its part of a file, and this is none", name)
	}
	r.n = info.Size()
	from, to := distributed.Bounds(uint64(r.n), r.comm.Size(), r.comm.Rank())
	r.from, r.block = int64(from), make([]byte, to-from)
	r.report.File, r.report.Bytes, r.report.kind = name, int(r.n), "raw"
	if _, err := io.ReadFull(io.NewSectionReader(f, r.from, int64(len(r.block))), r.block); err != nil {
		return fmt.Errorf("cannot read %s: bytes %d to %d: %w", name, from, to, err)
	}
	return nil
}

// suffixArray builds it.
func (r *ranked) suffixArray() (sa []uint64, err error) {
	err = timed(&r.report.Seconds.Compute, func() error {
		sa, err = r.builder.SuffixArray(r.ctx, r.block)
		return err
	})
	r.stats = r.builder.Stats()
	return sa, err
}

// encodeArray is an array in the layout of a file.
func encodeArray(array []uint64, width int) []byte {
	out := make([]byte, len(array)*width+8)
	for i, v := range array {
		binary.LittleEndian.PutUint64(out[i*width:], v)
	}
	return out[:len(array)*width]
}

// write writes the parts of all ranks, entries of so many bytes, to a file, which gets its name when all have written.
func (r *ranked) write(name string, part []byte, width int) error {
	return timed(&r.report.Seconds.Write, func() error {
		temporary, err := r.temporary(name)
		if err := r.builder.Agree(r.ctx, err); err != nil {
			return err
		}
		err = r.builder.Agree(r.ctx, writeAt(temporary, part, r.from*int64(width)))
		if r.comm.Rank() > 0 {
			return r.builder.Agree(r.ctx, err)
		}
		if err == nil {
			err = os.Rename(temporary, name)
		}
		if err != nil {
			os.Remove(temporary)
		}
		return r.builder.Agree(r.ctx, err)
	})
}

// temporary is the name of the file that rank 0 makes for all.
func (r *ranked) temporary(name string) (string, error) {
	var path [4096]byte
	var err error
	if r.comm.Rank() == 0 {
		var f *os.File
		if f, err = os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*.part"); err == nil {
			copy(path[:], f.Name())
			err = errors.Join(f.Chmod(0o644), f.Close())
		} else {
			err = fmt.Errorf("cannot write %s: %w", name, cli.WithoutPath(err))
		}
	}
	if failure := mpi.Bcast(r.ctx, r.comm, path[:], 0); failure != nil {
		return "", failure
	}
	return string(path[:max(0, slices.Index(path[:], 0))]), err
}

func writeAt(name string, part []byte, at int64) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(part, at)
	return errors.Join(err, f.Sync(), f.Close())
}

// result is a verb with a result file: compute returns the part of this rank.
func (r *ranked) result(name string, width int, compute func(sa []uint64) ([]byte, error)) error {
	var out *cli.Output
	var err error
	if r.comm.Rank() == 0 { // whose directory all share
		out, err = cli.NewOutput(name, r.report.File)
		if err == nil && !out.IsFile() {
			err = cli.Usage("with --mpi the result is a file: all ranks write to it")
		}
	}
	if err := r.builder.Agree(r.ctx, err); err != nil {
		return err
	}
	if width == 4 && r.n > 1<<32 {
		return cli.Usage("a text of %d bytes needs --width 5 or 8", r.n)
	}
	sa, err := r.suffixArray()
	if err != nil {
		return err
	}
	part, err := compute(sa)
	if err != nil {
		return err
	}
	if err := r.write(name, part, width); err != nil {
		return err
	}
	return r.finish(out)
}

// rankReport is what JSON has of the ranks.
type rankReport struct {
	Count         int         `json:"count"`
	Library       string      `json:"library"`
	BytesSent     []int64     `json:"bytes_sent"`
	BytesReceived []int64     `json:"bytes_received"`
	Sort          []float64   `json:"sort_seconds"`
	Communication []float64   `json:"communication_seconds"`
	LargestShare  int64       `json:"largest_share"`
	SmallestShare int64       `json:"smallest_share"`
	Phases        []rankPhase `json:"phases"`
}

// rankPhase is a phase of rank 0.
type rankPhase struct {
	Phase   string  `json:"phase"`
	Seconds float64 `json:"seconds"`
}

// finish gathers what the ranks tell, and has rank 0 print it.
func (r *ranked) finish(out *cli.Output) error {
	st := r.stats
	mine := []int64{st.BytesSent, st.BytesReceived, int64(st.Sort), int64(st.Communication), int64(st.Share)}
	all := make([]int64, len(mine)*r.comm.Size())
	if err := mpi.Gather(r.ctx, r.comm, mine, all, 0); err != nil {
		return err
	}
	if r.comm.Rank() > 0 {
		return nil
	}
	_, family, err := mpi.LibraryVersion()
	if err != nil {
		return err
	}
	report := &rankReport{Count: r.comm.Size(), Library: family, SmallestShare: mine[4], Phases: []rankPhase{}}
	for row := range slices.Chunk(all, len(mine)) {
		report.BytesSent = append(report.BytesSent, row[0])
		report.BytesReceived = append(report.BytesReceived, row[1])
		report.Sort = append(report.Sort, time.Duration(row[2]).Seconds())
		report.Communication = append(report.Communication, time.Duration(row[3]).Seconds())
		report.LargestShare = max(report.LargestShare, row[4])
		report.SmallestShare = min(report.SmallestShare, row[4])
	}
	for _, p := range st.Phases {
		report.Phases = append(report.Phases, rankPhase{p.Phase, p.Time.Seconds()})
	}
	r.report.Ranks = report
	r.job.stats.Compute = time.Duration(r.report.Seconds.Compute * float64(time.Second))
	r.job.stats.Algorithm = suffixcl.Algorithm(r.algorithm())
	r.job.stats.PeakBytes = tuned.PeakBytes(r.session)
	return r.job.finish(out)
}

// runRankArray is a verb that makes an array: compute returns the block of this rank from that of the suffix array.
func runRankArray(ctx context.Context, j *job, name, out string, width int,
	compute func(r *ranked, sa []uint64) ([]uint64, error)) error {
	return runRanks(ctx, j, name, func(r *ranked) error {
		r.report.Width = width
		return r.result(out, width, func(sa []uint64) ([]byte, error) {
			array, err := compute(r, sa)
			return encodeArray(array, width), err
		})
	})
}

// runRankBWT is the transform; rank 0 writes the primary index.
func runRankBWT(ctx context.Context, j *job, name, out string) error {
	return runRanks(ctx, j, name, func(r *ranked) error {
		err := r.result(out, 1, func(sa []uint64) ([]byte, error) {
			transform, at, err := r.builder.BWT(r.ctx, r.block, sa)
			if err != nil {
				return nil, err
			}
			primary := int(at)
			r.report.Primary = &primary
			if r.comm.Rank() == 0 {
				err = cli.SaveFile(primaryFile(out), func(w io.Writer) error {
					_, err := fmt.Fprintln(w, primary)
					return err
				})
			}
			return transform, r.builder.Agree(r.ctx, err)
		})
		if err == nil && r.comm.Rank() == 0 && !r.flags.json {
			err = cli.PrintResult("%d", *r.report.Primary)
		}
		return err
	})
}

// runRankVerify checks a suffix array.
func runRankVerify(ctx context.Context, j *job, name, saName string, width int) error {
	return runRanks(ctx, j, name, func(r *ranked) error {
		r.report.Width = width
		sa, err := r.readArray(saName, width)
		if err := r.builder.Agree(r.ctx, err); err != nil {
			return err
		}
		err = timed(&r.report.Seconds.Compute, func() error { return r.builder.Verify(r.ctx, r.block, sa) })
		r.stats = r.builder.Stats()
		if err != nil && !cli.IsMismatch(err) {
			return err
		}
		ok := err == nil
		if r.report.OK = &ok; !ok {
			r.report.Reason = err.Error()
		} else if r.comm.Rank() == 0 && !r.flags.json {
			if err := cli.PrintResult("OK: %s is the suffix array of %s (%s)", saName, name,
				cli.Plural(int(r.n), "byte")); err != nil {
				return err
			}
		}
		if failure := r.finish(nil); failure != nil {
			return failure
		}
		return err
	})
}

// readArray reads the entries of this rank.
func (r *ranked) readArray(name string, width int) ([]uint64, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", name, cli.WithoutPath(err))
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if want := r.n * int64(width); info.Size() != want {
		return nil, cli.Mismatch("%s: not the suffix array of the text: it has %s, and %s of width %d are %d", name,
			cli.Plural(int(info.Size()), "byte"), cli.Plural(int(r.n), "entry"), width, want)
	}
	data := make([]byte, len(r.block)*width+8)
	part := data[:len(r.block)*width]
	if _, err := io.ReadFull(io.NewSectionReader(f, r.from*int64(width), int64(len(part))), part); err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", name, err)
	}
	sa := make([]uint64, len(r.block))
	for j := range sa {
		sa[j] = binary.LittleEndian.Uint64(data[j*width:]) << (64 - 8*width) >> (64 - 8*width)
	}
	return sa, nil
}
