package call

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/suffixcl/suffixcl/device"
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
	if err := e.Acquire(ctx); err != nil {
		return nil, err
	}
	return e.begun(ctx)
}

// begun is the call of who has the turn, which is given back if there is an error: ErrClosed.
func (e *Engine) begun(ctx context.Context) (*Call, error) {
	if e.closed {
		e.Release()
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

// measure completes the statistics with what the session knows.
func (c *Call) measure() {
	c.Stats.PeakBytes = tuned.PeakBytes(c.Session)
	c.Stats.Profile = c.Session.Profile()
}

// End gives the engine back, after an error too.
func (c *Call) End() {
	c.measure()
	c.Session.Recover()
	c.Engine.account(c.Ctx, &c.Stats)
	c.Engine.Release()
}

// CallsBack is said before a function of the caller is called in this goroutine.
func (c *Call) CallsBack() { c.Engine.callbacks.own.Store(place()) }

// HandsOut is said before a function of the caller is called in this goroutine, which hands out results; several do so
// at a time.
func (c *Call) HandsOut(several bool) {
	id := goroutine()
	for _, of := range append([]*Call{c}, c.Others...) {
		if several {
			of.Engine.callbacks.several.Store(id, true)
		} else {
			of.Engine.callbacks.stream.Store(id)
		}
	}
}

// Receives is HandsOut for what was asked together, until received is called in this goroutine.
func (c *Call) Receives() (received func()) { return c.Engine.callbacks.receive() }

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

// ComputeAround times work on the device, downloads included, without what f does aside: with results.
func (c *Call) ComputeAround(f func(aside func(g func() error) error) error) error {
	began, elsewhere := time.Now(), time.Duration(0)
	err := f(func(g func() error) error {
		began := time.Now()
		err := g()
		elsewhere += time.Since(began)
		return err
	})
	c.Stats.Compute += time.Since(began) - elsewhere
	return err
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
