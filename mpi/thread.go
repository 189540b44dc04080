package mpi

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// The thread of MPI runs what is sent to it, one after the other. It is the OS thread that initialises the library,
// as MPI_THREAD_FUNNELED demands.
var (
	startThread sync.Once
	queue       = make(chan func())
	waiting     atomic.Int32 // goroutines that wait for the thread
)

// onThread runs f on the thread, and waits for its end.
func onThread(f func()) {
	startThread.Do(func() {
		go func() {
			runtime.LockOSThread()
			for f := range queue {
				f()
			}
		}()
	})
	done := make(chan struct{})
	waiting.Add(1)
	queue <- func() {
		defer close(done)
		waiting.Add(-1)
		f()
	}
	<-done
}

// contended tells whether another goroutine waits for the thread.
func contended() bool { return waiting.Load() > 0 }
