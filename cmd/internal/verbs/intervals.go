package verbs

import (
	"bytes"
	"context"
	"io"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/formats/tsv"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/operation"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/seqio"
)

const intervalsHelp = `Find the substrings of a text that occur more than once and that different characters
follow: the intervals of the LCP array, which are the inner nodes of the suffix tree.

Lines of tab-separated values: length, number of occurrences, number of documents, position
of one occurrence, counted from 0, and the substring, with \\, \t, \n, \r and \xHH for what
is no printable character of ASCII. Of a substring longer than --max-text characters as many
are written.

FASTA and FASTQ are recognised, and their records are documents; with --lines those are the
lines of a plain text. No substring crosses from one to the next. The name of the record, or
"#" and the number of the line from 1, comes before the position, which counts from its
start. A text without documents is one.

--maximal are repeats that different characters precede, too; --supermaximal those that are
in no longer repeat. --top N are the best by number of occurrences, length, or their product
(--by count, depth, area), the best first. Without it lines are in the order of the suffix
tree: what is below the first branch of a substring, the substring, what is below the
others.

With --symbols u16 or u32 the text is little-endian integers, as token ids, without
documents. Substrings are their numbers, with spaces.

--common writes, for each k from 2 to the number of documents, the longest substring that k
of them have: k, and the same columns.`

type intervalsFlags struct {
	options.Job
	out     string
	o       suffixcl.IntervalOptions
	by      cli.Choice
	lines   bool
	common  bool
	maxText int
}

var scoresOfIntervals = map[string]suffixcl.IntervalScore{
	"count": suffixcl.ByCount, "depth": suffixcl.ByDepth, "area": suffixcl.ByArea,
}

func intervalsVerb() verb.Verb {
	var flags intervalsFlags
	v := verb.Verb{Options: &flags.Job, Op: verb.Always(operation.SortedLCP), Plan: flags.plan}
	v.Prepares = &verb.Preparation{Rehearse: rehearseIntervals,
		Plans: append(verb.PlansOf(operation.SortedLCP), planIntervals)}
	v.Reads = []cli.Accepted{cli.Reads("TEXT", verb.Bytes, verb.Symbols, verb.Records, verb.Lines)}
	v.Writes = verb.Rows()
	v.Command = &cobra.Command{
		Use:   "intervals TEXT",
		Short: "Find repeats: the intervals of the LCP array",
		Long:  intervalsHelp,
		Example: "  suffixcl intervals book.txt --maximal --min-depth 20 --min-count 5\n" +
			"  suffixcl intervals sentences.txt --lines --max-depth 16 --min-depth 2 --top 1000000 --by area\n" +
			"  suffixcl intervals genomes.fa --min-documents 4 --most-each 1 --maximal",
	}
	limits := []struct {
		name, help string
		value      int
		to         *int
	}{
		{"min-depth", "shortest substring", 1, &flags.o.MinDepth},
		{"max-depth", "longest substring; 0: no limit", 0, &flags.o.MaxDepth},
		{"min-count", "fewest occurrences", 2, &flags.o.MinCount},
		{"max-count", "most occurrences; 0: no limit", 0, &flags.o.MaxCount},
		{"min-documents", "fewest documents", 1, &flags.o.MinDocuments},
		{"max-documents", "most documents; 0: no limit", 0, &flags.o.MaxDocuments},
		{"least-each", "fewest occurrences in each document that has any", 1, &flags.o.LeastEach},
		{"most-each", "most occurrences in each document; 0: no limit", 0, &flags.o.MostEach},
		{"top", "only the N best; 0: all", 0, &flags.o.Best},
		{"max-text", "most characters of a substring that are written", 200, &flags.maxText},
	}
	v.Check = func([]string) error {
		for _, l := range limits {
			if *l.to < 0 {
				return cli.Usage("--%s: %d is less than 0", l.name, *l.to)
			}
		}
		switch {
		case v.Flags().Changed("top") && flags.o.Best == 0:
			return cli.Usage("--top: want 1 or more")
		case v.Flags().Changed("by") && flags.o.Best == 0:
			return cli.Usage("--by needs --top")
		case flags.lines && flags.Input.Given && flags.Input.Value != seqio.Plain.String():
			return cli.Usage("--lines takes the lines of a plain text")
		}
		flags.o.By = scoresOfIntervals[flags.by.Value]
		return flags.PlainSymbols(map[string]bool{"lines": flags.lines, "common": flags.common})
	}
	v.Run = func(ctx context.Context, args []string) error {
		return runIntervals(ctx, v.Job(), &flags, args[0])
	}
	flags.AddSequences(v.Flags())
	flags.AddSymbols(v.Flags())
	options.AddTextOutput(v.Command, &flags.out)
	for _, l := range limits {
		v.Flags().IntVar(l.to, l.name, l.value, l.help)
	}
	flags.by = cli.Choice{Value: "count", Of: []string{"count", "depth", "area"}}
	v.Flags().Var(&flags.by, "by", "what the best have most of: count, depth, or area, their product")
	v.Flags().BoolVar(&flags.o.LeftMaximal, "maximal", false, "only maximal repeats")
	v.Flags().BoolVar(&flags.o.Supermaximal, "supermaximal", false, "only supermaximal repeats")
	v.Flags().BoolVar(&flags.lines, "lines", false, "each line of the text is a document")
	v.Flags().BoolVar(&flags.common, "common", false, "the longest common substring of k documents, for each k")
	for _, name := range []string{
		"min-depth", "max-depth", "min-count", "max-count", "min-documents", "max-documents", "least-each", "most-each",
		"top", "maximal", "supermaximal",
	} {
		v.MarkFlagsMutuallyExclusive("common", name)
	}
	return v
}

