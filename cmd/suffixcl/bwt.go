package main

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cli"
)

const bwtHelp = `Compute the Burrows-Wheeler transform of a text.

OUT has the bytes of the transform, as many as the text has: the last characters
of the sorted rotations of the text with an end marker, without the row whose last
character is the end marker. The number of that row, the primary index, is needed
to invert the transform. It counts from 0 and is 1 plus the slot of the whole text
in the suffix array, as libdivsufsort and libsais have it; 0 for the empty text.

The primary index is written, in decimal, to OUT.primary and to standard output.
Both files appear only when both are complete. If OUT is a device or pipe there is
no OUT.primary; if it is "-", the primary index goes to standard error. With
--json the primary index is in the object, and not on a line of its own.

With --set the transform is that of a set of texts, which are read as by gsa: each is
followed by a terminator, written as a newline, smaller than all letters and ordered by
text. A set has no primary index. With --both each text of DNA is followed by its reverse
complement: text 2i is that of number i, text 2i + 1 its other strand. With --format
ropebwt3 letters are A, C, G, T and, larger, N for all others, as "ropebwt3 plain2fmd"
reads them.

--order is that of "sa". In orders in which the end is largest, the row of the end marker is
the last, and the primary index is the slot of the whole text.

If the device has too little memory, the text is sorted in ranges, and the transform written
range by range, as by sa; with --device all each device sorts some. --resume and --mpi are
those of sa.`

func bwtVerb() verb {
	var (
		flags jobFlags
		out   string
	)
	order, set := orderFlags{jobFlags: &flags}, setTransform{setFlags: setFlags{jobFlags: &flags}}
	v := verb{flags: &flags, op: always(sortedBWT)}
	v.plan = func(ctx context.Context, j *job, name string) (device.MemoryPlan, error) {
		if set.set {
			return planSet(&set.setFlags, set.texts, set.want)(ctx, j, name)
		}
		return order.plan(func() suffixcl.Want { return suffixcl.Want{BWT: true} }, always(false))(ctx, j, name)
	}
	v.Command = &cobra.Command{
		Use:   "bwt TEXT -o OUT",
		Short: "Compute a Burrows-Wheeler transform",
		Long:  bwtHelp,
		Example: "  suffixcl bwt genome.txt -o genome.bwt\n" +
			"  suffixcl bwt --set --both --format ropebwt3 contigs.fa -o contigs.bwt",
	}
	v.check = func(args []string) error {
		set.recognise()
		if set.set && !order.plain() {
			return cli.Usage("--set does not go with --order %s", order.order.Value)
		}
		plain := !set.set && flags.symbolBytes() == 1 && order.plain()
		return cmp.Or(set.wrong(), flags.wrongSymbols(), order.wrong(), flags.checkRanges(plain),
			flags.checkMPI(append(args, out)...))
	}
	v.run = func(ctx context.Context, args []string) error {
		if flags.ranksInRanges() {
			return runRanksInRanges(ctx, newJob(v), args[0], out, transformInRanges())
		}
		if flags.mpi {
			return runRankBWT(ctx, newJob(v), args[0], out)
		}
		if set.set {
			return runSetTransform(ctx, newJob(v), &set, args[0], out)
		}
		return runBWT(ctx, newJob(v), args[0], out, order.chosen())
	}
	v.result = func(j *job) resultFile { return resultFile{int64(j.report.Bytes), out, flags.resume} }
	flags.add(v.Flags(), true)
	flags.addSymbols(v.Flags())
	order.add(v.Flags(), allOrders...)
	set.add(v.Flags())
	flags.addSorters(v.Flags(), suffixcl.AlgorithmRanges)
	flags.addMPI(v.Flags())
	addOutput(v.Command, &out)
	flags.addRanges(v.Flags())
	return v
}

// transform is that of a file of bytes or symbols.
func (j *job) transform(
	ctx context.Context, data []byte, order suffixcl.Order,
) (transform []byte, primary int, err error) {
	if j.flags.symbolBytes() == 1 && order == suffixcl.OrderPlain {
		return j.engine.BWT(j.measured(ctx), data)
	}
	r, err := j.build(ctx, data, suffixcl.Want{BWT: true, Order: order})
	if err != nil {
		return nil, 0, err
	}
	return dataOf(r.BWT), r.Primary, nil
}

// transformWriter writes the transform of a text: while it is sorted in ranges, where it does not fit in one piece.
// primary is there when it has been written.
func (j *job) transformWriter(ctx context.Context, text *rangesText, order suffixcl.Order) (
	write func(io.Writer) error, primary *int, err error) {
	primary = new(int)
	if text.ranged {
		return func(w io.Writer) error {
			state, err := j.sortRanges(ctx, text, transformInRanges(), w, suffixcl.RangeState{}, nil)
			*primary = state.Primary
			return err
		}, primary, nil
	}
	transform, at, err := j.transform(ctx, text.memory, order)
	*primary = at
	return func(w io.Writer) error { return writeBytes(w, transform, j.progress.Of("write")) }, primary, err
}

func runBWT(ctx context.Context, j *job, name, outName string, order suffixcl.Order) error {
	defer j.Close()
	out, err := cli.NewOutput(outName, name)
	if err != nil {
		return err
	}
	outputs := []*cli.Output{out}
	if out.IsFile() {
		primaryOut, err := cli.NewOutput(primaryFile(outName), name, outName)
		if err != nil {
			return err
		}
		outputs = append(outputs, primaryOut)
	}
	var text *rangesText
	if j.flags.symbolBytes() == 1 && order == suffixcl.OrderPlain {
		text, err = j.openRangesText(ctx, name, transformInRanges())
	} else {
		text = &rangesText{}
		text.memory, err = j.openDeviceAndText(ctx, name, j.flags.Options())
	}
	if err != nil {
		return err
	}
	defer text.Close()
	if err := (resultFile{int64(max(text.n, len(text.memory))), outName, j.flags.resume}).checkRoom(); err != nil {
		return err
	}
	for _, o := range outputs {
		defer o.Discard()
	}
	primary := new(int)
	writePrimary := func() error {
		if len(outputs) == 1 {
			return nil
		}
		return outputs[1].Write(ctx, func(w io.Writer) error {
			_, err := fmt.Fprintln(w, *primary)
			return err
		})
	}
	if j.flags.resume != "" {
		err = timed(&j.report.Seconds.Write, func() error {
			return j.resumeRanges(ctx, text, transformInRanges(), out, func(state suffixcl.RangeState) error {
				*primary = state.Primary
				return writePrimary()
			}, outputs[1:]...)
		})
	} else {
		var write func(io.Writer) error
		if write, primary, err = j.transformWriter(ctx, text, order); err != nil {
			return err
		}
		err = timed(&j.report.Seconds.Write, func() error {
			if err := writeWhile(ctx, out, write); err != nil {
				return err
			}
			if err := writePrimary(); err != nil {
				return err
			}
			return cli.Commit(outputs...)
		})
	}
	if err != nil {
		return err
	}
	j.report.Primary = primary
	j.progress.Stop()
	if !j.flags.json && outName == "-" {
		cli.Tell("suffixcl: primary index %d\n", *primary)
	} else if !j.flags.json {
		if err := cli.PrintResult("%d", *primary); err != nil {
			return err
		}
	}
	return j.finish(out)
}
