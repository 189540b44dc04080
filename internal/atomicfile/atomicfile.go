// Package atomicfile writes files that are there as a whole or not at all.
//
// A file is written under a hidden name in the directory of its destination. Commit syncs it to disk and
// renames it. Until then, and after a failure, a file of that name stays as it was.
//
// No write goes beyond the process's limit for the size of files: see Limited.
package atomicfile

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// File is a file to be. One goroutine may use it at a time; several may call WriteAt.
type File struct {
	pending   pending
	path      string // of the destination, links resolved
	room      sizeLimit
	end       int64 // of what Write wrote
	writeback writeback
}

// pending is the file under its temporary name.
type pending interface {
	io.Writer
	io.WriterAt
	Name() string
	Sync() error
	CloseAtomicallyReplace() error
	Cleanup() error
}

// Create begins a file. A symbolic link is followed: the file that it names is replaced. The permissions are
// those of the file replaced, or perm less the umask for a new one.
func Create(name string, perm fs.FileMode) (*File, error) {
	path, err := destination(name)
	if err != nil {
		return nil, err
	}
	p, err := create(path, perm)
	if err != nil {
		return nil, err
	}
	f := &File{pending: p, path: path, room: newSizeLimit()}
	f.writeback.file, _ = p.(syscall.Conn)
	return f, nil
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
	n, err := f.pending.Write(data)
	f.end += int64(n)
	f.writeback.wrote(n)
	return n, err
}

// WriteAt writes to a place of the file.
func (f *File) WriteAt(data []byte, at int64) (int, error) {
	if err := f.room.check("write", f.path, at, len(data)); err != nil {
		return 0, err
	}
	n, err := f.pending.WriteAt(data, at)
	f.writeback.wrote(n)
	return n, err
}

// Name returns the temporary name.
func (f *File) Name() string { return f.pending.Name() }

// Sync returns when what was written is on disk. Commit does so too.
func (f *File) Sync() error {
	f.writeback.wait()
	return f.pending.Sync()
}

// Commit gives the file its name, once it is on disk. After a failure nothing is left of it.
func (f *File) Commit() error {
	f.writeback.wait()
	if err := f.pending.CloseAtomicallyReplace(); err != nil {
		f.Discard()
		return err
	}
	return nil
}

// Discard removes the file unless it is committed. It is for defer.
func (f *File) Discard() {
	f.writeback.wait()
	_ = f.pending.Cleanup()
}

// Write makes or replaces a file by what write writes. Errors: those of write, and of the file system.
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

// Unfinished are the files that processes which were killed have left in a directory, of files whose names match.
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

// WriteFile is Write of data.
func WriteFile(name string, data []byte, perm fs.FileMode) error {
	return Write(name, perm, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
