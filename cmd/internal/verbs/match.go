package verbs

import (
	"bytes"
	"cmp"
	"context"
	"errors"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/formats/tsv"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/operation"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/search"
	"github.com/suffixcl/suffixcl/cmd/internal/source"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
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

` + search.HitsHelp + `

With --documents each query has a line: query, tab, number of occurrences, tab, number of
records that have it.

QUERIES may be larger than memory: they are searched in parts while the next is read.
"index" and "locate" do the same in less memory, more slowly.`

type matchFlags struct {
	search.Flags
	sa    string
	width options.Width
	dna   bool
	// documents are counted, and no positions are told.
	documents bool
}

func matchVerb() verb.Verb {
	var flags matchFlags
	v := verb.Verb{Options: &flags.Job}
	v.Plan = flags.plan
	v.Prepares = &verb.Preparation{Plans: verb.PlansOf(operation.MadeMatcher), Rehearse: rehearseMatcher}
	v.Reads = []cli.Accepted{verb.Texts("REF"), cli.Reads("QUERIES", verb.Lines, verb.Records),
		cli.Reads("sa", verb.Array)}
	v.Writes = verb.Rows("tsv", "bed", "paf")
	v.Command = &cobra.Command{
		Use:   "match REF QUERIES",
		Short: "Find all occurrences of queries",
		Long:  matchHelp,
		Example: "  suffixcl match genome.fa --dna --both reads.fq.gz\n" +
			"  suffixcl match genome.fa --dna primers.txt --format bed -o primers.bed",
	}
	v.Op = func() operation.Operation {
		if flags.sa != "" {
			return operation.KnownMatcher
		}
		return operation.MadeMatcher
	}
	v.Check = func(args []string) error {
		switch {
		case flags.sa != "" && flags.Input.Given && flags.Input.Value != seqio.Plain.String():
			return cli.Usage("--sa is that of a plain text")
		case flags.documents && (flags.sa != "" || flags.Both || v.Flags().Changed("format") || flags.MaxHits > 0):
			return cli.Usage("--documents does not go with --sa, --both, --format and --max-hits")
		case flags.sa == "" && v.Flags().Changed("width"):
			return cli.Usage("--width is for --sa")
		case flags.Both && !flags.dna:
			return cli.Usage("--both needs --dna: other texts have one strand")
		}
		if flags.sa != "" {
			flags.Input.Value = seqio.Plain.String()
		}
		format := flags.From.Format.Value
		return cmp.Or(flags.Hits.Check(), options.OneStandardInput(append(args, flags.sa)...),
			flags.PlainSymbols(map[string]bool{"dna": flags.dna, "both": flags.Both, "documents": flags.documents,
				"queries " + format: format != "auto" && format != "lines"}))
	}
	v.Run = func(ctx context.Context, args []string) error {
		if flags.From.File = args[1]; flags.SymbolBytes() > 1 {
			flags.From.SymbolBytes, flags.From.Format.Value = flags.SymbolBytes(), "lines"
		}
		return runMatch(ctx, v.Job(), &flags, args[0])
	}
	flags.AddSequences(v.Flags())
	flags.AddSymbols(v.Flags())
	flags.AddSearch(v.Command)
	flags.AddHits(v.Command)
	options.AddWidth(v.Flags(), &flags.width)
	options.AddSA(v.Command, &flags.sa, "reference")
	v.Flags().BoolVar(&flags.dna, "dna", false, options.DNAHelp)
	v.Flags().BoolVar(&flags.documents, "documents", false, "count occurrences and records of each query")
	return v
}

// plan reads the text only for --documents, whose letters count.
func (f *matchFlags) plan(ctx context.Context, j *job.Job, name string) (device.MemoryPlan, error) {
	if !f.documents {
		return verb.PlanText(func() cli.InputOptions { return f.RecordOptions(f.dna) })(ctx, j, name)
	}
	text, records, err := j.Source.OpenDeviceAndRecords(ctx, name, f.dna)
	if err != nil {
		return nil, err
	}
	return j.Engine().Matcher(textOfRecords(text, records), f.options()).Plan(ctx)
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
func matchDocuments(
	ctx context.Context, j *job.Job, flags *matchFlags, text []byte, records seqio.Table, out *cli.Output,
) error {
	m, err := j.Engine().Matcher(textOfRecords(text, records), flags.options()).All(j.Measured(ctx))
	if err != nil {
		return err
	}
	defer m.Close()
	s := search.New(m)
	s.Documents = m.CountDocuments
	return search.Answer(j.Measured(ctx), j, &flags.Flags, s, flags.dna, out, func(rows tsv.Writer) search.FoundWriter {
		return &documentWriter{rows}
	})
}

// documentWriter writes numbers of occurrences and of records.
type documentWriter struct{ tsv.Writer }

func (w *documentWriter) WriteFound(q *source.Queries, f *search.Found) error {
	w.Text(q.Name(f.Query))
	w.Number(uint64(f.Counts[search.Forward]))
	w.Number(uint64(f.Documents))
	return w.End()
}

func runMatch(ctx context.Context, j *job.Job, flags *matchFlags, name string) error {
	defer j.Close()
	out, err := cli.NewTextOutput(flags.Out, name, flags.From.File, flags.sa)
	if err != nil {
		return err
	}
	defer j.Source.BeginQueries(ctx, &flags.From, flags.dna)()
	data, records, err := j.Source.OpenDeviceAndRecords(ctx, name, flags.dna)
	if err != nil {
		return err
	}
	j.Source.NoteReads()
	if flags.documents {
		return matchDocuments(ctx, j, flags, data, records, out)
	}
	text, err := j.Source.Text(data)
	if err != nil {
		return err
	}
	var sa []uint32
	if flags.sa != "" {
		j.Report.Width = int(flags.width)
		if sa, err = j.Source.Array(ctx, source.SuffixArrayFile, flags.sa, text.Len()); err != nil {
			return j.Source.WrongArray(err, source.ArrayNames{SA: flags.sa})
		}
	}
	o := suffixcl.MatcherOptions{SuffixArray: sa, Records: records, DNA: flags.dna}
	m, err := j.Engine().Matcher(text, o).All(j.Measured(ctx))
	if err != nil {
		return j.Source.WrongArray(err, source.ArrayNames{SA: flags.sa})
	}
	defer m.Close()
	t := search.Target{Records: records, Name: search.TextName(j.Report.File), Length: text.Len()}
	s := search.New(m)
	s.Places = true
	s.Folds = func() bool { return bytes.ContainsAny(data, search.FoldedBases) }
	return search.Answer(j.Measured(ctx), j, &flags.Flags, s, flags.dna, out, func(rows tsv.Writer) search.FoundWriter {
		return &search.HitWriter{Writer: rows, Target: t, Format: flags.Format.Value, Both: flags.Both}
	})
}

func rehearseMatcher(ctx context.Context, e *suffixcl.Engine, text []byte) error {
	for _, o := range []suffixcl.MatcherOptions{{}, {DNA: true}} {
		m, err := e.Matcher(suffixcl.Bytes(text), o).All(ctx)
		if err != nil {
			return err
		}
		if err := errors.Join(search.Rehearse(ctx, m, text), m.Close()); err != nil {
			return err
		}
	}
	return nil
}
