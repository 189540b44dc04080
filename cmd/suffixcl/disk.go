package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/suffixcl/suffixcl/internal/cli"
)

// diskNeed is what a job writes to a directory.
type diskNeed struct {
	dir   string
	bytes int64
}

// resultFile is the file that a job makes, by the names of its flags.
type resultFile struct {
	bytes       int64
	out, resume string
}

// arrayFile is the result of a verb that makes an array.
func (f *jobFlags) arrayFile(width *entryWidth, out *string) func(*job) resultFile {
	return func(j *job) resultFile { return j.arrayFile(int(*width), *out) }
}

// arrayFile is an array that has an entry for each symbol of the text that was read.
func (j *job) arrayFile(width int, out string) resultFile {
	return resultFile{int64(j.report.Bytes/j.flags.symbolBytes()) * int64(width), out, j.flags.resume}
}

// needs are the bytes that the job adds, by directory: a temporary file next to the result, or what is kept for
// --resume, which is renamed where that is the same file system.
func (f resultFile) needs() (needs []diskNeed) {
	dir := ""
	if out, err := cli.NewOutput(f.out); f.out != "" && err == nil {
		dir = out.Directory()
	}
	if f.resume != "" {
		kept := existing(f.resume)
		there := int64(0)
		if data, err := readKept(filepath.Join(f.resume, keptState)); err == nil {
			var job keptJob
			if json.Unmarshal(data, &job) == nil {
				there = job.finished() // the file of ranks has holes
			}
		}
		needs = append(needs, diskNeed{kept, max(f.bytes-there, 0)})
		if dir == "" || cli.SameFileSystem(kept, dir) {
			return needs
		}
	}
	if dir != "" {
		needs = append(needs, diskNeed{dir, f.bytes})
	}
	return needs
}

// existing is a directory, or the nearest one above that there is.
func existing(dir string) string {
	for {
		if _, err := os.Stat(dir); err == nil {
			return dir
		}
		above := filepath.Dir(dir)
		if above == dir {
			return dir
		}
		dir = above
	}
}

// checkRoom returns an error if a file system has no room for what the job writes there.
func (f resultFile) checkRoom() error {
	for _, need := range f.needs() {
		if err := cli.CheckRoom(need.dir, need.bytes); err != nil {
			name := f.out
			if f.resume != "" && need.dir == existing(f.resume) {
				name = f.resume
			}
			return fmt.Errorf("cannot write %s: %w", name, err)
		}
	}
	return nil
}
