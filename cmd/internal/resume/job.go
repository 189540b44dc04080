// Package resume keeps the finished ranges of a job in a directory, so that the job goes
// on from there.
package resume

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
	"slices"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/distributed"
	"github.com/suffixcl/suffixcl/internal/atomicfile"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// Job is a job in ranges whose finished ones are in a directory.
type Job struct {
	dir     string
	lock    *os.File  // held while a job runs
	Result  *os.File  // of the ranges that are finished; nil once the job is
	written *Digester // the result, of a job without ranks
	State   state
}

// Files of the directory.
const (
	lockName   = "suffixcl-lock"
	StateFile  = "suffixcl-job.json" // what the job is, and how far it has come
	ResultFile = "suffixcl-result"
	ShardsFile = "suffixcl-shards.json" // of a job of shards
)

// state is the file of that name. It is there from the beginning: a result belongs to it.
type state struct {
	Version int                 `json:"suffixcl_resume"`
	Job     Identity            `json:"job"`
	State   suffixcl.RangeState `json:"state"`
	// Ranks is the state of a job of ranks, whose ranges are finished in any order.
	Ranks distributed.RangeState `json:"ranks,omitzero"`
	// Digests are those of finished ranges; those of ranks are in files of their own.
	Digests []digest `json:"digests,omitempty"`
	// Made tells that the directory was made for the job: it is removed in the end.
	Made bool `json:"made,omitempty"`
	// Complete tells that the result is about to get its name, or has it.
	Complete bool `json:"complete,omitempty"`
}

// finished are the bytes of finished ranges.
func (k *state) finished() int64 {
	bytes := int64(k.State.First)
	if k.Job.Verb == "bwt" {
		bytes = int64(k.State.TransformLen())
	}
	for _, size := range k.Ranks.Sizes {
		bytes += int64(max(size, 0))
	}
	return bytes * int64(k.Job.Width)
}

// Finished are the bytes of finished ranges in a directory. The file of ranks has holes.
func Finished(dir string) int64 {
	var job state
	data, err := ReadFile(filepath.Join(dir, StateFile))
	if err != nil || json.Unmarshal(data, &job) != nil {
		return 0
	}
	return job.finished()
}

// Identity is what has to be the same for a job to go on.
type Identity struct {
	Verb      string `json:"verb"`
	Width     int    `json:"width"`
	Bytes     int    `json:"bytes"`
	Checksum  string `json:"checksum"`
	Device    string `json:"device"`
	Driver    string `json:"driver"`
	MaxMemory int64  `json:"max_memory"`
	MPI       bool   `json:"mpi,omitempty"`
}

// Version is that of the files of a directory.
const Version = 3

// Open locks the directory, which is made, and reads what is there. files are the text and the results.
func Open(dir string, job Identity, files ...string) (_ *Job, err error) {
	lock, made, err := enter(dir, files)
	if err != nil {
		return nil, err
	}
	r := &Job{dir: dir, lock: lock, State: state{Version: Version, Job: job, Made: made}}
	defer func() {
		if err != nil {
			err = fmt.Errorf("--resume %s: %w", dir, cli.WithoutPath(err))
			r.Close()
		}
	}()
	there, err := r.load()
	if err != nil {
		return nil, err
	}
	mode := os.O_RDWR
	if !there {
		if err := removeAll(sideFiles(dir)...); err != nil {
			return nil, err
		}
		if err := r.keep(); err != nil {
			return nil, err
		}
		mode |= os.O_CREATE | os.O_TRUNC
	}
	if r.Result, err = OpenFile(r.path(ResultFile), mode); err != nil {
		return nil, err
	}
	if err := r.rewind(there); err != nil {
		return nil, err
	}
	r.written = &Digester{To: &cli.PieceWriter{File: atomicfile.Limit(r.Result), At: r.State.finished()},
		done: r.State.Digests}
	return r, nil
}

// enter locks a directory, and makes it if it is not there. files are the texts and the results.
func enter(dir string, files []string) (lock *os.File, made bool, err error) {
	_, missing := os.Stat(dir)
	if err := cli.MakeOwnDirectory(dir); err != nil {
		return nil, false, err
	}
	if err := checkKeeper(dir); err != nil {
		return nil, false, cli.Usage("--resume %s: %w", dir, err)
	}
	for _, name := range files {
		if err := notKept(dir, name); err != nil {
			if missing != nil {
				os.Remove(dir)
			}
			return nil, false, err
		}
	}
	if lock, err = lockFile(filepath.Join(dir, lockName)); err != nil {
		return nil, false, fmt.Errorf("--resume %s: %w", dir, err)
	}
	return lock, missing != nil, nil
}

// leave gives a directory back. It goes, if it was made for the job and nothing is in it.
func leave(dir string, lock *os.File, made bool, stateFile string) {
	if _, err := os.Stat(filepath.Join(dir, stateFile)); err != nil {
		os.Remove(filepath.Join(dir, lockName)) // where an open file can be removed; it does no harm
	}
	unlockFile(lock)
	if made {
		os.Remove(dir)
	}
}

// notKept returns an error for a file that a directory keeps a job in.
func notKept(dir, name string) error {
	if name == "" || name == "-" || !isKept(filepath.Base(name)) {
		return nil
	}
	kept, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if above, err := os.Stat(filepath.Dir(name)); err == nil && os.SameFile(kept, above) {
		return cli.Usage("--resume %s keeps the job in %s", dir, name)
	}
	return nil
}

