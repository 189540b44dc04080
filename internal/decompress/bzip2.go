package decompress

import (
	"compress/bzip2"
	"io"
)

// errContinuation is package bzip2's error of what follows a stream, and is none.
const errContinuation = bzip2.StructuralError("bad magic value in continuation file")

type bzip2Reader struct{ text io.Reader }

func openBzip2(in *input) (io.Reader, error) { return bzip2Reader{bzip2.NewReader(in.Reader)}, nil }

func (b bzip2Reader) Read(p []byte) (int, error) {
	n, err := b.text.Read(p)
	if err == errContinuation {
		err = ErrGarbage
	}
	return n, err
}
