package main

import (
	"context"
	"io"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
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
	jobFlags
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

func memsVerb() verb {
	var flags memsFlags
	v := verb{flags: &flags.jobFlags, op: always(sortedLCP), plan: flags.plan}
	v.Command = &cobra.Command{
		Use:   "mems REF QUERY [QUERY...]",
		Short: "Find maximal exact matches between genomes",
		Long:  memsHelp,
		Example: "  suffixcl mems human.fa chimp.fa --mum --both -n -l 50 -o matches.txt\n" +
			"  suffixcl mems old.fa new.fa --maxmatch -l 30 -b --format paf -o matches.paf",
	}
	v.check = func(args []string) error {
		if flags.length < 1 {
			return cli.Usage("--min-length: %d letters", flags.length)
		}
		if flags.format.Value != "mummer" && (flags.original || flags.fourColumns || flags.queryLengths || flags.substrings) {
			return cli.Usage("--original, --four-columns, --lengths and --substrings are for --format mummer")
		}
		flags.queries = args[1:]
		return oneStandardInput(args...)
	}
	v.run = func(ctx context.Context, args []string) error { return runMems(ctx, newJob(v), &flags, args[0]) }
	flags.addSequences(v.Flags())
	addTextOutput(v.Command, &flags.out)
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
		o.Letters = genomeLetters
	}
	return o
}

// pieceOfQueries is how many letters of queries are read at once: not much less than the reference, which is sorted
// with each piece.
func pieceOfQueries(reference *sequences) int {
	return min(max(queryPiece, reference.set.Len()), suffixcl.MaxLen)
}

// plan reads reference and queries, of which the first piece is planned; without queries the reference is the query.
func (f *memsFlags) plan(ctx context.Context, j *job, name string) (device.MemoryPlan, error) {
	reference, err := j.openDeviceAndGenome(ctx, name)
	if err != nil {
		return nil, err
	}
	queries := reference
	if len(f.queries) > 0 {
		r := newGenomeReader(j, nil, f.queries...)
		defer r.Close()
		queries, err = r.next(ctx, pieceOfQueries(reference))
		if err == io.EOF {
			queries, err = new(sequences), nil
		}
		if err != nil {
			return nil, err
		}
	}
	return j.engine.Matches(suffixcl.Set(reference.set), suffixcl.Set(queries.set), f.options()).Plan(ctx)
}

func runMems(ctx context.Context, j *job, flags *memsFlags, name string) error {
	defer j.Close()
	out, err := cli.NewTextOutput(flags.out, append(slices.Clone(flags.queries), name)...)
	if err != nil {
		return err
	}
	defer out.Discard()
	reference, err := j.openDeviceAndGenome(ctx, name)
	if err != nil {
		return err
	}
	j.noteReads()
	queries := newGenomeReader(j, nil, flags.queries...)
	defer queries.Close()
	return j.streamRows(ctx, out, func(w io.Writer) error {
		t := &matchTable{rowWriter: newRowWriter(w), flags: flags, reference: reference, text: -1}
		t.name()
		for {
			var g *sequences
			err := timed(&j.report.Seconds.Read, func() (err error) {
				g, err = queries.next(ctx, pieceOfQueries(reference))
				return err
			})
			if err == io.EOF {
				j.report.Occurrences, j.report.QueriesWithHits = t.matches, t.hits
				return t.flush()
			}
			if err != nil {
				return err
			}
			j.report.Queries += g.set.Count()
			j.report.QueryBytes += int64(g.set.Len())
			t.queries, t.text, t.hit = g, -1, -1
			matches := j.engine.Matches(suffixcl.Set(reference.set), suffixcl.Set(g.set), flags.options())
			if err := eachPart(matches.Each(j.measured(ctx)), t.add); err != nil {
				return err
			}
		}
	})
}

