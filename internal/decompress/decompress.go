// Package decompress reads files that may be compressed: gzip, xz, zstd, bzip2 and lzma are recognised by
// their headers.
//
// After a good header every error is an error: a damaged or truncated archive is never taken for text. Members,
// frames and streams that follow each other are one text. Zeros after the last member of gzip and after the
// last stream of xz are padding, anything else after the end is an error.
package decompress

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// bufferSize is for what is decompressed. What is not is read past its buffer, which is small: files may be many.
const bufferSize, plainBuffer = 1 << 18, 1 << 12

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

// Reader reads the text of a file. One goroutine may use it at a time.
type Reader struct {
	compression, note string
	input             *input
	text              io.Reader
	read              int64 // bytes of text
	err               error // sticky
}

// NewReader begins to read a file: it looks at the first bytes. Errors: *UnsupportedError, *Error, those of r.
func NewReader(r io.Reader) (*Reader, error) {
	d := Plain(r)
	head, err := d.input.Peek(headSize)
	if err != nil && err != io.EOF {
		return nil, err
	}
	f, m := recognise(head)
	switch {
	case m == no:
		return d, nil
	case m == similar:
		d.note = fmt.Sprintf("starts like %s, but has no %s header: taken as plain bytes", f.name, f.name)
		return d, nil
	case f.open == nil:
		return nil, &UnsupportedError{f.name}
	}
	d.compression = f.name
	d.input.enlarge(bufferSize)
	if d.text, err = openStreams(d.input, f); err != nil {
		return nil, d.fail(err)
	}
	return d, nil
}

// Plain reads a file as it is.
func Plain(r io.Reader) *Reader {
	in := newInput(r, plainBuffer)
	return &Reader{input: in, text: in}
}

// Compression is "gzip", "xz", "zstd", "bzip2", "lzma", or "" for plain files.
func (d *Reader) Compression() string { return d.compression }

// Note says what is odd about the beginning of the file, or is empty.
func (d *Reader) Note() string { return d.note }

// Offset is how many bytes of the file were decompressed.
func (d *Reader) Offset() int64 { return d.input.offset() }

// Read reads text. Errors: *Error, those of the file.
func (d *Reader) Read(p []byte) (int, error) {
	if d.err != nil {
		return 0, d.err
	}
	n, err := d.text.Read(p)
	d.read += int64(n)
	if err != nil {
		err = d.fail(err)
	}
	return n, err
}

// fail makes an error sticky. Errors of the file itself are not the compression's.
func (d *Reader) fail(err error) error {
	switch {
	case err == io.EOF || d.compression == "":
	case d.input.source.err != nil:
		err = d.input.source.err
	default:
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = ErrTruncated
		}
		err = &Error{d.compression, d.Offset(), d.read, err}
	}
	d.err = err
	return err
}

// input is the buffered file.
type input struct {
	*bufio.Reader
	source *counter
	before *bytes.Reader // what was buffered in a smaller buffer; nil: nothing
	task   bool          // it is a part of a file: padding is not its end, and another stream not that of a task
}

func (in *input) offset() int64 {
	at := in.source.n - int64(in.Buffered())
	if in.before != nil {
		at -= int64(in.before.Len())
	}
	return at
}

// atEnd returns nil at the end of the file, and ErrGarbage before it.
func (in *input) atEnd() error {
	_, err := in.Peek(1)
	switch err {
	case io.EOF:
		return nil
	case nil:
		return ErrGarbage
	}
	return err
}

// counter counts the bytes read, and keeps the error.
type counter struct {
	r   io.Reader
	n   int64
	err error // but io.EOF
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	if err != nil && err != io.EOF {
		c.err = err
	}
	return n, err
}
