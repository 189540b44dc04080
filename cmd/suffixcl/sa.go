package main

import (
	"cmp"
	"context"
	"io"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
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
With memory, symbols compare byte by byte as they are in the file.

With --mpi this is one of the ranks that mpirun started. Each reads its part of the
text, a plain file, and writes its part of OUT, on a file system that all share. The
ranks of a node are spread over its GPUs. If one fails, all end. With --algorithm ranges,
or where the others do not fit, each rank takes the next range when it has sorted one.
All of the text is on each device then.`

func saVerb() verb {
	var (
		flags jobFlags
		out   string
		width entryWidth
	)
	order := orderFlags{jobFlags: &flags}
	want := suffixcl.Want{SA: true}
	op := func() operation {
		if flags.symbolBytes() > 1 || !order.plain() {
			return sortedArray
		}
		return rangesArray
	}
	v := verb{flags: &flags, op: op, plan: order.plan(func() suffixcl.Want { return want }, always(false))}
	v.Command = &cobra.Command{
		Use:   "sa TEXT -o OUT",
		Short: "Build a suffix array",
		Long:  saHelp,
		Example: "  suffixcl sa genome.txt.gz -o genome.sa\n" +
			"  tar -c folder | suffixcl sa - -o folder.sa --width 5 --device cpu\n" +
			"  mpirun -n 4 suffixcl sa --mpi --algorithm pcss genome.txt -o genome.sa\n" +
			"  mpirun -n 4 suffixcl sa --mpi --algorithm ranges --width 5 genomes.txt -o genomes.sa5",
	}
	v.check = func(args []string) error {
		plain := flags.symbolBytes() == 1 && order.plain()
		return cmp.Or(flags.wrongSymbols(), order.wrong(), flags.checkRanges(plain),
			flags.checkMPI(append(args, out)...))
	}
	v.run = func(ctx context.Context, args []string) error {
		if flags.ranksInRanges() {
			return runRanksInRanges(ctx, newJob(v), args[0], out, suffixArrayInRanges(int(width)))
		}
		if flags.mpi {
			return runRankArray(ctx, newJob(v), args[0], out, suffixArrayInRanges(int(width)),
				func(_ *ranked, sa []uint64) ([]uint64, error) { return sa, nil })
		}
		if flags.symbolBytes() == 1 && order.plain() {
			j := newJob(v)
			return j.runRanges(ctx, args, out, suffixArrayInRanges(int(width)), func(text []byte) ([]uint32, error) {
				return j.engine.SuffixArray(j.measured(ctx), text)
			})
		}
		return runArray(ctx, newJob(v), args, out, int(width), func(j *job, text []byte) ([]uint32, error) {
			r, err := j.build(ctx, text, suffixcl.Want{SA: true, Order: order.chosen()})
			if err != nil {
				return nil, err
			}
			return r.SA, nil
		})
	}
	v.result = flags.arrayFile(&width, &out)
	flags.add(v.Flags(), true)
	flags.addSymbols(v.Flags())
	order.add(v.Flags(), allOrders...)
	flags.addSorters(v.Flags(), suffixcl.AlgorithmRanges)
	flags.addMPI(v.Flags())
	addOutput(v.Command, &out)
	addWidth(v.Flags(), &width)
	flags.addRanges(v.Flags())
	return v
}

// runArray is a job that makes an array of a text, the first of its inputs.
func runArray(ctx context.Context, j *job, inputs []string, outName string, width int,
	compute func(j *job, text []byte) ([]uint32, error)) error {
	return j.result(ctx, outName, inputs, func(j *job) (func(io.Writer) error, error) {
		text, err := j.openDeviceAndText(ctx, inputs[0], j.flags.Options())
		if err != nil {
			return nil, err
		}
		j.report.Width = width
		if err := j.arrayFile(width, outName).checkRoom(); err != nil {
			return nil, err
		}
		array, err := compute(j, text)
		return func(w io.Writer) error { return writeArray(w, array, width, j.progress.Of("write")) }, err
	})
}
