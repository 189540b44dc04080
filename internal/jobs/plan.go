package jobs

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

// planned plans for the size of n, or for n where the size does not fit or is too long, and returns what it planned
// for.
func planned[O operation](e *Engine, n int, plan func(*Engine, int) (O, error)) (o O, size int, err error) {
	size = sizeOf(n)
	o, err = plan(e, size)
	if size != n && (err != nil || o.memory().Fits(e.session) != nil) {
		size = n
		o, err = plan(e, n)
	}
	return o, size, err
}

// keptPlans are the plans of the last calls, one of each operation, of which at most one has memory.
type keptPlans struct {
	limit  int64 // bytes of device memory; negative: none
	plans  map[Kind]keptPlan
	holder operation // has its memory, or nil
}

type keptPlan struct {
	n         int
	operation operation
}

// forget frees the memory that is kept.
func (k *keptPlans) forget(s *device.Session) {
	if k.holder != nil {
		k.holder.release(s)
		k.holder = nil
	}
}

// keeps reports whether the memory of an operation stays after it: of those with one phase.
func (k *keptPlans) keeps(op Kind, o operation) bool {
	if !op.Memory {
		return false
	}
	m := o.memory()
	return len(m) == 1 && m.Device() <= k.limit
}

// prepare plans an operation on n bytes, or takes the plan of the call before, and refuses it if it does not fit.
// done must be called.
func prepare[O operation](c *call, op Kind, n int, plan func(*Engine, int) (O, error)) (O, error) {
	k := &c.e.plans
	if kept, ok := k.plans[op]; ok && kept.n == sizeOf(n) {
		if o, ok := kept.operation.(O); ok {
			if k.holder == kept.operation {
				c.begun = true
				return o, nil // it has its memory
			}
			c.alone()
			if o.memory().Fits(c.s) == nil {
				return o, nil
			}
		}
	}
	c.alone()
	tuned.Forget(c.s)
	o, size, err := planned(c.e, n, plan)
	if err != nil {
		return o, err
	}
	if err := o.memory().Fits(c.s); err != nil {
		return o, err
	}
	tuned.BuildAhead(c.s)
	if k.limit >= 0 {
		if k.plans == nil {
			k.plans = make(map[Kind]keptPlan)
		}
		k.plans[op] = keptPlan{size, o}
	}
	return o, nil
}

// done frees the memory of an operation, or keeps it where that helps the next call.
func (c *call) done(op Kind, o operation, err *error) {
	k := &c.e.plans
	if *err == nil && c.s.Err() == nil && k.keeps(op, o) {
		k.holder = o
		return
	}
	if k.holder == o {
		k.holder = nil
	}
	o.release(c.s)
}

// alone frees what is kept, before memory is planned. What an earlier call has kept does not count in this one's peak.
func (c *call) alone() {
	c.e.plans.forget(c.s)
	if !c.begun {
		c.begun = true
		tuned.ResetPeak(c.s)
	}
}

// prepareAlone plans an operation that leaves nothing for the next call, and refuses it if it does not fit. Unless
// there is an error, the operation must be released.
func prepareAlone[O operation](c *call, plan func() (O, error)) (O, error) {
	c.alone()
	tuned.Forget(c.s)
	o, err := plan()
	if err == nil {
		err = o.memory().Fits(c.s)
	}
	if err == nil {
		tuned.BuildAhead(c.s)
	}
	return o, err
}

// planAlone plans an operation, and returns its memory, which planned may refuse.
func planAlone(ctx context.Context, e *Engine, plan func() (operation, error), planned func(operation) error,
) (m device.MemoryPlan, o operation, err error) {
	c, err := e.begin(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer e.give()
	e.plans.forget(c.s)
	if o, err = plan(); err == nil {
		m = o.memory()
	}
	if planned != nil {
		c.callsBack()
		err = cmp.Or(err, planned(o))
	}
	if err != nil {
		return nil, nil, err
	}
	return m, o, nil
}

// operation is what a job needs for texts of up to so many bytes: buffers and the steps that use them. It is
// planned once (plan.go), allocated phase by phase while it runs, and released.
type operation interface {
	memory() device.MemoryPlan
	release(s *device.Session)
}

// step is a part of an operation with device memory of its own.
type step interface {
	Memory() device.PhaseMemory
	Allocate() error
	Release()
}

// phaseOf is the memory of a step in addition to that of layouts, with bytes of host memory.
func phaseOf(m device.PhaseMemory, host int64, layouts ...*device.Layout) device.PhaseMemory {
	var buffers []device.BufferMemory
	for _, l := range layouts {
		buffers = append(buffers, l.Memory().Buffers...)
	}
	m.Buffers = append(buffers, m.Buffers...)
	m.Host = host
	return m
}

// combined is the plan of several operations.
type combined struct{ plan device.MemoryPlan }

func (p combined) memory() device.MemoryPlan { return p.plan }

func (p combined) release(*device.Session) {}

// inRanges tells whether a suffix array is sorted in ranges, given the error of a plan to sort it in one piece.
func (e *Engine) inRanges(err error) bool {
	var memory *device.MemoryError
	return e.algorithm == sorter.Ranges || e.algorithm == sorter.Auto && errors.As(err, &memory)
}
