// Package mapped reads files through the address space: the system reads a page when it is asked for. A file may be
// larger than memory.
package mapped

import (
	"io"
	"io/fs"
	"os"
)

// File is a mapped file. Its methods may be called concurrently, Close last.
type File struct{ data []byte } // nil: closed

// Open maps a file. No other process may shorten it meanwhile. Errors: those of the file system; a file without place
// in the address space.
func Open(name string) (*File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() == 0 { // which cannot be mapped
		return &File{[]byte{}}, nil
	}
	data, err := mapWhole(f, int(info.Size()))
	if err != nil {
		return nil, &fs.PathError{Op: "mmap", Path: name, Err: err}
	}
	return &File{data}, nil
}

// Len is the size of the file in bytes.
func (f *File) Len() int { return len(f.data) }

// Bytes are those of the file, which may be read until it is closed.
func (f *File) Bytes() []byte { return f.data }

// ReadAt implements [io.ReaderAt].
func (f *File) ReadAt(p []byte, at int64) (int, error) {
	if f.data == nil {
		return 0, os.ErrClosed
	}
	if at < 0 || at > int64(len(f.data)) {
		return 0, fs.ErrInvalid
	}
	n := copy(p, f.data[at:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// Close ends the mapping. A second one does nothing.
func (f *File) Close() error {
	data := f.data
	f.data = nil
	if len(data) == 0 {
		return nil
	}
	return unmap(data)
}
