package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
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
--json the primary index is in the object, and not on a line of its own.`

func bwtVerb() verb {
	var (
		flags jobFlags
		out   string
	)
	v := verb{flags: &flags, op: always(suffixcl.OpBWT), plan: planText(flags.Options)}
	v.Command = &cobra.Command{
		Use:     "bwt TEXT -o OUT",
		Short:   "Compute a Burrows-Wheeler transform",
		Long:    bwtHelp,
		Example: "  suffixcl bwt genome.txt -o genome.bwt",
	}
	v.check = func(args []string) error {
		return cmp.Or(flags.wrongSymbols(), flags.checkMPI(append(args, out)...))
	}
	v.run = func(ctx context.Context, args []string) error {
		if flags.mpi {
			return runRankBWT(ctx, newJob(v), args[0], out)
		}
		return runBWT(ctx, newJob(v), args[0], out)
	}
	flags.add(v.Flags(), true)
	flags.addSymbols(v.Flags())
	flags.addMPI(v.Flags())
	addOutput(v.Command, &out)
	return v
}

// transform is that of a file of bytes or symbols.
func (j *job) transform(ctx context.Context, data []byte) (transform []byte, primary int, err error) {
	if j.flags.symbolBytes() == 1 {
		return j.engine.BWT(j.measured(ctx), data)
	}
	r, err := j.build(ctx, data, suffixcl.Want{BWT: true})
	if err != nil {
		return nil, 0, err
	}
	return dataOf(r.BWT), r.Primary, nil
}

func runBWT(ctx context.Context, j *job, name, outName string) error {
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
	transform, primary, err := j.transform(ctx, text)
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
