package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/fmindex"
	"github.com/suffixcl/suffixcl/internal/cli"
)

const indexHelp = `Build an FM-index of a text, for "count" and "locate".

OUT is a file with a version and checksums; docs/formats.md describes it. FASTA and FASTQ
are recognised: occurrences are told by record, and none crosses records. With --dna
only A, C, G and T match, in either case (U is T); N and the other codes of IUPAC match
nothing. Without it every byte matches itself.

--sample N keeps every Nth position, in 4 bytes, to locate occurrences: a smaller N is
faster and larger. With 0 the index can only count: 0.5 bytes a base of DNA.`

const dnaHelp = "the text is DNA: fold case, U is T, only A, C, G and T match"

func indexCommand() *cobra.Command {
	var (
		flags  jobFlags
		out    string
		sample int
		dna    bool
	)
	c := &cobra.Command{
		Use:     "index TEXT -o OUT",
		Short:   "Build an FM-index",
		Long:    indexHelp,
		Example: "  suffixcl index genome.fa.gz --dna -o genome.fmi",
	}
	c.RunE = cli.Work(func(ctx context.Context, args []string) error {
		if sample < 0 || sample > fmindex.MaxRate {
			return cli.Usage("--sample %d: 0 to %d", sample, fmindex.MaxRate)
		}
		return runIndex(ctx, &flags, args[0], out, sample, dna)
	})
	flags.addSequences(c.Flags())
	addOutput(c, &out)
	c.Flags().IntVar(&sample, "sample", 32, "of this many positions one is kept; 0: none")
	c.Flags().BoolVar(&dna, "dna", false, dnaHelp)
	return c
}

func runIndex(ctx context.Context, flags *jobFlags, name, outName string, sample int, dna bool) error {
	j := newJob(flags, "index", suffixcl.OpBuildIndex)
	return j.result(ctx, outName, []string{name}, func(j *job) (func(io.Writer) error, error) {
		text, records, err := j.openDeviceAndRecords(ctx, name, dna)
		if err != nil {
			return nil, err
		}
		x, err := j.engine.BuildIndex(j.measured(ctx), text,
			suffixcl.IndexOptions{SampleEvery: sample, Records: records, DNA: dna})
		if err != nil {
			return nil, err
		}
		return func(w io.Writer) error {
			defer x.Close()
			return x.Save(j.measured(ctx), w)
		}, nil
	})
}
