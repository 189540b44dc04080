package atomicfile

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
)

// temporary does what renameio, which is not for Windows, does elsewhere. Windows has no permissions to keep.
type temporary struct {
	*os.File
	path string
	done bool
}

func create(path string, _ fs.FileMode) (pending, error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"*")
	if err != nil {
		return nil, err
	}
	return &temporary{File: f, path: path}, nil
}

func newSizeLimit() sizeLimit { return math.MaxInt64 }

func (t *temporary) CloseAtomicallyReplace() error {
	err := errors.Join(t.Sync(), t.Close())
	if err == nil {
		err = os.Rename(t.Name(), t.path)
	}
	t.done = err == nil
	return err
}

func (t *temporary) Cleanup() error {
	if t.done {
		return nil
	}
	t.done = true
	_ = t.Close() // Windows removes no open file
	return os.Remove(t.Name())
}
