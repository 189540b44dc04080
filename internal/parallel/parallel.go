// Package parallel gives parts of a loop to several processors.
package parallel

import (
	"runtime"
	"sync"
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

// Do is Try for what has no errors.
func Do(n, least int, f func(lo, hi int)) {
	Try(n, least, func(lo, hi int) error {
		f(lo, hi)
		return nil
	})
}

// Collect calls f for parts of [0, n), of so many elements each, on several processors, and returns what they give, in
// the order of the parts.
func Collect[T any](n, each int, f func(lo, hi int) T) []T {
	all := make([]T, (n+each-1)/each)
	Do(len(all), 1, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			all[k] = f(k*each, min((k+1)*each, n))
		}
	})
	return all
}

// leastCopied is the least number of elements that a processor copies, mostCopying the most processors that copy:
// more are no faster than memory.
const leastCopied, mostCopying = 1 << 20, 8

// Copy is copy on several processors. One alone is slower than memory, and slower still where the memory is fresh, whose
// pages come one by one.
func Copy[T any](to, from []T) {
	n := min(len(to), len(from))
	Do(n, max(leastCopied, n/mostCopying), func(lo, hi int) { copy(to[lo:hi], from[lo:hi]) })
}

// Down copies the elements from a place on, so many, to a place before it in the same memory: what was there is lost.
// Memory: 16 Mi elements where the two overlap.
func Down[T any](all []T, to, from, n int) {
	if to == from {
		return
	}
	if from-to >= n || n < leastCopied {
		Copy(all[to:to+n], all[from:from+n])
		return
	}
	scratch := make([]T, min(n, 16*leastCopied))
	for at := 0; at < n; at += len(scratch) {
		part := scratch[:min(len(scratch), n-at)]
		Copy(part, all[from+at:])
		Copy(all[to+at:], part)
	}
}
