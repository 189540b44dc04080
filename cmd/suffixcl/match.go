package main

import (
	"bytes"
	"cmp"
	"context"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
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

With --symbols u16 or u32 the reference is little-endian integers, as token ids, without
records, and a line of QUERIES is the numbers of a query, with spaces. Positions count
symbols.

` + hitsHelp + `

With --documents each query has a line: query, tab, number of occurrences, tab, number of
records that have it.

QUERIES may be larger than memory: they are searched in parts while the next is read.
"index" and "locate" do the same in less memory, more slowly.`

type matchFlags struct {
	searchFlags
	sa    string
	width entryWidth
	dna   bool
	// documents are counted, and no positions are told.
	documents bool
}

func matchVerb() verb {
	var flags matchFlags
	v := verb{flags: &flags.jobFlags}
	v.plan = flags.plan
	v.Command = &cobra.Command{
		Use:   "match REF QUERIES",
		Short: "Find all occurrences of queries",
		Long:  matchHelp,
		Example: "  suffixcl match genome.fa --dna --both reads.fq.gz\n" +
			"  suffixcl match genome.fa --dna primers.txt --format bed -o primers.bed",
	}
	v.op = func() operation {
		if flags.sa != "" {
			return knownMatcher
		}
		return madeMatcher
	}
	v.check = func(args []string) error {
		switch {
		case flags.sa != "" && flags.Input.Given && flags.Input.Value != seqio.Plain.String():
			return cli.Usage("--sa is that of a plain text")
		case flags.documents && (flags.sa != "" || flags.both || v.Flags().Changed("format") || flags.maxHits > 0):
			return cli.Usage("--documents does not go with --sa, --both, --format and --max-hits")
		case flags.sa == "" && v.Flags().Changed("width"):
			return cli.Usage("--width is for --sa")
		case flags.both && !flags.dna:
			return cli.Usage("--both needs --dna: other texts have one strand")
		}
		if flags.sa != "" {
			flags.Input.Value = seqio.Plain.String()
		}
		format := flags.from.format.Value
		return cmp.Or(flags.hitFlags.check(), oneStandardInput(append(args, flags.sa)...),
			flags.plainSymbols(map[string]bool{"dna": flags.dna, "both": flags.both, "documents": flags.documents,
				"queries " + format: format != "auto" && format != "lines"}))
	}
	v.run = func(ctx context.Context, args []string) error {
		if flags.from.file = args[1]; flags.symbolBytes() > 1 {
			flags.from.symbolBytes, flags.from.format.Value = flags.symbolBytes(), "lines"
		}
		return runMatch(ctx, newJob(v), &flags, args[0])
	}
	flags.addSequences(v.Flags())
	flags.addSymbols(v.Flags())
	flags.addSearch(v.Command)
	flags.addHits(v.Command)
	addWidth(v.Flags(), &flags.width)
	addSA(v.Command, &flags.sa, "reference")
	v.Flags().BoolVar(&flags.dna, "dna", false, dnaHelp)
	v.Flags().BoolVar(&flags.documents, "documents", false, "count occurrences and records of each query")
	return v
}

// plan reads the text only for --documents, whose letters count.
func (f *matchFlags) plan(ctx context.Context, j *job, name string) (device.MemoryPlan, error) {
	if !f.documents {
		return planText(func() cli.InputOptions { return f.recordOptions(f.dna) })(ctx, j, name)
	}
	text, records, err := j.openDeviceAndRecords(ctx, name, f.dna)
	if err != nil {
		return nil, err
	}
	return j.engine.Matcher(textOfRecords(text, records), f.options()).Plan(ctx)
}

// options are those for the set of records.
func (f *matchFlags) options() suffixcl.MatcherOptions {
	return suffixcl.MatcherOptions{DNA: f.dna, Documents: true}
}

// textOfRecords is the set of the records; a text without records is one.
func textOfRecords(text []byte, records seqio.Table) suffixcl.Text {
	if len(records) == 0 {
		records = seqio.Table{{Length: len(text)}}
	}
	texts := make([][]byte, len(records))
	for k, r := range records {
		texts[k] = text[r.Offset:r.End()]
	}
	return suffixcl.Documents(texts...)
}

// matchDocuments counts occurrences and records of each query.
func (j *job) matchDocuments(
	ctx context.Context, flags *matchFlags, text []byte, records seqio.Table, out *cli.Output,
) error {
	m, err := j.engine.Matcher(textOfRecords(text, records), flags.options()).All(j.measured(ctx))
	if err != nil {
		return err
	}
	defer m.Close()
	s := newSearch(m)
	s.documents = m.CountDocuments
	return j.answer(j.measured(ctx), &flags.searchFlags, s, flags.dna, out, func(rows rowWriter) foundWriter {
		return &documentWriter{rows}
	})
}

// documentWriter writes numbers of occurrences and of records.
type documentWriter struct{ rowWriter }

func (w *documentWriter) write(q *queries, f *found) error {
	w.text(q.name(f.query))
	w.number(uint64(f.counts[forward]))
	w.number(uint64(f.documents))
	return w.end()
}

func runMatch(ctx context.Context, j *job, flags *matchFlags, name string) error {
	defer j.Close()
	out, err := cli.NewTextOutput(flags.out, name, flags.from.file, flags.sa)
	if err != nil {
		return err
	}
	data, records, err := j.openDeviceAndRecords(ctx, name, flags.dna)
	if err != nil {
		return err
	}
	j.noteReads()
	if flags.documents {
		return j.matchDocuments(ctx, flags, data, records, out)
	}
	text, err := j.text(data)
	if err != nil {
		return err
	}
	var sa []uint32
	if flags.sa != "" {
		j.report.Width = int(flags.width)
		if sa, err = j.array(ctx, suffixArrayFile, flags.sa, text.Len()); err != nil {
			return j.wrongArray(err, arrayNames{sa: flags.sa})
		}
	}
	o := suffixcl.MatcherOptions{SuffixArray: sa, Records: records, DNA: flags.dna}
	m, err := j.engine.Matcher(text, o).All(j.measured(ctx))
	if err != nil {
		return j.wrongArray(err, arrayNames{sa: flags.sa})
	}
	defer m.Close()
	t := target{records: records, name: textName(j.report.File), length: text.Len()}
	s := newSearch(m)
	s.locate = true
	s.folds = func() bool { return bytes.ContainsAny(data, foldedBases) }
	return j.answer(j.measured(ctx), &flags.searchFlags, s, flags.dna, out, func(rows rowWriter) foundWriter {
		return &hitWriter{rows, t, flags.format.Value, flags.both}
	})
}
