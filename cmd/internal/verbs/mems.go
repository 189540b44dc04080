package verbs

import (
	"context"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/formats/mummer"
	"github.com/suffixcl/suffixcl/cmd/internal/formats/paf"
	"github.com/suffixcl/suffixcl/cmd/internal/formats/tsv"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/operation"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/source"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cli"
)

const memsHelp = `Find exact matches between the sequences of a reference and those of queries, that cannot be
longer on either side: of all these those that occur once in the reference (the default),
once in reference and query (--mum), or all of them (--maxmatch).

Lines are those of mummer 3.23: "> name" for each query, and for each match its position in
the reference, that in the query, both from 1, and its length; the name of the reference's
sequence comes first where there are several. --format tsv has a line a match: sequence,
position from 0, query, position from 0, length, strand; --format paf is that of minimap2.

Case is folded. Other letters than A, C, G and T match themselves, unless -n is given; the
other strand of U, and of what is no code of nucleotides, is N. Queries may be larger than
memory; each of their sequences has to fit next to the reference.

A link with the name mummer takes that program's options, so that nucmer runs on it.`

type memsFlags struct {
	options.Job
	out                                   string
	format                                cli.Choice
	mum, reference, all                   bool
	length                                int
	dna, both, reverse, original          bool
	fourColumns, queryLengths, substrings bool
	queries                               []string
}

// queryPiece is how many letters of queries are matched at once at least.
const queryPiece = 256 << 20

func memsVerb() verb.Verb {
	var flags memsFlags
	v := verb.Verb{Options: &flags.Job, Op: verb.Always(operation.SortedLCP), Plan: flags.plan}
	v.Prepares = &verb.Preparation{Plans: append(verb.PlansOf(operation.SortedLCP), planMems)}
	v.Reads = []cli.Accepted{cli.Reads("REF", verb.Bytes, verb.Records), cli.Reads("QUERY", verb.Bytes, verb.Records)}
	v.Writes = verb.Rows("mummer", "tsv", "paf")
	v.Command = &cobra.Command{
		Use:   "mems REF QUERY [QUERY...]",
		Short: "Find maximal exact matches between genomes",
		Long:  memsHelp,
		Example: "  suffixcl mems human.fa chimp.fa --mum --both -n -l 50 -o matches.txt\n" +
			"  suffixcl mems old.fa new.fa --maxmatch -l 30 -b --format paf -o matches.paf",
	}
	v.Check = func(args []string) error {
		if flags.length < 1 {
			return cli.Usage("--min-length: %d letters", flags.length)
		}
		if flags.format.Value != "mummer" && (flags.original || flags.fourColumns || flags.queryLengths || flags.substrings) {
			return cli.Usage("--original, --four-columns, --lengths and --substrings are for --format mummer")
		}
		flags.queries = args[1:]
		return options.OneStandardInput(args...)
	}
	v.Run = func(ctx context.Context, args []string) error {
		return runMems(ctx, v.Job(), &flags, args[0])
	}
	flags.AddSequences(v.Flags())
	options.AddTextOutput(v.Command, &flags.out)
	f := v.Flags()
	flags.format = cli.Choice{Value: "mummer", Of: []string{"mummer", "tsv", "paf"}}
	f.Var(&flags.format, "format", "mummer, tsv or paf")
	f.BoolVar(&flags.mum, "mum", false, "matches that are unique in the reference and in the query")
	f.BoolVar(&flags.reference, "mumreference", false, "matches that are unique in the reference (default)")
	f.BoolVar(&flags.all, "maxmatch", false, "all maximal matches")
	v.MarkFlagsMutuallyExclusive("mum", "mumreference", "maxmatch")
	f.IntVarP(&flags.length, "min-length", "l", suffixcl.DefaultMatchLength, "shortest match")
	f.BoolVarP(&flags.dna, "dna", "n", false, "only A, C, G and T match")
	f.BoolVarP(&flags.both, "both", "b", false, "both strands of the queries")
	f.BoolVarP(&flags.reverse, "reverse", "r", false, "only the reverse strand of the queries")
	v.MarkFlagsMutuallyExclusive("both", "reverse")
	f.BoolVarP(&flags.original, "original", "c", false,
		"mummer: positions of the reverse strand are those of the query as it is")
	f.BoolVarP(&flags.fourColumns, "four-columns", "F", false, "mummer: the reference's name, also where there is one")
	f.BoolVarP(&flags.queryLengths, "lengths", "L", false, "mummer: the length of a query after its name")
	f.BoolVarP(&flags.substrings, "substrings", "s", false, "mummer: each match, in letters")
	return v
}

