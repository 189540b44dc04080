package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/suffixcl/suffixcl/internal/cli"
)

// isDirectory tells whether a name is that of a directory, or of a link to one.
func isDirectory(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// eachFile calls f with the regular files below a directory, and those that links there lead to, in the order of their
// paths; below is the path from the directory. Errors: those of f; a link that leads nowhere, or to a directory; no
// file.
func eachFile(dir string, f func(path, below string) error) error {
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", dir, cli.WithoutPath(err))
	}
	files := 0
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		below, _ := filepath.Rel(root, path)
		name := filepath.Join(dir, below)
		if err != nil {
			return fmt.Errorf("cannot read %s: %w", name, cli.WithoutPath(err))
		}
		if entry.IsDir() {
			return nil
		}
		info, err := os.Stat(path)
		switch {
		case err != nil:
			return fmt.Errorf("cannot read %s: %w", name, cli.WithoutPath(err))
		case info.IsDir():
			return fmt.Errorf("cannot read %s: it is a link to a directory", name)
		case !info.Mode().IsRegular():
			return nil
		}
		files++
		return f(name, below)
	})
	if err == nil && files == 0 {
		err = fmt.Errorf("%s has no files", dir)
	}
	return err
}