// inputOptions are for the text, whose records are kept.
func (f *intervalsFlags) inputOptions() cli.InputOptions {
	o := f.Options()
	o.KeepRecords = true
	if f.lines {
		o.Sequences.Format = seqio.Plain
	}
	return o
}

// options are those for so many documents; a text that is no set has none to count.
func (f *intervalsFlags) options(documents int) (suffixcl.IntervalOptions, error) {
	o := f.o
	if documents > 0 {
		return o, nil
	}
	if f.common || o.MinDocuments > 1 || o.MaxDocuments > 0 || o.LeastEach > 1 || o.MostEach > 0 {
		return o, cli.Usage("the text has no documents: --lines makes its lines some")
	}
	o.MinDocuments, o.LeastEach = 0, 0
	return o, nil
}

// linesOf are the lines of a text, without what ends them.
func linesOf(text []byte) (lines seqio.Table) {
	for at := 0; at < len(text); {
		end := bytes.IndexByte(text[at:], '\n')
		next := at + end + 1
		if end < 0 {
			end, next = len(text)-at, len(text)
		}
		lines = append(lines, seqio.Record{Offset: at, Length: len(bytes.TrimSuffix(text[at:at+end], []byte{'\r'}))})
		at = next
	}
	return lines
}

// plan reads the text only for documents, whose letters count.
func (f *intervalsFlags) plan(ctx context.Context, j *job.Job, name string) (device.MemoryPlan, error) {
	records, err := j.Source.OpenDeviceAndMeasure(ctx, name, f.inputOptions())
	if err != nil {
		return nil, err
	}
	if len(records) == 0 && !f.lines {
		o, err := f.options(0)
		if err == nil {
			err = j.Source.WholeSymbols(j.Report.Bytes)
		}
		if err != nil {
			return nil, err
		}
		width := f.SymbolBytes()
		return j.Engine().Intervals(suffixcl.Length(width, j.Report.Bytes/width), o).Plan(ctx)
	}
	text, records, err := f.read(ctx, name)
	if err != nil {
		return nil, err
	}
	o, err := f.options(len(records))
	if err != nil {
		return nil, err
	}
	t := &intervalTable{text: text, records: records}
	return j.Engine().Intervals(suffixcl.Documents(t.documents()...), o).Plan(ctx)
}

// read reads the text and its documents.
func (f *intervalsFlags) read(ctx context.Context, name string) ([]byte, seqio.Table, error) {
	in, err := cli.OpenText(ctx, name, f.inputOptions())
	if err != nil {
		return nil, nil, err
	}
	defer in.Close()
	text, err := in.ReadAll(ctx, func(int64) error { return nil }, func(_, _ int64) {})
	if f.lines {
		return text, linesOf(text), err
	}
	return text, in.Records, err
}

func runIntervals(ctx context.Context, j *job.Job, flags *intervalsFlags, name string) error {
	defer j.Close()
	out, err := cli.NewTextOutput(flags.out, name)
	if err != nil {
		return err
	}
	defer out.Discard()
	text, err := j.Source.OpenDeviceAndText(ctx, name, flags.inputOptions())
	if err != nil {
		return err
	}
	if flags.lines {
		j.Source.Records = linesOf(text)
		j.Report.Records = len(j.Source.Records)
	}
	o, err := flags.options(len(j.Source.Records))
	if err != nil && len(text) > 0 { // no line is no document
		return err
	}
	return j.Sink.StreamRows(ctx, out, func(w io.Writer) error {
		t := &intervalTable{Writer: tsv.New(w), text: text, records: j.Source.Records, most: flags.maxText,
			width: flags.SymbolBytes()}
		if len(text) == 0 {
			return t.Flush()
		}
		input, err := j.Source.Text(text)
		if err != nil {
			return err
		}
		if len(j.Source.Records) > 0 {
			input = suffixcl.Documents(t.documents()...)
		}
		if err := flags.write(j.Measured(ctx), j.Engine(), input, o, t); err != nil {
			return err
		}
		j.Report.Tell(cli.Quantity(t.Ended, "line"))
		return t.Flush()
	})
}

