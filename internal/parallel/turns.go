package parallel

import (
	"io"
	"runtime"
	"sync/atomic"
)

// Turns runs functions on several processors, and writes what they write in the order in which they were given. Only
// the first that has not ended writes at once: others keep up to Kept bytes each, and wait for their turn if they have
// more. The first error, in this order, ends all. One goroutine may call its methods.
type Turns struct {
	To   io.Writer
	Kept int

	running chan struct{} // a place for each function
	last    chan struct{} // is closed when the last function has ended
	failed  atomic.Bool
	err     error // the functions take turns to use it
}

// Go begins a function, once one of the others has ended where there are as many as processors. It returns an error,
// which need not be that of Wait, if there was one.
func (t *Turns) Go(f func(w io.Writer) error) error {
	if t.running == nil {
		t.running, t.last = make(chan struct{}, 2*runtime.GOMAXPROCS(0)), make(chan struct{})
		close(t.last)
	}
	if t.failed.Load() {
		return t.Wait()
	}
	t.running <- struct{}{}
	turn := &turn{of: t, before: t.last}
	done := make(chan struct{})
	t.last = done
	go func() {
		err := f(turn)
		turn.wait()
		if t.err == nil {
			if t.err = err; err == nil {
				_, t.err = turn.Write(nil)
			}
			t.failed.Store(t.err != nil)
		}
		close(done)
		<-t.running
	}()
	return nil
}

// Wait returns when all functions have ended, with the first error.
func (t *Turns) Wait() error {
	if t.last == nil {
		return nil
	}
	<-t.last
	return t.err
}

// turn is the writer of a function.
type turn struct {
	of     *Turns
	before <-chan struct{} // nil: it is its turn
	kept   []byte
}

func (t *turn) wait() {
	if t.before != nil {
		<-t.before
		t.before = nil
	}
}

// Write keeps bytes, or writes them if it is the function's turn.
func (t *turn) Write(p []byte) (n int, err error) {
	if t.before != nil {
		if len(t.kept)+len(p) <= t.of.Kept {
			t.kept = append(t.kept, p...)
			return len(p), nil
		}
		t.wait()
	}
	if t.of.err != nil { // of an earlier function
		return 0, t.of.err
	}
	if len(t.kept) > 0 {
		if _, err := t.of.To.Write(t.kept); err != nil {
			return 0, err
		}
		t.kept = nil
	}
	if len(p) == 0 {
		return 0, nil
	}
	return t.of.To.Write(p)
}
