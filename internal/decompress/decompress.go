// Package decompress reads files that may be compressed: gzip, xz, zstd, bzip2 and lzma are recognised by
// their headers.
//
// After a good header every error is an error: a damaged or truncated archive is never taken for text. Members,
// frames and streams that follow each other are one text. Zeros after the last member of gzip and after the
// last stream of xz are padding, anything else after the end is an error.
package decompress

import (
	"errors"
	"fmt"
	"io"
)

// bufferSize is for what is decompressed. What is not is read past its buffer, which is small: files may be many.
const bufferSize, plainBuffer = 1 << 18, 1 << 12

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

// IsPlain tells whether a file with such a beginning is plain, without a note. It needs the file, or 14 bytes.
func IsPlain(head []byte) bool {
	_, m := recognise(head[:min(len(head), headSize)])
	return m == no
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
