package verbs

import (
	"context"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/report"
	"github.com/suffixcl/suffixcl/cmd/internal/sink"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/internal/cli"
)

const passagesHelp = `Find the longest passages of documents that an index has: which parts of a test set stand in
training text. A passage is a part of --min-length letters or more that the index has
--min-count times or more, and that no longer such part contains.

INDEX is a file of "suffixcl index", a directory of infini-gram mini or its data.fm9, a
directory of infini-gram, or with --tokens FILE an .idx of tokengrams. No device is used. Of
an index of tokens a letter is a token, and a document a line of token ids, with commas or
blanks between them. Others have bytes. A DOCUMENT is a file or a directory of files, each a
document. With --input lines each line is one, with --input fasta or fastq each record, and
with --field the string of that field in each line of JSON. Files may be compressed.

--format:
  tsv        document, start, end, count, and with --places N up to N places with commas
  documents  a line a document: letters, letters in passages, their share, passages, and the
             letters of the longest passage
  jsonl      an object a document, with its passages
  text       for people: each passage with its text, cut at --width
Places in a document are from 0 on. A place in the index is record:place, document:place, or
of infini-gram shard:document:place. The first ones in the order of the index are told.`

func passagesVerb() verb.Verb {
	var flags passagesFlags
	c := &cobra.Command{
		Use:   "passages INDEX DOCUMENT...",
		Short: "Find the longest passages of documents that an index has",
		Long:  passagesHelp,
		Example: "  suffixcl passages corpus.fmi questions.jsonl --field question --format documents\n" +
			"  suffixcl passages mini/ benchmark/ --min-length 80 --places 3 --format text\n" +
			"  suffixcl passages infinigram/ questions.ids --token u16 --min-length 13",
	}
	v := verb.Verb{Command: c, Writes: verb.Rows("tsv", "documents", "jsonl", "text")}
	v.Reads = []cli.Accepted{cli.Reads("INDEX", verb.Index, verb.Directory, "fm9", "tokengrams"),
		cli.Reads("DOCUMENT", verb.Bytes, verb.Lines, verb.Records, verb.JSONLines, verb.Directory),
		cli.Reads("tokens", verb.Tokens)}
	v.Check = func(args []string) error { return flags.check(args) }
	v.Run = func(ctx context.Context, args []string) error { return flags.run(ctx, args[0]) }
	f := c.Flags()
	f.IntVarP(&flags.length, "min-length", "l", 0, "least letters of a passage; 0: 50 bytes, or 13 tokens")
	f.Int64Var(&flags.count, "min-count", 1, "how often a passage occurs at least")
	f.IntVar(&flags.places, "places", 0, "so many places of each passage in the index at most")
	flags.input = cli.Choice{Value: "file", Of: []string{"file", "lines", "fasta", "fastq"}}
	f.Var(&flags.input, "input", "what a document is: a file, a line of lines, a record of fasta or fastq")
	f.Var((*cli.Word)(&flags.field), "field", "documents are the strings of this field of JSON objects, one a line")
	flags.format = cli.Choice{Value: "tsv", Of: []string{"tsv", "documents", "jsonl", "text"}}
	f.Var(&flags.format, "format", "what is written: tsv, documents, jsonl, text")
	f.IntVar(&flags.width, "width", 80, "most bytes of a passage in text")
	f.Var((*cli.FileName)(&flags.tokens), "tokens", "the tokens of an index of tokengrams")
	flags.token = cli.Choice{Value: "u16", Of: []string{"u8", "u16", "u32"}}
	f.Var(&flags.token, "token", "tokens of 8, 16 or 32 bits, little-endian: u8, u16 or u32")
	f.BoolVar(&flags.raw, "raw", false, "take compressed files as they are")
	options.AddTextOutput(c, &flags.out)
	cli.AddJSON(f, &flags.json)
	cli.AddQuiet(f, &flags.quiet)
	c.MarkFlagsMutuallyExclusive("input", "field")
	return v
}

func (f *passagesFlags) run(ctx context.Context, name string) error {
	began := time.Now()
	progress := cli.NewProgress(f.quiet)
	defer progress.Stop()
	out, err := cli.NewTextOutput(f.out, append([]string{name, f.tokens}, f.documents...)...)
	if err != nil {
		return err
	}
	defer out.Discard()
	x, err := f.open(ctx, name)
	if err != nil {
		return err
	}
	defer x.close()
	if err := f.fits(x, name); err != nil {
		return err
	}
	if out.Name == "-" {
		progress.YieldTerminal()
	}
	r := &passagesReport{Verb: "passages", File: name, Index: x.kind, Letters: x.letters, Output: out.Name,
		MinLength: f.length, MinCount: f.count}
	note := func(format string, args ...any) {
		if !f.quiet {
			progress.Stop()
			cli.Tell("suffixcl: note: "+format+"\n", args...)
		}
	}
	longest := 0
	err = sink.WriteWhile(ctx, out, func(w io.Writer) error {
		p := &passageWriter{passagesFlags: f, index: x, report: r, w: w}
		in := &passageDocuments{passagesFlags: f, index: x, report: r, note: note, progress: progress.Of("search")}
		err := in.each(ctx, func(batch []passageDocument) error {
			for _, d := range batch {
				longest = max(longest, len(d.text)/x.width)
			}
			return p.write(ctx, batch)
		})
		return err
	})
	if err != nil {
		return err
	}
	if err := cli.Commit(out); err != nil {
		return err
	}
	progress.Stop()
	letter := ofWidth[x.tokens()]
	if longest < f.length {
		note("no document has %s, as a passage has", cli.Quantity(int64(f.length), letter))
	}
	r.Seconds = report.WallClockSince(began)
	if f.json {
		return cli.PrintJSON(sink.StreamOfJSON(out), r)
	}
	if !f.quiet {
		cli.Tell("suffixcl: %s: %s, %s, %.1f%% in passages; %s in %s, the longest of %s; %.2f s\n", name,
			cli.Quantity(int64(r.Documents), "document"), cli.Quantity(r.Queried, letter),
			100*float64(r.Covered)/float64(max(r.Queried, 1)), cli.Quantity(r.Passages, "passage"),
			cli.Quantity(int64(r.WithAny), "document"), cli.Quantity(int64(r.Longest), letter), r.Seconds.Total)
	}
	return nil
}

// fits fills in what depends on the index, and tells of flags that are not for it.
func (f *passagesFlags) fits(x *passageIndex, name string) error {
	switch {
	case f.length > 0:
	case x.tokens():
		f.length = 13
	default:
		f.length = 50
	}
	switch {
	case x.tokens() && (f.field != "" || f.input.Given):
		return cli.Usage("%s is an index of tokens: documents are lines of token ids, without --input and --field", name)
	case !x.tokens() && f.token.Given:
		return cli.Usage("--token is for an index of tokens: %s has bytes", name)
	case f.places > 0 && !x.locates:
		return withoutSamples(name)
	}
	return nil
}
