package main

import (
	"context"
	"os"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/patterns"
	"github.com/suffixcl/suffixcl/seqio"
)

const matchHelp = `Find every exact occurrence of every query in a reference.

Standard output gets a line for each: query, tab, position from 0 on, or record:position
where the reference has records (FASTA and FASTQ are recognised); of each query in
ascending order. QUERIES are lines, or the sequences of FASTA or FASTQ, which are called by
their names. No occurrence crosses records; the empty query occurs nowhere.

Bytes are compared as they are. With --dna case is folded, U is T, and only A, C, G and T
match: a query with N occurs nowhere. With --both, which is for DNA, the other strand of
each query is searched as well, and a third column tells the strand, "+" or "-"; the
position is that of the occurrence's first base in the reference.

QUERIES may be larger than memory: they are searched in parts while the next is read.
"index" and "locate" do the same in less memory, more slowly.`

func matchCommand() *cobra.Command {
	var (
		flags     jobFlags
		from      queryFlags
		sa        string
		width     entryWidth
		both, dna bool
	)
	c := &cobra.Command{
		Use:     "match REF QUERIES",
		Short:   "Find all occurrences of queries",
		Long:    matchHelp,
		Example: "  suffixcl match genome.fa --dna --both reads.fq.gz",
		Args:    cobra.ExactArgs(2),
	}
	c.RunE = cli.Work(func(ctx context.Context, args []string) error {
		switch {
		case sa != "" && flags.Input.Given && flags.Input.Value != seqio.Plain.String():
			return cli.Usage("--sa is that of a plain text")
		case both && !dna:
			return cli.Usage("--both needs --dna: other texts have one strand")
		}
		if err := oneStandardInput(args[0], args[1], sa); err != nil {
			return err
		}
		if sa != "" {
			flags.Input.Value = seqio.Plain.String()
		}
		from.file = args[1]
		return runMatch(ctx, &flags, &from, args[0], sa, int(width), both, dna)
	})
	flags.addSequences(c.Flags())
	from.add(c.Flags())
	addWidth(c.Flags(), &width)
	addSA(c, &sa, "reference")
	c.Flags().BoolVar(&dna, "dna", false, dnaHelp)
	c.Flags().BoolVar(&both, "both", false, "search both strands")
	return c
}

func runMatch(ctx context.Context, flags *jobFlags, from *queryFlags, name, saName string, width int,
	both, dna bool) error {
	op := suffixcl.OpNewMatcher
	if saName != "" {
		op = suffixcl.OpNewMatcherOf
	}
	j := newJob(flags, "match", op)
	defer j.Close()
	text, records, err := j.openDeviceAndRecords(ctx, name, dna)
	if err != nil {
		return err
	}
	var sa []uint32
	if saName != "" {
		j.report.Width = width
		if sa, err = j.array(ctx, suffixArrayFile, saName, len(text)); err != nil {
			return err
		}
	}
	m, err := j.engine.NewMatcher(j.measured(ctx), text,
		suffixcl.MatcherOptions{SuffixArray: sa, Records: records, DNA: dna})
	if err != nil {
		return err
	}
	defer m.Close()
	j.progress.YieldTerminal()
	out := newTable(ctx, os.Stdout)
	var other patterns.Batch
	err = j.stream(ctx, from, dna, func(q *queries) error {
		j.report.Queries += q.Len()
		search := func(b *patterns.Batch, strand string) error {
			return m.Locate(j.measured(ctx), b, func(i int, positions []uint32) error {
				return j.rows(out, q.name(i), records, positions, len(b.Pattern(i)), strand)
			})
		}
		if !both {
			return search(&q.Batch, "")
		}
		if err := search(&q.Batch, "+"); err != nil {
			return err
		}
		q.ReverseComplement(&other)
		return search(&other, "-")
	})
	if err == nil {
		err = out.flush()
	}
	if err != nil {
		return err
	}
	return j.finish(&cli.Output{Name: "-"})
}
