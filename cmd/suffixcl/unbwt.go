package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
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
	c.RunE = work(func(ctx context.Context, args []string) error {
		given := c.Flags().Changed("primary")
		switch {
		case given && primary < 0:
			return usage("--primary %d: a primary index is not negative", primary)
		case args[0] == "-" && !given:
			return usage("a transform from standard input needs --primary")
		case !given:
			primary = -1
		}
		return runUnBWT(ctx, &flags, args[0], primary, out)
	})
	flags.addCommon(c.Flags())
	addOutput(c.Flags(), &out)
	c.Flags().IntVar(&primary, "primary", 0, "the primary index, instead of BWT.primary")
	c.MarkFlagRequired("output")
	return c
}

func runUnBWT(ctx context.Context, flags *jobFlags, name string, primary int, outName string) error {
	flags.raw = true
	j := newJob(flags, "unbwt", suffixcl.OpInverseBWT)
	defer j.Close()
	out, err := newOutput(outName)
	if err != nil {
		return err
	}
	if primary < 0 {
		if primary, err = readPrimary(name); err != nil {
			return err
		}
	}
	transform, err := j.text(ctx, name)
	if err != nil {
		return err
	}
	j.report.Primary = &primary
	text, err := j.engine.InverseBWT(ctx, transform, primary)
	if err != nil {
		return err
	}
	err = j.store(ctx, out, func(w io.Writer) error { return writeBytes(w, text, j.progress.of("write")) })
	if err != nil {
		return err
	}
	return j.finish(out)
}
