package verbs

import (
	"cmp"
	"context"
	"io"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/arrays"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/operation"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/ranks"
	"github.com/suffixcl/suffixcl/cmd/internal/sink"
	"github.com/suffixcl/suffixcl/cmd/internal/source"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
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

func lcpVerb() verb.Verb {
	var (
		flags   options.Job
		out, sa string
		saOut   string
		width   options.Width
	)
	order := options.Order{Job: &flags}
	want := func() suffixcl.Want { return suffixcl.Want{SA: saOut != "", LCP: true, Order: order.Chosen()} }
	v := verb.Verb{Options: &flags, Plan: verb.PlanOrdered(&order, want, func() bool { return sa != "" })}
	v.Prepares = &verb.Preparation{Plans: verb.PlansOf(operation.SortedLCP, operation.KnownLCP)}
	v.Reads = []cli.Accepted{verb.Texts("TEXT"), cli.Reads("sa", verb.Array)}
	v.Writes = []cli.Produced{cli.Writes("output", verb.Array), cli.Writes("sa-out", verb.Array)}
	v.Command = &cobra.Command{
		Use:   "lcp TEXT -o OUT",
		Short: "Compute an LCP array",
		Long:  lcpHelp,
		Example: "  suffixcl lcp genome.txt --sa genome.sa -o genome.lcp\n" +
			"  suffixcl lcp genome.txt -o genome.lcp --sa-out genome.sa",
	}
	v.Op = func() operation.Operation {
		if sa != "" {
			return operation.KnownLCP
		}
		return operation.SortedLCP
	}
	v.Check = func(args []string) error {
		if flags.MPI && sa != "" {
			return cli.Usage("--sa does not go with --mpi")
		}
		if flags.SeveralDevices() && sa != "" {
			return cli.Usage("--sa does not go with several devices, which sort")
		}
		if flags.MPI && saOut != "" {
			return cli.Usage("--sa-out does not go with --mpi")
		}
		plain := flags.SymbolBytes() == 1 && order.Plain()
		return cmp.Or(flags.WrongSymbols(), order.Wrong(), flags.CheckRanges(plain),
			options.OneStandardInput(args[0], sa), flags.CheckMPI(append(args, out)...))
	}
	v.Run = func(ctx context.Context, args []string) error {
		if flags.RanksInRanges() {
			return ranks.InRanges(ctx, v.Job(), args[0], out, operation.LCPInRanges(int(width)))
		}
		if flags.MPI {
			return ranks.Array(ctx, v.Job(), args[0], out, operation.LCPInRanges(int(width)),
				func(r *ranks.Ranked, sa []uint64) ([]uint64, error) { return r.Builder.LCP(r.Ctx, r.Block, sa) })
		}
		if saOut != "" {
			return runBothArrays(ctx, v.Job(), args[0], saOut, out, int(width), want())
		}
		inputs := []string{args[0], sa}
		if sa == "" && flags.SymbolBytes() == 1 && order.Plain() {
			j := v.Job()
			return arrays.RunRanges(ctx, j, args, out, operation.LCPInRanges(int(width)), func(text []byte) ([]uint32, error) {
				return j.Engine().LCP(j.Measured(ctx), text)
			})
		}
		return arrays.Run(ctx, v.Job(), inputs, out, int(width), func(j *job.Job, text []byte) ([]uint32, error) {
			if sa == "" {
				r, err := j.Arrays(ctx, text, want())
				if err != nil {
					return nil, err
				}
				return r.LCP, nil
			}
			lcp, err := lcpOf(ctx, j, text, sa, want())
			return lcp, j.Source.WrongArray(err, source.ArrayNames{SA: sa})
		})
	}
	v.Result = func(j *job.Job) sink.File {
		file := j.ArrayFile(int(width), out)
		if saOut != "" {
			file.Bytes *= 2
		}
		return file
	}
	flags.Add(v.Flags(), true)
	flags.AddSorters(v.Flags(), suffixcl.AlgorithmRanges)
	flags.AddMPI(v.Flags())
	flags.AddRanges(v.Flags())
	options.AddOutput(v.Command, &out)
	options.AddWidth(v.Flags(), &width)
	options.AddSA(v.Command, &sa, "text")
	flags.AddSymbols(v.Flags())
	order.Add(v.Flags(), options.AllOrders...)
	v.Flags().Var((*cli.FileName)(&saOut), "sa-out", "also write the suffix array to this file")
	for _, other := range []string{"sa", "resume"} {
		v.MarkFlagsMutuallyExclusive("sa-out", other)
	}
	v.MarkFlagsMutuallyExclusive("sa", "resume")
	return v
}

// runBothArrays makes suffix and LCP array of one sort. want says how, in one piece; what does not fit is sorted in
// ranges.
func runBothArrays(ctx context.Context, j *job.Job, name, saName, lcpName string, width int, want suffixcl.Want) error {
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
	plain := j.Flags.SymbolBytes() == 1 && want.Order == suffixcl.OrderPlain
	result := operation.LCPInRanges(width)
	result.Options.NoPositions = false
	text := &arrays.Text{}
	if plain {
		text, err = arrays.OpenDeviceAndRanges(ctx, j, name, result)
	} else {
		text.Memory, err = j.Source.OpenDeviceAndText(ctx, name, j.Flags.Options())
	}
	if err != nil {
		return err
	}
	defer text.Close()
	j.Report.Width = width
	for _, out := range []*cli.Output{sa, lcp} {
		if err := j.ArrayFile(width, out.Name).CheckRoom(); err != nil {
			return err
		}
		defer out.Discard()
	}
	if text.Ranged {
		err = sink.WriteWhile(ctx, sa, func(toSA io.Writer) error {
			return sink.WriteWhile(ctx, lcp, func(toLCP io.Writer) error { return sortBoth(ctx, j, text, result, toSA, toLCP) })
		})
	} else {
		err = writeBoth(ctx, j, text.Memory, sa, lcp, want)
	}
	if err != nil {
		return err
	}
	if err := cli.Timed(&j.Report.Seconds.Write, func() error { return cli.Commit(sa, lcp) }); err != nil {
		return err
	}
	return j.Sink.Finish(lcp)
}

// writeBoth makes the arrays in one piece.
func writeBoth(ctx context.Context, j *job.Job, text []byte, sa, lcp *cli.Output, want suffixcl.Want) error {
	r, err := j.Arrays(ctx, text, want)
	if err != nil {
		return err
	}
	return cli.Timed(&j.Report.Seconds.Write, func() error {
		arrays, part := [][]uint32{r.SA, r.LCP}, j.Session.Progress.Sum("write")
		return cli.WriteAll(ctx, []*cli.Output{sa, lcp}, func(k int, w io.Writer) error {
			return sink.WriteArray(w, arrays[k], j.Report.Width, part())
		})
	})
}

// sortBoth sorts in ranges, and writes both arrays.
func sortBoth(ctx context.Context, j *job.Job, text *arrays.Text, r operation.InRanges, sa, lcp io.Writer) error {
	positions, err := suffixcl.RangeOptions{}.WriteBlocks(sa, r.Width)
	if err != nil {
		return err
	}
	lengths, err := suffixcl.RangeOptions{LCP: true, NoPositions: true}.WriteBlocks(lcp, r.Width)
	if err != nil {
		return err
	}
	o := r.Options
	o.Others = j.Session.Others
	o.Yield = func(b suffixcl.SuffixBlock) error { return cmp.Or(positions(b), lengths(b)) }
	_, err = arrays.SortText(ctx, j, text, o)
	return err
}

// lcpOf makes the LCP array of a text and its suffix array, a file.
func lcpOf(ctx context.Context, j *job.Job, text []byte, sa string, want suffixcl.Want) ([]uint32, error) {
	symbols, err := j.Source.Text(text)
	if err != nil {
		return nil, err
	}
	array, err := j.Source.Array(ctx, source.SuffixArrayFile, sa, symbols.Len())
	if err != nil {
		return nil, err
	}
	j.Session.Note("%s is verified first", sa)
	want.Known = array
	r, err := j.Engine().Arrays(symbols, want).All(j.Measured(ctx))
	if err != nil {
		return nil, err
	}
	return r.LCP, nil
}
