package main

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
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
	jobFlags
	width   entryWidth
	bwt     string
	lcp     string
	primary int
	order   orderFlags
}

func verifyVerb() verb {
	var flags verifyFlags
	flags.order.jobFlags = &flags.jobFlags
	want := func() suffixcl.Want { return suffixcl.Want{LCP: flags.lcp != "", BWT: flags.bwt != ""} }
	v := verb{flags: &flags.jobFlags, plan: flags.order.plan(want, always(true))}
	v.Command = &cobra.Command{
		Use:     "verify TEXT SA",
		Short:   "Check a suffix array, transform or LCP array",
		Long:    verifyHelp,
		Example: "  suffixcl verify genome.txt.gz genome.sa --bwt genome.bwt",
	}
	v.op = func() operation {
		switch {
		case flags.lcp != "": // which needs all that --bwt does
			return checkedLCP
		case flags.bwt != "":
			return checkedBWT
		}
		return checkedArray
	}
	v.check = func(args []string) error {
		switch {
		case flags.mpi && (flags.bwt != "" || flags.lcp != ""):
			return cli.Usage("with --mpi a suffix array is checked alone")
		case flags.primary >= 0 && flags.bwt == "":
			return cli.Usage("--primary needs --bwt")
		case flags.bwt == "-" && flags.primary < 0:
			return cli.Usage("a transform from standard input needs --primary")
		}
		return cmp.Or(flags.wrongSymbols(), flags.order.wrong(),
			oneStandardInput(append(args, flags.bwt, flags.lcp)...), flags.checkMPI(args...))
	}
	v.run = func(ctx context.Context, args []string) error {
		if flags.mpi {
			return runRankVerify(ctx, newJob(v), args[0], args[1], int(flags.width))
		}
		return runVerify(ctx, newJob(v), &flags, args[0], args[1])
	}
	flags.add(v.Flags(), false)
	flags.addSymbols(v.Flags())
	flags.order.add(v.Flags(), allOrders...)
	flags.addMPI(v.Flags())
	addWidth(v.Flags(), &flags.width)
	v.Flags().Var((*cli.FileName)(&flags.bwt), "bwt", "also check this Burrows-Wheeler transform")
	v.Flags().Var((*cli.FileName)(&flags.lcp), "lcp", "also check this LCP array")
	addPrimary(v.Flags(), &flags.primary, "primary index of the transform F, instead of that in F.primary")
	return v
}

func runVerify(ctx context.Context, j *job, flags *verifyFlags, textName, saName string) error {
	defer j.Close()
	primary := flags.primary
	if flags.bwt != "" && primary < 0 {
		if err := cli.CheckReadable(flags.bwt); err != nil {
			return err
		}
		var err error
		if primary, err = readPrimary(flags.bwt); err != nil {
			return err
		}
	}
	text, err := j.openDeviceAndText(ctx, textName, j.flags.Options())
	if err != nil {
		return err
	}
	j.report.Width = int(flags.width)
	err = j.wrongArray(j.verify(ctx, text, saName, flags, primary), arrayNames{saName, flags.lcp, flags.bwt})
	if err != nil && (ctx.Err() != nil || !cli.IsMismatch(err)) {
		return err
	}
	j.progress.Stop()
	ok := err == nil
	if j.report.OK = &ok; !ok {
		j.report.Reason = err.Error()
	} else if !flags.json {
		files := []string{saName + " is the suffix array"}
		if flags.bwt != "" {
			files = append(files, flags.bwt+" the Burrows-Wheeler transform")
		}
		if flags.lcp != "" {
			files = append(files, flags.lcp+" the LCP array")
		}
		last := len(files) - 1
		list := strings.TrimPrefix(strings.Join(files[:last], ", ")+" and "+files[last], " and ")
		if err := cli.PrintResult("OK: %s of %s (%s)", list, j.report.File, bytesize.Count(len(text), "byte")); err != nil {
			return err
		}
	}
	return errors.Join(err, j.finish(nil))
}

// verify reads the files that are to be checked, and checks them.
func (j *job) verify(ctx context.Context, text []byte, saName string, flags *verifyFlags, primary int) error {
	if flags.symbolBytes() > 1 || !flags.order.plain() {
		return j.verifySymbols(ctx, text, saName, flags, primary)
	}
	if j.blocks {
		return j.verifyBlocks(ctx, text, saName, flags, primary)
	}
	sa, err := j.array(ctx, suffixArrayFile, saName, len(text))
	if err != nil {
		return err
	}
	var transform []byte
	if flags.bwt != "" {
		err := timed(&j.report.Seconds.Read, func() (err error) {
			transform, err = readTransform(ctx, flags.bwt, len(text), j.progress.Of("read"))
			return err
		})
		if err != nil {
			return err
		}
	}
	var lengths []uint32
	if flags.lcp != "" {
		if lengths, err = j.array(ctx, lcpFile, flags.lcp, len(text)); err != nil {
			return err
		}
	}
	if flags.bwt == "" && flags.lcp == "" {
		return j.engine.Verify(j.measured(ctx), text, sa)
	}
	if flags.bwt != "" {
		r := &suffixcl.Result{SA: sa, BWT: suffixcl.Bytes(transform), Primary: primary}
		if err := j.engine.VerifyArrays(j.measured(ctx), suffixcl.Bytes(text), r); err != nil {
			return err
		}
	}
	if flags.lcp != "" {
		return j.engine.VerifyArrays(j.measured(ctx), suffixcl.Bytes(text), &suffixcl.Result{SA: sa, LCP: lengths})
	}
	return nil
}
