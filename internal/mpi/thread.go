package mpi

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// thread makes calls of the library, one after the other, on one OS thread.
type thread struct {
	queue   chan func()
	waiting atomic.Int32 // goroutines that wait for it
}

func newThread() *thread { return &thread{queue: make(chan func())} }

// own is the OS thread that initialises the library, as MPI_THREAD_FUNNELED demands.
var (
	own      = newThread()
	startOwn sync.Once
)

// ownThread returns own, which runs from then on.
func ownThread() *thread {
	startOwn.Do(func() {
		go func() {
			runtime.LockOSThread()
			for f := range own.queue {
				f()
			}
		}()
	})
	return own
}

// do runs f on the thread, and waits for its end.
func (t *thread) do(f func()) {
	done := make(chan struct{})
	t.waiting.Add(1)
	t.queue <- func() {
		defer close(done)
		t.waiting.Add(-1)
		f()
	}
	<-done
}

// serve makes the OS thread of the caller the thread while f runs, which another goroutine does.
func (t *thread) serve(f func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	for {
		select {
		case call := <-t.queue:
			call()
		case <-done:
			return
		}
	}
}

// contended tells whether another goroutine waits for the thread.
func (t *thread) contended() bool { return t.waiting.Load() > 0 }
