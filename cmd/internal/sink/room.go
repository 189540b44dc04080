package sink

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/suffixcl/suffixcl/cmd/internal/resume"
	"github.com/suffixcl/suffixcl/internal/cli"
)

// DiskNeed is what a job writes to a directory.
type DiskNeed struct {
	Dir   string
	Bytes int64
}

// File is the file that a job makes, by the names of its flags.
type File struct {
	Bytes       int64
	Out, Resume string
	AtMost      bool // it may have fewer bytes: there may be room, whatever they are
	Copies      int  // that --resume keeps at a time, if not its parts
}

// Needs are the bytes that the job adds, by directory: a temporary file next to the result, or what is kept for
// --resume, which is renamed where that is the same file system.
func (f File) Needs() (needs []DiskNeed) {
	dir := ""
	if out, err := cli.NewOutput(f.Out); f.Out != "" && err == nil {
		dir = out.Directory()
	}
	if f.Resume != "" {
		above := existing(f.Resume)
		need := DiskNeed{above, f.Bytes * int64(f.Copies)}
		if f.Copies == 0 {
			need.Bytes = max(f.Bytes-resume.Finished(f.Resume), 0)
		}
		needs = append(needs, need)
		if dir == "" || cli.SameFileSystem(above, dir) {
			return needs
		}
	}
	if dir != "" {
		needs = append(needs, DiskNeed{dir, f.Bytes})
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

// CheckRoom returns an error if a file system has no room for what the job writes there.
func (f File) CheckRoom() error {
	if f.AtMost {
		return nil
	}
	for _, need := range f.Needs() {
		if err := cli.CheckRoom(need.Dir, need.Bytes); err != nil {
			name := f.Out
			if f.Resume != "" && need.Dir == existing(f.Resume) {
				name = f.Resume
			}
			return fmt.Errorf("cannot write %s: %w", name, err)
		}
	}
	return nil
}
