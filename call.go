package suffixcl

import (
	"bytes"
	"context"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/suffixcl/suffixcl/device"
)

// call is a call of the engine, which has the engine to itself.
type call struct {
	e     *Engine
	s     *device.Session
	ctx   context.Context
	stats Stats
}

// begin waits for the engine's turn, or for the end of the context. end must be called.
// Errors: the context's, ErrClosed, ErrInCallback.
func (e *Engine) begin(ctx context.Context) (*call, error) {
	if err := e.take(ctx); err != nil {
		return nil, err
	}
	if e.closed {
		e.give()
		return nil, ErrClosed
	}
	e.session.ResetPeak()
	e.session.ResetProfile()
	return &call{e: e, s: e.session, ctx: ctx}, nil
}

// end gives the engine back, after an error too.
func (c *call) end() {
	c.stats.PeakBytes = c.s.PeakBytes()
	c.stats.Profile = c.s.Profile()
	c.s.Recover()
	c.e.account(c.ctx, &c.stats)
	c.e.give()
}

// take waits for the turn; a nil context never ends.
func (e *Engine) take(ctx context.Context) error {
	var done <-chan struct{}
	if ctx != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		done = ctx.Done()
	}
	select {
	case e.turn <- struct{}{}:
		return nil
	default:
	}
	if e.callbacks.running() {
		return ErrInCallback
	}
	select {
	case e.turn <- struct{}{}:
		return nil
	case <-done:
		return context.Cause(ctx)
	}
}

func (e *Engine) give() { <-e.turn }

// callbacks are the goroutines that run functions of callers for the engine.
type callbacks struct {
	mu         sync.Mutex
	goroutines []uint64
}

// run calls f, which is a caller's.
func (c *callbacks) run(f func() error) error {
	id := goroutine()
	c.mu.Lock()
	c.goroutines = append(c.goroutines, id)
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		c.goroutines = slices.Delete(c.goroutines, slices.Index(c.goroutines, id), slices.Index(c.goroutines, id)+1)
		c.mu.Unlock()
	}()
	return f()
}

// running reports whether this goroutine runs such a function.
func (c *callbacks) running() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.goroutines) > 0 && slices.Contains(c.goroutines, goroutine())
}

// goroutine is the number of this goroutine. The runtime tells it in traces only: "goroutine 7 [running]:".
// Nothing but the recognition of callbacks depends on it.
func goroutine() uint64 {
	var trace [64]byte
	fields := bytes.Fields(trace[:runtime.Stack(trace[:], false)])
	if len(fields) < 2 {
		return 0
	}
	id, _ := strconv.ParseUint(string(fields[1]), 10, 64) // 0 is none
	return id
}

// callback calls f, which is a caller's.
func (c *call) callback(f func() error) error { return c.e.callbacks.run(f) }

// report tells the progress.
func (e *Engine) report(p Progress) {
	if e.progress != nil {
		e.callbacks.run(func() error { e.progress(p); return nil })
	}
}

func (c *call) progress(phase string, done, total int64) {
	c.e.report(Progress{Phase: phase, Done: done, Total: total})
}

// progressOf is the progress of one phase.
func (c *call) progressOf(phase string) func(done, total int64) {
	return func(done, total int64) { c.progress(phase, done, total) }
}

// timed adds the time of f, enqueued work included, to a field of the statistics.
func (c *call) timed(d *time.Duration, f func() error) error {
	start := time.Now()
	err := f()
	if err == nil {
		err = c.s.Finish()
	}
	*d += time.Since(start)
	return err
}

// compute times work on the device.
func (c *call) compute(f func() error) error { return c.timed(&c.stats.Compute, f) }

// upload copies host memory to a buffer.
func upload[T device.Element](c *call, to *device.Buffer[T], from []T) error {
	c.s.Phase("upload")
	return c.timed(&c.stats.Upload, func() error { return to.Upload(c.ctx, from, c.progressOf("upload")) })
}

// download copies a buffer to host memory, which is made if it is nil.
func download[T device.Element](c *call, to []T, from *device.Buffer[T]) ([]T, error) {
	c.s.Phase("download")
	if to == nil {
		to = make([]T, from.Len())
	}
	err := c.timed(&c.stats.Download, func() error { return from.Download(c.ctx, to, c.progressOf("download")) })
	if err != nil {
		return nil, err
	}
	return to, nil
}
