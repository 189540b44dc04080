package call

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

// Call is a call of the engine, which has the engine to itself.
type Call struct {
	Engine  *Engine
	Session *device.Session
	Ctx     context.Context
	Stats   Stats
	begun   bool // its peak of memory

	Others []*Call // of other engines, for the same results
}

// Begin waits for the engine's turn, or for the end of the context. end must be called.
// Errors: the context's, ErrClosed, ErrInCallback, ErrNoEngine.
func (e *Engine) Begin(ctx context.Context) (*Call, error) {
	ctx = Lasting(ctx)
	if err := e.Take(ctx); err != nil {
		return nil, err
	}
	if e.closed {
		e.Give()
		return nil, ErrClosed
	}
	tuned.ResetPeak(e.Session)
	e.Session.ResetProfile()
	c := &Call{Engine: e, Session: e.Session, Ctx: ctx}
	if e.progress != nil {
		c.CallsBack()
	}
	return c, nil
}

// Lasting is a context, where there is none one that never ends.
func Lasting(ctx context.Context) context.Context {
	if ctx == nil {
		return context.Background()
	}
	return ctx
}

// End gives the engine back, after an error too.
func (c *Call) End() {
	c.Stats.PeakBytes = tuned.PeakBytes(c.Session)
	c.Stats.Profile = c.Session.Profile()
	c.Session.Recover()
	c.Engine.account(c.Ctx, &c.Stats)
	c.Engine.Give()
}

// Take waits for the turn, or for the end of the context.
func (e *Engine) Take(ctx context.Context) error {
	if !e.Opened() {
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

func (e *Engine) Give() {
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

// CallsBack is said before a function of the caller is called in this goroutine.
func (c *Call) CallsBack() { c.Engine.callers.own.Store(goroutine()) }

// HandsOut is said before a function of the caller is called in this goroutine, which hands out results; several do so
// at a time.
func (c *Call) HandsOut(several bool) {
	id := goroutine()
	for _, of := range append([]*Call{c}, c.Others...) {
		if several {
			of.Engine.callers.several.Store(id, true)
		} else {
			of.Engine.callers.stream.Store(id)
		}
	}
}

// report tells the progress.
func (e *Engine) report(phase string, done, total int64) {
	if e.progress != nil {
		e.progress(phase, done, total)
	}
}

func (c *Call) Progress(phase string, done, total int64) {
	c.Engine.report(phase, done, total)
}

// Phase begins one. Where nothing tells how far it is, its name is told.
func (c *Call) Phase(name string) {
	c.Session.Phase(name)
	c.Progress(name, 0, 0)
}

// progressOf is the progress of one phase.
func (c *Call) progressOf(phase string) func(done, total int64) {
	return func(done, total int64) { c.Progress(phase, done, total) }
}

// Timed adds the time of f, enqueued work included, to a field of the statistics.
func (c *Call) Timed(d *time.Duration, f func() error) error {
	start := time.Now()
	err := f()
	if err == nil {
		err = c.Session.Finish()
	}
	*d += time.Since(start)
	return err
}

// Compute times work on the device.
func (c *Call) Compute(f func() error) error {
	defer hooks.Begin("compute")()
	return c.Timed(&c.Stats.Compute, f)
}

// NumberOf reads what the work that f enqueues has counted.
func NumberOf[T uint32 | uint64](c *Call, phase string, f func() *device.Buffer[T]) (int, error) {
	var n [1]T
	err := c.Compute(func() error {
		c.Session.Phase(phase)
		return f().Download(c.Ctx, n[:], nil)
	})
	return int(n[0]), err
}

// Upload copies host memory to a buffer.
func Upload[T device.Element](c *Call, to *device.Buffer[T], from []T) error {
	c.Session.Phase("upload")
	defer hooks.Begin("upload")()
	return c.Timed(&c.Stats.Upload, func() error { return to.Upload(c.Ctx, from, c.progressOf("upload")) })
}

// Placed has a buffer be made in memory of the caller, where buffers are memory of the process: to upload a text from
// there, or to download a result, copies nothing then. It returns that memory, which is made if `to` is nil. To be
// called before the slot is allocated.
func Placed[T device.Element](c *Call, slot *device.Slot[T], to []T) []T {
	if !tuned.Quirks(c.Session.Caps()).HostBuffers {
		return to
	}
	if to == nil {
		to = addressspace.Make[T](slot.Buffer(c.Session).Len())
	}
	slot.In(to)
	return to
}

// PlacedOf is placed for n elements of an operation that prepare has planned, unless its memory is kept for more calls.
func PlacedOf[T device.Element](c *Call, o Operation, slot *device.Slot[T], n int, to []T) []T {
	if slot.Buffer(c.Session).Len() != n || o.Plan().Device() <= c.Engine.plans.limit {
		return to
	}
	return Placed(c, slot, to)
}

// Download copies a buffer to host memory, which is made if it is nil.
func Download[T device.Element](c *Call, to []T, from *device.Buffer[T]) ([]T, error) {
	c.Session.Phase("download")
	defer hooks.Begin("download")()
	if to == nil {
		to = addressspace.Make[T](from.Len())
	}
	err := c.Timed(&c.Stats.Download, func() error { return from.Download(c.Ctx, to, c.progressOf("download")) })
	if err != nil {
		return nil, err
	}
	return to, nil
}

// BeginAll begins a call of several engines: in the order in which they were made, so that no two calls wait for each
// other. The calls are to be ended after errors, too.
func BeginAll(ctx context.Context, engines []*Engine) (calls []*Call, err error) {
	for _, e := range slices.SortedFunc(slices.Values(engines), func(a, b *Engine) int {
		return cmp.Compare(a.number, b.number)
	}) {
		c, err := e.Begin(ctx)
		if err != nil {
			return calls, err
		}
		calls = append(calls, c)
	}
	place := func(c *Call) int { return slices.Index(engines, c.Engine) }
	slices.SortFunc(calls, func(a, b *Call) int { return cmp.Compare(place(a), place(b)) })
	return calls, nil
}
