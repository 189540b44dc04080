package verbs

import (
	"cmp"
	"context"
	"fmt"
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

func bwtVerb() verb.Verb {
	var (
		flags options.Job
		out   string
	)
	order, set := options.Order{Job: &flags}, setTransform{Set: options.Set{Job: &flags}}
	v := verb.Verb{Options: &flags, Op: verb.Always(operation.SortedBWT)}
	v.Plan = func(ctx context.Context, j *job.Job, name string) (device.MemoryPlan, error) {
		if set.set {
			return verb.PlanSet(&set.Set, set.texts, set.want)(ctx, j, name)
		}
		want := verb.Always(suffixcl.Want{BWT: true})
		return verb.PlanOrdered(&order, want, verb.Always(false))(ctx, j, name)
	}
	v.Prepares = &verb.Preparation{Plans: verb.PlansOf(operation.SortedBWT)}
	v.Reads = []cli.Accepted{cli.Reads("TEXT", verb.Bytes, verb.Symbols, verb.Records, verb.Lines, verb.JSONLines,
		verb.Directory)}
	v.Writes = []cli.Produced{cli.Writes("output", verb.Transform, "OUT.primary")}
	v.Command = &cobra.Command{
		Use:   "bwt TEXT -o OUT",
		Short: "Compute a Burrows-Wheeler transform",
		Long:  bwtHelp,
		Example: "  suffixcl bwt genome.txt -o genome.bwt\n" +
			"  suffixcl bwt --set --both --format ropebwt3 contigs.fa -o contigs.bwt",
	}
	v.Check = func(args []string) error {
		set.recognise()
		if set.set && !order.Plain() {
			return cli.Usage("--set does not go with --order %s", order.Order.Value)
		}
		plain := !set.set && flags.SymbolBytes() == 1 && order.Plain()
		return cmp.Or(set.wrong(), flags.WrongSymbols(), order.Wrong(), flags.CheckRanges(plain),
			flags.CheckMPI(append(args, out)...))
	}
	v.Run = func(ctx context.Context, args []string) error {
		if flags.RanksInRanges() {
			return ranks.InRanges(ctx, v.Job(), args[0], out, operation.TransformInRanges())
		}
		if flags.MPI {
			return ranks.Transform(ctx, v.Job(), args[0], out)
		}
		if set.set {
			return runSetTransform(ctx, v.Job(), &set, args[0], out)
		}
		return runBWT(ctx, v.Job(), args[0], out, order.Chosen())
	}
	v.Result = func(j *job.Job) sink.File {
		return j.File(int64(j.Report.Bytes), out)
	}
	flags.Add(v.Flags(), true)
	flags.AddSymbols(v.Flags())
	order.Add(v.Flags(), options.AllOrders...)
	set.add(v.Flags())
	flags.AddSorters(v.Flags(), suffixcl.AlgorithmRanges)
	flags.AddMPI(v.Flags())
	options.AddOutput(v.Command, &out)
	flags.AddRanges(v.Flags())
	return v
}

// transformOf is that of a file of bytes or symbols.
func transformOf(
	ctx context.Context, j *job.Job, data []byte, order suffixcl.Order,
) (transform []byte, primary int, err error) {
	if j.Flags.SymbolBytes() == 1 && order == suffixcl.OrderPlain {
		return j.Engine().BWT(j.Measured(ctx), data)
	}
	r, err := j.Arrays(ctx, data, suffixcl.Want{BWT: true, Order: order})
	if err != nil {
		return nil, 0, err
	}
	return source.DataOf(r.BWT), r.Primary, nil
}

// transformWriter writes the transform of a text: while it is sorted in ranges, where it does not fit in one piece.
// primary is there when it has been written.
func transformWriter(ctx context.Context, j *job.Job, text *arrays.Text, order suffixcl.Order) (
	write func(io.Writer) error, primary *int, err error) {
	primary = new(int)
	if text.Ranged {
		return func(w io.Writer) error {
			state, err := arrays.SortRanges(ctx, j, text, operation.TransformInRanges(), w, suffixcl.RangeState{}, nil)
			*primary = state.Primary
			return err
		}, primary, nil
	}
	transform, at, err := transformOf(ctx, j, text.Memory, order)
	*primary = at
	return func(w io.Writer) error { return sink.WriteBytes(w, transform, j.Session.Progress.Of("write")) }, primary, err
}

func runBWT(ctx context.Context, j *job.Job, name, outName string, order suffixcl.Order) error {
	defer j.Close()
	out, err := cli.NewOutput(outName, name)
	if err != nil {
		return err
	}
	outputs := []*cli.Output{out}
	if out.IsFile() {
		primaryOut, err := cli.NewOutput(source.PrimaryFile(outName), name, outName)
		if err != nil {
			return err
		}
		outputs = append(outputs, primaryOut)
	}
	var text *arrays.Text
	if j.Flags.SymbolBytes() == 1 && order == suffixcl.OrderPlain {
		text, err = arrays.OpenDeviceAndRanges(ctx, j, name, operation.TransformInRanges())
	} else {
		text = &arrays.Text{}
		text.Memory, err = j.Source.OpenDeviceAndText(ctx, name, j.Flags.Options())
	}
	if err != nil {
		return err
	}
	defer text.Close()
	if err := j.File(int64(max(text.N, len(text.Memory))), outName).CheckRoom(); err != nil {
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
	if j.Flags.Resume != "" {
		err = cli.Timed(&j.Report.Seconds.Write, func() error {
			return arrays.ResumeRanges(ctx, j, text, operation.TransformInRanges(), out, func(state suffixcl.RangeState) error {
				*primary = state.Primary
				return writePrimary()
			}, outputs[1:]...)
		})
	} else {
		var write func(io.Writer) error
		if write, primary, err = transformWriter(ctx, j, text, order); err != nil {
			return err
		}
		err = cli.Timed(&j.Report.Seconds.Write, func() error {
			if err := sink.WriteWhile(ctx, out, write); err != nil {
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
	j.Report.Primary = primary
	j.Session.Progress.Stop()
	if !j.Flags.JSON && outName == "-" {
		cli.Tell("suffixcl: primary index %d\n", *primary)
	} else if !j.Flags.JSON {
		if err := cli.PrintResult("%d", *primary); err != nil {
			return err
		}
	}
	return j.Sink.Finish(out)
}
