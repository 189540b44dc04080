package suffixcl

import (
	"context"
	"iter"
	"unsafe"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
)

// Job is a computation that has not begun: an input and options, of an engine. It holds no memory of the device, and
// may run any number of times. Its result comes in parts P, or as a whole W.
//
// All methods wait for the engine as its other calls do. Their errors are the context's, ErrClosed, ErrInCallback and
// ErrUsage; those of the method of Engine that made the job; and the device's.
type Job[P, W any] struct{ of run[P, W] }

// Plan returns the device and host memory that the job takes, in bytes, phase by phase. No driver is called, but for
// RangeOptions.Sample. It may be the plan of a text without symbols: see Length. The phase "kept" is what the engine
// keeps for the next call: see EngineOptions.KeepMemory. A plan does not fit if its MemoryPlan.Fits says so, and the
// job will end with the same error before it takes any memory.
func (j Job[P, W]) Plan(ctx context.Context) (device.MemoryPlan, error) {
	if j.of == nil {
		return nil, call.ErrNoEngine
	}
	return j.of.plan(ctx)
}

// Prepare builds the programs that the job certainly needs, so that its first run does not take the time: once on a
// device, some seconds. They are kept as device.Config.CacheDir says. As Plan, it needs no symbols.
func (j Job[P, W]) Prepare(ctx context.Context) error {
	if j.of == nil {
		return call.ErrNoEngine
	}
	return j.of.prepare(ctx)
}

// Each runs the job, and yields its result part by part, so that the whole need not fit into memory. A part is valid
// until the next one. An error is the last that is yielded, with no part. A loop that is left ends the computation.
//
// The loop runs while the job has the engine: its body may not call the engine (see ErrInCallback), and other calls
// wait for its end.
func (j Job[P, W]) Each(ctx context.Context) iter.Seq2[P, error] {
	return func(yield func(P, error) bool) {
		if j.of == nil {
			var none P
			yield(none, call.ErrNoEngine)
			return
		}
		j.of.each(ctx, yield)
	}
}

// All runs the job, and returns its result as a whole, in memory of the host.
func (j Job[P, W]) All(ctx context.Context) (W, error) {
	if j.of == nil {
		var none W
		return none, call.ErrNoEngine
	}
	return j.of.all(ctx)
}

// run is a job whose parts and whole are those of this package.
type run[P, W any] interface {
	plan(ctx context.Context) (device.MemoryPlan, error)
	prepare(ctx context.Context) error
	each(ctx context.Context, yield func(P, error) bool)
	all(ctx context.Context) (W, error)
}

// inner is a job of package jobs, whose parts are Q and whose whole is V.
type inner[P, W, Q, V any] struct {
	of    call.Job[Q, V]
	part  func(Q) P
	whole func(V) W
}

// jobOf is a job of package jobs, with what makes its parts and its whole those of this package.
func jobOf[P, W, Q, V any](of call.Job[Q, V], part func(Q) P, whole func(V) W) Job[P, W] {
	return Job[P, W]{inner[P, W, Q, V]{of, part, whole}}
}

// eachOf makes all elements those of this package.
func eachOf[P, Q any](one func(Q) P) func([]Q) []P {
	return func(inner []Q) []P {
		if inner == nil {
			return nil
		}
		all := make([]P, len(inner))
		for i, part := range inner {
			all[i] = one(part)
		}
		return all
	}
}

func (j inner[P, W, Q, V]) plan(ctx context.Context) (device.MemoryPlan, error) {
	plan, err := j.of.Plan(ctx)
	return plan, public(err)
}

func (j inner[P, W, Q, V]) prepare(ctx context.Context) error { return public(j.of.Prepare(ctx)) }

func (j inner[P, W, Q, V]) each(ctx context.Context, yield func(P, error) bool) {
	for part, err := range j.of.Each(ctx) {
		if err != nil {
			var none P
			yield(none, public(err))
			return
		}
		if !yield(j.part(part), nil) {
			return
		}
	}
}

func (j inner[P, W, Q, V]) all(ctx context.Context) (W, error) {
	all, err := j.of.All(ctx)
	return j.whole(all), public(err)
}

// sliceOf is a slice whose elements have another name, in the same memory: both types have the same fields.
func sliceOf[To, From any](s []From) []To {
	return unsafe.Slice((*To)(unsafe.Pointer(unsafe.SliceData(s))), len(s))
}
