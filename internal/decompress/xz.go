package decompress

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/ulikunitz/xz"
	"github.com/ulikunitz/xz/lzma"
)

// errFilters is a block of xz that package xz cannot read.
var errFilters = errors.New("it has filters (BCJ or delta) before LZMA2, which are not read: xz -dc does")

// xzReader refuses files that end inside of a stream's first block header, which package xz takes for their
// end: the last bytes but for padding must be a footer's.
type xzReader struct {
	in   *input
	text io.Reader
	last [2]byte
}

func openXZ(in *input) (io.Reader, error) {
	// The first block: its size (0: the index, there is none), and flags with the number of filters.
	if head, _ := in.Peek(14); len(head) == 14 && head[12] != 0 && head[13]&3 != 0 {
		return nil, errFilters
	}
	x := &xzReader{in: in}
	var err error
	x.text, err = xz.NewReader((*xzFile)(x))
	return x, err
}

func (x *xzReader) Read(p []byte) (int, error) {
	n, err := x.text.Read(p)
	switch {
	case err == io.EOF && string(x.last[:]) != "YZ":
		err = io.ErrUnexpectedEOF
	case err != nil && strings.Contains(err.Error(), "header magic"): // of what follows a stream
		err = ErrGarbage
	}
	return n, err
}

// xzFile reads the file and remembers its last bytes that are not 0.
type xzFile xzReader

func (x *xzFile) Read(p []byte) (int, error) {
	n, err := x.in.Read(p)
	end := bytes.TrimRight(p[:n], "\x00")
	for _, c := range end[max(0, len(end)-2):] {
		x.see(c)
	}
	return n, err
}

func (x *xzFile) ReadByte() (byte, error) {
	c, err := x.in.ReadByte()
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

// maxDictionary is eight times what xz -9 takes. A header of 13 bytes can ask for 4 GiB.
const maxDictionary = 1 << 29

// lzmaReader refuses what follows the text.
type lzmaReader struct {
	in   *input
	text io.Reader
}

func openLZMA(in *input) (io.Reader, error) {
	text, err := lzma.ReaderConfig{DictCap: maxDictionary}.NewReader(in.Reader)
	return &lzmaReader{in, text}, unexpected(err)
}

func (l *lzmaReader) Read(p []byte) (int, error) {
	n, err := l.text.Read(p)
	if err == io.EOF {
		if garbage := l.in.atEnd(); garbage != nil {
			err = garbage
		}
	}
	return n, err
}
