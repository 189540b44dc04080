package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"

	"golang.org/x/sync/errgroup"
)

// CommitAll gives several files their names, in order: all of them or none. No file system does that at once, so files
// that are replaced keep a second, hidden name until all new ones are in place; after a failure they get their first
// names back. An interruption in between leaves them under that name.
func CommitAll(files ...*File) (err error) {
	if len(files) == 1 {
		return files[0].Commit()
	}
	defer func() {
		for _, f := range files {
			f.Discard()
		}
	}()
	var synced errgroup.Group // at the same time: one waits for the disk while others write
	for _, f := range files {
		synced.Go(f.Sync)
	}
	if err := synced.Wait(); err != nil { // what may well fail comes first
		return err
	}
	var done []replaced
	for _, f := range files {
		r := replaced{path: f.path}
		if err = r.keep(); err == nil {
			err = f.Commit()
		}
		if done = append(done, r); err != nil {
			break
		}
		done[len(done)-1].placed = true
	}
	if err != nil {
		for _, r := range done {
			err = errors.Join(err, r.restore())
		}
		return err
	}
	var removed sync.WaitGroup // at the same time: the file system waits for the disk that frees a large file
	for _, r := range done {
		removed.Go(func() { _ = os.Remove(r.old) }) // its name is that of the new file, so nobody misses it
	}
	removed.Wait()
	return nil
}

// replaced is a file that a destination names and a new file replaces.
type replaced struct {
	path   string
	old    string // second name of what was there, or empty
	placed bool   // the new file has the name
}

// keep gives a file that is there a second name, in addition to its first where the file system has links.
func (r *replaced) keep() error {
	info, err := os.Lstat(r.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is no file any more", r.path)
	}
	old := filepath.Join(filepath.Dir(r.path), fmt.Sprintf(".%s.old%d", filepath.Base(r.path), rand.Uint64()))
	if os.Link(r.path, old) != nil {
		err = os.Rename(r.path, old)
	}
	if err == nil {
		r.old = old
	}
	return err
}

// restore undoes what was done.
func (r *replaced) restore() error {
	switch {
	case r.old != "":
		return os.Rename(r.old, r.path)
	case r.placed:
		return os.Remove(r.path)
	}
	return nil
}
