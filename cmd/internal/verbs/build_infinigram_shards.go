package verbs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/resume"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/internal/atomicfile"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
)

// addShards declares the flags for several indexes in one directory.
func (f *infiniGramFlags) addShards(v *verb.Verb) {
	v.Flags().IntVar(&f.shards, "shards", 0, "make so many indexes, DIR/00 and so on, each of some of the files")
	v.Flags().Var((*cli.Directory)(&f.resume), "resume",
		"directory that keeps which shards are finished; a job that was ended goes on from there")
	v.Writes = append(v.Writes, cli.Writes("resume", "state of the job"))
}

// wrongShards tells of flags that do not go together.
func (f *infiniGramFlags) wrongShards() error {
	switch {
	case f.shards < 0 || f.shards > maxShards:
		return cli.Usage("--shards %d: 1 to %d, or 0 for an index in DIR itself", f.shards, maxShards)
	case f.shards == 0 && f.resume != "":
		return cli.Usage("--resume is for --shards")
	case f.shards > 0 && f.only.Value != stageAll:
		return cli.Usage("--shards makes all stages")
	case f.shards > 0 && f.force:
		return cli.Usage("--force does not go with --shards: remove shards that are there")
	}
	return nil
}

// maxShards have names of four digits at most.
const maxShards = 10000

// unfinishedShard begins the name of a shard that is being made.
const unfinishedShard = "shard-"

// miniShards is a run of the verb that makes several indexes.
type miniShards struct {
	*job.Job
	flags  *infiniGramFlags
	inputs []string
	dir    string
	files  [][]cli.File // of each shard
	// sources are what the files were when the run began, in their order.
	sources []resume.Source
}

func newMiniShards(j *job.Job, flags *infiniGramFlags, args []string) (*miniShards, error) {
	last := len(args) - 1
	s := &miniShards{Job: j, flags: flags, inputs: args[:last], dir: args[last]}
	var all []cli.File
	for _, name := range s.inputs {
		files, err := inputFiles(name)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			source, err := resume.SourceOf(file.Path)
			if err != nil {
				return nil, err
			}
			file.Size = source.Size
			all, s.sources = append(all, file), append(s.sources, source)
		}
	}
	if len(all) < flags.shards {
		return nil, cli.Usage("--shards %d: there are only %s", flags.shards, bytesize.Count(len(all), "file"))
	}
	s.files = splitFiles(all, flags.shards)
	return s, nil
}

// splitFiles gives each of n shards some of the files that follow, so that they have about as many bytes.
func splitFiles(files []cli.File, n int) (shards [][]cli.File) {
	left := int64(0)
	for _, file := range files {
		left += file.Size
	}
	for ; n > 0; n-- {
		size, end := files[0].Size, 1
		for len(files)-end > n-1 && (n == 1 || size+files[end].Size/2 <= left/int64(n)) {
			size += files[end].Size
			end++
		}
		shards, files, left = append(shards, files[:end]), files[end:], left-size
	}
	return shards
}

// name is that of a shard.
func (s *miniShards) name(k int) string {
	return filepath.Join(s.dir, fmt.Sprintf("%0*d", max(2, len(fmt.Sprint(len(s.files)-1))), k))
}

// shard is the run of a shard in a directory.
func (s *miniShards) shard(k int, dir string) *miniGram {
	return &miniGram{Job: s.Job, flags: s.flags, inputs: s.inputs, shard: s.files[k], dir: dir}
}

// largest is the shard of the most bytes, whose memory is planned.
func (s *miniShards) largest() *miniGram {
	size := func(files []cli.File) (n int64) {
		for _, file := range files {
			n += file.Size
		}
		return n
	}
	most := 0
	for k := range s.files {
		if size(s.files[k]) > size(s.files[most]) {
			most = k
		}
	}
	return s.shard(most, s.name(most))
}

// job is what has to be the same to go on.
func (s *miniShards) job() (resume.ShardsJob, error) {
	f := s.flags
	j := resume.ShardsJob{Verb: s.Report.Verb, Options: map[string]any{"input": f.input.Value, "field": f.field,
		"keep": f.keep, "zero-end": f.zero, "raw": f.Raw}}
	var err error
	if j.Output, err = filepath.Abs(s.dir); err != nil {
		return j, err
	}
	left := s.sources
	for _, files := range s.files {
		j.Shards = append(j.Shards, left[:len(files)])
		left = left[len(files):]
	}
	return j, nil
}

// run makes the shards that are not there yet.
func (s *miniShards) run(ctx context.Context) error {
	remove, err := makeFolder(s.dir)
	if err != nil {
		return err
	}
	defer remove()
	var kept *resume.Shards
	if s.flags.resume != "" {
		job, err := s.job()
		if err != nil {
			return err
		}
		if kept, err = resume.OpenShards(s.flags.resume, job); err != nil {
			return err
		}
		defer kept.Close()
		for _, name := range atomicfile.Unfinished(s.dir, isUnfinishedShard) { // of killed processes
			if err := os.RemoveAll(name); err != nil {
				return err
			}
		}
	}
	first := 0
	if kept != nil {
		for ; first < len(s.files); first++ {
			if finished, err := kept.Finished(first, s.name(first)); err != nil {
				return fmt.Errorf("--resume %s: %w", s.flags.resume, cli.WithoutPath(err))
			} else if !finished {
				break
			}
		}
		if first > 0 {
			s.Session.Note("%d of %s were finished", first, bytesize.Count(len(s.files), "shard"))
			s.Report.File = s.inputs[0]
		}
	}
	for k := first; k < len(s.files); k++ {
		if _, err := os.Lstat(s.name(k)); !errors.Is(err, fs.ErrNotExist) {
			return cmp.Or(err, fmt.Errorf("%s exists: remove it to make it again", s.name(k)))
		}
	}
	for k := first; k < len(s.files); k++ {
		if err := s.make(ctx, k, kept); err != nil {
			if k > 0 {
				return fmt.Errorf("shard %d: %w; shards before it are finished in %s", k, err, s.dir)
			}
			return err
		}
	}
	return s.Sink.Finish(&cli.Output{Name: s.dir})
}

func isUnfinishedShard(name string) bool { return strings.HasPrefix(name, unfinishedShard) }

// make makes a shard under a hidden name.
func (s *miniShards) make(ctx context.Context, k int, kept *resume.Shards) error {
	hidden, err := os.MkdirTemp(s.dir, "."+unfinishedShard+filepath.Base(s.name(k))+"-*")
	if err != nil {
		return fmt.Errorf("cannot write %s: %w", s.dir, cli.WithoutPath(err))
	}
	defer os.RemoveAll(hidden) // it is not there, if the shard has its name
	info, err := os.Stat(s.dir)
	if err == nil {
		err = os.Chmod(hidden, info.Mode().Perm()) // which the umask has been taken from
	}
	if err != nil {
		return err
	}
	if err := s.shard(k, hidden).make(ctx); err != nil {
		return err
	}
	if kept != nil {
		if err := kept.Finish(k, hidden); err != nil {
			return err
		}
	}
	if err := os.Rename(hidden, s.name(k)); err != nil {
		return fmt.Errorf("cannot write %s: %w", s.name(k), cli.WithoutPath(err))
	}
	debug.FreeOSMemory() // the plan is that of a shard: the texts of this one go before the next are read
	return nil
}