// isKept tells whether a file of a directory that keeps a job may have that name.
func isKept(name string) bool {
	return slices.Contains([]string{lockName, StateFile, ResultFile, GenomesFile, ShardsFile}, name) || isDigests(name) ||
		isIndex(name)
}

// load reads the state of an earlier job, unless it has finished nothing, or all.
func (r *Job) load() (there bool, err error) {
	result, missing := os.Lstat(r.path(ResultFile))
	data, err := ReadFile(r.path(StateFile))
	switch {
	case errors.Is(err, fs.ErrNotExist) && missing == nil && result.Mode().IsRegular() && result.Size() > 0:
		return false, fmt.Errorf("%s is there without its %s", ResultFile, StateFile)
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	}
	var kept state
	if err := json.Unmarshal(data, &kept); err != nil || kept.Version != Version {
		return false, fmt.Errorf("%s is not one of this version", StateFile)
	}
	r.State.Made = r.State.Made || kept.Made
	if kept.finished() == 0 || kept.Complete && errors.Is(missing, fs.ErrNotExist) {
		return false, nil
	}
	if err := kept.Job.same(r.State.Job); err != nil {
		return false, err
	}
	r.State = kept
	return true, nil
}

// rewind drops what follows the finished ranges. Those of ranks have their places in a file that is as long as the
// result from the beginning.
func (r *Job) rewind(there bool) error {
	info, err := r.Result.Stat()
	if err != nil {
		return err
	}
	want := r.State.finished()
	if r.State.Job.MPI {
		want = int64(r.State.Job.Bytes) * int64(r.State.Job.Width)
	}
	if there && info.Size() < want {
		return fmt.Errorf("%s has %s, and %s tells of %d", ResultFile, bytesize.Count(info.Size(), "byte"), StateFile,
			want)
	}
	if there {
		if err := r.check(); err != nil {
			return err
		}
	}
	return atomicfile.Limit(r.Result).Truncate(want)
}

// check returns an error if the finished ranges are not what was written.
func (r *Job) check() error {
	digests, want := r.State.Digests, r.State.finished()
	if r.State.Job.MPI {
		var err error
		want = 1 // ranges have not all their own places: one more or less
		if digests, err = readDigests(digestFiles(r.dir)...); err != nil {
			return err
		}
	}
	return checkDigests(r.Result, digests, want)
}

// Writer goes on after the finished ranges.
func (r *Job) Writer() io.Writer { return r.written }

// same returns an error that names the first difference.
func (j Identity) same(now Identity) error {
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

// Saved keeps the state, once the result is on disk.
func (r *Job) Saved(state suffixcl.RangeState) error {
	if err := r.Result.Sync(); err != nil {
		return err
	}
	r.State.State, r.State.Digests = state, r.written.Cut()
	return r.keep()
}

// SavedRanks keeps the state of ranks, whose results are on disk.
func (r *Job) SavedRanks(state distributed.RangeState) error {
	r.State.Ranks = state
	return r.keep()
}

// keep writes the state.
func (r *Job) keep() error {
	data, err := json.Marshal(r.State)
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(r.path(StateFile), data, 0o666)
}

func (r *Job) path(name string) string { return filepath.Join(r.dir, name) }

// Close gives up the lock. What is finished stays.
func (r *Job) Close() {
	if r.Result != nil {
		r.Result.Close()
		if r.State.finished() == 0 {
			_ = r.removeKept()
		}
	}
	leave(r.dir, r.lock, r.State.Made, StateFile)
}

// Finish makes the result the output, with more outputs that are written, and removes the rest.
func (r *Job) Finish(ctx context.Context, out *cli.Output, more ...*cli.Output) error {
	if err := r.Result.Sync(); err != nil {
		return err
	}
	r.State.Complete = true
	if err := r.keep(); err != nil {
		return err
	}
	err := r.Result.Close()
	r.Result = nil
	if err != nil {
		return err
	}
	if !out.IsFile() || out.Adopt(r.path(ResultFile)) != nil { // on another file system, for one
		defer out.Discard()
		if err := out.Write(ctx, r.copyTo); err != nil {
			return err
		}
		more = append(more, out)
	}
	if err := cli.Commit(more...); err != nil {
		return err
	}
	return r.removeKept()
}

// removeKept removes the files of the job but its lock.
func (r *Job) removeKept() error {
	return removeAll(append(sideFiles(r.dir), r.path(ResultFile), r.path(StateFile))...)
}

// sideFiles are those of digests, and what processes that were killed have left.
func sideFiles(dir string) []string {
	return append(digestFiles(dir), atomicfile.Unfinished(dir, isKept)...)
}

// removeAll removes files that are there.
func removeAll(names ...string) error {
	for _, name := range names {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// copyTo copies the result.
func (r *Job) copyTo(w io.Writer) error {
	f, err := OpenFile(r.path(ResultFile), os.O_RDONLY)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.CopyBuffer(w, struct{ io.Reader }{f}, make([]byte, cli.WriteChunk))
	return err
}

// checksumPiece is how much of a text is hashed at a time.
const checksumPiece = 16 << 20

// Checksum is SHA-256 of that of all pieces of a text.
func Checksum(text []byte) string {
	sum, _ := ChecksumAt(bytes.NewReader(text), len(text)) // which has no errors
	return sum
}

// ChecksumAt is that of a text of n bytes that is read.
func ChecksumAt(text io.ReaderAt, n int) (string, error) {
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
