// Package ranks runs verbs on the ranks of MPI: each has a part of the text, or of the
// ranges.
package ranks

import (
	"context"
	"errors"
	"fmt"
	"hash/crc64"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"time"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/operation"
	"github.com/suffixcl/suffixcl/cmd/internal/report"
	"github.com/suffixcl/suffixcl/cmd/internal/sink"
	"github.com/suffixcl/suffixcl/cmd/internal/source"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/distributed"
	"github.com/suffixcl/suffixcl/internal/addressspace"
	"github.com/suffixcl/suffixcl/internal/atomicfile"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/entries"
	"github.com/suffixcl/suffixcl/internal/mpi"
	"github.com/suffixcl/suffixcl/internal/regular"
	"github.com/suffixcl/suffixcl/internal/tuned"
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

// Ranked is a job of ranks under MPI: each has a block of the text and of the result.
type Ranked struct {
	*job.Job
	Ctx     context.Context
	comm    *mpi.Comm                // of all ranks
	ranks   distributed.Communicator // the same ones
	Builder *distributed.Builder
	n       int64  // characters of the text
	known   uint64 // a checksum of what all ranks have to agree in
	from    int64  // of the block of this rank
	Block   []byte
	stats   distributed.Stats // of the suffix array, or else of the verification
	ranged  *rankRanges       // what is made in ranges, or nil
}

// runRanks runs a verb on all ranks, whose flags are the same. Any failure ends all of them.
func runRanks(ctx context.Context, j *job.Job, name, flags string, f func(*Ranked) error) error {
	return runRanksOf(&Ranked{Job: j, Ctx: ctx}, name, flags, f)
}

// runRanksOf is runRanks where more is known of the job.
func runRanksOf(r *Ranked, name, flags string, f func(*Ranked) error) error {
	j := r.Job
	defer j.Close()
	debug.SetGCPercent(rankGC)
	var err error
	if r.ranks, err = distributed.InitMPI(); err != nil {
		return err
	}
	r.comm = mpi.World()
	if r.comm.Rank() > 0 {
		j.Session.Progress.Stop()
		j.Session.Progress = nil
	}
	err = r.open(name, j.Report.Verb+" "+flags)
	if err == nil {
		err = f(r)
	}
	if err == nil {
		return mpi.Finalize()
	}
	return r.abort(err)
}

// abort ends all ranks: at once where this one knows a reason that the others do not.
func (r *Ranked) abort(err error) error {
	j := r.Job
	j.Session.Progress.Stop()
	var shared *distributed.RankError
	if known := errors.As(err, &shared) && shared.Err == nil; known || r.comm.Rank() > 0 && cli.IsMismatch(err) {
		time.Sleep(abortGrace)
	} else {
		if shared == nil && r.comm.Size() > 1 {
			err = fmt.Errorf("rank %d: %w", r.comm.Rank(), err)
		}
		cli.Tell("suffixcl: %v\n", err)
		time.Sleep(printGrace)
	}
	r.comm.Abort(cli.WorkCode(r.Ctx, err))
	return err // where the library did not keep its word
}

// open reads the block and opens the device of this rank. All ranks run the same command.
func (r *Ranked) open(name, command string) error {
	err := r.openRankDevice()
	if err == nil {
		err = cli.Timed(&r.Report.Seconds.Read, func() error { return r.read(name) })
	}
	r.Builder = distributed.New(r.ranks, r.Session.Device, distributed.Options{
		Algorithm: distributed.Algorithm(r.algorithm()), Text: r.known, Progress: r.Session.Progress.Update,
		MaxMemory: int64(r.Flags.MaxMemory),
	})
	if err := r.Builder.Agree(r.Ctx, err); err != nil {
		return err
	}
	all := make([]uint64, 2*r.comm.Size())
	mine := []uint64{r.known, crc64.Checksum([]byte(command), crc64.MakeTable(crc64.ECMA))}
	if err := mpi.Allgather(r.Ctx, r.comm, mine, all); err != nil {
		return err
	}
	for q := range r.comm.Size() {
		switch {
		case all[2*q] != all[0]:
			return fmt.Errorf("%w: %s is not the same file on rank 0 and rank %d", distributed.ErrDiffer, name, q)
		case all[2*q+1] != all[1]:
			return fmt.Errorf("%w: not the same command on rank 0 and rank %d", distributed.ErrDiffer, q)
		}
	}
	return nil
}

// algorithm is pCSS unless another is given.
func (r *Ranked) algorithm() string {
	switch a := r.Flags.Algorithm.Value; {
	case r.ranged != nil:
		return string(suffixcl.AlgorithmRanges)
	case a != "" && a != string(suffixcl.AlgorithmAuto):
		return a
	}
	return string(distributed.PCSS)
}

// openRankDevice opens the device of this rank.
func (r *Ranked) openRankDevice() error {
	var selector string
	err := cli.Timed(&r.Report.Seconds.Open, func() (err error) {
		selector, err = distributed.Selector(r.ranks, r.Flags.Device)
		return err
	})
	if err != nil {
		return err
	}
	r.Flags.Device = selector
	return r.Session.OpenDevice()
}

// read reads the block of this rank.
func (r *Ranked) read(name string) error {
	f, err := regular.Open(name)
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", name, cli.WithoutPath(err))
	}
	defer f.Close()
	if compression := cli.Compression(f); !r.Flags.Raw && compression != "" {
		return fmt.Errorf("cannot read %s: it is compressed by %s, and ranks read their parts of it in place; "+
			"--raw takes its bytes", name, compression)
	}
	return r.ReadFrom(name, f, r.comm.Size(), r.comm.Rank())
}