// write writes the intervals of a text, or common substrings.
func (f *intervalsFlags) write(ctx context.Context, e *suffixcl.Engine, text suffixcl.Text,
	o suffixcl.IntervalOptions, t *intervalTable) error {
	if !f.common {
		return job.EachPart(e.Intervals(text, o).Each(ctx), t.add)
	}
	common, err := e.Intervals(text, suffixcl.IntervalOptions{Common: true}).All(ctx)
	if err != nil {
		return err
	}
	var row [1]place
	for k, i := range common.All() {
		if i.Depth == 0 {
			continue
		}
		t.Number(uint64(k))
		t.find(common, k, row[:])
		if err := t.row(i, &row[0]); err != nil {
			return err
		}
	}
	return nil
}

// intervalTable writes intervals as they come.
type intervalTable struct {
	tsv.Writer
	text    []byte
	records seqio.Table // the documents; none if the text is one
	starts  *startTable // of the documents in the set, which has a terminator after each
	most    int         // characters of a substring
	width   int         // bytes of a character
}

// documents are the parts of the text that the records are.
func (t *intervalTable) documents() [][]byte {
	texts, starts := make([][]byte, len(t.records)), make([]int, len(t.records))
	start := 0
	for k, r := range t.records {
		texts[k], starts[k] = t.text[r.Offset:r.End()], start
		start += r.Length + 1
	}
	t.starts = newStartTable(starts, start)
	return texts
}

func (t *intervalTable) add(part *suffixcl.Intervals) error {
	return t.Many(part.Len(), tsv.Each, func(rows tsv.Writer, lo, hi int) (tsv.Writer, error) {
		some := *t
		some.Writer = rows
		var places [rowsAtOnce]place
		for ; lo < hi; lo += rowsAtOnce {
			rows := places[:min(hi-lo, rowsAtOnce)]
			some.find(part, lo, rows)
			for k := range rows {
				if err := some.row(part.At(lo+k), &rows[k]); err != nil {
					return some.Writer, err
				}
			}
		}
		return some.Writer, nil
	})
}

// place is where a row's substring is.
type place struct {
	document, position int // number, and place in it
	at                 int // in the text
	name               string
	touched            byte // of name and text, which are in the caches then
}

// rowsAtOnce are the rows whose places are found together.
const rowsAtOnce = 64

// find finds the places of rows. They are anywhere in the text and its tables: each step is done for all rows, so that
// processors wait for many reads of memory at once.
func (t *intervalTable) find(part *suffixcl.Intervals, lo int, rows []place) {
	for k := range rows {
		position := int(part.At(lo + k).Position)
		rows[k] = place{position: position, at: position}
	}
	if len(t.records) > 0 {
		for k := range rows {
			rows[k].document = t.starts.find(rows[k].position)
		}
		for k := range rows {
			p := &rows[k]
			record := &t.records[p.document]
			p.position -= t.starts.starts[p.document]
			p.at, p.name = record.Offset+p.position, record.Name
		}
		for k := range rows {
			if name := rows[k].name; name != "" {
				rows[k].touched = name[0]
			}
		}
	}
	for k := range rows {
		if at := t.width * rows[k].at; at < len(t.text) {
			rows[k].touched ^= t.text[at]
		}
	}
}

func (t *intervalTable) row(i suffixcl.Interval, p *place) error {
	t.Number(uint64(i.Depth))
	t.Number(uint64(i.Count()))
	t.Number(uint64(max(i.Documents, 1)))
	if len(t.records) > 0 {
		t.Line = append(tsv.AppendName(t.Line, p.name, int64(p.document)), '\t')
	}
	t.Number(uint64(p.position))
	prefix := t.text[t.width*p.at : t.width*(p.at+min(int(i.Depth), t.most))]
	if t.width == 1 {
		t.Line = append(tsv.AppendEscaped(t.Line, prefix), '\t')
	} else {
		t.Line = append(tsv.AppendSymbols(t.Line, prefix, t.width), '\t')
	}
	return t.End()
}

// preparedIntervals are queries that take steps of their own.
var preparedIntervals = []suffixcl.IntervalOptions{{}, {LeftMaximal: true}, {Best: 1}, {Best: 1, Supermaximal: true}}

func planIntervals(ctx context.Context, e *suffixcl.Engine, n int) (device.MemoryPlan, error) {
	var plans []func() (device.MemoryPlan, error)
	for _, o := range preparedIntervals {
		plans = append(plans, func() (device.MemoryPlan, error) { return e.Intervals(suffixcl.Length(1, n), o).Plan(ctx) })
		for _, count := range []int{2, verb.ManyTexts} {
			set := suffixcl.Documents(verb.TextsOf(n, count)...)
			plans = append(plans, func() (device.MemoryPlan, error) { return e.Intervals(set, o).Plan(ctx) })
		}
	}
	return verb.All(plans...)
}

func rehearseIntervals(ctx context.Context, e *suffixcl.Engine, text []byte) error {
	set := suffixcl.Documents(verb.TextsOf(400, 2)...)
	for _, o := range preparedIntervals {
		for _, t := range []suffixcl.Text{suffixcl.Bytes(text), set} {
			if _, err := e.Intervals(t, o).All(ctx); err != nil {
				return err
			}
		}
	}
	_, err := e.Intervals(set, suffixcl.IntervalOptions{Common: true}).All(ctx)
	return err
}
