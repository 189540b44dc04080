package jobs

import (
	"cmp"
	"context"
	"math/bits"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// simple is what a simple call makes of a text of bytes: see Want.simple. The plan of the last call is kept for each.
type simple int

const (
	notSimple simple = iota
	sortedArray
	sortedLCP
	sortedBWT
	knownArray // which is checked
	knownLCP
	knownBWT
	invertedBWT
)

// The operations that have no type of their own, with the bytes of host memory a character: text, arrays given,
// and results.
func newSuffixArray(e *Engine, n int) (*source, error) { return newSorted(e, n, 5) }
func newBWT(e *Engine, n int) (*source, error)         { return newTransformed(e, n, 2) }
func newVerify(e *Engine, n int) (*source, error)      { return newGiven(e, n, 5) }

// newSearched plans sorting a text that is searched.
func newSearched(e *Engine, n int) (*source, error) {
	o := newArrays(n)
	return o, o.choose(e, general, 1)
}

func newLCP(e *Engine, n int) (*comparing, error) {
	from, err := newSorted(e, n, 1)
	if err != nil {
		return nil, err
	}
	return newComparing(e, from, 5)
}

func newKnownLCP(e *Engine, n int) (*comparing, error) {
	from, err := newGiven(e, n, 5)
	if err != nil {
		return nil, err
	}
	return newComparing(e, from, 9)
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
	plans  map[simple]keptPlan
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
func (k *keptPlans) keeps(op simple, o operation) bool {
	shared := op == sortedArray || op == sortedBWT || op == invertedBWT || op == knownArray
	if !shared {
		return false
	}
	m := o.memory()
	return len(m) == 1 && m.Device() <= k.limit
}

// prepare plans an operation on n bytes, or takes the plan of the call before, and refuses it if it does not fit.
// done must be called.
func prepare[O operation](c *call, op simple, n int, plan func(*Engine, int) (O, error)) (O, error) {
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
			k.plans = make(map[simple]keptPlan)
		}
		k.plans[op] = keptPlan{size, o}
	}
	return o, nil
}

// done frees the memory of an operation, or keeps it where that helps the next call.
func (c *call) done(op simple, o operation, err *error) {
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
