// Package atomicfile writes files that are there as a whole or not at all.
//
// A file is written under a hidden name in the directory of its destination. Commit syncs it to disk and
// renames it. Until then, and after a failure, a file of that name stays as it was.
//
// No write goes beyond the process's limit for the size of files: see Limited.
package atomicfile

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// File is a file that does not have its name yet. One goroutine may use it at a time; several may call WriteAt.
type File struct {
	file      *os.File // under its temporary name
	path      string   // of the destination, links resolved
	done      bool     // committed or discarded
	room      sizeLimit
	end       int64 // end of the bytes that Write wrote
	writeback writeback
}

// Create begins a file. A symbolic link is followed: the file that it names is replaced. The permissions are
// those of the file replaced, or perm less the umask for a new one.
func Create(name string, perm fs.FileMode) (*File, error) {
	path, err := destination(name)
	if err != nil {
		return nil, err
	}
	old, err := os.Lstat(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	replaces := err == nil && old.Mode().IsRegular()
	if replaces {
		perm = old.Mode().Perm()
	}
	file, err := createTemporary(path, perm)
	if err != nil {
		return nil, err
	}
	f := &File{file: file, path: path, room: newSizeLimit(), writeback: writeback{file: file}}
	if replaces {
		if err := file.Chmod(perm); err != nil { // the umask does not count
			f.Discard()
			return nil, err
		}
	}
	return f, nil
}

// createTemporary makes a file with a hidden name that begins with that of the destination and ends with digits. The
// permissions are perm less the umask. os.CreateTemp has no such parameter.
func createTemporary(path string, perm fs.FileMode) (*os.File, error) {
	prefix := filepath.Join(filepath.Dir(path), "."+filepath.Base(path))
	for try := 1; ; try++ {
		name := prefix + strconv.FormatUint(rand.Uint64(), 10)
		file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
		if !errors.Is(err, fs.ErrExist) || try == 1000 {
			return file, err
		}
	}
}

// destination is the file that a name stands for, through links. It need not be there.
func destination(name string) (string, error) {
	path, err := filepath.EvalSymlinks(name)
	if errors.Is(err, fs.ErrNotExist) {
		return name, nil
	}
	return path, err
}

// Adopt gives a complete file of the same file system another name, as Commit does: a link is followed, and the
// permissions are those of the file replaced.
func Adopt(file, name string) error {
	path, err := destination(name)
	if err != nil {
		return err
	}
	if info, err := os.Stat(path); err == nil {
		if err := os.Chmod(file, info.Mode().Perm()); err != nil {
			return err
		}
	}
	return os.Rename(file, path)
}

// Write appends to the file.
func (f *File) Write(data []byte) (int, error) {
	if err := f.room.check("write", f.path, f.end, len(data)); err != nil {
		return 0, err
	}
	n, err := f.file.Write(data)
	f.end += int64(n)
	f.writeback.wrote(n)
	return n, err
}

// WriteAt writes to a place of the file.
func (f *File) WriteAt(data []byte, at int64) (int, error) {
	if err := f.room.check("write", f.path, at, len(data)); err != nil {
		return 0, err
	}
	n, err := f.file.WriteAt(data, at)
	f.writeback.wrote(n)
	return n, err
}

// Name returns the temporary name.
func (f *File) Name() string { return f.file.Name() }

// Ended begins to bring to disk what was written, if that is all for now. Sync then has less to wait for.
func (f *File) Ended() { f.writeback.rest() }

// Sync returns when all bytes that were written are on disk. Commit waits for that, too.
func (f *File) Sync() error {
	f.writeback.wait()
	return f.file.Sync()
}

// Commit gives the file its name, once it is on disk. After a failure nothing is left of it.
func (f *File) Commit() error {
	f.writeback.wait()
	err := cmp.Or(f.file.Sync(), f.file.Close()) // before the rename: a power cut leaves an empty file otherwise
	if err == nil {
		err = os.Rename(f.file.Name(), f.path)
	}
	if err != nil {
		f.Discard()
		return err
	}
	f.done = true
	return nil
}

// Discard removes the file unless it is committed. It is for defer.
func (f *File) Discard() {
	if f.done {
		return
	}
	f.done = true
	f.writeback.wait()
	_ = f.file.Close() // Windows removes no open file
	_ = os.Remove(f.file.Name())
}

// Write makes or replaces a file, whose bytes write writes. Errors: those of write, and of the file system.
func Write(name string, perm fs.FileMode, write func(io.Writer) error) error {
	f, err := Create(name, perm)
	if err != nil {
		return err
	}
	defer f.Discard()
	if err := write(f); err != nil {
		return err
	}
	return f.Commit()
}

// Unfinished returns the temporary files in a directory that killed processes have left of files whose names match.
func Unfinished(dir string, match func(name string) bool) (paths []string) {
	entries, _ := os.ReadDir(dir) // what cannot be read shows when it is wanted
	for _, e := range entries {
		name, hidden := strings.CutPrefix(e.Name(), ".") // and digits after it, at random
		if base := strings.TrimRight(name, "0123456789"); hidden && base != name && match(base) {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths
}

// WriteFile makes or replaces a file with data.
func WriteFile(name string, data []byte, perm fs.FileMode) error {
	return Write(name, perm, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
