package verbs

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/operation"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/ranks"
	"github.com/suffixcl/suffixcl/cmd/internal/source"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
)

const verifyHelp = `Check that a file is the suffix array of a text, with --bwt that another is its
Burrows-Wheeler transform, and with --lcp its LCP array. This takes linear time and
sorts nothing.

The files are taken as they are, as "sa", "bwt" and "lcp" write them: they are never
decompressed. Where the device has too little memory for text and arrays, or positions have
more than 32 bits, plain files are read part by part, with a byte of device memory a
character. Both arrays have the same --width. --order is that of
sa. The primary index is read from F.primary for a transform F, or given by --primary.

If the files are right, a line that starts with OK is printed; if they are not,
the exit code is 5 and the error says what is wrong, and where.`

type verifyFlags struct {
	options.Job
	width   options.Width
	bwt     string
	lcp     string
	primary int
	order   options.Order
}

// specials tells whether a suffix array with specials is checked alone, which blocks have, too.
func (f *verifyFlags) specials() bool { return f.order.Specials() && f.bwt == "" && f.lcp == "" }

func verifyVerb() verb.Verb {
	var flags verifyFlags
	flags.order.Job = &flags.Job
	want := func() suffixcl.Want { return suffixcl.Want{LCP: flags.lcp != "", BWT: flags.bwt != ""} }
	v := verb.Verb{Options: &flags.Job}
	v.Plan = func(ctx context.Context, j *job.Job, name string) (device.MemoryPlan, error) {
		plan, err := verb.PlanOrdered(&flags.order, want, verb.Always(true))(ctx, j, name)
		if fits := err; flags.specials() {
			if err == nil {
				fits = plan.Fits(j.Session.Device)
			}
			if fits != nil && device.IsTooLarge(fits) {
				given := suffixcl.GivenArrays{Order: flags.order.Chosen()}
				return j.Engine().VerifyArrays(suffixcl.Length(1, j.Report.Bytes), given).Plan(ctx)
			}
		}
		return plan, err
	}
	v.Prepares = &verb.Preparation{Plans: verb.PlansOf(operation.CheckedArray, operation.CheckedBWT, operation.CheckedLCP)}
	v.Reads = []cli.Accepted{verb.Texts("TEXT"), cli.Reads("SA", verb.Array), cli.Reads("bwt", verb.Transform),
		cli.Reads("lcp", verb.Array)}
	v.Writes = []cli.Produced{cli.Writes(cli.Stdout, "text", "JSON")}
	v.Command = &cobra.Command{
		Use:     "verify TEXT SA",
		Short:   "Check a suffix array, transform or LCP array",
		Long:    verifyHelp,
		Example: "  suffixcl verify genome.txt.gz genome.sa --bwt genome.bwt",
	}
	v.Op = func() operation.Operation {
		switch {
		case flags.lcp != "": // which needs all that --bwt does
			return operation.CheckedLCP
		case flags.bwt != "":
			return operation.CheckedBWT
		}
		return operation.CheckedArray
	}
	v.Check = func(args []string) error {
		switch {
		case flags.MPI && (flags.bwt != "" || flags.lcp != ""):
			return cli.Usage("with --mpi a suffix array is checked alone")
		case flags.primary >= 0 && flags.bwt == "":
			return cli.Usage("--primary needs --bwt")
		case flags.bwt == "-" && flags.primary < 0:
			return cli.Usage("a transform from standard input needs --primary")
		}
		return cmp.Or(flags.WrongSymbols(), flags.order.Wrong(),
			options.OneStandardInput(append(args, flags.bwt, flags.lcp)...), flags.CheckMPI(args...))
	}
	v.Run = func(ctx context.Context, args []string) error {
		if flags.MPI {
			return ranks.Verify(ctx, v.Job(), args[0], args[1], int(flags.width))
		}
		return runVerify(ctx, v.Job(), &flags, args[0], args[1])
	}
	flags.Add(v.Flags(), false)
	flags.AddSymbols(v.Flags())
	flags.order.Add(v.Flags(), options.AllOrders...)
	flags.AddMPI(v.Flags())
	options.AddWidth(v.Flags(), &flags.width)
	v.Flags().Var((*cli.FileName)(&flags.bwt), "bwt", "also check this Burrows-Wheeler transform")
	v.Flags().Var((*cli.FileName)(&flags.lcp), "lcp", "also check this LCP array")
	options.AddPrimary(v.Flags(), &flags.primary, "primary index of the transform F, instead of that in F.primary")
	return v
}

