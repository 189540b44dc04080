package verbs

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/formats/tsv"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/operation"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/report"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/corpus"
	"github.com/suffixcl/suffixcl/internal/duplicates"
	"github.com/suffixcl/suffixcl/internal/table"
)

const dedupHelp = `Find the substrings of --min-length symbols that occur more than once, and the ranges of
text that they cover: exact-substring deduplication of training text. The texts may be
several times as large as the memory of the device.

A plain file is a document; with --separator documents are what is between these bytes, with
--offsets they begin where a file of 8-byte numbers says. With --field each line is a JSON
object, and the string of that field a document. A directory stands for its files, in the
order of their paths. gzip, xz, zstd, bzip2 and lzma are recognised. No duplicate crosses
from one document to the next, unless --across is given.

--keep none takes all copies of a substring, --keep first all but the first: that of the
first input, and there the first in the text. --against takes what also occurs in another
set, with --both in that set, too.

--format:
  byterange   a line "out", then lines of start and end, in bytes
  u64         the same numbers, 8 bytes each, little-endian
  documents   a line of JSON for each document, with sa_remove_ranges, [[start, end], ...],
              in bytes of the document. With --field it is the object with that field added
Positions are those of the text: all files one after the other, and of lines of JSON the
strings. --write makes a directory of files like the inputs, without what is removed; with
--drop-empty also without documents of which nothing stays, and what separates them.`

type dedupFlags struct {
	options.Job
	out, dir, reportFile, offsets string
	against                       []string
	field, separator              string
	keep, format                  cli.Choice
	length, count, top            int
	vocabulary                    uint64
	across, utf8, both, drop      bool

	inputs []string
	writes bool // ranges
}

func dedupVerb() verb.Verb {
	var flags dedupFlags
	v := verb.Verb{Options: &flags.Job, Op: verb.Always(operation.SortedArray), Plan: flags.plan}
	v.Prepares = &verb.Preparation{Plans: []verb.Planning{planDedup}}
	v.Reads = []cli.Accepted{cli.Reads("INPUT", verb.Bytes, verb.Symbols, verb.JSONLines, verb.Directory),
		cli.Reads("against", verb.Bytes, verb.Symbols, verb.JSONLines, verb.Directory),
		cli.Reads("offsets", "numbers of 8 bytes")}
	v.Writes = []cli.Produced{cli.Writes("output", "byterange", "u64", "documents"),
		cli.Writes("write", verb.Directory), cli.Writes("report", "text")}
	v.Command = &cobra.Command{
		Use:   "dedup INPUT...",
		Short: "Find duplicate passages in sets of documents, and remove them",
		Long:  dedupHelp,
		Example: "  suffixcl dedup shards/ --field text --keep first --utf8 --write clean/\n" +
			"  suffixcl dedup wiki.bin --across --min-length 100 -o wiki.remove.byterange\n" +
			"  suffixcl dedup train.jsonl --field text --against test.jsonl --format documents",
	}
	v.Check = func(args []string) error {
		flags.inputs = args
		flags.writes = flags.writesRanges(v.Command)
		flags.utf8 = flags.utf8 || flags.field != "" && flags.dir != "" // strings of JSON are written
		return flags.wrong()
	}
	v.Run = func(ctx context.Context, args []string) error {
		return runDedup(ctx, v.Job(), &flags)
	}
	flags.AddCommon(v.Flags())
	flags.AddRaw(v.Flags())
	options.AddTextOutput(v.Command, &flags.out)
	f := v.Flags()
	f.Var((*cli.Directory)(&flags.dir), "write",
		"write the inputs without what is removed to this directory, which is empty or new")
	f.BoolVar(&flags.drop, "drop-empty", false, "with --write: leave out documents of which nothing stays")
	f.Var((*cli.FileName)(&flags.reportFile), "report",
		`tell lengths and the most frequent duplicates in this file; "-": standard output`)
	f.Var((*cli.Word)(&flags.field), "field", "documents are the strings of this field of JSON objects, one a line")
	f.Var((*cli.Word)(&flags.separator), "separator",
		`documents are what is between these bytes: \n, \t, \\ and \xHH are known`)
	f.Var((*cli.FileName)(&flags.offsets), "offsets",
		"where the documents of the input begin, and its length: 8 bytes each")
	f.StringArrayVar(&flags.against, "against", nil, "only what also occurs in this file or directory; may be given again")
	f.BoolVar(&flags.both, "both", false, "ranges of the files of --against, too")
	flags.keep = cli.Choice{Value: "none", Of: []string{"none", "first"}}
	f.Var(&flags.keep, "keep", `copies that stay: "none" or the "first"`)
	flags.format = cli.Choice{Value: "byterange", Of: []string{"byterange", "u64", "documents"}}
	f.Var(&flags.format, "format", `result: "byterange", "u64" or "documents"`)
	f.IntVar(&flags.length, "min-length", 100, "shortest duplicate, in symbols")
	f.IntVar(&flags.count, "min-count", 2, "fewest occurrences")
	f.IntVar(&flags.top, "top", 10, "most frequent duplicates in the report")
	f.BoolVar(&flags.across, "across", false, "duplicates may cross from one document of a file to the next")
	f.BoolVar(&flags.utf8, "utf8", false, "shrink ranges to whole characters of UTF-8; --field with --write does so, too")
	flags.Symbols = cli.Choice{Value: "u8", Of: []string{"u8", "utf8", "u16", "u32"}}
	f.Var(&flags.Symbols, "symbols", "symbols: u8 (bytes), utf8 (characters), or tokens of u16 or u32, little-endian")
	f.Uint64Var(&flags.vocabulary, "vocabulary", 0, "number of tokens of u16 or u32 that there are; 0: any")
	v.MarkFlagsMutuallyExclusive("field", "separator", "offsets")
	v.MarkFlagsMutuallyExclusive("against", "keep")
	return v
}

