package decompress

import (
	"bufio"
	"bytes"
	"io"
)

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

// newInput is a file that is buffered.
func newInput(r io.Reader, size int) *input {
	in := &input{source: &counter{r: r}}
	in.Reader = bufio.NewReaderSize(in.source, size)
	return in
}

// enlarge makes the buffer one of so many bytes at least.
func (in *input) enlarge(size int) {
	if in.Size() >= size {
		return
	}
	buffered, _ := in.Peek(in.Buffered())
	in.before = bytes.NewReader(bytes.Clone(buffered))
	in.Reader = bufio.NewReaderSize(io.MultiReader(in.before, in.source), size)
}
