package main

import (
	"cmp"
	"context"
	"io"

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
those of sa. With --sa-out the suffix array is written, too, of the same sort and width.`

func lcpVerb() verb {
	var (
		flags   jobFlags
		out, sa string
		saOut   string
		width   entryWidth
	)
	order := orderFlags{jobFlags: &flags}
	want := func() suffixcl.Want { return suffixcl.Want{SA: saOut != "", LCP: true, Order: order.chosen()} }
	v := verb{flags: &flags, plan: order.plan(want, func() bool { return sa != "" })}
	v.Command = &cobra.Command{
		Use:   "lcp TEXT -o OUT",
		Short: "Compute an LCP array",
		Long:  lcpHelp,
		Example: "  suffixcl lcp genome.txt --sa genome.sa -o genome.lcp\n" +
			"  suffixcl lcp genome.txt -o genome.lcp --sa-out genome.sa",
	}
	v.op = func() operation {
		if sa != "" {
			return knownLCP
		}
		return sortedLCP
	}
	v.check = func(args []string) error {
		if flags.mpi && sa != "" {
			return cli.Usage("--sa does not go with --mpi")
		}
		if flags.severalDevices() && sa != "" {
			return cli.Usage("--sa does not go with several devices, which sort")
		}
		if flags.mpi && saOut != "" {
			return cli.Usage("--sa-out does not go with --mpi")
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
		if saOut != "" {
			return runBothArrays(ctx, newJob(v), args[0], saOut, out, int(width), want())
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
			lcp, err := j.lcpOf(ctx, text, sa, want())
			return lcp, j.wrongArray(err, arrayNames{sa: sa})
		})
	}
	v.result = func(j *job) resultFile {
		file := j.arrayFile(int(width), out)
		if saOut != "" {
			file.bytes *= 2
		}
		return file
	}
	flags.add(v.Flags(), true)
	flags.addSorters(v.Flags(), suffixcl.AlgorithmRanges)
	flags.addMPI(v.Flags())
	flags.addRanges(v.Flags())
	addOutput(v.Command, &out)
	addWidth(v.Flags(), &width)
	addSA(v.Command, &sa, "text")
	flags.addSymbols(v.Flags())
	order.add(v.Flags(), allOrders...)
	v.Flags().Var((*cli.FileName)(&saOut), "sa-out", "also write the suffix array to this file")
	for _, other := range []string{"sa", "resume"} {
		v.MarkFlagsMutuallyExclusive("sa-out", other)
	}
	v.MarkFlagsMutuallyExclusive("sa", "resume")
	return v
}

// runBothArrays makes suffix and LCP array of one sort. want says how, in one piece; what does not fit is sorted in
// ranges.
func runBothArrays(ctx context.Context, j *job, name, saName, lcpName string, width int, want suffixcl.Want) error {
	defer j.Close()
	sa, err := cli.NewOutput(saName, name)
	if err != nil {
		return err
	}
	lcp, err := cli.NewOutput(lcpName, name, saName)
	if err == nil && lcpName == saName {
		err = cli.Usage("-o and --sa-out are the same file")
	}
	if err != nil {
		return err
	}
	plain := j.flags.symbolBytes() == 1 && want.Order == suffixcl.OrderPlain
	result := lcpInRanges(width)
	result.options.NoPositions = false
	text := &rangesText{}
	if plain {
		text, err = j.openRangesText(ctx, name, result)
	} else {
		text.memory, err = j.openDeviceAndText(ctx, name, j.flags.Options())
	}
	if err != nil {
		return err
	}
	defer text.Close()
	j.report.Width = width
	for _, out := range []*cli.Output{sa, lcp} {
		if err := j.arrayFile(width, out.Name).checkRoom(); err != nil {
			return err
		}
		defer out.Discard()
	}
	if text.ranged {
		err = writeWhile(ctx, sa, func(toSA io.Writer) error {
			return writeWhile(ctx, lcp, func(toLCP io.Writer) error { return j.sortBoth(ctx, text, result, toSA, toLCP) })
		})
	} else {
		err = j.writeBoth(ctx, text.memory, sa, lcp, want)
	}
	if err != nil {
		return err
	}
	if err := timed(&j.report.Seconds.Write, func() error { return cli.Commit(sa, lcp) }); err != nil {
		return err
	}
	return j.finish(lcp)
}

// writeBoth makes the arrays in one piece.
func (j *job) writeBoth(ctx context.Context, text []byte, sa, lcp *cli.Output, want suffixcl.Want) error {
	r, err := j.build(ctx, text, want)
	if err != nil {
		return err
	}
	return timed(&j.report.Seconds.Write, func() error {
		arrays, part := [][]uint32{r.SA, r.LCP}, j.progress.Sum("write")
		return cli.WriteAll(ctx, []*cli.Output{sa, lcp}, func(k int, w io.Writer) error {
			return writeArray(w, arrays[k], j.report.Width, part())
		})
	})
}

// sortBoth sorts in ranges, and writes both arrays.
func (j *job) sortBoth(ctx context.Context, text *rangesText, r rangesResult, sa, lcp io.Writer) error {
	positions, err := suffixcl.RangeOptions{}.WriteBlocks(sa, r.width)
	if err != nil {
		return err
	}
	lengths, err := suffixcl.RangeOptions{LCP: true, NoPositions: true}.WriteBlocks(lcp, r.width)
	if err != nil {
		return err
	}
	o := r.options
	o.Others = j.others
	o.Yield = func(b suffixcl.SuffixBlock) error { return cmp.Or(positions(b), lengths(b)) }
	_, err = j.ranges(ctx, text, o)
	return err
}

// lcpOf makes the LCP array of a text and its suffix array, a file.
func (j *job) lcpOf(ctx context.Context, text []byte, sa string, want suffixcl.Want) ([]uint32, error) {
	symbols, err := j.text(text)
	if err != nil {
		return nil, err
	}
	array, err := j.array(ctx, suffixArrayFile, sa, symbols.Len())
	if err != nil {
		return nil, err
	}
	j.note("%s is verified first", sa)
	want.Known = array
	r, err := j.engine.Arrays(symbols, want).All(j.measured(ctx))
	if err != nil {
		return nil, err
	}
	return r.LCP, nil
}
