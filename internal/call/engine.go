package call

import (
	"cmp"
	"context"
	"sync"
	"sync/atomic"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/sorter"
)

// EngineOptions of New. The zero value is the fastest algorithm.
type EngineOptions struct {
	// Algorithm sorts the suffixes; "" means AlgorithmAuto.
	Algorithm sorter.Algorithm
	// Progress, if not nil, is called often while an operation runs, from the goroutine that
	// called the engine. It should return fast. It may not call the engine: see ErrInCallback.
	//
	// done of total units of a phase are done. Phases "upload" and "download" count bytes, a sort counts suffixes in
	// their final place or an equal share of its work, and "repeats" counts positions. Phases that the device does in one
	// go, as "verify" and "lcp", are told when they begin, with a total of 0. Phase "compile" comes while a program is
	// compiled, which takes seconds and happens once on a device: it counts programs, and its total is 0.
	Progress func(phase string, done, total int64)
	// KeepMemory bounds the bytes of device memory that the engine keeps from one call for the
	// next of the same operation and size; 0 means 64 MiB, a negative number none. Plan names
	// what an operation keeps. The next call of another kind frees it first. Ranges and whatever
	// else releases its memory keep as much, if Open is told: see device.Config.
	KeepMemory int64
}

// Engine computes on one device. It is safe for concurrent use: operations run one after
// the other, and a call that waits for its turn ends with its context.
type Engine struct {
	number    uint64 // in the order in which engines were made
	Session   *device.Session
	Algorithm sorter.Algorithm
	progress  func(phase string, done, total int64)

	turn    chan struct{} // holds a token while a call runs
	closed  bool          // under turn
	callers callers       // of the call that runs

	plans keptPlans // under turn

	mu    sync.Mutex
	stats Stats // of all calls, under mu

	landings [2][]uint32 // see landing
	pins     [2]*device.Pinned[uint32]
}

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

// Close waits for the call that runs, and releases the device. Calls that wait, and later ones,
// get ErrClosed. Closing twice does nothing. Errors: ErrInCallback, ErrNoEngine, the device's.
func (e *Engine) Close() error {
	if err := e.Take(context.Background()); err != nil {
		return err
	}
	defer e.Give()
	if e.closed {
		return nil
	}
	e.closed = true
	e.plans.forget(e.Session)
	return e.Session.Close()
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
