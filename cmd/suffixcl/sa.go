package main

import (
	"cmp"
	"context"
	"io"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/cli"
)

const saHelp = `Build the suffix array of a text.

OUT is a plain array of unsigned little-endian integers, --width bytes each: the
positions of the text, from 0, in the order of the suffixes that start there. It
has as many entries as the text has bytes; the empty text gives an empty file.

If the device has too little memory, the suffix array is sorted in ranges, each written
before the next; --algorithm ranges does so in any case. That takes texts of 2^32 - 1
bytes and more, too, whose positions need --width 5 or 8.

With --symbols u16 or u32 the text is little-endian integers, as token ids and code points:
they compare as numbers, and positions count them. A file that ends within one is refused.

With --order end-largest the text is followed by what is larger than all bytes, instead of
smaller. With specials-largest all bytes but --letters, separators and N for example, are
larger than these, equal to nothing, and ordered by position; the end is the last of them.
With memory, symbols compare byte by byte as they are in the file.

With --mpi this is one of the ranks that mpirun started. Each reads its part of the
text, a plain file, and writes its part of OUT, on a file system that all share. The
ranks of a node are spread over its GPUs. If one fails, all end.`

func saVerb() verb {
	var (
		flags jobFlags
		out   string
		width entryWidth
	)
	order := orderFlags{jobFlags: &flags}
	want := suffixcl.Want{SA: true}
	op := func() suffixcl.Op {
		if flags.symbolBytes() > 1 || !order.plain() {
			return suffixcl.OpSuffixArray
		}
		return suffixcl.OpEachSuffixRange
	}
	v := verb{flags: &flags, op: op, plan: order.plan(func() suffixcl.Want { return want })}
	v.Command = &cobra.Command{
		Use:   "sa TEXT -o OUT",
		Short: "Build a suffix array",
		Long:  saHelp,
		Example: "  suffixcl sa genome.txt.gz -o genome.sa\n" +
			"  tar -c folder | suffixcl sa - -o folder.sa --width 5 --device cpu\n" +
			"  mpirun -n 4 suffixcl sa --mpi --algorithm pcss genome.txt -o genome.sa",
	}
	v.check = func(args []string) error {
		if (flags.symbolBytes() > 1 || !order.plain()) && flags.sorter() == suffixcl.AlgorithmRanges {
			return cli.Usage("--algorithm %s sorts bytes in their plain order: neither --symbols nor --order go with it",
				suffixcl.AlgorithmRanges)
		}
		return cmp.Or(flags.wrongSymbols(), order.wrong(), flags.checkMPI(append(args, out)...))
	}
	v.run = func(ctx context.Context, args []string) error {
		if flags.mpi {
			return runRankArray(ctx, newJob(v), args[0], out, int(width), func(_ *ranked, sa []uint64) ([]uint64, error) {
				return sa, nil
			})
		}
		if flags.symbolBytes() == 1 && order.plain() {
			return runSuffixArray(ctx, newJob(v), args, out, int(width))
		}
		return runArray(ctx, newJob(v), args, out, int(width), func(j *job, text []byte) ([]uint32, error) {
			r, err := j.build(ctx, text, suffixcl.Want{SA: true, Order: order.chosen()})
			if err != nil {
				return nil, err
			}
			return r.SA, nil
		})
	}
	flags.add(v.Flags(), true)
	flags.addSymbols(v.Flags())
	order.add(v.Flags(), allOrders...)
	flags.algorithm.Of = append(flags.algorithm.Of, string(suffixcl.AlgorithmRanges))
	flags.addMPI(v.Flags())
	addOutput(v.Command, &out)
	addWidth(v.Flags(), &width)
	return v
}

// runSuffixArray is a job that makes the suffix array of bytes: in ranges, where it does not fit in one piece.
func runSuffixArray(ctx context.Context, j *job, inputs []string, outName string, width int) error {
	return j.result(ctx, outName, inputs, func(j *job) (func(io.Writer) error, error) {
		text, err := j.openDeviceAndText(ctx, inputs[0], j.flags.Options())
		if err != nil {
			return nil, err
		}
		j.report.Width = width
		if width == 4 && len(text) > suffixcl.MaxLen {
			return nil, cli.Usage("a text of %d bytes has positions of --width 5 or 8", len(text))
		}
		plan, err := j.plan(int64(len(text)))
		if err != nil {
			return nil, err
		}
		if last := plan[len(plan)-1].Phase; len(plan) > 1 { // in one piece there is one phase
			if j.flags.sorter() == suffixcl.AlgorithmAuto {
				j.note("the suffix array does not fit in one piece: sorted in %s", last)
			}
			return func(w io.Writer) error {
				entries := newEntryWriter(w, width)
				return j.engine.EachSuffixRange(j.measured(ctx), text, func(_ int, positions []uint64) error {
					return writeEntries(entries, positions, func(int64, int64) {})
				})
			}, nil
		}
		array, err := j.engine.SuffixArray(j.measured(ctx), text)
		return func(w io.Writer) error { return writeArray(w, array, width, j.progress.Of("write")) }, err
	})
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
		array, err := compute(j, text)
		return func(w io.Writer) error { return writeArray(w, array, width, j.progress.Of("write")) }, err
	})
}
