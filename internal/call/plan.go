package call

import (
	"cmp"
	"context"
	"errors"
	"math/bits"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/sorter"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Kind is that of a job whose plan is kept for the next one, and its memory where that has one phase and Memory says so.
// The zero value is none.
type Kind struct {
	Name   string
	Memory bool
}

// Texts of up to sharedLen bytes are planned for the next power of two from smallestLen on, so that a call can
// use the plan and the memory of the one before.
const (
	smallestLen = 1 << 12
	sharedLen   = 1 << 20
)

// defaultKeepMemory is EngineOptions.KeepMemory if that is 0.
const defaultKeepMemory = 64 << 20

// sizeOf is the length that is planned for a text of n bytes.
func sizeOf(n int) int {
	if n <= 0 || n > sharedLen {
		return n
	}
	return max(smallestLen, 1<<bits.Len(uint(n-1)))
}

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

// keptPlans are the plans of the last calls, one of each operation, of which at most one has memory.
type keptPlans struct {
	limit  int64 // bytes of device memory; negative: none
	plans  map[Kind]keptPlan
	holder Operation // has its memory, or nil
}

type keptPlan struct {
	n         int
	operation Operation
}

// forget frees the memory that is kept.
func (k *keptPlans) forget(s *device.Session) {
	if k.holder != nil {
		k.holder.Free(s)
		k.holder = nil
	}
}

// keeps reports whether the memory of an operation stays after it: of those with one phase.
func (k *keptPlans) keeps(op Kind, o Operation) bool {
	if !op.Memory {
		return false
	}
	m := o.Plan()
	return len(m) == 1 && m.Device() <= k.limit
}

// Prepare plans an operation on n bytes, or takes the plan of the call before, and refuses it if it does not fit.
// done must be called.
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
// there is an error, the operation must be released.
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
	defer e.Give()
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

// Operation is what a job needs for texts of up to so many bytes: buffers and the steps that use them. It is
// planned once (plan.go), allocated phase by phase while it runs, and released.
type Operation interface {
	Plan() device.MemoryPlan
	Free(s *device.Session)
}

// Step is a part of an operation with device memory of its own.
type Step interface {
	Memory() device.PhaseMemory
	Allocate() error
	Release()
}

// PhaseOf is the memory of a step in addition to that of layouts, with bytes of host memory.
func PhaseOf(m device.PhaseMemory, host int64, layouts ...*device.Layout) device.PhaseMemory {
	var buffers []device.BufferMemory
	for _, l := range layouts {
		buffers = append(buffers, l.Memory().Buffers...)
	}
	m.Buffers = append(buffers, m.Buffers...)
	m.Host = host
	return m
}

// Combined is the plan of several operations.
type Combined struct{ Phases device.MemoryPlan }

func (p Combined) Plan() device.MemoryPlan { return p.Phases }

func (p Combined) Free(*device.Session) {}

// InRanges tells whether a suffix array is sorted in ranges, given the error of a plan to sort it in one piece.
func (e *Engine) InRanges(err error) bool {
	var memory *device.MemoryError
	return e.Algorithm == sorter.Ranges || e.Algorithm == sorter.Auto && errors.As(err, &memory)
}

// Forget frees the memory that the engine keeps between calls.
func (e *Engine) Forget() {
	e.Take(context.Background())
	defer e.Give()
	e.plans.forget(e.Session)
}

// Kept is the memory that the engine keeps between calls.
func (e *Engine) Kept() int64 {
	if e.plans.holder == nil {
		return 0
	}
	return e.plans.holder.Plan().Device()
}
