package main

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/distributed"
	"github.com/suffixcl/suffixcl/internal/atomicfile"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// addRanges declares what verbs have that sort in ranges: several devices, a directory of what was finished.
func (f *jobFlags) addRanges(flags *pflag.FlagSet) {
	f.several = true
	flags.Lookup("device").Usage =
		`device: index, words of its name, "gpu", "cpu", "auto", several with commas, "all" (default $SUFFIXCL_DEVICE, else auto)`
	flags.Var((*cli.FileName)(&f.resume), "resume",
		"directory that keeps finished ranges; a job that was ended goes on from there (sorts in ranges)")
}

// resumption is a job in ranges whose finished ones are in a directory:
//
//	lock      held while a job runs
//	job.json  what the job is, and how far it has come
//	result    of the ranges that are finished
type resumption struct {
	dir    string
	of     rangesResult
	lock   *os.File
	result *os.File
	kept   keptJob
}

// keptJob is job.json.
type keptJob struct {
	Version int                 `json:"suffixcl_resume"`
	Job     resumedJob          `json:"job"`
	State   suffixcl.RangeState `json:"state"`
	// Ranks is the state of a job of ranks, whose ranges are finished in any order.
	Ranks distributed.RangeState `json:"ranks,omitzero"`
}

// resumedJob is what has to be the same for a job to go on.
type resumedJob struct {
	Verb      string `json:"verb"`
	Width     int    `json:"width"`
	Bytes     int    `json:"bytes"`
	Checksum  string `json:"checksum"`
	Device    string `json:"device"`
	Driver    string `json:"driver"`
	MaxMemory int64  `json:"max_memory"`
	MPI       bool   `json:"mpi,omitempty"`
}

const (
	resumeVersion = 1
	resumedResult = "result"
)

// openResumption locks the directory, which is made, and reads what is there.
func openResumption(dir string, of rangesResult, job resumedJob) (_ *resumption, err error) {
	if err := cli.MakeDirectory(dir); err != nil {
		return nil, err
	}
	r := &resumption{dir: dir, of: of, kept: keptJob{Version: resumeVersion, Job: job}}
	if r.lock, err = lockFile(r.path("lock")); err != nil {
		return nil, fmt.Errorf("--resume %s: %w", dir, err)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("--resume %s: %w", dir, cli.WithoutPath(err))
			r.close()
		}
	}()
	data, err := os.ReadFile(r.path("job.json"))
	switch {
	case err == nil:
		var kept keptJob
		if err := json.Unmarshal(data, &kept); err != nil || kept.Version != resumeVersion {
			return nil, errors.New("job.json is not one of this version")
		}
		if err := kept.Job.same(job); err != nil {
			return nil, err
		}
		r.kept = kept
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	if r.result, err = os.OpenFile(r.path(resumedResult), os.O_RDWR|os.O_CREATE, 0o666); err != nil {
		return nil, err
	}
	return r, r.rewind()
}

// rewind drops what follows the finished ranges. Those of ranks have their places.
func (r *resumption) rewind() error {
	info, err := r.result.Stat()
	if err != nil {
		return err
	}
	want := r.of.bytes(r.kept.State)
	if r.kept.Job.MPI {
		want = r.of.leastBytes(r.kept.Ranks)
	}
	switch {
	case info.Size() < want:
		return fmt.Errorf("result has %d bytes, and job.json tells of %d", info.Size(), want)
	case r.kept.Job.MPI:
		return nil
	}
	return r.result.Truncate(want)
}

// writer goes on after the finished ranges.
func (r *resumption) writer() io.Writer {
	return &cli.PieceWriter{File: r.result, At: r.of.bytes(r.kept.State)}
}

// same returns an error that names the first difference.
func (j resumedJob) same(now resumedJob) error {
	for _, f := range []struct {
		what      string
		then, now any
	}{
		{"verb", j.Verb, now.Verb}, {"--width", j.Width, now.Width}, {"length of the text", j.Bytes, now.Bytes},
		{"checksum of the text", j.Checksum, now.Checksum}, {"device", j.Device, now.Device},
		{"driver", j.Driver, now.Driver}, {"--max-mem", j.MaxMemory, now.MaxMemory}, {"--mpi", j.MPI, now.MPI},
	} {
		if f.then != f.now {
			return cli.Usage("the job there is another: its %s is %v, not %v", f.what, f.then, f.now)
		}
	}
	return nil
}

// saved keeps the state, once the result is on disk.
func (r *resumption) saved(state suffixcl.RangeState) error {
	if err := r.result.Sync(); err != nil {
		return err
	}
	r.kept.State = state
	return r.keep()
}

// savedRanks keeps the state of ranks, whose results are on disk.
func (r *resumption) savedRanks(state distributed.RangeState) error {
	r.kept.Ranks = state
	return r.keep()
}

// keep writes job.json.
func (r *resumption) keep() error {
	data, err := json.Marshal(r.kept)
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(r.path("job.json"), data, 0o666)
}

func (r *resumption) path(name string) string { return filepath.Join(r.dir, name) }

// close gives up the lock. What is finished stays.
func (r *resumption) close() {
	if r.result != nil {
		r.result.Close()
	}
	unlockFile(r.lock)
}

// finish makes the result the output, and removes the rest.
func (r *resumption) finish(ctx context.Context, out *cli.Output) error {
	if err := r.result.Sync(); err != nil {
		return err
	}
	if !out.IsFile() || os.Rename(r.path(resumedResult), out.Name) != nil { // on another file system, for one
		if _, err := r.result.Seek(0, io.SeekStart); err != nil {
			return err
		}
		defer out.Discard()
		err := out.Write(ctx, func(w io.Writer) error {
			_, err := io.CopyBuffer(w, struct{ io.Reader }{r.result}, make([]byte, writeChunk))
			return err
		})
		if err != nil {
			return err
		}
		if err := cli.Commit(out); err != nil {
			return err
		}
	}
	for _, name := range []string{"job.json", resumedResult, "lock"} {
		if err := os.Remove(r.path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	os.Remove(r.dir) // unless there is something else
	return nil
}

// checksumPiece is how much of a text is hashed at a time.
const checksumPiece = 16 << 20

// checksum is SHA-256 of that of all pieces of a text.
func checksum(text []byte) string {
	sum, _ := checksumAt(bytes.NewReader(text), len(text)) // which has no errors
	return sum
}

// checksumAt is that of a text of n bytes that is read.
func checksumAt(text io.ReaderAt, n int) (string, error) {
	pieces := (n + checksumPiece - 1) / checksumPiece
	sums := make([][sha256.Size]byte, pieces)
	err := parallel.Try(pieces, 1, func(lo, hi int) error {
		for i := lo; i < hi; i++ {
			h, at := sha256.New(), int64(i)*checksumPiece
			length := min(checksumPiece, int64(n)-at)
			if copied, err := io.Copy(h, io.NewSectionReader(text, at, length)); err != nil || copied < length {
				return cmp.Or(err, io.ErrUnexpectedEOF)
			}
			h.Sum(sums[i][:0])
		}
		return nil
	})
	all := sha256.New()
	for _, sum := range sums {
		all.Write(sum[:])
	}
	return hex.EncodeToString(all.Sum(nil)), err
}