func runVerify(ctx context.Context, j *job.Job, flags *verifyFlags, textName, saName string) error {
	defer j.Close()
	primary := flags.primary
	if flags.bwt != "" && primary < 0 {
		if err := cli.CheckReadable(flags.bwt); err != nil {
			return err
		}
		var err error
		if primary, err = source.ReadPrimary(flags.bwt); err != nil {
			return err
		}
	}
	text, err := j.Source.OpenDeviceAndText(ctx, textName, j.Flags.Options())
	if err != nil {
		return err
	}
	j.Report.Width = int(flags.width)
	err = verifyFiles(ctx, j, text, saName, flags, primary)
	err = j.Source.WrongArray(err, source.ArrayNames{SA: saName, LCP: flags.lcp, BWT: flags.bwt})
	if err != nil && (ctx.Err() != nil || !cli.IsMismatch(err)) {
		return err
	}
	j.Session.Progress.Stop()
	ok := err == nil
	if j.Report.OK = &ok; !ok {
		j.Report.Reason = err.Error()
	} else if !flags.JSON {
		files := []string{saName + " is the suffix array"}
		if flags.bwt != "" {
			files = append(files, flags.bwt+" the Burrows-Wheeler transform")
		}
		if flags.lcp != "" {
			files = append(files, flags.lcp+" the LCP array")
		}
		last := len(files) - 1
		list := strings.TrimPrefix(strings.Join(files[:last], ", ")+" and "+files[last], " and ")
		if err := cli.PrintResult("OK: %s of %s (%s)", list, j.Report.File, bytesize.Count(len(text), "byte")); err != nil {
			return err
		}
	}
	return errors.Join(err, j.Sink.Finish(nil))
}

// verifyFiles reads the files that are to be checked, and checks them.
func verifyFiles(ctx context.Context, j *job.Job, text []byte, saName string, flags *verifyFlags, primary int) error {
	if blocks := j.Planner.Blocks && (flags.order.Plain() || flags.specials()); blocks {
		return verifyBlocks(ctx, j, text, saName, flags, primary)
	}
	if flags.SymbolBytes() > 1 || !flags.order.Plain() {
		err := verifySymbols(ctx, j, text, saName, flags, primary)
		if flags.specials() && device.IsTooLarge(err) {
			return verifyBlocks(ctx, j, text, saName, flags, primary)
		}
		return err
	}
	sa, err := j.Source.Array(ctx, source.SuffixArrayFile, saName, len(text))
	if err != nil {
		return err
	}
	var transform []byte
	if flags.bwt != "" {
		err := cli.Timed(&j.Report.Seconds.Read, func() (err error) {
			transform, err = source.ReadTransform(ctx, flags.bwt, len(text), j.Session.Progress.Of("read"))
			return err
		})
		if err != nil {
			return err
		}
	}
	var lengths []uint32
	if flags.lcp != "" {
		if lengths, err = j.Source.Array(ctx, source.LcpFile, flags.lcp, len(text)); err != nil {
			return err
		}
	}
	if flags.bwt == "" && flags.lcp == "" {
		return j.Engine().Verify(j.Measured(ctx), text, sa)
	}
	if flags.bwt != "" {
		r := &suffixcl.Result{SA: sa, BWT: suffixcl.Bytes(transform), Primary: primary}
		if err := verifyResult(ctx, j, suffixcl.Bytes(text), r); err != nil {
			return err
		}
	}
	if flags.lcp != "" {
		return verifyResult(ctx, j, suffixcl.Bytes(text), &suffixcl.Result{SA: sa, LCP: lengths})
	}
	return nil
}

// verifyResult checks arrays that are in memory.
func verifyResult(ctx context.Context, j *job.Job, text suffixcl.Text, r *suffixcl.Result) error {
	_, err := j.Engine().VerifyArrays(text, suffixcl.GivenArrays{Result: r}).All(j.Measured(ctx))
	return err
}

// verifySymbols reads the files that are to be checked of a file of symbols, or in an order, and checks them.
func verifySymbols(ctx context.Context, j *job.Job, data []byte, saName string, flags *verifyFlags, primary int) error {
	text, err := j.Source.Text(data)
	if err != nil {
		return err
	}
	r := suffixcl.Result{Primary: primary, Order: flags.order.Chosen()}
	if r.SA, err = j.Source.Array(ctx, source.SuffixArrayFile, saName, text.Len()); err != nil {
		return err
	}
	if flags.bwt != "" {
		transform, err := source.ReadTransform(ctx, flags.bwt, len(data), j.Session.Progress.Of("read"))
		if err == nil {
			r.BWT, err = j.Source.Text(transform)
		}
		if err != nil {
			return err
		}
	}
	if flags.lcp != "" {
		if r.LCP, err = j.Source.Array(ctx, source.LcpFile, flags.lcp, text.Len()); err != nil {
			return err
		}
	}
	return verifyResult(ctx, j, text, &r)
}
