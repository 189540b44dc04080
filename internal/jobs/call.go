package jobs

import (
	"bytes"
	"cmp"
	"context"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/addressspace"
	"github.com/suffixcl/suffixcl/internal/hooks"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// call is a call of the engine, which has the engine to itself.
type call struct {
	e     *Engine
	s     *device.Session
	ctx   context.Context
	stats Stats
	begun bool // its peak of memory

	others []*call // of other engines, for the same results
}

// begin waits for the engine's turn, or for the end of the context. end must be called.
// Errors: the context's, ErrClosed, ErrInCallback, ErrNoEngine.
func (e *Engine) begin(ctx context.Context) (*call, error) {
	ctx = lasting(ctx)
	if err := e.take(ctx); err != nil {
		return nil, err
	}
	if e.closed {
		e.give()
		return nil, ErrClosed
	}
	tuned.ResetPeak(e.session)
	e.session.ResetProfile()
	c := &call{e: e, s: e.session, ctx: ctx}
	if e.progress != nil {
		c.callsBack()
	}
	return c, nil
}

// lasting is a context, where there is none one that never ends.
func lasting(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}

// end gives the engine back, after an error too.
func (c *call) end() {
	c.stats.PeakBytes = tuned.PeakBytes(c.s)
	c.stats.Profile = c.s.Profile()
	c.s.Recover()
	c.e.account(c.ctx, &c.stats)
	c.e.give()
}

// take waits for the turn, or for the end of the context.
func (e *Engine) take(ctx context.Context) error {
	if !e.opened() {
		return ErrNoEngine
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	select {
	case e.turn <- struct{}{}:
		return nil
	default:
	}
	if e.callers.has(goroutine()) {
		return ErrInCallback
	}
	select {
	case e.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (e *Engine) give() {
	e.callers.reset()
	<-e.turn
}

// callers are the goroutines in which the call that runs may call functions of the caller: its own, and the one that
// reads and writes for a stream. An engine call from there comes from such a function, since the call itself makes
// none.
type callers struct {
	own, stream atomic.Uint64
	several     sync.Map // goroutines that hand out blocks in any order, true
}

func (c *callers) has(id uint64) bool {
	if id == 0 {
		return false
	}
	_, one := c.several.Load(id)
	return one || id == c.own.Load() || id == c.stream.Load()
}

func (c *callers) reset() {
	c.own.Store(0)
	c.stream.Store(0)
	c.several.Clear()
}

// goroutine is the number of this goroutine. The runtime tells it in traces only: "goroutine 7 [running]:".
// Nothing but the recognition of callbacks depends on it. It takes some microseconds.
func goroutine() uint64 {
	var trace [64]byte
	fields := bytes.Fields(trace[:runtime.Stack(trace[:], false)])
	if len(fields) < 2 {
		return 0
	}
	id, _ := strconv.ParseUint(string(fields[1]), 10, 64) // 0 is none
	return id
}

// callsBack is said before a function of the caller is called in this goroutine.
func (c *call) callsBack() { c.e.callers.own.Store(goroutine()) }

// handsOut is said before a function of the caller is called in this goroutine, which hands out results; several do so
// at a time.
func (c *call) handsOut(several bool) {
	id := goroutine()
	for _, of := range append([]*call{c}, c.others...) {
		if several {
			of.e.callers.several.Store(id, true)
		} else {
			of.e.callers.stream.Store(id)
		}
	}
}

// report tells the progress.
func (e *Engine) report(phase string, done, total int64) {
	if e.progress != nil {
		e.progress(phase, done, total)
	}
}

func (c *call) progress(phase string, done, total int64) {
	c.e.report(phase, done, total)
}

// phase begins one. Where nothing tells how far it is, its name is told.
func (c *call) phase(name string) {
	c.s.Phase(name)
	c.progress(name, 0, 0)
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
func (c *call) compute(f func() error) error {
	defer hooks.Begin("compute")()
	return c.timed(&c.stats.Compute, f)
}

// numberOf reads what the work that f enqueues has counted.
func numberOf[T uint32 | uint64](c *call, phase string, f func() *device.Buffer[T]) (int, error) {
	var n [1]T
	err := c.compute(func() error {
		c.s.Phase(phase)
		return f().Download(c.ctx, n[:], nil)
	})
	return int(n[0]), err
}

// upload copies host memory to a buffer.
func upload[T device.Element](c *call, to *device.Buffer[T], from []T) error {
	c.s.Phase("upload")
	defer hooks.Begin("upload")()
	return c.timed(&c.stats.Upload, func() error { return to.Upload(c.ctx, from, c.progressOf("upload")) })
}

// placed has a buffer be made in memory of the caller, where buffers are memory of the process: to upload a text from
// there, or to download a result, copies nothing then. It returns that memory, which is made if `to` is nil. To be
// called before the slot is allocated.
func placed[T device.Element](c *call, slot *device.Slot[T], to []T) []T {
	if !tuned.Quirks(c.s.Caps()).HostBuffers {
		return to
	}
	if to == nil {
		to = addressspace.Make[T](slot.Buffer(c.s).Len())
	}
	slot.In(to)
	return to
}

// placedOf is placed for n elements of an operation that prepare has planned, unless its memory is kept for more calls.
func placedOf[T device.Element](c *call, o operation, slot *device.Slot[T], n int, to []T) []T {
	if slot.Buffer(c.s).Len() != n || o.memory().Device() <= c.e.plans.limit {
		return to
	}
	return placed(c, slot, to)
}

// download copies a buffer to host memory, which is made if it is nil.
func download[T device.Element](c *call, to []T, from *device.Buffer[T]) ([]T, error) {
	c.s.Phase("download")
	defer hooks.Begin("download")()
	if to == nil {
		to = addressspace.Make[T](from.Len())
	}
	err := c.timed(&c.stats.Download, func() error { return from.Download(c.ctx, to, c.progressOf("download")) })
	if err != nil {
		return nil, err
	}
	return to, nil
}

// beginAll begins a call of several engines: in the order in which they were made, so that no two calls wait for each
// other. The calls are to be ended after errors, too.
func beginAll(ctx context.Context, engines []*Engine) (calls []*call, err error) {
	for _, e := range slices.SortedFunc(slices.Values(engines), func(a, b *Engine) int {
		return cmp.Compare(a.number, b.number)
	}) {
		c, err := e.begin(ctx)
		if err != nil {
			return calls, err
		}
		calls = append(calls, c)
	}
	place := func(c *call) int { return slices.Index(engines, c.e) }
	slices.SortFunc(calls, func(a, b *call) int { return cmp.Compare(place(a), place(b)) })
	return calls, nil
}