// wrong tells of flags that do not go together.
func (f *dedupFlags) wrong() error {
	tokens := f.Symbols.Value == "u16" || f.Symbols.Value == "u32"
	separator, err := unescape(f.separator)
	switch {
	case err != nil:
		return cli.Usage("--separator: %v", err)
	case f.length < duplicates.MinWindow || f.length > duplicates.MaxWindow:
		return cli.Usage("--min-length: want %d to %d", duplicates.MinWindow, duplicates.MaxWindow)
	case f.count < 2:
		return cli.Usage("--min-count: want 2 or more")
	case f.top < 0:
		return cli.Usage("--top: %d is less than 0", f.top)
	case f.both && len(f.against) == 0:
		return cli.Usage("--both needs --against")
	case tokens && f.field != "":
		return cli.Usage("--symbols %s are those of plain files: --field does not go with it", f.Symbols.Value)
	case tokens && f.utf8:
		return cli.Usage("--symbols %s are no characters: --utf8 does not go with it", f.Symbols.Value)
	case f.vocabulary > 0 && !tokens:
		return cli.Usage("--vocabulary is that of tokens: it needs --symbols u16 or u32")
	case len(separator)%f.SymbolBytes() != 0:
		return cli.Usage("--separator: it has %s, and symbols have %d", bytesize.Count(len(separator), "byte"),
			f.SymbolBytes())
	case len(separator)/f.SymbolBytes() >= f.length:
		return cli.Usage("--separator: it is as long as a duplicate may be")
	case slices.Contains(f.against, ""):
		return cli.Usage("--against: the name is empty")
	case f.offsets != "" && len(f.inputs)+len(f.against) > 1:
		return cli.Usage("--offsets are those of one input")
	case f.offsets != "" && f.dir != "":
		return cli.Usage("--write writes no offsets: those of --offsets would not fit what it writes")
	case f.drop && f.dir == "":
		return cli.Usage("--drop-empty is for --write")
	case f.dir != "" && slices.Contains(f.inputs, "-"):
		return cli.Usage("--write needs inputs with a name")
	case f.reportFile == "-" && f.out == "-" && f.writes:
		return cli.Usage("report and ranges cannot both go to standard output")
	}
	return options.OneStandardInput(append(append(slices.Clone(f.inputs), f.against...), f.offsets)...)
}

// writesRanges tells whether ranges are a result: they are, unless only a directory is wanted.
func (f *dedupFlags) writesRanges(c *cobra.Command) bool {
	return c.Flags().Changed("output") || c.Flags().Changed("format") || f.dir == "" && f.reportFile != "-"
}

// readsAgain tells whether lines of JSON are read once more, when results are written.
func (f *dedupFlags) readsAgain() bool {
	return f.field != "" && (f.dir != "" || f.writes && f.format.Value == "documents")
}

// unescape replaces \n, \r, \t, \\ and \xHH.
func unescape(s string) (out []byte, err error) {
	for len(s) > 0 {
		if s[0] != '\\' {
			out, s = append(out, s[0]), s[1:]
			continue
		}
		value, _, tail, err := strconv.UnquoteChar(s, 0)
		if err != nil || !strings.ContainsRune(`nrt\x`, rune(s[1])) {
			return nil, fmt.Errorf("%q is no character: \\n, \\r, \\t, \\\\ and \\xHH are known", s)
		}
		out, s = append(out, byte(value)), tail
	}
	return out, nil
}

