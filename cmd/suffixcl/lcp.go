package main

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/cli"
)

const lcpHelp = `Compute the LCP array of a text: for each slot of its suffix array, how many characters
the suffix there shares with the one in the slot before; 0 in slot 0.

OUT holds unsigned little-endian integers, --width bytes each, as many as the text has
bytes. With --sa the suffix array is read, as "sa" writes it and in the same width; it
is verified, which takes less time than sorting. If it is not the suffix array of the
text, the exit code is 5.`

func lcpCommand() *cobra.Command {
	var (
		flags   jobFlags
		out, sa string
		width   entryWidth
	)
	c := &cobra.Command{
		Use:     "lcp TEXT -o OUT",
		Short:   "Compute an LCP array",
		Long:    lcpHelp,
		Example: "  suffixcl lcp genome.txt --sa genome.sa -o genome.lcp",
		Args:    cobra.ExactArgs(1),
	}
	c.RunE = cli.Work(func(ctx context.Context, args []string) error {
		if err := oneStandardInput(args[0], sa); err != nil {
			return err
		}
		return runLCP(ctx, &flags, args[0], sa, out, int(width))
	})
	flags.add(c.Flags(), true)
	addOutput(c.Flags(), &out)
	addWidth(c.Flags(), &width)
	addSA(c, &sa, "text")
	c.MarkFlagRequired("output")
	return c
}

func runLCP(ctx context.Context, flags *jobFlags, name, saName, outName string, width int) error {
	op := suffixcl.OpLCP
	if saName != "" {
		op = suffixcl.OpLCPOf
	}
	j, inputs := newJob(flags, "lcp", op), []string{name, saName}
	return runArray(ctx, j, inputs, outName, width, func(j *job, text []byte) ([]uint32, error) {
		if saName == "" {
			return j.engine.LCP(j.measured(ctx), text)
		}
		sa, err := j.array(ctx, suffixArrayFile, saName, len(text))
		if err != nil {
			return nil, err
		}
		return j.engine.LCPOf(j.measured(ctx), text, sa)
	})
}
