package atomicfile

import (
	"io/fs"
	"os"
	"syscall"
)

// Limited writes to a file that is not a File. A write beyond the process's limit for the size of files fails before
// the system hears of it. The system sends a signal that ends the process, and a driver that has LLVM inside takes that
// signal for its own, whoever ignored it.
type Limited struct {
	file *os.File
	room sizeLimit
}

// Limit takes an open file. The limit is the one at the time of the call.
func Limit(f *os.File) Limited { return Limited{f, newSizeLimit()} }

// WriteAt writes to a place of the file.
func (l Limited) WriteAt(data []byte, at int64) (int, error) {
	if err := l.room.check("write", l.file.Name(), at, len(data)); err != nil {
		return 0, err
	}
	return l.file.WriteAt(data, at)
}

// Truncate changes the size of the file.
func (l Limited) Truncate(size int64) error {
	if err := l.room.check("truncate", l.file.Name(), size, 0); err != nil {
		return err
	}
	return l.file.Truncate(size)
}

// sizeLimit is the size that files may have.
type sizeLimit int64

// check returns an error for an operation that makes a file end n bytes after a place beyond the limit.
func (l sizeLimit) check(op, path string, at int64, n int) error {
	if int64(n) > int64(l)-at {
		return &fs.PathError{Op: op, Path: path, Err: syscall.EFBIG}
	}
	return nil
}