// rankFile is a text that ranks read.
type rankFile interface {
	io.ReaderAt
	Stat() (os.FileInfo, error)
}

// ReadFrom reads the block of one of so many ranks.
func (r *Ranked) ReadFrom(name string, f rankFile, ranks, rank int) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("cannot read %s: with --mpi each rank reads its part of a file, and this is none", name)
	}
	r.n = info.Size()
	from, to := distributed.Bounds(uint64(r.n), ranks, rank)
	if r.ranged != nil { // which reads it later
		to = from
	}
	r.from, r.Block = int64(from), make([]byte, to-from)
	r.Report.File, r.Report.Bytes = name, int(r.n)
	r.Report.OfKind("raw")
	if _, err := io.ReadFull(io.NewSectionReader(f, r.from, int64(len(r.Block))), r.Block); err != nil {
		return fmt.Errorf("cannot read %s: bytes %d to %d: %w", name, from, to, err)
	}
	if r.known, err = fileSum(f, r.n); err != nil {
		return fmt.Errorf("cannot read %s: %w", name, err)
	}
	after, err := f.Stat()
	if err == nil && after.Size() != info.Size() {
		err = fmt.Errorf("%s has changed while it was read: from %s to %d", name, bytesize.Count(info.Size(), "byte"),
			after.Size())
	}
	return err
}

// Pieces of a file, as many as there are at most, that tell whether the ranks see the same.
const (
	filePiece  = 4 << 10
	filePieces = 256
)

// fileSum is a checksum of a file of n bytes: of all of it up to 1 MiB, of pieces of a longer one.
func fileSum(f io.ReaderAt, n int64) (uint64, error) {
	sum, piece := crc64.New(crc64.MakeTable(crc64.ECMA)), make([]byte, filePiece)
	for k := range int64(filePieces) {
		at := k * filePiece
		if n > filePieces*filePiece {
			at = k * (n - filePiece) / (filePieces - 1)
		}
		if at >= n {
			break
		}
		part := piece[:min(filePiece, n-at)]
		if _, err := f.ReadAt(part, at); err != nil {
			return 0, err
		}
		sum.Write(part)
	}
	return sum.Sum64(), nil
}

// suffixArray builds it.
func (r *Ranked) suffixArray() (sa []uint64, err error) {
	err = cli.Timed(&r.Report.Seconds.Compute, func() error {
		sa, err = r.Builder.SuffixArray(r.Ctx, r.Block)
		return err
	})
	r.stats = r.Builder.Stats()
	return sa, err
}

