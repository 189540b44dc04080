package clitest

import (
	"bytes"
	"errors"
)

// BoundedWriter takes so many bytes, as a disk that is full then.
type BoundedWriter struct {
	bytes.Buffer
	Room int
}

// ErrFull is the error of such a disk.
var ErrFull = errors.New("full")

func (b *BoundedWriter) Write(p []byte) (int, error) {
	n := min(len(p), b.Room-b.Len())
	b.Buffer.Write(p[:n])
	if n < len(p) {
		return n, ErrFull
	}
	return n, nil
}
