package main

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/seqio"
)

// verb is a command that computes on the file that is its first argument.
type verb struct {
	*cobra.Command
	flags *jobFlags
	// op is the operation that the flags choose.
	op func() operation
	// check tells of wrong usage that the parser does not see; may be nil. Arguments but the first may be missing.
	check func(args []string) error
	run   func(ctx context.Context, args []string) error
	// plan returns the memory of the verb, and fills in the report what the file is.
	plan func(ctx context.Context, j *job, name string) (device.MemoryPlan, error)
	// result is the file that the planned job makes, if its size is known; else it has no bytes. May be nil.
	result func(j *job) resultFile
}

// command is the verb as users call it.
func (v verb) command() *cobra.Command {
	v.RunE = cli.Work(func(ctx context.Context, args []string) error {
		if err := v.wrong(args); err != nil {
			return err
		}
		return v.run(ctx, args)
	})
	return v.Command
}

func (v verb) wrong(args []string) error {
	if err := v.flags.checkDevices(v.Name()); err != nil || v.check == nil {
		return err
	}
	return v.check(args)
}

// always is a choice of which there is one.
func always[T any](v T) func() T { return func() T { return v } }

// planText is the plan of a verb that depends on the length of a text only, which options say how to read.
func planText(options func() cli.InputOptions) func(context.Context, *job, string) (device.MemoryPlan, error) {
	return func(ctx context.Context, j *job, name string) (device.MemoryPlan, error) {
		if _, err := j.openDeviceAndMeasure(ctx, name, options()); err != nil {
			return nil, err
		}
		if err := j.wholeSymbols(j.report.Bytes); err != nil {
			return nil, err
		}
		return j.plan(int64(j.report.Bytes))
	}
}

// openDeviceAndMeasure opens text and device, and finds out the length of the text and its records, if they are to
// be kept.
func (j *job) openDeviceAndMeasure(ctx context.Context, name string, o cli.InputOptions) (seqio.Table, error) {
	in, err := j.openDeviceAndInput(ctx, name, o)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	n, err := in.Measure(ctx)
	j.report.Bytes, j.report.Records = int(n), in.RecordCount
	return in.Records, err
}