// encodeArray is an array in the layout of a file.
func encodeArray(array []uint64, width int) []byte {
	out := make([]byte, len(array)*width)
	entries.Encode(out, width, array)
	return out
}

// write writes the parts of all ranks, entries of so many bytes, to a file, which gets its name when all have written.
func (r *Ranked) write(name string, part []byte, width int) error {
	return cli.Timed(&r.Report.Seconds.Write, func() error {
		temporary, err := r.temporary(name)
		if err := r.Builder.Agree(r.Ctx, err); err != nil {
			return err
		}
		written := r.Builder.Agree(r.Ctx, writeAt(temporary, part, r.from*int64(width)))
		err = written
		if r.comm.Rank() == 0 {
			if err == nil {
				err = r.complete(temporary, name)
			}
			if err != nil {
				os.Remove(temporary)
			}
		}
		if written != nil { // which all know
			return written
		}
		return r.Builder.Agree(r.Ctx, err)
	})
}

// temporary is the name of the file that rank 0 makes for all.
func (r *Ranked) temporary(name string) (string, error) {
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
	if failure := mpi.Bcast(r.Ctx, r.comm, path[:], 0); failure != nil {
		return "", failure
	}
	return string(path[:max(0, slices.Index(path[:], 0))]), err
}

func writeAt(name string, part []byte, at int64) error {
	f, err := regular.OpenFile(name, os.O_WRONLY)
	if err != nil {
		return err
	}
	_, err = atomicfile.Limit(f).WriteAt(part, at)
	return errors.Join(err, f.Sync(), f.Close())
}

