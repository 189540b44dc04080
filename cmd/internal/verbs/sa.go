package verbs

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/arrays"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/operation"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/ranks"
	"github.com/suffixcl/suffixcl/cmd/internal/sink"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/internal/cli"
)

const saHelp = `Build the suffix array of a text.

OUT is a plain array of unsigned little-endian integers, --width bytes each: the
positions of the text, from 0, in the order of the suffixes that start there. It
has as many entries as the text has bytes; the empty text gives an empty file.

If the device has too little memory, the suffix array is sorted in ranges, each written
before the next; --algorithm ranges does so in any case. That takes texts of 2^32 - 1
bytes and more, too, whose positions need --width 5 or 8.

With --resume DIR finished ranges are kept in DIR. A job that has ended, by a full disk say,
goes on from there when it is begun anew. Text and options must be the same; of ranks, as
many as there are now. With --device all, or several names with commas between them, each
device sorts ranges.

With --symbols u16 or u32 the text is little-endian integers, as token ids and code points:
they compare as numbers, and positions count them. A file that ends within one is refused.

With --order end-largest the text is followed by what is larger than all bytes, instead of
smaller. With specials-largest all bytes but --letters, separators and N for example, are
larger than these, equal to nothing, and ordered by position; the end is the last of them.
Ranges have that order, too, without --resume. With memory, symbols compare byte by byte as
they are in the file.

With --mpi this is one of the ranks that mpirun started. Each reads its part of the
text, a plain file, and writes its part of OUT, on a file system that all share. The
ranks of a node are spread over its GPUs. If one fails, all end. With --algorithm ranges,
or where the others do not fit, each rank takes the next range when it has sorted one.
All of the text is on each device then.`

func saVerb() verb.Verb {
	var (
		flags options.Job
		out   string
		width options.Width
	)
	order := options.Order{Job: &flags}
	want := suffixcl.Want{SA: true}
	op := func() operation.Operation {
		switch {
		case flags.SymbolBytes() == 1 && order.Plain():
			return operation.RangesArray
		case order.Specials():
			return operation.OrderedArray(order.Chosen(), int(width))
		}
		return operation.SortedArray
	}
	v := verb.Verb{Options: &flags, Op: op, Plan: verb.PlanOrdered(&order, verb.Always(want), verb.Always(false))}
	v.Prepares = &verb.Preparation{Plans: verb.PlansOf(operation.SortedArray)}
	v.Reads = []cli.Accepted{verb.Texts("TEXT")}
	v.Writes = []cli.Produced{cli.Writes("output", verb.Array)}
	v.Command = &cobra.Command{
		Use:   "sa TEXT -o OUT",
		Short: "Build a suffix array",
		Long:  saHelp,
		Example: "  suffixcl sa genome.txt.gz -o genome.sa\n" +
			"  tar -c folder | suffixcl sa - -o folder.sa --width 5 --device cpu\n" +
			"  mpirun -n 4 suffixcl sa --mpi --algorithm pcss genome.txt -o genome.sa\n" +
			"  mpirun -n 4 suffixcl sa --mpi --algorithm ranges --width 5 genomes.txt -o genomes.sa5",
	}
	v.Check = func(args []string) error {
		plain := flags.SymbolBytes() == 1 && (order.Plain() || order.Specials() && flags.Resume == "")
		return cmp.Or(flags.WrongSymbols(), order.Wrong(), flags.CheckRanges(plain),
			flags.CheckMPI(append(args, out)...))
	}
	v.Run = func(ctx context.Context, args []string) error {
		if flags.RanksInRanges() {
			return ranks.InRanges(ctx, v.Job(), args[0], out, operation.SuffixArrayInRanges(int(width)))
		}
		if flags.MPI {
			return ranks.Array(ctx, v.Job(), args[0], out, operation.SuffixArrayInRanges(int(width)),
				func(_ *ranks.Ranked, sa []uint64) ([]uint64, error) { return sa, nil })
		}
		if flags.SymbolBytes() == 1 && order.Plain() {
			j := v.Job()
			whole := func(text []byte) ([]uint32, error) { return j.Engine().SuffixArray(j.Measured(ctx), text) }
			return arrays.RunRanges(ctx, j, args, out, operation.SuffixArrayInRanges(int(width)), whole)
		}
		ordered := func(j *job.Job, text []byte) ([]uint32, error) {
			r, err := j.Arrays(ctx, text, suffixcl.Want{SA: true, Order: order.Chosen()})
			if err != nil {
				return nil, err
			}
			return r.SA, nil
		}
		if order.Specials() {
			j := v.Job()
			whole := func(text []byte) ([]uint32, error) { return ordered(j, text) }
			return arrays.RunRanges(ctx, j, args, out, *op().Ranges, whole)
		}
		return arrays.Run(ctx, v.Job(), args, out, int(width), ordered)
	}
	v.Result = func(j *job.Job) sink.File { return j.ArrayFile(int(width), out) }
	flags.Add(v.Flags(), true)
	flags.AddSymbols(v.Flags())
	order.Add(v.Flags(), options.AllOrders...)
	flags.AddSorters(v.Flags(), suffixcl.AlgorithmRanges)
	flags.AddMPI(v.Flags())
	options.AddOutput(v.Command, &out)
	options.AddWidth(v.Flags(), &width)
	flags.AddRanges(v.Flags())
	return v
}
