package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/suffixcl/suffixcl/internal/parallel"
)

// IsDirectory tells whether a name is that of a directory, or of a link to one.
func IsDirectory(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// Inside tells whether a name, of what is there or may be, is that of a directory or of something in it, through links.
func Inside(dir, name string) bool {
	top, err := os.Stat(dir)
	if err != nil {
		return false
	}
	if name, err = filepath.Abs(name); err != nil {
		return false
	}
	for at := name; ; at = filepath.Dir(at) { // the last that is there
		if there, err := filepath.EvalSymlinks(at); err == nil {
			name = there
			break
		} else if at == filepath.Dir(at) {
			return false
		}
	}
	for {
		if info, err := os.Stat(name); err == nil && os.SameFile(top, info) {
			return true
		}
		parent := filepath.Dir(name)
		if parent == name {
			return false
		}
		name = parent
	}
}

// File is a file below a directory.
type File struct {
	Path  string
	Below string // the path from the directory
	Size  int64  // bytes; 0 if it is not known
}

// Files lists the regular files below a directory, and those that links there lead to, in the order of their paths.
// Errors: a link that leads nowhere, or to a directory; no file.
func Files(dir string) (files []File, err error) {
	err = walk(dir, func(path, below string, info fs.FileInfo, err error) error {
		if err == nil && info.IsDir() {
			err = errors.New("it is a link to a directory")
		}
		if err != nil {
			return fmt.Errorf("cannot read %s: %w", path, WithoutPath(err))
		}
		if info.Mode().IsRegular() {
			files = append(files, File{path, below, info.Size()})
		}
		return nil
	})
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s has no files", dir)
	}
	return files, err
}

// walk calls f with all that is below a directory, through links, but for directories; or with why something cannot be
// read. It asks for many of them at once, in the order of their paths.
func walk(dir string, f func(path, below string, info fs.FileInfo, err error) error) error {
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return f(dir, "", nil, err)
	}
	type found struct {
		path string
		info fs.FileInfo
		err  error
	}
	var some []found
	end := func() error {
		parallel.Do(len(some), leastAsked, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				if one := &some[i]; one.err == nil {
					one.info, one.err = os.Stat(one.path)
				}
			}
		})
		for _, one := range some {
			below, _ := filepath.Rel(root, one.path)
			if err := f(filepath.Join(dir, below), below, one.info, one.err); err != nil {
				return err
			}
		}
		some = some[:0]
		return nil
	}
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			return nil
		}
		if some = append(some, found{path: path, err: err}); len(some) < mostAsked {
			return nil
		}
		return end()
	})
	if err == nil {
		err = end()
	}
	if err == fs.SkipAll {
		err = nil
	}
	return err
}

// mostAsked is how many files are asked for at once, and leastAsked how many are worth a processor.
const mostAsked, leastAsked = 1 << 14, 64