// result is a verb with a result file: compute returns the part of this rank. Where ranks have too little memory for
// that, and no algorithm was asked for, they make it in ranges.
func (r *Ranked) result(name string, width int, inRanges operation.InRanges,
	compute func(sa []uint64) ([]byte, error)) error {
	out, err := r.output(name, width)
	if err != nil {
		return err
	}
	if width == 4 && r.n > 1<<32 {
		return cli.Usage("a text of %d bytes needs --width 5 or 8", r.n)
	}
	sa, err := r.suffixArray()
	if instead, failure := r.rangesInstead(err, inRanges); failure != nil {
		return failure
	} else if instead {
		return r.resultInRanges(name, out)
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

// output is the result file, on rank 0, where there is room for entries of so many bytes.
func (r *Ranked) output(name string, width int) (out *cli.Output, err error) {
	if r.comm.Rank() == 0 { // whose directory all share
		out, err = cli.NewOutput(name, r.Report.File)
		if err == nil && !out.IsFile() {
			err = cli.Usage("with --mpi the result is a file: all ranks write to it")
		}
		if err == nil {
			err = (sink.File{Bytes: r.n * int64(width), Out: name, Resume: r.Flags.Resume}).CheckRoom()
		}
	}
	return out, r.Builder.Agree(r.Ctx, err)
}

// plan is the memory of this rank.
func (r *Ranked) plan() (device.MemoryPlan, error) {
	if r.ranged != nil {
		return r.ranged.plan, nil
	}
	return r.Builder.Plan(uint64(r.n))
}

// finish gathers what the ranks tell, and has rank 0 print it.
func (r *Ranked) finish(out *cli.Output) error {
	st := r.stats
	planned := int64(0)
	plan, err := r.plan()
	if err := r.Builder.Agree(r.Ctx, err); err != nil {
		return err
	}
	for _, phase := range plan {
		planned = max(planned, phase.Device()+phase.Host)
	}
	mine := []int64{st.BytesSent, st.BytesReceived, int64(st.Sort), int64(st.Communication), int64(st.Share),
		tuned.PeakBytes(r.Session.Device), addressspace.Resident(), planned, int64(st.Ranges)}
	all := make([]int64, len(mine)*r.comm.Size())
	if err := mpi.Gather(r.Ctx, r.comm, mine, all, 0); err != nil {
		return err
	}
	if r.comm.Rank() > 0 {
		return nil
	}
	_, family, err := mpi.LibraryVersion()
	if err != nil {
		return err
	}
	told := &report.Ranks{Count: r.comm.Size(), Library: family, SmallestShare: mine[4], Phases: []report.RankPhase{}}
	sorted := 0
	for row := range slices.Chunk(all, len(mine)) {
		sorted += int(row[8])
		told.BytesSent = append(told.BytesSent, row[0])
		told.BytesReceived = append(told.BytesReceived, row[1])
		told.Device, told.Resident = append(told.Device, row[5]), append(told.Resident, row[6])
		told.Planned = append(told.Planned, row[7])
		told.Sort = append(told.Sort, time.Duration(row[2]).Seconds())
		told.Communication = append(told.Communication, time.Duration(row[3]).Seconds())
		told.LargestShare = max(told.LargestShare, row[4])
		told.SmallestShare = min(told.SmallestShare, row[4])
	}
	for _, p := range st.Phases {
		told.Phases = append(told.Phases, report.RankPhase{Phase: p.Phase, Seconds: p.Time.Seconds()})
	}
	r.Report.Ranks = told
	r.Session.Stats.Compute = time.Duration(r.Report.Seconds.Compute * float64(time.Second))
	r.Session.Stats.Algorithm, r.Session.Stats.Ranges = suffixcl.Algorithm(r.algorithm()), sorted
	r.Session.Stats.PeakBytes = tuned.PeakBytes(r.Session.Device)
	return r.Sink.Finish(out)
}

// Array is a verb that makes an array: compute returns the block of this rank from that of the suffix array.
func Array(ctx context.Context, j *job.Job, name, out string, inRanges operation.InRanges,
	compute func(r *Ranked, sa []uint64) ([]uint64, error)) error {
	width := inRanges.Width
	return runRanks(ctx, j, name, fmt.Sprint(out, " ", width), func(r *Ranked) error {
		r.Report.Width = width
		return r.result(out, width, inRanges, func(sa []uint64) ([]byte, error) {
			array, err := compute(r, sa)
			return encodeArray(array, width), err
		})
	})
}

// Transform is the transform; rank 0 writes the primary index.
func Transform(ctx context.Context, j *job.Job, name, out string) error {
	return runRanks(ctx, j, name, out, func(r *Ranked) error {
		err := r.result(out, 1, operation.TransformInRanges(), func(sa []uint64) ([]byte, error) {
			transform, at, err := r.Builder.BWT(r.Ctx, r.Block, sa)
			if err != nil {
				return nil, err
			}
			primary := int(at)
			r.Report.Primary = &primary
			return transform, nil
		})
		if err == nil && r.comm.Rank() == 0 && !r.Flags.JSON {
			err = cli.PrintResult("%d", *r.Report.Primary)
		}
		return err
	})
}

// Verify checks a suffix array.
func Verify(ctx context.Context, j *job.Job, name, saName string, width int) error {
	return runRanks(ctx, j, name, fmt.Sprint(saName, " ", width), func(r *Ranked) error {
		r.Report.Width = width
		sa, err := r.readArray(saName, width)
		if err := r.Builder.Agree(r.Ctx, err); err != nil {
			return err
		}
		err = cli.Timed(&r.Report.Seconds.Compute, func() error { return r.Builder.Verify(r.Ctx, r.Block, sa) })
		err = r.Source.WrongArray(err, source.ArrayNames{SA: saName})
		r.stats = r.Builder.Stats()
		if err != nil && !cli.IsMismatch(err) {
			return err
		}
		ok := err == nil
		if r.Report.OK = &ok; !ok {
			r.Report.Reason = err.Error()
		} else if r.comm.Rank() == 0 && !r.Flags.JSON {
			if err := cli.PrintResult("OK: %s is the suffix array of %s (%s)", saName, name,
				bytesize.Count(r.n, "byte")); err != nil {
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
func (r *Ranked) readArray(name string, width int) ([]uint64, error) {
	f, err := regular.Open(name)
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
			bytesize.Count(info.Size(), "byte"), bytesize.Count(r.n, "entry"), width, want)
	}
	part := make([]byte, len(r.Block)*width)
	if _, err := io.ReadFull(io.NewSectionReader(f, r.from*int64(width), int64(len(part))), part); err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", name, err)
	}
	sa := make([]uint64, len(r.Block))
	entries.Decode(sa, width, part)
	return sa, nil
}
