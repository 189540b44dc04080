// Package regular opens files that have to be regular ones. A pipe of the same name, for one, would have a program wait
// for ever.
package regular

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// Errors of files that are not regular, in an *fs.PathError. A directory is syscall.EISDIR.
var (
	ErrPipe   = errors.New("it is a pipe, not a regular file")
	ErrSocket = errors.New("it is a socket, not a regular file")
	ErrDevice = errors.New("it is a device, not a regular file")
)

// Check returns an error unless a name is that of a regular file, or of a link to one. Errors: those of the file
// system.
func Check(name string) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	return check(name, info)
}

func check(name string, info fs.FileInfo) (err error) {
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		err = syscall.EISDIR
	case mode&fs.ModeNamedPipe != 0:
		err = ErrPipe
	case mode&fs.ModeSocket != 0:
		err = ErrSocket
	default:
		err = ErrDevice
	}
	return &fs.PathError{Op: "open", Path: name, Err: err}
}

// Open opens a regular file to be read. It never waits. Errors: those of Check.
func Open(name string) (*os.File, error) { return OpenFile(name, os.O_RDONLY) }

// OpenFile opens a regular file that is there, as os.OpenFile does. It never waits. Errors: those of Check.
func OpenFile(name string, flag int) (*os.File, error) {
	if err := Check(name); err != nil { // opening a device may do something
		return nil, err
	}
	f, err := os.OpenFile(name, flag|nonBlock, 0) // if it has become a pipe
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil {
		err = check(name, info)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// ReadFile reads a regular file. Errors: those of Check.
func ReadFile(name string) ([]byte, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(f)
	return data, errors.Join(err, f.Close())
}
