package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"

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

With --order memory, symbols compare byte by byte as they are in the file.`

func bwtVerb() verb {
	var (
		flags jobFlags
		out   string
	)
	order, set := orderFlags{jobFlags: &flags}, setTransform{setFlags: setFlags{jobFlags: &flags}}
	v := verb{flags: &flags, op: always(suffixcl.OpBWT)}
	v.plan = func(ctx context.Context, j *job, name string) (device.MemoryPlan, error) {
		if set.set {
			return planSet(&set.setFlags, set.texts, set.want)(ctx, j, name)
		}
		return planText(flags.Options)(ctx, j, name)
	}
	v.Command = &cobra.Command{
		Use:   "bwt TEXT -o OUT",
		Short: "Compute a Burrows-Wheeler transform",
		Long:  bwtHelp,
		Example: "  suffixcl bwt genome.txt -o genome.bwt\n" +
			"  suffixcl bwt --set --both --format ropebwt3 --input auto contigs.fa -o contigs.bwt",
	}
	v.check = func(args []string) error {
		return cmp.Or(set.wrong(), flags.wrongSymbols(), order.wrong(), flags.checkMPI(append(args, out)...))
	}
	v.run = func(ctx context.Context, args []string) error {
		if flags.mpi {
			return runRankBWT(ctx, newJob(v), args[0], out)
		}
		if set.set {
			return runSetTransform(ctx, newJob(v), &set, args[0], out)
		}
		return runBWT(ctx, newJob(v), args[0], out, order.chosen())
	}
	flags.add(v.Flags(), true)
	flags.addSymbols(v.Flags())
	order.add(v.Flags(), suffixcl.OrderPlain, suffixcl.OrderMemory)
	set.add(v.Flags())
	flags.addMPI(v.Flags())
	addOutput(v.Command, &out)
	return v
}

// transform is that of a file of bytes or symbols.
func (j *job) transform(
	ctx context.Context, data []byte, order suffixcl.Order,
) (transform []byte, primary int, err error) {
	if j.flags.symbolBytes() == 1 {
		return j.engine.BWT(j.measured(ctx), data)
	}
	r, err := j.build(ctx, data, suffixcl.Want{BWT: true, Order: order})
	if err != nil {
		return nil, 0, err
	}
	return dataOf(r.BWT), r.Primary, nil
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
	text, err := j.openDeviceAndText(ctx, name, j.flags.Options())
	if err != nil {
		return err
	}
	transform, primary, err := j.transform(ctx, text, order)
	if err != nil {
		return err
	}
	j.report.Primary = &primary
	err = timed(&j.report.Seconds.Write, func() error {
		for _, o := range outputs {
			defer o.Discard()
		}
		err := out.Write(ctx, func(w io.Writer) error { return writeBytes(w, transform, j.progress.Of("write")) })
		for _, primaryOut := range outputs[1:] {
			if err == nil {
				err = primaryOut.Write(ctx, func(w io.Writer) error {
					_, err := fmt.Fprintln(w, primary)
					return err
				})
			}
		}
		if err != nil {
			return err
		}
		return cli.Commit(outputs...)
	})
	if err != nil {
		return err
	}
	j.progress.Stop()
	if !j.flags.json && outName == "-" {
		fmt.Fprintf(os.Stderr, "suffixcl: primary index %d\n", primary)
	} else if !j.flags.json {
		if err := cli.PrintResult("%d", primary); err != nil {
			return err
		}
	}
	return j.finish(out)
}
