package call

import (
	"cmp"
	"context"
	"errors"
	"math/bits"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/sorter"
)

// EngineOptions are suffixcl.EngineOptions.
type EngineOptions struct {
	Algorithm  sorter.Algorithm
	Progress   func(phase string, done, total int64)
	KeepMemory int64
}

// Engine computes on one device. It is safe for concurrent use: operations run one after
// the other, and a call that waits for its turn ends with its context.
type Engine struct {
	number    uint64 // in the order in which engines were made
	Session   *device.Session
	Algorithm sorter.Algorithm
	progress  func(phase string, done, total int64)

	turn      chan struct{} // holds a token while a call runs
	closed    bool          // under turn
	callbacks callbacks     // of the call that runs

	plans keptPlans // under turn

	mu    sync.Mutex
	stats Stats // of all calls, under mu

	shared sync.Map // see Shared

	hostMemory [2][]uint32 // see HostMemory
	pins       [2]*device.Pinned[uint32]
}

// Of is the engine of jobs in one of package suffixcl, which sets it when it is initialised. Packages above that have
// it for jobs that are no methods there.
var Of func(engine any) *Engine

// engines is how many were made.
var engines atomic.Uint64

// Open makes an engine of the device that a configuration chooses.
func Open(c device.Config, o EngineOptions) (*Engine, error) {
	var compiled compiling
	c.OnBuild = compiled.report
	s, err := device.Open(c)
	if err != nil {
		return nil, err
	}
	e, err := New(s, o)
	if err != nil {
		s.Close()
		return nil, err
	}
	compiled.engine = e
	return e, nil
}

// compiling reports programs that are compiled as progress of the engine.
type compiling struct {
	engine *Engine // nil while the session opens
	count  int64
}

func (c *compiling) report(string) (built func()) {
	if c.count++; c.engine != nil {
		c.engine.report("compile", c.count, 0)
	}
	return nil
}

// New makes an engine of a session, which it takes over: Close closes it. Errors: ErrUnknownAlgorithm, ErrNoEngine.
func New(s *device.Session, o EngineOptions) (*Engine, error) {
	if s == nil {
		return nil, ErrNoEngine
	}
	algorithm, err := sorter.Parse(string(cmp.Or(o.Algorithm, sorter.Auto)))
	if err != nil {
		return nil, err
	}
	keep := cmp.Or(o.KeepMemory, defaultKeepMemory)
	return &Engine{number: engines.Add(1), Session: s, Algorithm: algorithm, progress: o.Progress,
		turn: make(chan struct{}, 1), plans: keptPlans{limit: keep}}, nil
}

// Close is that of suffixcl.Engine.
func (e *Engine) Close() error {
	if err := e.Acquire(context.Background()); err != nil {
		return err
	}
	defer e.Release()
	if e.closed {
		return nil
	}
	e.closed = true
	e.plans.forget(e.Session)
	return e.Session.Close()
}

// Shared is a value that a package of jobs has for an engine: one of each type, zero at first.
func Shared[T any](e *Engine) *T {
	of := reflect.TypeFor[T]()
	v, ok := e.shared.Load(of)
	if !ok {
		v, _ = e.shared.LoadOrStore(of, new(T))
	}
	return v.(*T)
}

// Opened tells whether Open or New has made the engine.
func (e *Engine) Opened() bool { return e != nil && e.Session != nil }

// Caps tells which device it is and what it can do.
func (e *Engine) Caps() device.Caps {
	if !e.Opened() {
		return device.Caps{}
	}
	return *e.Session.Caps()
}

// HostMemory is one of two pieces of host memory, of n words or more, for the parts of results and the texts of
// streams: pinned, where that can be had. It grows to powers of two, above 64 MiB to multiples of that, since pinning
// takes long.
func (e *Engine) HostMemory(i, n int) []uint32 {
	if len(e.hostMemory[i]) < n {
		step := 1 << min(bits.Len(uint(n-1)), 24)
		n = (n + step - 1) / step * step
		e.pins[i].Release()
		if p, err := device.AllocPinned[uint32](e.Session, n); err == nil {
			e.pins[i], e.hostMemory[i] = p, p.Slice()
		} else {
			e.pins[i], e.hostMemory[i] = nil, make([]uint32, n)
		}
	}
	return e.hostMemory[i]
}

// Acquire waits for the turn, or for the end of the context.
func (e *Engine) Acquire(ctx context.Context) error {
	if err := e.refuses(ctx); err != nil {
		return err
	}
	if e.free() {
		return nil
	}
	if e.callbacks.here() {
		return ErrInCallback
	}
	select {
	case e.turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// refuses returns what is wrong before a call waits.
func (e *Engine) refuses(ctx context.Context) error {
	if !e.Opened() {
		return ErrNoEngine
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// free takes the turn if no call has it, and none waits for it.
func (e *Engine) free() bool {
	select {
	case e.turn <- struct{}{}:
		return true
	default:
		return false
	}
}

// Release gives the turn back.
func (e *Engine) Release() {
	e.callbacks.reset()
	<-e.turn
}

// report tells the progress.
func (e *Engine) report(phase string, done, total int64) {
	if e.progress != nil {
		e.progress(phase, done, total)
	}
}

// InRanges tells whether a suffix array is sorted in ranges, given the error of a plan to sort it in one piece.
func (e *Engine) InRanges(err error) bool {
	var memory *device.MemoryError
	return e.Algorithm == sorter.Ranges || e.Algorithm == sorter.Auto && errors.As(err, &memory)
}

// Stats are the sums of all calls that have returned, without profile, for tests.
func (e *Engine) Stats() Stats {
	if e == nil {
		return Stats{}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.stats
}

// account adds the statistics of a call to the engine's and to those of its context.
func (e *Engine) account(ctx context.Context, st *Stats) {
	e.tell(ctx, st)
	e.mu.Lock()
	defer e.mu.Unlock()
	sums := *st
	sums.Profile = nil
	e.stats.Add(&sums)
}

// tell adds the statistics of a call to those of a context.
func (e *Engine) tell(ctx context.Context, st *Stats) {
	if account, _ := ctx.Value(statsKey{}).(func(*Stats)); account != nil {
		e.mu.Lock()
		defer e.mu.Unlock()
		account(st)
	}
}
