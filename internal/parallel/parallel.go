// Package parallel gives parts of a loop to several processors.
package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Try calls f for parts of [0, n), of `least` elements or more, on as many processors as there
// are, and returns the error of the first part that has one.
func Try(n, least int, f func(lo, hi int) error) error {
	parts := max(min(runtime.GOMAXPROCS(0), n/least), 1)
	errs := make([]error, parts)
	part := func(i int) { errs[i] = f(n*i/parts, n*(i+1)/parts) }
	var wg sync.WaitGroup
	for i := 1; i < parts; i++ {
		wg.Go(func() { part(i) })
	}
	part(0)
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Do does what Try does, for an f without errors.
func Do(n, least int, f func(lo, hi int)) {
	Try(n, least, func(lo, hi int) error {
		f(lo, hi)
		return nil
	})
}

// Collect calls f for parts of [0, n), of so many elements each, on several processors, and returns the results in the
// order of the parts.
func Collect[T any](n, each int, f func(lo, hi int) T) []T {
	all := make([]T, (n+each-1)/each)
	Do(len(all), 1, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			all[k] = f(k*each, min((k+1)*each, n))
		}
	})
	return all
}

// Each calls f for the numbers from 0 to n-1, in any order, on so many processors. Each of them takes the next number
// that is left, so that numbers may take unlike times. On one they come in their order, and no goroutine begins.
func Each(processors, n int, f func(i int)) {
	var next atomic.Int64
	work := func() {
		for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
			f(int(i))
		}
	}
	var wg sync.WaitGroup
	for range min(processors, n) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
}

// InOrder calls f for the numbers from 0 to n-1, `ahead` of them at a time. It gives the results to use, in order, on
// the goroutine of its caller. After an error of use it gives the remaining results to drop, and returns the error.
func InOrder[T any](n, ahead int, f func(i int) T, use func(i int, made T) error, drop func(made T)) error {
	made, stop := make(chan chan T, max(ahead-1, 0)), make(chan struct{})
	go func() {
		defer close(made)
		for i := range n {
			one := make(chan T, 1)
			select {
			case made <- one:
				go func() { one <- f(i) }()
			case <-stop:
				return
			}
		}
	}()
	var err error
	i := 0
	for one := range made {
		switch thing := <-one; {
		case err != nil:
			drop(thing)
		default:
			if err = use(i, thing); err != nil {
				close(stop)
			}
		}
		i++
	}
	return err
}

// leastCopied is the least number of bytes that a processor copies. From 1 MiB on a copy goes past the caches. Memory
// that devices copy to at the same time takes it faster so: results of a genome with both strands left two GPUs in
// 0.67 s, and in 0.83 s by 256 KiB.
const leastCopied = 1 << 20

// Copy does what copy does, on several processors. One alone is slower than memory, and slower still if the memory is
// fresh, as its pages come one by one.
func Copy[T any](to, from []T) {
	n := min(len(to), len(from))
	Do(n, max(leastCopied/int(max(unsafe.Sizeof(*new(T)), 1)), 1), func(lo, hi int) { copy(to[lo:hi], from[lo:hi]) })
}

// leastMoved is the least number of elements that several processors move, and atOnce how many a Mover copies at once.
const leastMoved, atOnce = 1 << 20, 8 << 20

// Mover moves elements towards the front of their memory. The zero value is ready.
type Mover[T any] struct{ scratch []T }

// Move copies n elements from a place on to a place before it, and leaves the rest as it is. Memory, in all calls: 8 Mi
// elements, where the two places are nearer than that.
func (m *Mover[T]) Move(all []T, to, from, n int) {
	by := from - to
	if by == 0 || n < leastMoved {
		copy(all[to:to+n], all[from:from+n])
		return
	}
	if by < min(n, atOnce) && m.scratch == nil {
		m.scratch = make([]T, atOnce)
	}
	for at := 0; at < n; {
		some := all[from+at : from+n]
		if by >= min(n-at, atOnce) { // they do not overlap
			some = some[:min(len(some), by)]
		} else {
			some = m.scratch[:min(len(some), atOnce)]
			Copy(some, all[from+at:])
		}
		Copy(all[to+at:], some)
		at += len(some)
	}
}