// options are those of the engine.
func (f *memsFlags) options() suffixcl.MatchOptions {
	o := suffixcl.MatchOptions{MinLength: f.length}
	switch {
	case f.mum:
		o.Kind = suffixcl.MaximalUnique
	case f.all:
		o.Kind = suffixcl.MaximalExact
	}
	switch {
	case f.both:
		o.Strands = suffixcl.BothStrands
	case f.reverse:
		o.Strands = suffixcl.ReverseStrand
	}
	if f.dna {
		o.Letters = source.GenomeLetters
	}
	return o
}

// pieceOfQueries is how many letters of queries are read at once: not much less than the reference, which is sorted
// with each piece.
func pieceOfQueries(reference *source.Sequences) int {
	return min(max(queryPiece, reference.Set.Len()), suffixcl.MaxLen)
}

// plan reads reference and queries, of which the first piece is planned; without queries the reference is the query.
func (f *memsFlags) plan(ctx context.Context, j *job.Job, name string) (device.MemoryPlan, error) {
	reference, err := j.Source.OpenDeviceAndGenome(ctx, name)
	if err != nil {
		return nil, err
	}
	queries := reference
	if len(f.queries) > 0 {
		r := source.NewGenomeReader(j.Source, nil, f.queries...)
		defer r.Close()
		queries, err = r.Next(ctx, pieceOfQueries(reference))
		if err == io.EOF {
			queries, err = new(source.Sequences), nil
		}
		if err != nil {
			return nil, err
		}
	}
	return j.Engine().Matches(suffixcl.Set(reference.Set), suffixcl.Set(queries.Set), f.options()).Plan(ctx)
}

func runMems(ctx context.Context, j *job.Job, flags *memsFlags, name string) error {
	defer j.Close()
	out, err := cli.NewTextOutput(flags.out, append(slices.Clone(flags.queries), name)...)
	if err != nil {
		return err
	}
	defer out.Discard()
	reference, err := j.Source.OpenDeviceAndGenome(ctx, name)
	if err != nil {
		return err
	}
	j.Source.NoteReads()
	queries := source.NewGenomeReader(j.Source, nil, flags.queries...)
	defer queries.Close()
	return j.Sink.StreamRows(ctx, out, func(w io.Writer) error {
		t := &matchTable{Writer: tsv.New(w), flags: flags, reference: reference, text: -1}
		t.name()
		for {
			var g *source.Sequences
			err := cli.Timed(&j.Report.Seconds.Read, func() (err error) {
				g, err = queries.Next(ctx, pieceOfQueries(reference))
				return err
			})
			if err == io.EOF {
				j.Report.Occurrences, j.Report.QueriesWithHits = t.matches, t.hits
				return t.Flush()
			}
			if err != nil {
				return err
			}
			j.Report.Queries += g.Set.Count()
			j.Report.QueryBytes += int64(g.Set.Len())
			t.queries, t.text, t.hit = g, -1, -1
			matches := j.Engine().Matches(suffixcl.Set(reference.Set), suffixcl.Set(g.Set), flags.options())
			if err := job.EachPart(matches.Each(j.Measured(ctx)), t.add); err != nil {
				return err
			}
		}
	})
}

// matchTable writes matches as they come.
type matchTable struct {
	tsv.Writer
	flags     *memsFlags
	reference *source.Sequences
	queries   *source.Sequences
	padded    []string // names of the reference's sequences, of one length, for four columns
	matches   int64
	hits      int // queries that have any
	hit       int // the last of them
	text      int // the query that was begun
	reverse   bool
	sequence  int // of the reference, of the last match
}

