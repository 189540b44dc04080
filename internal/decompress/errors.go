package decompress

import (
	"errors"
	"fmt"
	"io"
)

// Errors of compressed files. They are wrapped in an [*Error].
var (
	ErrTruncated = errors.New("the file is truncated")
	ErrGarbage   = errors.New("garbage after the end of the compressed data")
)

// Error is a damaged compressed file.
type Error struct {
	Compression string
	Offset      int64 // bytes of the file that were read
	Text        int64 // bytes of text before the error
	Err         error
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s, at byte %d: %v", e.Compression, e.Offset, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// UnsupportedError is a file of a compression that is recognised, but not read.
type UnsupportedError struct{ Compression string }

func (e *UnsupportedError) Error() string {
	return "it is compressed by " + e.Compression + ", which is not read"
}

// unexpected makes the end of the file inside of a header an error.
func unexpected(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// errBorder is of a reader of one stream, after which another one seems to begin.
var errBorder = errors.New("another stream follows")