// matchTable writes matches as they come.
type matchTable struct {
	rowWriter
	flags     *memsFlags
	reference *sequences
	queries   *sequences
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
	if t.flags.format.Value != "mummer" || len(t.reference.records) < 2 && !t.flags.fourColumns {
		return
	}
	longest := 0
	for _, r := range t.reference.records {
		longest = max(longest, len(r.Name))
	}
	for _, r := range t.reference.records {
		name := []byte("  " + r.Name)
		for len(name) < longest+2 {
			name = append(name, ' ')
		}
		t.padded = append(t.padded, string(name))
	}
}

func (t *matchTable) add(part *suffixcl.Matches) error {
	t.matches += int64(len(part.Matches))
	if len(part.Matches) > 0 && part.Text != t.hit {
		t.hits, t.hit = t.hits+1, part.Text
	}
	if t.flags.format.Value == "mummer" && (part.Text != t.text || part.Reverse != t.reverse) {
		t.text, t.reverse = part.Text, part.Reverse
		t.line = append(append(t.line, "> "...), t.queries.records[part.Text].Name...)
		if part.Reverse {
			t.line = append(t.line, " Reverse"...)
		}
		if t.flags.queryLengths {
			t.line = strconv.AppendInt(append(t.line, "  Len = "...), int64(len(t.queries.set.Text(part.Text))), 10)
		}
		if err := t.endLine(); err != nil {
			return err
		}
	}
	return t.many(len(part.Matches), rowsEach, func(rows rowWriter, lo, hi int) (rowWriter, error) {
		some := *t
		some.rowWriter = rows
		for _, m := range part.Matches[lo:hi] {
			if err := some.row(part, m); err != nil {
				return some.rowWriter, err
			}
		}
		return some.rowWriter, nil
	})
}

// endLine writes a line whose cells have no tabs after them.
func (t *matchTable) endLine() error {
	t.line = append(t.line, '\t')
	return t.end()
}

// padded8 appends a number of at least 8 characters after two blanks.
func padded8(to []byte, n uint64) []byte {
	const width = 10
	from := len(to)
	to = append(to, "          "...)
	at := from + width
	if n >= 100_000_000 {
		return strconv.AppendUint(to[:from+2], n, 10)
	}
	for {
		at--
		to[at] = byte('0' + n%10)
		if n /= 10; n == 0 {
			return to
		}
	}
}

func (t *matchTable) row(part *suffixcl.Matches, m suffixcl.Match) error {
	set := t.reference.set
	first := t.reference.records[t.sequence]
	if r := int(m.Reference); r < first.Offset || r >= first.End() {
		t.sequence, _, _ = set.Find(r)
		first = t.reference.records[t.sequence]
	}
	at, query := int(m.Reference)-first.Offset, int(m.Query)
	length := len(t.queries.set.Text(part.Text))
	if t.flags.format.Value == "mummer" {
		if t.padded != nil {
			t.line = append(t.line, t.padded[t.sequence]...)
		}
		position := query + 1
		if part.Reverse && t.flags.original {
			position = length - query
		}
		from := len(t.line)
		t.line = padded8(t.line, uint64(at+1))
		if t.padded == nil {
			t.line = slices.Delete(t.line, from, from+2) // the blanks before a column
		}
		t.line = padded8(padded8(t.line, uint64(position)), uint64(m.Length))
		if t.flags.substrings {
			t.line = append(append(t.line, '\n'), set.Text(t.sequence)[at:at+int(m.Length)]...)
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
		t.rowWriter.text(t.reference.name(t.sequence))
		t.number(uint64(at))
		t.rowWriter.text(t.queries.name(part.Text))
		t.number(uint64(query))
		t.number(uint64(m.Length))
		t.rowWriter.text(strand)
		return t.end()
	}
	t.rowWriter.text(t.queries.name(part.Text))
	t.number(uint64(length))
	t.number(uint64(query))
	t.number(uint64(query) + uint64(m.Length))
	t.rowWriter.text(strand)
	t.rowWriter.text(t.reference.name(t.sequence))
	t.number(uint64(first.Length))
	t.number(uint64(at))
	t.number(uint64(at) + uint64(m.Length))
	t.number(uint64(m.Length))
	t.number(uint64(m.Length))
	t.rowWriter.text("255")
	return t.end()
}
