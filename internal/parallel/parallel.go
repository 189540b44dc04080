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
