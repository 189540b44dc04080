package resume

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/suffixcl/suffixcl/internal/atomicfile"
	"github.com/suffixcl/suffixcl/internal/cli"
)

// Shards is a job that makes directories, one after the other. A directory gets its name when it is whole. What they
// are made of, and which are finished, is in a directory of its own.
type Shards struct {
	dir  string
	lock *os.File
	kept shardsState
}

// shardsState is ShardsFile, the file of the directory besides the lock.
type shardsState struct {
	Version  int       `json:"suffixcl_resume"`
	Job      ShardsJob `json:"job"`
	Finished [][]Made  `json:"finished"` // shards that have their name, or are about to get it
	Made     bool      `json:"made,omitempty"`
}

// ShardsJob is what has to be the same for a job to go on.
type ShardsJob struct {
	Verb    string         `json:"verb"`
	Output  string         `json:"output"` // the directory of the shards
	Options map[string]any `json:"options"`
	Shards  [][]Source     `json:"shards"` // what each is made of
}

// Source is a file that is read. Files of a web-scale corpus are not read twice: size and time tell that one changed.
type Source struct {
	Name    string    `json:"name"`
	Size    int64     `json:"size"`
	Changed time.Time `json:"changed"`
}

// SourceOf is a regular file.
func SourceOf(name string) (Source, error) {
	info, err := os.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is no regular file, which can be read again")
	}
	if err != nil {
		return Source{}, fmt.Errorf("cannot read %s: %w", name, cli.WithoutPath(err))
	}
	return Source{name, info.Size(), info.ModTime().UTC()}, nil
}

// Made is a file of a shard.
type Made struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
}

// OpenShards locks the directory, which is made, and reads what is there. The job must be the same, and the files of
// the shards that are finished. Close must be called.
func OpenShards(dir string, job ShardsJob) (_ *Shards, err error) {
	s := &Shards{dir: dir, kept: shardsState{Version: Version, Job: job}}
	var names []string
	for _, shard := range job.Shards {
		for _, source := range shard {
			names = append(names, source.Name)
		}
	}
	if s.lock, s.kept.Made, err = enter(dir, names); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("--resume %s: %w", dir, cli.WithoutPath(err))
			s.Close()
		}
	}()
	unfinished := atomicfile.Unfinished(dir, func(name string) bool { return name == ShardsFile }) // of killed processes
	if err := removeAll(unfinished...); err != nil {
		return nil, err
	}
	data, err := ReadFile(s.path())
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	var kept shardsState
	if err := json.Unmarshal(data, &kept); err != nil || kept.Version != Version ||
		len(kept.Finished) > len(kept.Job.Shards) {
		return nil, fmt.Errorf("%s is not one of this version", ShardsFile)
	}
	made := s.kept.Made || kept.Made
	if len(kept.Finished) > 0 {
		if err := kept.Job.same(job, len(kept.Finished)); err != nil {
			return nil, err
		}
		s.kept.Finished = kept.Finished
	}
	s.kept.Made = made
	return s, nil
}

// same returns an error that names the first difference. Files of shards that are not finished may be others.
func (then *ShardsJob) same(now ShardsJob, finished int) error {
	const another = "the job there is another: "
	switch {
	case then.Verb != now.Verb:
		return cli.Usage(another+"its verb is %s, not %s", then.Verb, now.Verb)
	case then.Output != now.Output:
		return cli.Usage(another+"its directory is %s, not %s", then.Output, now.Output)
	case len(then.Shards) != len(now.Shards):
		return cli.Usage(another+"it has %d shards, not %d", len(then.Shards), len(now.Shards))
	}
	for name, value := range now.Options {
		if then.Options[name] != value {
			return cli.Usage(another+"its --%s is %v, not %v", name, then.Options[name], value)
		}
	}
	for k, shard := range now.Shards[:finished] {
		for i, source := range shard {
			if i >= len(then.Shards[k]) || !then.Shards[k][i].same(source) {
				return cli.Usage(another+"%s is not in shard %d there, or was changed", source.Name, k)
			}
		}
		if len(shard) < len(then.Shards[k]) {
			return cli.Usage(another+"%s is missing in shard %d", then.Shards[k][len(shard)].Name, k)
		}
	}
	return nil
}

func (s Source) same(other Source) bool {
	return s.Name == other.Name && s.Size == other.Size && s.Changed.Equal(other.Changed)
}

// Finished tells whether shard k has its name: they are asked for in order. It does not if a process was killed before.
// Errors: a shard that is not what was written.
func (s *Shards) Finished(k int, dir string) (bool, error) {
	if k >= len(s.kept.Finished) {
		return false, nil
	}
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		s.kept.Finished = s.kept.Finished[:k]
		return false, nil
	}
	there, err := filesIn(dir)
	if err != nil {
		return false, err
	}
	if !slices.Equal(there, s.kept.Finished[k]) {
		return false, fmt.Errorf("%s is not what was written: remove it to make it again", dir)
	}
	return true, nil
}

// Finish keeps that shard k, which is on disk in a directory, is about to get its name.
func (s *Shards) Finish(k int, dir string) error {
	files, err := filesIn(dir)
	if err != nil {
		return err
	}
	s.kept.Finished = append(s.kept.Finished[:k:k], files)
	data, err := json.Marshal(s.kept)
	if err == nil {
		err = atomicfile.WriteFile(s.path(), data, 0o666)
	}
	if err != nil {
		return fmt.Errorf("--resume %s: %w", s.dir, cli.WithoutPath(err))
	}
	return nil
}

func filesIn(dir string) (files []Made, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			return nil, err
		}
		files = append(files, Made{e.Name(), info.Size()})
	}
	return files, nil
}

func (s *Shards) path() string { return filepath.Join(s.dir, ShardsFile) }

// Close gives up the lock. What is finished stays, also after the last shard: a process that is killed then has done
// all, and the next one has to know.
func (s *Shards) Close() { leave(s.dir, s.lock, s.kept.Made, ShardsFile) }
