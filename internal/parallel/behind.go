package parallel

import (
	"io"
	"sync"
)

// Beginner is a writer that takes parts of a text and writes them while its caller goes on. Write comes after all that
// was begun before.
type Beginner interface {
	io.Writer
	// Begin begins to write parts, in their order, once those before are written. They may not change before wait
	// returns, which has the first error of the writer. It may be called several times.
	Begin(parts [][]byte) (wait func() error)
}

// PartsWriter is a writer that takes several parts of a text in one call.
type PartsWriter interface {
	WriteParts(parts [][]byte) error
}

// Begin is Begin of a Beginner. Another writer writes the parts at once.
func Begin(w io.Writer, parts [][]byte) (wait func() error) {
	if b, ok := w.(Beginner); ok {
		return b.Begin(parts)
	}
	err := WriteParts(w, parts)
	return func() error { return err }
}

// Behind is a Beginner that writes to another writer: parts in one call where that is a PartsWriter. One goroutine may
// use it at a time. The zero value but for To is ready.
type Behind struct {
	To   io.Writer
	last *begun
}

// begun is a write that may not have ended.
type begun struct {
	done sync.WaitGroup
	err  error
}

func (b *begun) wait() error {
	b.done.Wait()
	return b.err
}

// Wait returns when all is written, with the first error.
func (b *Behind) Wait() error {
	if b.last == nil {
		return nil
	}
	return b.last.wait()
}

// Write writes after all that was begun.
func (b *Behind) Write(p []byte) (int, error) {
	if err := b.Wait(); err != nil {
		return 0, err
	}
	return b.To.Write(p)
}

// Begin is that of Beginner. Nothing is written after an error.
func (b *Behind) Begin(parts [][]byte) (wait func() error) {
	next := new(begun)
	if next.err = b.Wait(); next.err == nil {
		next.done.Go(func() { next.err = WriteParts(b.To, parts) })
	}
	b.last = next
	return next.wait
}

// WriteParts writes parts in their order: in one call if w is a PartsWriter.
func WriteParts(w io.Writer, parts [][]byte) error {
	if all, ok := w.(PartsWriter); ok {
		return all.WriteParts(parts)
	}
	for _, part := range parts {
		if len(part) == 0 {
			continue
		}
		if _, err := w.Write(part); err != nil {
			return err
		}
	}
	return nil
}
