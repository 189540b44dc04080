package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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

// EachFile calls f with the regular files below a directory, and those that links there lead to, in the order of their
// paths; below is the path from the directory. Errors: those of f; a link that leads nowhere, or to a directory; no
// file.
func EachFile(dir string, f func(path, below string) error) error {
	files := 0
	err := walk(dir, func(path, below string, info fs.FileInfo, err error) error {
		if err == nil && info.IsDir() {
			err = errors.New("it is a link to a directory")
		}
		switch {
		case err != nil:
			return fmt.Errorf("cannot read %s: %w", path, WithoutPath(err))
		case !info.Mode().IsRegular():
			return nil
		}
		files++
		return f(path, below)
	})
	if err == nil && files == 0 {
		err = fmt.Errorf("%s has no files", dir)
	}
	return err
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
