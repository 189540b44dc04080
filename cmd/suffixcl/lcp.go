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
text, the exit code is 5. --order is that of sa.

If the device has too little memory, the text is sorted in ranges, and the LCP array written
range by range, as by sa; with --device all each device sorts some. --resume and --mpi are
those of sa.`

func lcpVerb() verb {
	var (
		flags   jobFlags
		out, sa string
		width   entryWidth
	)
	order := orderFlags{jobFlags: &flags}
	want := func() suffixcl.Want { return suffixcl.Want{LCP: true, Order: order.chosen()} }
	v := verb{flags: &flags, plan: order.plan(want, func() bool { return sa != "" })}
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
		if flags.severalDevices() && sa != "" {
			return cli.Usage("--sa does not go with several devices, which sort")
		}
		plain := flags.symbolBytes() == 1 && order.plain()
		return cmp.Or(flags.wrongSymbols(), order.wrong(), flags.checkRanges(plain),
			oneStandardInput(args[0], sa), flags.checkMPI(append(args, out)...))
	}
	v.run = func(ctx context.Context, args []string) error {
		if flags.ranksInRanges() {
			return runRanksInRanges(ctx, newJob(v), args[0], out, lcpInRanges(int(width)))
		}
		if flags.mpi {
			return runRankArray(ctx, newJob(v), args[0], out, lcpInRanges(int(width)),
				func(r *ranked, sa []uint64) ([]uint64, error) { return r.builder.LCP(r.ctx, r.block, sa) })
		}
		inputs := []string{args[0], sa}
		if sa == "" && flags.symbolBytes() == 1 && order.plain() {
			j := newJob(v)
			return j.runRanges(ctx, args, out, lcpInRanges(int(width)), func(text []byte) ([]uint32, error) {
				return j.engine.LCP(j.measured(ctx), text)
			})
		}
		return runArray(ctx, newJob(v), inputs, out, int(width), func(j *job, text []byte) ([]uint32, error) {
			if sa == "" {
				r, err := j.build(ctx, text, want())
				if err != nil {
					return nil, err
				}
				return r.LCP, nil
			}
			lcp, err := j.lcpOf(ctx, text, sa, order.plain(), want())
			return lcp, j.wrongArray(err, arrayNames{sa: sa})
		})
	}
	v.result = flags.arrayFile(&width, &out)
	flags.add(v.Flags(), true)
	flags.addSorters(v.Flags(), suffixcl.AlgorithmRanges)
	flags.addMPI(v.Flags())
	flags.addRanges(v.Flags())
	addOutput(v.Command, &out)
	addWidth(v.Flags(), &width)
	addSA(v.Command, &sa, "text")
	flags.addSymbols(v.Flags())
	order.add(v.Flags(), allOrders...)
	v.MarkFlagsMutuallyExclusive("sa", "resume")
	return v
}

// lcpOf makes the LCP array of a text and its suffix array, a file. plain: suffixes are in their plain order.
func (j *job) lcpOf(ctx context.Context, text []byte, sa string, plain bool, want suffixcl.Want) ([]uint32, error) {
	symbols, err := j.text(text)
	if err != nil {
		return nil, err
	}
	array, err := j.array(ctx, suffixArrayFile, sa, symbols.Len())
	if err != nil {
		return nil, err
	}
	if j.flags.symbolBytes() == 1 && plain {
		return j.engine.LCPOf(j.measured(ctx), text, array)
	}
	r, err := j.engine.BuildOf(j.measured(ctx), symbols, array, want)
	if err != nil {
		return nil, err
	}
	return r.LCP, nil
}
