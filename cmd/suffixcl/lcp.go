package main

import (
	"cmp"
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
text, the exit code is 5. --order is that of sa.`

func lcpVerb() verb {
	var (
		flags   jobFlags
		out, sa string
		width   entryWidth
	)
	order := orderFlags{jobFlags: &flags}
	v := verb{flags: &flags, plan: order.plan(func() suffixcl.Want { return suffixcl.Want{LCP: true} })}
	v.Command = &cobra.Command{
		Use:     "lcp TEXT -o OUT",
		Short:   "Compute an LCP array",
		Long:    lcpHelp,
		Example: "  suffixcl lcp genome.txt --sa genome.sa -o genome.lcp",
	}
	v.op = func() suffixcl.Op {
		if sa != "" {
			return suffixcl.OpLCPOf
		}
		return suffixcl.OpLCP
	}
	v.check = func(args []string) error {
		if flags.mpi && sa != "" {
			return cli.Usage("--sa does not go with --mpi")
		}
		return cmp.Or(flags.wrongSymbols(), order.wrong(),
			oneStandardInput(args[0], sa), flags.checkMPI(append(args, out)...))
	}
	v.run = func(ctx context.Context, args []string) error {
		if flags.mpi {
			return runRankArray(ctx, newJob(v), args[0], out, int(width), func(r *ranked, sa []uint64) ([]uint64, error) {
				return r.builder.LCP(r.ctx, r.block, sa)
			})
		}
		inputs := []string{args[0], sa}
		return runArray(ctx, newJob(v), inputs, out, int(width), func(j *job, text []byte) ([]uint32, error) {
			if flags.symbolBytes() > 1 || !order.plain() {
				r, err := j.build(ctx, text, suffixcl.Want{LCP: true, Order: order.chosen()})
				if err != nil {
					return nil, err
				}
				return r.LCP, nil
			}
			if sa == "" {
				return j.engine.LCP(j.measured(ctx), text)
			}
			array, err := j.array(ctx, suffixArrayFile, sa, len(text))
			if err != nil {
				return nil, err
			}
			return j.engine.LCPOf(j.measured(ctx), text, array)
		})
	}
	flags.add(v.Flags(), true)
	flags.addMPI(v.Flags())
	addOutput(v.Command, &out)
	addWidth(v.Flags(), &width)
	addSA(v.Command, &sa, "text")
	flags.addSymbols(v.Flags())
	order.add(v.Flags(), allOrders...)
	v.MarkFlagsMutuallyExclusive("sa", "symbols")
	v.MarkFlagsMutuallyExclusive("sa", "order")
	return v
}
