package decompress

import (
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
)

// maxWindow is the window of zstd --long=31, its longest.
const maxWindow = 1 << 31

// zstdReader refuses files that end inside of a frame's magic bytes, which package zstd takes for their end.
type zstdReader struct {
	in   *input
	text *zstd.Decoder
	cut  bool
}

func openZstd(in *input) (io.Reader, error) {
	z := &zstdReader{in: in}
	var err error
	// One goroutine, the caller's: nothing is read in advance, so the place of an error is known,
	// and nothing is left running.
	z.text, err = zstd.NewReader((*zstdFile)(z), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	return z, err
}

func (z *zstdReader) reset() error {
	z.cut = false
	return z.text.Reset((*zstdFile)(z))
}

func (z *zstdReader) Read(p []byte) (int, error) {
	n, err := z.text.Read(p)
	switch {
	case err == io.EOF && z.cut:
		err = io.ErrUnexpectedEOF
	case errors.Is(err, zstd.ErrMagicMismatch):
		err = ErrGarbage
	}
	return n, err
}

// zstdFile reads the file. Package zstd asks for the bytes that it needs, and for the first of a frame alone.
type zstdFile zstdReader

func (z *zstdFile) Read(p []byte) (int, error) {
	n, err := io.ReadFull(z.in, p)
	if err == io.ErrUnexpectedEOF || err == io.EOF && len(p) > 1 {
		z.cut, err = true, io.EOF
	}
	return n, err
}