// comparedBytes is the width of the symbols that are compared.
func (f *dedupFlags) comparedBytes() int {
	if f.Symbols.Value == "utf8" {
		return 4
	}
	return f.SymbolBytes()
}

// dedup is the work of the verb.
type dedup struct {
	*job.Job
	flags   *dedupFlags
	set     corpus.Set
	sources []documentSource  // of the files of the set
	places  map[string]string // the files of the set by what they are called in the directory of --write
	other   int               // number of the first file of --against; -1: none

	text       []byte             // symbols
	characters *corpus.Characters // nil unless symbols are characters
	bounds     []uint64
	options    suffixcl.DuplicateOptions
}

// read reads the inputs, and those of --against.
func (d *dedup) read(ctx context.Context) error {
	o := corpus.Options{Field: d.flags.field, SymbolBytes: d.flags.SymbolBytes(), Vocabulary: d.flags.vocabulary}
	o.Separator, _ = unescape(d.flags.separator)
	if d.flags.offsets != "" {
		in, err := cli.OpenRaw(ctx, d.flags.offsets)
		if err != nil {
			return err
		}
		defer in.Close()
		if o.Offsets, err = corpus.ReadOffsets(in.Name, inputReader{ctx, in}); err != nil {
			return err
		}
	}
	d.other = -1
	for _, name := range d.flags.inputs {
		if err := d.add(ctx, name, o, true); err != nil {
			return err
		}
	}
	if len(d.flags.against) > 0 {
		d.other = len(d.set.Files)
		for _, name := range d.flags.against {
			if err := d.add(ctx, name, o, false); err != nil {
				return err
			}
		}
	}
	d.Report.Bytes, d.Report.Records = len(d.set.Text), len(d.set.Documents)
	return d.symbolise()
}

// symbolise makes what is compared.
func (d *dedup) symbolise() (err error) {
	f := d.flags
	if f.utf8 && f.Symbols.Value != "utf8" {
		if err := d.set.CheckUTF8(); err != nil {
			return err
		}
	}
	width := f.SymbolBytes()
	d.text, d.bounds = d.set.Text, d.set.Bounds(width, f.length)
	if f.across {
		d.bounds = d.set.FileBounds(width)
	}
	other := 0
	if d.other >= 0 {
		other = d.own() / width
	}
	if f.Symbols.Value == "utf8" {
		if d.characters, err = d.set.Characters(); err != nil {
			return err
		}
		k, _ := slices.BinarySearch(d.bounds, uint64(other))
		d.bounds = d.characters.Bounds(d.bounds)
		d.text, other = d.characters.Text, int(d.bounds[k])
	}
	d.options = suffixcl.DuplicateOptions{Length: f.length, SymbolBytes: f.comparedBytes(), MinCount: f.count,
		Other: other, Both: f.both, Documents: len(d.bounds) - 1, Frequent: f.top}
	if f.between() { // windows of separators alone are not told
		d.options.Frequent += min(f.top, 1) * len(f.separator)
	}
	if f.keep.Value == "first" {
		d.options.KeepFirst = true
	}
	return nil
}

// own is the length of the inputs' text: that of --against comes after it.
func (d *dedup) own() int {
	if d.other >= 0 && d.other < len(d.set.Files) {
		return d.set.Files[d.other].Start
	}
	return len(d.set.Text)
}

// between tells whether ranges may have separators in them, which stay: the ranges are those of documents, then.
func (f *dedupFlags) between() bool { return f.across && f.separator != "" }

// nothing tells whether there can be no duplicate: the other set is empty, or the inputs are.
func (d *dedup) nothing() bool {
	return d.other >= 0 && d.options.Other == 0 || len(d.text) == 0
}

func (f *dedupFlags) plan(ctx context.Context, j *job.Job, name string) (device.MemoryPlan, error) {
	d := &dedup{Job: j, flags: f}
	if err := j.Session.OpenDevice(); err != nil {
		return nil, err
	}
	if err := d.read(ctx); err != nil {
		return nil, err
	}
	return j.Engine().Duplicates(suffixcl.Bytes(d.text), d.bounds, d.options).Plan(ctx)
}