// name pads the names, if they are written.
func (t *matchTable) name() {
	if t.flags.format.Value != "mummer" || len(t.reference.Records) < 2 && !t.flags.fourColumns {
		return
	}
	names := make([]string, len(t.reference.Records))
	for k, r := range t.reference.Records {
		names[k] = r.Name
	}
	t.padded = mummer.PadNames(names)
}

func (t *matchTable) add(part *suffixcl.Matches) error {
	t.matches += int64(len(part.Matches))
	if len(part.Matches) > 0 && part.Text != t.hit {
		t.hits, t.hit = t.hits+1, part.Text
	}
	if t.flags.format.Value == "mummer" && (part.Text != t.text || part.Reverse != t.reverse) {
		t.text, t.reverse = part.Text, part.Reverse
		length := -1
		if t.flags.queryLengths {
			length = len(t.queries.Set.Text(part.Text))
		}
		t.Line = mummer.AppendQuery(t.Line, t.queries.Records[part.Text].Name, part.Reverse, length)
		if err := t.endLine(); err != nil {
			return err
		}
	}
	return t.Many(len(part.Matches), tsv.Each, func(rows tsv.Writer, lo, hi int) (tsv.Writer, error) {
		some := *t
		some.Writer = rows
		for _, m := range part.Matches[lo:hi] {
			if err := some.row(part, m); err != nil {
				return some.Writer, err
			}
		}
		return some.Writer, nil
	})
}

// endLine writes a line whose cells have no tabs after them.
func (t *matchTable) endLine() error {
	t.Line = append(t.Line, '\t')
	return t.End()
}

func (t *matchTable) row(part *suffixcl.Matches, m suffixcl.Match) error {
	set := t.reference.Set
	first := t.reference.Records[t.sequence]
	if r := int(m.Reference); r < first.Offset || r >= first.End() {
		t.sequence, _, _ = set.Find(r)
		first = t.reference.Records[t.sequence]
	}
	at, query := int(m.Reference)-first.Offset, int(m.Query)
	length := len(t.queries.Set.Text(part.Text))
	if t.flags.format.Value == "mummer" {
		name := ""
		if t.padded != nil {
			name = t.padded[t.sequence]
		}
		position := query + 1
		if part.Reverse && t.flags.original {
			position = length - query
		}
		t.Line = mummer.AppendMatch(t.Line, name, uint64(at+1), uint64(position), uint64(m.Length))
		if t.flags.substrings {
			t.Line = append(append(t.Line, '\n'), set.Text(t.sequence)[at:at+int(m.Length)]...)
		}
		return t.endLine()
	}
	if part.Reverse {
		query = length - query - int(m.Length)
	}
	strand := "+"
	if part.Reverse {
		strand = "-"
	}
	if t.flags.format.Value == "tsv" {
		t.Writer.Text(t.reference.Name(t.sequence))
		t.Number(uint64(at))
		t.Writer.Text(t.queries.Name(part.Text))
		t.Number(uint64(query))
		t.Number(uint64(m.Length))
		t.Writer.Text(strand)
		return t.End()
	}
	return paf.Write(&t.Writer, paf.Match{
		Query: t.queries.Name(part.Text), QueryLength: length, QueryStart: query, Length: int(m.Length), Strand: strand,
		Target: t.reference.Name(t.sequence), TargetLength: first.Length, TargetStart: at,
	})
}

func planMems(ctx context.Context, e *suffixcl.Engine, n int) (device.MemoryPlan, error) {
	set := suffixcl.Documents(verb.TextsOf(n, 2)...)
	var plans []func() (device.MemoryPlan, error)
	for kind := suffixcl.UniqueInReference; kind <= suffixcl.MaximalExact; kind++ {
		for _, letters := range []string{"", source.GenomeLetters} {
			o := suffixcl.MatchOptions{Kind: kind, Strands: suffixcl.BothStrands, Letters: letters}
			plans = append(plans, func() (device.MemoryPlan, error) { return e.Matches(set, set, o).Plan(ctx) })
		}
	}
	return verb.All(plans...)
}
