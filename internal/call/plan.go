package call

import (
	"cmp"
	"context"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Planned plans for the size of n, or for n where the size does not fit or is too long, and returns what it planned
// for.
func Planned[O Operation](e *Engine, n int, plan func(*Engine, int) (O, error)) (o O, size int, err error) {
	size = sizeOf(n)
	o, err = plan(e, size)
	if size != n && (err != nil || o.Plan().Fits(e.Session) != nil) {
		size = n
		o, err = plan(e, n)
	}
	return o, size, err
}

// Prepare plans an operation on n bytes, or takes the plan of the call before, and refuses it if it does not fit.
// Done must be called.
func Prepare[O Operation](c *Call, op Kind, n int, plan func(*Engine, int) (O, error)) (O, error) {
	k := &c.Engine.plans
	if kept, ok := k.plans[op]; ok && kept.n == sizeOf(n) {
		if o, ok := kept.operation.(O); ok {
			if k.holder == kept.operation {
				c.begun = true
				return o, nil // it has its memory
			}
			c.Alone()
			if o.Plan().Fits(c.Session) == nil {
				return o, nil
			}
		}
	}
	c.Alone()
	tuned.Forget(c.Session)
	o, size, err := Planned(c.Engine, n, plan)
	if err != nil {
		return o, err
	}
	if err := o.Plan().Fits(c.Session); err != nil {
		return o, err
	}
	tuned.BuildAhead(c.Session)
	if k.limit >= 0 {
		if k.plans == nil {
			k.plans = make(map[Kind]keptPlan)
		}
		k.plans[op] = keptPlan{size, o}
	}
	return o, nil
}

// Holds tells whether memory is kept of a kind of operation, for n bytes.
func (c *Call) Holds(op Kind, n int) bool {
	k := &c.Engine.plans
	kept, ok := k.plans[op]
	return ok && kept.n == sizeOf(n) && k.holder == kept.operation
}

// Done frees the memory of an operation, or keeps it where that helps the next call.
func (c *Call) Done(op Kind, o Operation, err *error) {
	k := &c.Engine.plans
	if *err == nil && c.Session.Err() == nil && k.keeps(op, o) {
		k.holder = o
		return
	}
	if k.holder == o {
		k.holder = nil
	}
	o.Free(c.Session)
}

// Alone frees what is kept, before memory is planned. What an earlier call has kept does not count in this one's peak.
func (c *Call) Alone() {
	c.Engine.plans.forget(c.Session)
	if !c.begun {
		c.begun = true
		tuned.ResetPeak(c.Session)
	}
}

// PrepareAlone plans an operation that leaves nothing for the next call, and refuses it if it does not fit. Unless
// there is an error, the operation must be freed.
func PrepareAlone[O Operation](c *Call, plan func() (O, error)) (O, error) {
	c.Alone()
	tuned.Forget(c.Session)
	o, err := plan()
	if err == nil {
		err = o.Plan().Fits(c.Session)
	}
	if err == nil {
		tuned.BuildAhead(c.Session)
	}
	return o, err
}

// planAlone plans an operation, and returns its memory, which planned may refuse.
func planAlone(ctx context.Context, e *Engine, plan func() (Operation, error), planned func(Operation) error,
) (m device.MemoryPlan, o Operation, err error) {
	c, err := e.Begin(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer e.Release()
	e.plans.forget(c.Session)
	if o, err = plan(); err == nil {
		m = o.Plan()
	}
	if planned != nil {
		c.CallsBack()
		err = cmp.Or(err, planned(o))
	}
	if err != nil {
		return nil, nil, err
	}
	return m, o, nil
}

// Forget frees the memory that the engine keeps between calls.
func (e *Engine) Forget() {
	e.Acquire(context.Background())
	defer e.Release()
	e.plans.forget(e.Session)
}

// Kept is the memory that the engine keeps between calls.
func (e *Engine) Kept() int64 {
	if e.plans.holder == nil {
		return 0
	}
	return e.plans.holder.Plan().Device()
}
