package verbs

import (
	"context"
	"io"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/operation"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/sink"
	"github.com/suffixcl/suffixcl/cmd/internal/source"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/internal/cli"
)

const unbwtHelp = `Compute the text of a Burrows-Wheeler transform, as "bwt" writes it, or libdivsufsort or
libsais.

BWT is taken as it is: it is never decompressed. The primary index is read from
BWT.primary, or given by --primary. --order is that of "bwt"; a transform in the order
specials-largest is not inverted. If no text has this transform and primary index,
the exit code is 5.`

func unbwtVerb() verb.Verb {
	var (
		flags   options.Job
		out     string
		primary int
	)
	order := options.Order{Job: &flags}
	v := verb.Verb{Options: &flags, Op: verb.Always(operation.InvertedBWT)}
	v.Prepares = &verb.Preparation{Plans: verb.PlansOf(operation.InvertedBWT)}
	v.Reads = []cli.Accepted{cli.Reads("BWT", verb.Transform)}
	v.Writes = []cli.Produced{cli.Writes("output", verb.Bytes, verb.Symbols)}
	v.Command = &cobra.Command{
		Use:     "unbwt BWT -o OUT",
		Short:   "Invert a Burrows-Wheeler transform",
		Long:    unbwtHelp,
		Example: "  suffixcl unbwt genome.bwt -o genome.txt",
	}
	raw := func() cli.InputOptions {
		flags.Raw = true
		return flags.Options()
	}
	v.Plan = verb.PlanText(raw)
	v.Check = func(args []string) error {
		if args[0] == "-" && primary < 0 {
			return cli.Usage("a transform from standard input needs --primary")
		}
		return order.Wrong()
	}
	v.Run = func(ctx context.Context, args []string) error {
		return runUnBWT(ctx, v.Job(), args[0], primary, out, raw(), order.Chosen())
	}
	flags.AddCommon(v.Flags())
	flags.AddSymbols(v.Flags())
	order.Add(v.Flags(), suffixcl.OrderPlain, suffixcl.OrderEndLargest, suffixcl.OrderMemory)
	options.AddOutput(v.Command, &out)
	options.AddPrimary(v.Flags(), &primary, "primary index, instead of that in BWT.primary")
	return v
}

// invertFile is the file whose transform is given, of bytes or symbols.
func invertFile(ctx context.Context, j *job.Job, data []byte, primary int, order suffixcl.Order) ([]byte, error) {
	if j.Flags.SymbolBytes() == 1 && order == suffixcl.OrderPlain {
		return j.Engine().InverseBWT(j.Measured(ctx), data, primary)
	}
	transform, err := j.Source.Text(data)
	if err != nil {
		return nil, err
	}
	text, err := j.Engine().Invert(&suffixcl.Result{BWT: transform, Primary: primary, Order: order}).All(j.Measured(ctx))
	return source.DataOf(text), err
}

func runUnBWT(
	ctx context.Context, j *job.Job, name string, primary int, outName string, o cli.InputOptions, order suffixcl.Order,
) error {
	inputs := []string{name}
	if primary < 0 {
		inputs = append(inputs, source.PrimaryFile(name))
	}
	defer j.Close()
	return j.Sink.Result(ctx, outName, inputs, func() (_ func(io.Writer) error, err error) {
		if primary < 0 {
			if err := cli.CheckReadable(name); err != nil {
				return nil, err
			}
			if primary, err = source.ReadPrimary(name); err != nil {
				return nil, err
			}
		}
		transform, err := j.Source.OpenDeviceAndText(ctx, name, o)
		if err != nil {
			return nil, err
		}
		j.Report.Primary = &primary
		text, err := invertFile(ctx, j, transform, primary, order)
		return func(w io.Writer) error { return sink.WriteBytes(w, text, j.Session.Progress.Of("write")) }, err
	})
}
