package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/cli"
)

const unbwtHelp = `Compute the text of a Burrows-Wheeler transform, as "bwt" writes it, or libdivsufsort or
libsais.

BWT is taken as it is: it is never decompressed. The primary index is read from
BWT.primary, or given by --primary. --order is that of "bwt"; a transform in the order
specials-largest is not inverted. If no text has this transform and primary index,
the exit code is 5.`

func unbwtVerb() verb {
	var (
		flags   jobFlags
		out     string
		primary int
	)
	order := orderFlags{jobFlags: &flags}
	v := verb{flags: &flags, op: always(invertedBWT)}
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
	v.plan = planText(raw)
	v.check = func(args []string) error {
		if args[0] == "-" && primary < 0 {
			return cli.Usage("a transform from standard input needs --primary")
		}
		return order.wrong()
	}
	v.run = func(ctx context.Context, args []string) error {
		return runUnBWT(ctx, newJob(v), args[0], primary, out, raw(), order.chosen())
	}
	flags.addCommon(v.Flags())
	flags.addSymbols(v.Flags())
	order.add(v.Flags(), suffixcl.OrderPlain, suffixcl.OrderEndLargest, suffixcl.OrderMemory)
	addOutput(v.Command, &out)
	addPrimary(v.Flags(), &primary, "primary index, instead of that in BWT.primary")
	return v
}

// invert is the file whose transform is given, of bytes or symbols.
func (j *job) invert(ctx context.Context, data []byte, primary int, order suffixcl.Order) ([]byte, error) {
	if j.flags.symbolBytes() == 1 && order == suffixcl.OrderPlain {
		return j.engine.InverseBWT(j.measured(ctx), data, primary)
	}
	transform, err := j.text(data)
	if err != nil {
		return nil, err
	}
	text, err := j.engine.Invert(&suffixcl.Result{BWT: transform, Primary: primary, Order: order}).All(j.measured(ctx))
	return dataOf(text), err
}

func runUnBWT(
	ctx context.Context, j *job, name string, primary int, outName string, o cli.InputOptions, order suffixcl.Order,
) error {
	inputs := []string{name}
	if primary < 0 {
		inputs = append(inputs, primaryFile(name))
	}
	return j.result(ctx, outName, inputs, func(j *job) (_ func(io.Writer) error, err error) {
		if primary < 0 {
			if err := cli.CheckReadable(name); err != nil {
				return nil, err
			}
			if primary, err = readPrimary(name); err != nil {
				return nil, err
			}
		}
		transform, err := j.openDeviceAndText(ctx, name, o)
		if err != nil {
			return nil, err
		}
		j.report.Primary = &primary
		text, err := j.invert(ctx, transform, primary, order)
		return func(w io.Writer) error { return writeBytes(w, text, j.progress.Of("write")) }, err
	})
}
