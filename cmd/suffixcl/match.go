package main

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/seqio"
)

const matchHelp = `Find every exact occurrence of every query in a reference.

Each occurrence has a line: query, tab, position from 0 on, or record:position where the
reference has records (FASTA and FASTQ are recognised); of each query in ascending order.
QUERIES are lines, or the sequences of FASTA or FASTQ, which are called by their names. No
occurrence crosses records; the empty query occurs nowhere.

Bytes are compared as they are. With --dna case is folded, U is T, and only A, C, G and T
match: a query with N occurs nowhere. With --both, which is for DNA, the other strand of
each query is searched as well. A third column tells the strand, "+" or "-"; the
position is that of the occurrence's first base in the reference.

` + hitsHelp + `

QUERIES may be larger than memory: they are searched in parts while the next is read.
"index" and "locate" do the same in less memory, more slowly.`

type matchFlags struct {
	searchFlags
	sa    string
	width entryWidth
	dna   bool
}

func matchVerb() verb {
	var flags matchFlags
	v := verb{flags: &flags.jobFlags}
	v.plan = planText(func() cli.InputOptions { return flags.recordOptions(flags.dna) })
	v.Command = &cobra.Command{
		Use:   "match REF QUERIES",
		Short: "Find all occurrences of queries",
		Long:  matchHelp,
		Example: "  suffixcl match genome.fa --dna --both reads.fq.gz\n" +
			"  suffixcl match genome.fa --dna primers.txt --format bed -o primers.bed",
	}
	v.op = func() suffixcl.Op {
		if flags.sa != "" {
			return suffixcl.OpNewMatcherOf
		}
		return suffixcl.OpNewMatcher
	}
	v.check = func(args []string) error {
		switch {
		case flags.sa != "" && flags.Input.Given && flags.Input.Value != seqio.Plain.String():
			return cli.Usage("--sa is that of a plain text")
		case flags.both && !flags.dna:
			return cli.Usage("--both needs --dna: other texts have one strand")
		}
		if flags.sa != "" {
			flags.Input.Value = seqio.Plain.String()
		}
		return cmp.Or(flags.hitFlags.check(), oneStandardInput(append(args, flags.sa)...))
	}
	v.run = func(ctx context.Context, args []string) error {
		flags.from.file = args[1]
		return runMatch(ctx, newJob(v), &flags, args[0])
	}
	flags.addSequences(v.Flags())
	flags.addSearch(v.Command)
	flags.addHits(v.Command)
	addWidth(v.Flags(), &flags.width)
	addSA(v.Command, &flags.sa, "reference")
	v.Flags().BoolVar(&flags.dna, "dna", false, dnaHelp)
	return v
}

func runMatch(ctx context.Context, j *job, flags *matchFlags, name string) error {
	defer j.Close()
	out, err := cli.NewTextOutput(flags.out, name, flags.from.file, flags.sa)
	if err != nil {
		return err
	}
	text, records, err := j.openDeviceAndRecords(ctx, name, flags.dna)
	if err != nil {
		return err
	}
	var sa []uint32
	if flags.sa != "" {
		j.report.Width = int(flags.width)
		if sa, err = j.array(ctx, suffixArrayFile, flags.sa, len(text)); err != nil {
			return err
		}
	}
	m, err := j.engine.NewMatcher(j.measured(ctx), text,
		suffixcl.MatcherOptions{SuffixArray: sa, Records: records, DNA: flags.dna})
	if err != nil {
		return err
	}
	defer m.Close()
	t := target{records: records, name: textName(j.report.File), length: len(text)}
	s := newSearch(m)
	s.locate = true
	return j.answer(j.measured(ctx), &flags.searchFlags, s, flags.dna, out, func(rows rowWriter) foundWriter {
		return &hitWriter{rows, t, flags.format.Value, flags.both}
	})
}
