package verb

import (
	"context"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cli"
)

// PlanText is the plan of a verb that depends on the length of a text only, which options say how to read.
func PlanText(options func() cli.InputOptions) func(context.Context, *job.Job, string) (device.MemoryPlan, error) {
	return func(ctx context.Context, j *job.Job, name string) (device.MemoryPlan, error) {
		if _, err := j.Source.OpenDeviceAndMeasure(ctx, name, options()); err != nil {
			return nil, err
		}
		if err := j.Source.WholeSymbols(j.Report.Bytes); err != nil {
			return nil, err
		}
		return j.Planner.Plan(int64(j.Report.Bytes))
	}
}

// PlanOrdered is that of PlanText, for texts in an order: where its memory depends on the text, that is read. given
// tells whether the suffix array is known.
func PlanOrdered(
	f *options.Order, want func() suffixcl.Want, given func() bool,
) func(context.Context, *job.Job, string) (device.MemoryPlan, error) {
	return func(ctx context.Context, j *job.Job, name string) (device.MemoryPlan, error) {
		if f.Plain() || f.SymbolBytes() > 1 {
			return PlanText(f.Options)(ctx, j, name)
		}
		text, err := j.Source.OpenDeviceAndText(ctx, name, f.Options())
		if err != nil {
			return nil, err
		}
		w := want()
		w.Order = f.Chosen()
		if given() {
			w.Known = []uint32{}
		}
		plan, err := j.Engine().Arrays(suffixcl.Bytes(text), w).Plan(ctx)
		if r := j.Planner.Op.Ranges; r != nil && r.Ordered() {
			ranged, failed := j.Planner.InRanges(r.Name, int64(len(text)))
			if ranged || failed == nil && j.Planner.TooLarge(plan, err) {
				return j.Engine().Ranges(suffixcl.Bytes(text), r.Options).Plan(ctx)
			}
		}
		return plan, err
	}
}

// PlanSet is the plan of a verb for a set: it reads the set.
func PlanSet(f *options.Set, prepare func(*suffixcl.Collection) (*suffixcl.Collection, error),
	want func() suffixcl.Want) func(context.Context, *job.Job, string) (device.MemoryPlan, error) {
	return func(ctx context.Context, j *job.Job, name string) (device.MemoryPlan, error) {
		c, err := j.Source.OpenDeviceAndSet(ctx, name, f, prepare)
		if err != nil {
			return nil, err
		}
		return j.Engine().Arrays(suffixcl.Set(c), want()).Plan(ctx)
	}
}
