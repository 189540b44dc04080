package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

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
			files = append(files, File{path, below})
		}
		return nil
	})
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("%s has no files", dir)
	}
	return files, err
}

// aheadOfTurn is how much of a file is read before its turn: files may be many, and short.
const aheadOfTurn = 1 << 20

// EachText opens the texts of files, some on each processor before their turn, and gives them to use in order; it
// closes them. Errors: the first of a file or of use.
func EachText(ctx context.Context, files []File, o InputOptions, use func(file File, in *Input) error) error {
	type opened struct {
		in  *Input
		err error
	}
	open := func(i int) (t opened) {
		t.in, t.err = OpenText(ctx, files[i].Path, o)
		if t.err == nil {
			t.in.ReadAhead(aheadOfTurn)
		}
		return t
	}
	closeOne := func(t opened) {
		if t.err == nil {
			t.in.Close()
		}
	}
	return parallel.InOrder(len(files), 2*runtime.GOMAXPROCS(0), open, func(i int, t opened) error {
		if t.err != nil {
			return t.err
		}
		defer closeOne(t)
		return use(files[i], t.in)
	}, closeOne)
}

// walk calls f with all that is below a directory, through links, but for directories; or with why something cannot be
// read.
func walk(dir string, f func(path, below string, info fs.FileInfo, err error) error) error {
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return f(dir, "", nil, err)
	}
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		below, _ := filepath.Rel(root, path)
		var info fs.FileInfo
		if err == nil {
			if entry.IsDir() {
				return nil
			}
			info, err = os.Stat(path)
		}
		return f(filepath.Join(dir, below), below, info, err)
	})
}
