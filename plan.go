package suffixcl

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/ranges"
)

// Op is an operation for Plan: the method of Engine that has its name.
type Op int

// The operations.
const (
	OpSuffixArray Op = iota + 1
	OpBWT
	OpSuffixArrays // n is the longest text
	OpBWTs         // n is the longest text
	OpInverseBWT
	OpLCP
	OpLCPOf
	OpVerify
	OpVerifyBWT
	OpVerifyLCP
	OpBuildIndex   // the sort alone; see PlanIndex for the index
	OpNewMatcher   // the sort; searches take less
	OpNewMatcherOf // NewMatcher with a suffix array: its check; searches take less
	OpEachSuffixRange
	OpVerifyBlocks
	OpVerifyBlocksLCP // VerifyBlocks with an LCP array
)

// planner is what the table of operations knows of one.
type planner struct {
	name   string
	plan   func(e *Engine, n int) (operation, error)
	shared bool // short texts are planned for the next size: see sizeOf
}

var planners = map[Op]planner{
	OpSuffixArray:  {"SuffixArray", planOf(newSuffixArray), true},
	OpBWT:          {"BWT", planOf(newBWT), true},
	OpSuffixArrays: {"SuffixArrays", planOf(newSuffixArrays), false},
	OpBWTs:         {"BWTs", planOf(newBWTs), false},
	OpInverseBWT:   {"InverseBWT", planOf(newInverting), true},
	OpLCP:          {"LCP", planOf(newLCP), true},
	OpLCPOf:        {"LCPOf", planOf(newLCPOf), true},
	OpVerify:       {"Verify", planOf(newVerify), true},
	OpVerifyBWT:    {"VerifyBWT", planOf(newTransforming), true},
	OpVerifyLCP:    {"VerifyLCP", planOf(newVerifyLCP), true},
	OpBuildIndex:   {"BuildIndex", planOf(newSearched), false},
	OpNewMatcher:   {"NewMatcher", planOf(newSearched), false},
	OpNewMatcherOf: {"NewMatcherOf", planOf(newVerify), false},

	OpEachSuffixRange: {"EachSuffixRange", planOf(func(e *Engine, n int) (rangesOperation, error) {
		return newSuffixRanges(e, n, 8)
	}), false},
	OpVerifyBlocks:    {"VerifyBlocks", planOf(newVerifyBlocks), false},
	OpVerifyBlocksLCP: {"VerifyBlocks", planOf(newVerifyBlocksLCP), false},
}

// planOf makes a function of the table from a constructor.
func planOf[O operation](plan func(e *Engine, n int) (O, error)) func(*Engine, int) (operation, error) {
	return func(e *Engine, n int) (operation, error) {
		o, err := plan(e, n)
		if err != nil {
			return nil, err // not a nil O
		}
		return o, nil
	}
}

// The operations that have no type of their own, with the bytes of host memory a character: text, arrays given,
// and results.
func newSuffixArray(e *Engine, n int) (*source, error) { return newSorted(e, n, 5) }
func newBWT(e *Engine, n int) (*source, error)         { return newTransformed(e, n, 2) }
func newVerify(e *Engine, n int) (*source, error)      { return newGiven(e, n, 5) }

// newSearched plans sorting a text that is searched. Searches take less memory than a sorter for texts of any length,
// as Op says.
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

func newLCPOf(e *Engine, n int) (*comparing, error) { return newGivenLCP(e, n, 9) }

func newVerifyLCP(e *Engine, n int) (*comparing, error) { return newGivenLCP(e, n, 13) }

func newGivenLCP(e *Engine, n int, host int64) (*comparing, error) {
	from, err := newGiven(e, n, 5)
	if err != nil {
		return nil, err
	}
	return newComparing(e, from, host)
}

// String is the name of the method of Engine.
func (o Op) String() string {
	if p, ok := planners[o]; ok {
		return p.name
	}
	return fmt.Sprintf("Op(%d)", int(o))
}

// Plan returns the device and host memory of an operation on a text of n bytes,
// phase by phase. The device memory is what the operation allocates, exactly. The phase "kept" is what the
// engine keeps afterwards for the next call: see EngineOptions.KeepMemory.
//
// It calls no driver, and waits for the engine as other calls do. Errors: the context's, ErrClosed,
// ErrInCallback, an unknown operation, a *LengthError.
func (e *Engine) Plan(ctx context.Context, op Op, n int) (device.MemoryPlan, error) {
	p, ok := planners[op]
	if !ok {
		return nil, fmt.Errorf("suffixcl: unknown operation %v", op)
	}
	c, err := e.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer c.e.give()
	c.e.plans.forget(c.s)
	var o operation
	if p.shared {
		o, _, err = planned(e, n, p.plan)
	} else {
		o, err = p.plan(e, n)
	}
	switch op {
	case OpSuffixArray:
		o, err = e.orInRanges(ranges.Options{}, n, o, err)
	case OpBuildIndex:
		o, err = e.orInRanges(ranges.Options{Transform: true}, n, o, err)
	case OpBWT, OpLCP:
		o, err = e.orInRanges(ranges.Options{Transform: op == OpBWT, LCP: op == OpLCP, NoPositions: true}, n, o, err)
	}
	if err != nil {
		return nil, err
	}
	m := o.memory()
	if e.plans.keeps(op, o) {
		kept := m[0]
		kept.Phase, kept.Host = "kept", 0
		m = append(m[:1:1], kept)
	}
	return m, nil
}

// Prepare builds the programs that an operation on a text of n bytes certainly needs, so that its first call does not
// take the time: once on a device, some seconds. Programs are kept as device.Config.CacheDir says. Few texts need
// others, which are built when they come. Errors as Plan; the device's.
func (e *Engine) Prepare(ctx context.Context, op Op, n int) error {
	p, ok := planners[op]
	if !ok {
		return fmt.Errorf("suffixcl: unknown operation %v", op)
	}
	c, err := e.begin(ctx)
	if err != nil {
		return err
	}
	defer c.end()
	c.alone()
	tuned.Forget(c.s)
	if p.shared {
		_, _, err = planned(e, n, p.plan)
	} else {
		_, err = p.plan(e, n)
	}
	if err != nil {
		return err
	}
	return tuned.Prepare(c.ctx, c.s, false)
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
	plans  map[Op]keptPlan
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
func (k *keptPlans) keeps(op Op, o operation) bool {
	shared := op == OpSuffixArray || op == OpBWT || op == OpInverseBWT || op == OpVerify
	if !shared {
		return false
	}
	m := o.memory()
	return len(m) == 1 && m.Device() <= k.limit
}

// prepare plans an operation on n bytes, or takes the plan of the call before, and refuses it if it does not fit.
// done must be called.
func prepare[O operation](c *call, op Op, n int, plan func(*Engine, int) (O, error)) (O, error) {
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
			k.plans = make(map[Op]keptPlan)
		}
		k.plans[op] = keptPlan{size, o}
	}
	return o, nil
}

// done frees the memory of an operation, or keeps it where that helps the next call.
func (c *call) done(op Op, o operation, err *error) {
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
func planAlone(ctx context.Context, e *Engine, plan func() (operation, error), planned func(device.MemoryPlan) error,
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
		err = cmp.Or(err, planned(m))
	}
	if err != nil {
		return nil, nil, err
	}
	return m, o, nil
}

// memoryAlone is the memory of an operation.
func memoryAlone(ctx context.Context, e *Engine, plan func() (operation, error)) (device.MemoryPlan, error) {
	m, _, err := planAlone(ctx, e, plan, nil)
	return m, err
}
