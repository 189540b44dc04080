package call

import (
	"context"
	"slices"
	"sync"
)

// Question is what a goroutine asks of an engine. Those that wait for the engine are answered together: J is what they
// join, A is the answer to all.
type Question[J, A any] interface {
	// Alone answers it, in the goroutine that asks.
	Alone(c *Call) error
	// Join adds it to those that are answered together. It is false where these are enough already.
	Join(all *J) bool
	// Together answers all that have joined. Any of them is asked, in another goroutine. After an error they are
	// answered by halves, in the end alone. So it may refuse what would take too much.
	Together(c *Call, all *J) (A, error)
	// Receive takes its part of the answer, in the goroutine that asks. The engine waits for it.
	Receive(c *Call, answer A) error
}

// Gatherer gathers questions to one engine. One that finds the engine free is answered at once. Those that find it busy
// wait in a queue, which takes one turn for all of them. The zero value has none.
type Gatherer[J, A any] struct {
	mu      sync.Mutex
	waiting []*asker[J, A]
	waits   bool // for a turn
}

// asker is a goroutine that waits with its question.
type asker[J, A any] struct {
	question Question[J, A]
	most     int // that are answered together with it, itself included; 0: any number
	answer   chan answer[A]

	// Under the lock of the gatherer, once it is no longer in the queue:
	told bool    // its answer is there
	left bool    // it does not wait any more
	run  *runFor // that answers it
}

// answer has the answer of a call, an error, or neither: then the turn is the asker's.
type answer[A any] struct {
	call  *Call
	value A
	err   error
}

// runFor is a run for several askers, which ends when all have left.
type runFor struct {
	waits    int // askers that have not left
	cancel   context.CancelFunc
	received sync.WaitGroup // those that have been told
}

// Ask has a question answered. Other errors as Engine.Begin. A context ends the wait for the engine and for the answer,
// but none that others get.
func (g *Gatherer[J, A]) Ask(ctx context.Context, e *Engine, q Question[J, A]) error {
	ctx = Lasting(ctx)
	if err := e.refuses(ctx); err != nil {
		return err
	}
	a := &asker[J, A]{question: q}
	free, err := g.enter(e, a)
	if err != nil {
		return err
	}
	if free {
		return alone(ctx, e, q)
	}
	var got answer[A]
	select {
	case got = <-a.answer:
	case <-ctx.Done():
		if g.leave(a) {
			return context.Cause(ctx)
		}
		got = <-a.answer
	}
	switch {
	case got.err != nil:
		return got.err
	case got.call == nil:
		return alone(ctx, e, q)
	}
	defer a.run.received.Done()
	stats := got.call.Stats
	defer e.tell(ctx, &stats)
	return q.Receive(got.call, got.value)
}

// alone answers a question whose goroutine has the turn.
func alone[J, A any](ctx context.Context, e *Engine, q Question[J, A]) error {
	if ctx.Err() != nil {
		e.Release()
		return context.Cause(ctx)
	}
	c, err := e.begun(ctx)
	if err != nil {
		return err
	}
	defer c.End()
	return q.Alone(c)
}

// enter takes the turn, where the engine is free, or a place in the queue. Errors: ErrInCallback.
func (g *Gatherer[J, A]) enter(e *Engine, a *asker[J, A]) (free bool, err error) {
	g.mu.Lock()
	free = !g.waits && e.free()
	g.mu.Unlock()
	if free {
		return true, nil
	}
	if e.callbacks.here() {
		return false, ErrInCallback
	}
	a.answer = make(chan answer[A], 1)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.waiting = append(g.waiting, a)
	g.wait(e)
	return false, nil
}

// wait waits for a turn for those in the queue.
func (g *Gatherer[J, A]) wait(e *Engine) {
	if !g.waits {
		g.waits = true
		go g.gather(e)
	}
}

// leave is that of an asker whose context has ended. It is false if its answer is there.
func (g *Gatherer[J, A]) leave(a *asker[J, A]) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if a.told {
		return false
	}
	a.left = true
	if i := slices.Index(g.waiting, a); i >= 0 {
		g.waiting = slices.Delete(g.waiting, i, i+1)
	} else if a.run.waits--; a.run.waits == 0 {
		a.run.cancel()
	}
	return true
}

// gather has a turn of the engine, in which it answers those that wait, as many as go together.
func (g *Gatherer[J, A]) gather(e *Engine) {
	e.turn <- struct{}{}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	run := &runFor{cancel: cancel}
	askers, all := g.take(e, run)
	if len(askers) == 0 {
		return
	}
	c, err := e.begun(ctx)
	if err != nil {
		g.tell(askers, answer[A]{err: err})
		return
	}
	defer c.End()
	value, err := askers[0].question.Together(c, &all)
	if err != nil {
		g.again(e, askers)
		return
	}
	c.measure()
	g.tell(askers, answer[A]{call: c, value: value})
	run.received.Wait()
}

// take takes those from the queue that are answered together. There are none if nobody waits, or one alone, who gets
// the turn.
func (g *Gatherer[J, A]) take(e *Engine, run *runFor) (askers []*asker[J, A], all J) {
	g.mu.Lock()
	defer g.mu.Unlock()
	most := len(g.waiting)
	for n, a := range g.waiting {
		if a.most > 0 {
			most = min(most, max(a.most, n))
		}
		if n >= most || !a.question.Join(&all) && n > 0 {
			break
		}
		a.run = run
		askers = append(askers, a)
	}
	run.waits = len(askers)
	g.waiting = slices.Delete(g.waiting, 0, len(askers))
	g.waits = false
	if len(g.waiting) > 0 {
		g.wait(e)
	}
	switch len(askers) {
	case 0:
		e.Release()
	case 1:
		askers[0].told = true
		askers[0].answer <- answer[A]{}
		return nil, all
	}
	return askers, all
}

// tell gives an answer to those that have not left.
func (g *Gatherer[J, A]) tell(askers []*asker[J, A], got answer[A]) {
	g.mu.Lock()
	told := 0
	for _, a := range askers {
		if a.told = !a.left; a.told {
			told++
		}
	}
	g.mu.Unlock()
	if got.err == nil {
		askers[0].run.received.Add(told)
	}
	for _, a := range askers { // without the lock, for which those that return wait already
		if a.told {
			a.answer <- got
		}
	}
}

// again puts those back to the front of the queue that were not answered together, and have not left. They are answered
// by halves.
func (g *Gatherer[J, A]) again(e *Engine, askers []*asker[J, A]) {
	g.mu.Lock()
	defer g.mu.Unlock()
	half := len(askers) / 2
	askers = slices.DeleteFunc(askers, func(a *asker[J, A]) bool { return a.left })
	for _, a := range askers {
		a.most, a.run = half, nil
	}
	g.waiting = append(askers, g.waiting...)
	if len(g.waiting) > 0 {
		g.wait(e)
	}
}
