package cli

import (
	"context"
	"io"

	"github.com/suffixcl/suffixcl/internal/parallel"
)

// WriteChunk is how many bytes are written between looks at the context.
const WriteChunk = 1 << 20

// ContextWriter fails when the context has ended.
type ContextWriter struct {
	Context context.Context
	Writer  io.Writer
}

func (w ContextWriter) Write(p []byte) (int, error) {
	if w.Context.Err() != nil {
		return 0, context.Cause(w.Context)
	}
	return w.Writer.Write(p)
}

// WriteParts is that of the writer, if it has one.
func (w ContextWriter) WriteParts(parts [][]byte) error {
	if w.Context.Err() != nil {
		return context.Cause(w.Context)
	}
	return parallel.WriteParts(w.Writer, parts)
}

// pipeWriter does not wait for the reader beyond the end of the context. It is
// given a copy of the data, which a write that goes on alone may still use.
type pipeWriter struct {
	ctx context.Context
	w   io.Writer
}

func (w pipeWriter) Write(p []byte) (n int, err error) {
	p = append([]byte(nil), p...)
	result := make(chan int, 1)
	err = Interruptible(w.ctx, func() error {
		n, err := w.w.Write(p)
		result <- n
		return err
	})
	if w.ctx.Err() != nil {
		return 0, context.Cause(w.ctx)
	}
	return <-result, err
}

// stickyWriter remembers the first error: of texts whose writer does not look.
type stickyWriter struct {
	w   io.Writer
	err error
}

func (s *stickyWriter) Write(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	var n int
	n, s.err = s.w.Write(p)
	return n, s.err
}
