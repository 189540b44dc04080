package seqio

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"hash/crc32"
	"io"

	"github.com/ulikunitz/xz"
)

const gzipMagic, xzMagic = "\x1f\x8b", "\xfd7zXZ\x00"

// Decompress returns what r gives, decompressed if that starts with a whole header of
// gzip (magic, method, no reserved flags) or xz (magic, flags, and their checksum), and
// the name of the compression or "". What starts with the magic bytes alone is taken as it
// is, and note says so. After a good header every error is an error: a damaged archive is
// never taken for text.
func Decompress(r *bufio.Reader) (text io.Reader, compression, note string, err error) {
	head, err := r.Peek(12)
	if err != nil && err != io.EOF {
		return nil, "", "", err
	}
	switch {
	case len(head) >= 10 && string(head[:2]) == gzipMagic && head[2] == 8 && head[3]&0xe0 == 0:
		text, err = gzip.NewReader(r)
		return text, "gzip", "", err
	case len(head) >= 12 && string(head[:6]) == xzMagic && crc32.ChecksumIEEE(head[6:8]) == binary.LittleEndian.Uint32(head[8:]):
		whole := &xzReader{file: r}
		whole.text, err = xz.NewReader((*xzFile)(whole))
		return whole, "xz", "", err
	case len(head) >= 2 && string(head[:2]) == gzipMagic:
		note = "starts like gzip, but has no gzip header: taken as plain bytes"
	case len(head) >= 6 && string(head[:6]) == xzMagic:
		note = "starts like xz, but has no xz header: taken as plain bytes"
	}
	return r, "", note, nil
}

// xzReader refuses files that end inside of a stream's first block header, which package
// xz takes for their end: the last bytes but for padding must be a footer's.
type xzReader struct {
	file *bufio.Reader
	text io.Reader
	last [2]byte
}

func (x *xzReader) Read(p []byte) (int, error) {
	n, err := x.text.Read(p)
	if err == io.EOF && string(x.last[:]) != "YZ" {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// xzFile reads the file and remembers its last bytes that are not 0.
type xzFile xzReader

func (x *xzFile) Read(p []byte) (int, error) {
	n, err := x.file.Read(p)
	end := bytes.TrimRight(p[:n], "\x00")
	for _, c := range end[max(0, len(end)-2):] {
		x.see(c)
	}
	return n, err
}

func (x *xzFile) ReadByte() (byte, error) {
	c, err := x.file.ReadByte()
	if err == nil {
		x.see(c)
	}
	return c, err
}

func (x *xzFile) see(c byte) {
	if c != 0 {
		x.last = [2]byte{x.last[1], c}
	}
}