func runDedup(ctx context.Context, j *job.Job, flags *dedupFlags) error {
	defer j.Close()
	d := &dedup{Job: j, flags: flags}
	results, err := d.results()
	if err != nil {
		return err
	}
	defer results.discard()
	if err := j.Session.OpenDevice(); err != nil {
		return err
	}
	if err := cli.Timed(&j.Report.Seconds.Read, func() error { return d.read(ctx) }); err != nil {
		return err
	}
	found, err := d.find(ctx)
	if err != nil {
		return err
	}
	err = cli.Timed(&j.Report.Seconds.Write, func() error { return results.write(ctx, d, found) })
	if err != nil {
		return err
	}
	j.Report.Duplicates = found.report
	return j.Sink.Finish(results.ranges)
}

// dedupFound is what was found.
type dedupFound struct {
	ranges []corpus.Document // of the text, in bytes
	cuts   *corpus.Cuts
	report *report.Duplicates
}

// find finds the ranges.
func (d *dedup) find(ctx context.Context) (*dedupFound, error) {
	split := d.set.Split(d.flags.utf8)
	f, divided := &dedupFound{}, d.flags.utf8 || d.flags.between()
	result := &suffixcl.Duplicates{}
	if !d.nothing() {
		found := d.Engine().Duplicates(suffixcl.Bytes(d.text), d.bounds, d.options)
		for part, err := range found.Each(d.Measured(ctx)) {
			if err != nil {
				return nil, err
			}
			for _, r := range part.Ranges {
				from, to := d.bytesOf(r)
				split.Add(from, to)
				if !divided {
					f.ranges = append(f.ranges, corpus.Document{Start: from, End: to})
				}
			}
			result = part
		}
	}
	f.cuts = split.Cuts()
	f.cuts.DropEmptied = d.flags.drop
	if divided {
		for k, document := range d.set.Documents {
			for _, c := range f.cuts.Of(k) {
				f.ranges = append(f.ranges, corpus.Document{Start: document.Start + c.Start, End: document.Start + c.End})
			}
		}
	}
	f.report = d.duplicatesReport(f, result)
	return f, nil
}

// bytesOf is a range in bytes.
func (d *dedup) bytesOf(r suffixcl.Range) (from, to int) {
	if d.characters != nil {
		return d.characters.Place(int(r.Start)), d.characters.Place(int(r.End))
	}
	width := uint64(d.options.SymbolBytes)
	return int(r.Start * width), int(r.End * width)
}

// writeRanges writes the ranges in the format that is wanted.
func (d *dedup) writeRanges(ctx context.Context, w io.Writer, f *dedupFound) error {
	switch d.flags.format.Value {
	case "byterange":
		return f.writeLines(w)
	case "u64":
		return table.Write(w, len(f.ranges), 16, func(b []byte, lo, hi int) {
			for i, r := range f.ranges[lo:hi] {
				binary.LittleEndian.PutUint64(b[16*i:], uint64(r.Start))
				binary.LittleEndian.PutUint64(b[16*i+8:], uint64(r.End))
			}
		})
	}
	b := bufio.NewWriterSize(w, cli.WriteChunk) // of small files
	for k := range d.set.Files {
		if d.other >= 0 && k >= d.other && !d.flags.both {
			break
		}
		err := d.again(ctx, k, func(source io.Reader) error { return d.set.WriteRanges(k, source, f.cuts, b) })
		if err != nil {
			return err
		}
	}
	return b.Flush()
}

// writeLines writes a line for each range.
func (f *dedupFound) writeLines(w io.Writer) error {
	r := tsv.New(w)
	r.Line = append(r.Line, "out\n"...)
	err := r.Many(len(f.ranges), tsv.Each, func(rows tsv.Writer, lo, hi int) (tsv.Writer, error) {
		for _, r := range f.ranges[lo:hi] {
			rows.Line = append(strconv.AppendInt(rows.Line, int64(r.Start), 10), ' ')
			rows.Number(uint64(r.End))
			if err := rows.End(); err != nil {
				return rows, err
			}
		}
		return rows, nil
	})
	if err != nil {
		return err
	}
	return r.Flush()
}

// planDedup plans symbols of each width.
func planDedup(ctx context.Context, e *suffixcl.Engine, n int) (device.MemoryPlan, error) {
	var plans []func() (device.MemoryPlan, error)
	for _, width := range []int{1, 2, 4} {
		for _, keep := range []bool{false, true} {
			for _, other := range []int{0, n / 2} {
				o := suffixcl.DuplicateOptions{Length: 100, SymbolBytes: width, KeepFirst: keep, Other: other,
					Documents: 2, Frequent: 1}
				plans = append(plans,
					func() (device.MemoryPlan, error) { return e.Duplicates(suffixcl.Length(width, n), nil, o).Plan(ctx) })
			}
		}
	}
	return verb.All(plans...)
}
