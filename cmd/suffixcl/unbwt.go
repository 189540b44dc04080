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
BWT.primary, or given by --primary. If no text has this transform and primary index,
the exit code is 5.`

func unbwtCommand() *cobra.Command {
	var (
		flags   jobFlags
		out     string
		primary int
	)
	c := &cobra.Command{
		Use:     "unbwt BWT -o OUT",
		Short:   "Invert a Burrows-Wheeler transform",
		Long:    unbwtHelp,
		Example: "  suffixcl unbwt genome.bwt -o genome.txt",
		Args:    cobra.ExactArgs(1),
	}
	c.RunE = cli.Work(func(ctx context.Context, args []string) error {
		if args[0] == "-" && primary < 0 {
			return cli.Usage("a transform from standard input needs --primary")
		}
		return runUnBWT(ctx, &flags, args[0], primary, out)
	})
	flags.addCommon(c.Flags())
	addOutput(c.Flags(), &out)
	addPrimary(c.Flags(), &primary, "primary index, instead of that in BWT.primary")
	c.MarkFlagRequired("output")
	return c
}

func runUnBWT(ctx context.Context, flags *jobFlags, name string, primary int, outName string) error {
	flags.Raw = true
	j := newJob(flags, "unbwt", suffixcl.OpInverseBWT)
	inputs := []string{name}
	if primary < 0 {
		inputs = append(inputs, primaryFile(name))
	}
	return j.result(ctx, outName, inputs, func(j *job) (_ func(io.Writer) error, err error) {
		if primary < 0 {
			if primary, err = readPrimary(name); err != nil {
				return nil, err
			}
		}
		transform, err := j.openDeviceAndText(ctx, name, j.flags.Options())
		if err != nil {
			return nil, err
		}
		j.report.Primary = &primary
		text, err := j.engine.InverseBWT(j.measured(ctx), transform, primary)
		return func(w io.Writer) error { return writeBytes(w, text, j.progress.Of("write")) }, err
	})
}
