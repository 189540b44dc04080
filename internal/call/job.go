package call

import (
	"context"
	"errors"
	"iter"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/internal/usage"
)

// Job is a computation that has not begun: an input and options, of an engine. It holds no memory of the device, and
// may run any number of times. Its result comes in parts P, or as a whole W.
//
// All methods wait for the engine as its other calls do. Their errors are the context's, ErrClosed, ErrInCallback and
// ErrNoEngine; those of the method of Engine that made the job; and the device's.
type Job[P, W any] struct {
	Engine    *Engine
	Wrong     error // with the input or the options
	Operation func() (Operation, error)
	Planned   func(Operation) error // is told what is planned, nil where nothing is, and may refuse it; may be nil
	Kept      Kind                  // as which its plan is kept, and maybe its memory
	// Run hands parts to yield, which are valid until it returns, and ends with its error.
	Run func(ctx context.Context, yield func(P) error) error
	// Loop is run for Each, where that has smaller parts, else nil.
	Loop func(ctx context.Context, yield func(P) error) error
	// Whole is All, where the whole is not made of the parts, else nil.
	Whole func(ctx context.Context) (W, error)
	// Collect makes the whole of the parts of a run.
	Collect func(run func(yield func(P) error) error) (W, error)
}

// NewJob is a job of an operation that leaves nothing for the next call.
func NewJob[O Operation, P, W any](e *Engine, plan func() (O, error),
	run func(c *Call, o O, yield func(P) error) error, collect func(run func(yield func(P) error) error) (W, error),
) Job[P, W] {
	return Job[P, W]{Engine: e, Collect: collect, Run: RunAlone(e, plan, run),
		Operation: func() (Operation, error) { return AsOperation(plan()) }}
}

// RunAlone is the run of an operation that leaves nothing for the next call: it is planned, hands its parts to yield,
// and is released.
func RunAlone[O Operation, P any](e *Engine, plan func() (O, error), run func(c *Call, o O, yield func(P) error) error,
) func(ctx context.Context, yield func(P) error) error {
	return func(ctx context.Context, yield func(P) error) error {
		c, err := e.Begin(ctx)
		if err != nil {
			return err
		}
		defer c.End()
		o, err := PrepareAlone(c, plan)
		if err != nil {
			return err
		}
		defer o.Free(c.Session)
		c.CallsBack()
		return run(c, o, yield)
	}
}

// NeverRun is the run of a job that can only be planned.
func NeverRun[P any](context.Context, func(P) error) error { return input.ErrNoSymbols }

// neverCollected is the whole of a run that is an error.
func neverCollected[P, W any](run func(func(P) error) error) (none W, err error) {
	return none, run(nil)
}

// Refused is a job that has an error only.
func Refused[P, W any](e *Engine, wrong error) Job[P, W] { return Job[P, W]{Engine: e, Wrong: wrong} }

// check returns what is known to be wrong before anything runs.
func (j Job[P, W]) check(ctx context.Context) error {
	if !j.Engine.Opened() {
		return ErrNoEngine
	}
	if j.Wrong == nil {
		return nil
	}
	if err := j.Engine.Acquire(Lasting(ctx)); err != nil {
		return err
	}
	defer j.Engine.Release()
	if j.Engine.closed {
		return ErrClosed
	}
	return &usage.Error{Why: j.Wrong}
}

// Plan returns the device and host memory that the job takes, in bytes, phase by phase. No driver is called. It may be
// the plan of a text without symbols: see Length. The phase "kept" is what the engine keeps for the next call: see
// EngineOptions.KeepMemory. A plan does not fit if its MemoryPlan.Fits says so, and the job will end
// with the same error before it takes any memory.
func (j Job[P, W]) Plan(ctx context.Context) (device.MemoryPlan, error) {
	if err := j.check(ctx); err != nil {
		return nil, err
	}
	m, o, err := planAlone(ctx, j.Engine, j.Operation, j.Planned)
	if err == nil && j.Engine.plans.keeps(j.Kept, o) {
		kept := m[0]
		kept.Phase, kept.Host = "kept", 0
		m = append(m[:1:1], kept)
	}
	return m, err
}

// Prepare builds the programs that the job certainly needs, so that its first run does not take the time: once on a
// device, some seconds. They are kept as device.Config.CacheDir says. As Plan, it needs no symbols.
func (j Job[P, W]) Prepare(ctx context.Context) error {
	if err := j.check(ctx); err != nil {
		return err
	}
	c, err := j.Engine.Begin(ctx)
	if err != nil {
		return err
	}
	defer c.End()
	c.Alone()
	tuned.Forget(c.Session)
	if _, err := j.Operation(); err != nil {
		return err
	}
	return tuned.Prepare(c.Ctx, c.Session, false)
}

// Each runs the job, and yields its result part by part, so that the whole need not fit into memory. A part is valid
// until the next one. An error is the last that is yielded, with no part. A loop that is left ends the computation.
//
// The loop runs while the job has the engine: its body may not call the engine (see ErrInCallback), and other calls
// wait for its end.
func (j Job[P, W]) Each(ctx context.Context) iter.Seq2[P, error] {
	return func(yield func(P, error) bool) {
		err := j.each(ctx, func(part P) error {
			if !yield(part, nil) {
				return errStopped
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStopped) {
			var none P
			yield(none, err)
		}
	}
}

func (j Job[P, W]) each(ctx context.Context, yield func(P) error) error {
	if err := j.check(ctx); err != nil {
		return err
	}
	if j.Loop != nil {
		return j.Loop(ctx, yield)
	}
	return j.Run(ctx, yield)
}

// All runs the job, and returns its result as a whole, in memory of the host.
func (j Job[P, W]) All(ctx context.Context) (W, error) {
	if err := j.check(ctx); err != nil {
		var none W
		return none, err
	}
	if j.Whole != nil {
		return j.Whole(ctx)
	}
	return j.Collect(func(yield func(P) error) error { return j.Run(ctx, yield) })
}

// NeedsSymbols is the job of a text, which can only be planned where that is a Length.
func (j Job[P, W]) NeedsSymbols(text input.Text) Job[P, W] {
	if _, length := text.Symbols.(input.Shape); length {
		j.Run, j.Loop, j.Whole = NeverRun[P], nil, nil
		if j.Collect == nil {
			j.Collect = neverCollected[P, W]
		}
	}
	return j
}

// Only collects the part of a job that has one.
func Only[P any](run func(yield func(P) error) error) (P, error) {
	var whole, none P
	err := run(func(part P) error {
		whole = part
		return nil
	})
	if err != nil {
		return none, err
	}
	return whole, nil
}
