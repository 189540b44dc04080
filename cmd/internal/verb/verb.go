// Package verb has verbs as values: how each is called, run, planned and prepared.
package verb

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/operation"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/sink"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cli"
)

// Verb is a command. Most compute on the file that is their first argument.
type Verb struct {
	*cobra.Command
	Options *options.Job // nil of a verb without a job
	// Reads and Writes are what the verb reads and writes. One without them has others below it.
	Reads  []cli.Accepted
	Writes []cli.Produced
	// Op is the operation that the flags choose.
	Op func() operation.Operation
	// Check tells of wrong usage that the parser does not see; may be nil. Arguments but the first may be missing.
	Check func(args []string) error
	// Run does the work; nil: the command does, or those below it.
	Run func(ctx context.Context, args []string) error
	// Plan returns the memory of the verb, and fills in the report what the file is; nil: it is not planned.
	Plan func(ctx context.Context, j *job.Job, name string) (device.MemoryPlan, error)
	// Result is the file that the planned job makes, if its size is known; else it has no bytes. May be nil.
	Result func(j *job.Job) sink.File
	// Sorts are those of pairs of groups of sequences that the plan has; nil: it has none.
	Sorts func() int
	// Prepares is what is built ahead; nil: the verb has no programs of its own.
	Prepares *Preparation
	// Below are verbs of this one.
	Below []func() Verb
}

// command is the verb as users call it.
func (v Verb) command() *cobra.Command {
	if v.Run != nil {
		v.RunE = cli.Work(func(ctx context.Context, args []string) error {
			if err := v.wrong(args); err != nil {
				return err
			}
			return v.Run(ctx, args)
		})
	}
	v.describe()
	for _, below := range v.Below {
		v.AddCommand(below().command())
	}
	return v.Command
}

func (v Verb) wrong(args []string) error {
	if v.Options != nil {
		if err := v.Options.CheckDevices(v.Name()); err != nil {
			return err
		}
	}
	if v.Check == nil {
		return nil
	}
	return v.Check(args)
}

// Job begins the work of the verb. Close must be called.
func (v Verb) Job() *job.Job { return job.New(v.Name(), v.Options, v.Op()) }

// Always is a choice of which there is one.
func Always[T any](v T) func() T { return func() T { return v } }

// Group is verbs under a title of the help.
type Group struct {
	Title string
	Verbs []func() Verb
}

// Titled is the group as users see it.
func (g Group) Titled() cli.Group {
	t := cli.Group{Title: g.Title}
	for _, v := range g.Verbs {
		t.Verbs = append(t.Verbs, v().command())
	}
	return t
}

// Of are those of groups, in the order of the help.
func Of(groups []Group) (list []func() Verb) {
	for _, g := range groups {
		list = append(list, g.Verbs...)
	}
	return list
}
