package call

import (
	"errors"
	"sync"
)

// errStopped ends a computation whose results nobody takes any more.
var errStopped = errors.New("suffixcl: the loop has ended")

// HandOver hands blocks that a computation of engines yields in goroutines of its own to use, in this one. An error of
// use ends it.
func HandOver[P any](engines []*Engine, compute func(yield func(P) error) error, use func(P) error) error {
	body := goroutine()
	blocks, taken, left := make(chan P), make(chan struct{}), make(chan struct{})
	var one sync.Mutex // block at a time
	var failed error   // once blocks is closed
	go func() {
		defer close(blocks)
		failed = compute(func(b P) error {
			one.Lock()
			defer one.Unlock()
			for _, engine := range engines {
				stream := &engine.callbacks.stream
				defer stream.Store(stream.Swap(body))
			}
			select {
			case blocks <- b:
			case <-left:
				return errStopped
			}
			select {
			case <-taken:
				return nil
			case <-left:
				return errStopped
			}
		})
	}()
	take := func(b P) (err error) {
		more := false
		defer func() { // a body that panics is left, too
			if more {
				taken <- struct{}{}
				return
			}
			close(left)
			for range blocks {
			}
		}()
		err = use(b)
		more = err == nil
		return err
	}
	for b := range blocks {
		if err := take(b); err != nil {
			return err
		}
	}
	return failed
}
