package verbs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/report"
	"github.com/suffixcl/suffixcl/cmd/internal/search"
	"github.com/suffixcl/suffixcl/cmd/internal/sink"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/internal/infinigrammini"
)

const getHelp = `Read text back from an FM-index: of infini-gram mini, or one of "suffixcl index", of
bytes. No device is needed. locate tells where to look.

--document N is document N from 0 on, --at P that which has the byte at position P, and
--range A-B the bytes from A to B-1. Documents of an index of infini-gram mini count
through all of its shards, and so do positions. Those of another index are its records,
which --record takes by name. All may be given again.

Each part is a line of JSON: document, name, position, length, metadata, text. Bytes that
are no UTF-8 become U+FFFD there. --format text writes the bytes alone. --format metadata
writes lines of metadata.`

// Formats of what is read.
const (
	partsJSON     = "jsonl"
	partsText     = "text"
	partsMetadata = "metadata"
)

type getFlags struct {
	documents, places []string
	ranges, records   []string
	miniFlags
	format      cli.Choice
	out         string
	json, quiet bool
}

// getReport is the result as JSON.
type getReport struct {
	Verb    string           `json:"verb"`
	File    string           `json:"file"`
	Bytes   int64            `json:"bytes"`   // of the text
	Records int64            `json:"records"` // or documents
	Output  string           `json:"output"`
	Parts   int              `json:"parts"`
	Read    int64            `json:"read_bytes"` // of the text
	Seconds report.WallClock `json:"seconds"`
}

func getVerb() verb.Verb {
	f := getFlags{format: cli.Choice{Value: partsJSON, Of: []string{partsJSON, partsText, partsMetadata}}}
	v := verb.Verb{Writes: verb.Rows("lines of JSON", "text")}
	v.Reads = []cli.Accepted{cli.Reads("INDEX", verb.Index, miniIndex, verb.Directory)}
	v.Command = &cobra.Command{
		Use:   "get INDEX",
		Short: "Read text and documents from an FM-index",
		Long:  getHelp,
		Example: "  suffixcl get corpus-index --document 17\n" +
			"  suffixcl get corpus-index --range 1000-2000 --format text\n" +
			"  suffixcl get genome.fmi --record chr1 --format text",
	}
	var parts []part
	v.Check = func(args []string) (err error) {
		parts, err = f.parts()
		return cmp.Or(err, f.wrong(args[0]))
	}
	v.Run = func(ctx context.Context, args []string) error { return f.run(ctx, args[0], parts) }
	flags := v.Flags()
	flags.StringArrayVar(&f.documents, "document", nil, "number of a document or record, from 0; may be given again")
	flags.StringArrayVar(&f.places, "at", nil, "position whose document is read; may be given again")
	flags.StringArrayVar(&f.ranges, "range", nil, "bytes from A to B-1, as A-B; may be given again")
	flags.StringArrayVar(&f.records, "record", nil, "name of a record; may be given again")
	flags.Var(&f.format, "format", "jsonl, text, or metadata: lines of JSON, bytes, or what else is known")
	f.add(flags)
	options.AddTextOutput(v.Command, &f.out)
	cli.AddJSON(flags, &f.json)
	cli.AddQuiet(flags, &f.quiet)
	return v
}

// part is what is to be read: bytes, or a document by its number, by a place in it, or by its name.
type part struct {
	kind     string
	from, to uint64
	name     string
}

const (
	partRange    = "range"
	partDocument = "document"
	partPlace    = "at"
	partRecord   = "record"
)

// parts are those of the flags.
func (f *getFlags) parts() (parts []part, err error) {
	number := func(flag, text string) uint64 {
		n, wrong := strconv.ParseUint(text, 10, 63)
		if wrong != nil && err == nil {
			err = cli.Usage("--%s %s: want a number from 0 on", flag, text)
		}
		return n
	}
	for _, text := range f.documents {
		parts = append(parts, part{kind: partDocument, from: number(partDocument, text)})
	}
	for _, text := range f.places {
		parts = append(parts, part{kind: partPlace, from: number(partPlace, text)})
	}
	for _, text := range f.records {
		parts = append(parts, part{kind: partRecord, name: text})
	}
	for _, text := range f.ranges {
		from, to, found := strings.Cut(text, "-")
		p := part{kind: partRange, from: number(partRange, from), to: number(partRange, to)}
		if err == nil && (!found || p.from > p.to) {
			err = cli.Usage("--range %s: want A-B, and A is at most B", text)
		}
		parts = append(parts, p)
	}
	switch {
	case err != nil:
	case len(parts) == 0:
		err = cli.Usage("nothing is to be read: want --document, --at, --record or --range")
	case f.format.Value == partsMetadata && len(f.ranges) > 0:
		err = cli.Usage("--format metadata is for documents, not for --range")
	}
	return parts, err
}

// piece is a part that was found: bytes [from, to) of the text.
type piece struct {
	document  int64 // -1: none
	name      *string
	from, to  uint64
	metadata  func(to []byte) ([]byte, error) // as JSON
	line      func() ([]byte, error)          // of metadata
	wholeText func() ([]byte, error)          // of a document; nil: of the range
}

// readable is an index that is read.
type readable interface {
	find(p part) (piece, error)
	text(ctx context.Context, from, to uint64) ([]byte, error)
	size() (bytes, documents int64)
	Close() error
}

func (f *getFlags) run(ctx context.Context, name string, parts []part) error {
	began := time.Now()
	progress := cli.NewProgress(f.quiet)
	defer progress.Stop()
	out, err := cli.NewTextOutput(f.out, append([]string{name}, f.shards...)...)
	if err != nil {
		return err
	}
	defer out.Discard()
	x, err := f.open(ctx, name)
	if err != nil {
		return err
	}
	defer x.Close()
	r := getReport{Verb: "get", File: name, Output: out.Name, Parts: len(parts)}
	r.Bytes, r.Records = x.size()
	if out.Name == "-" {
		progress.YieldTerminal()
	}
	err = sink.WriteWhile(ctx, out, func(w io.Writer) error {
		for i, p := range parts {
			progress.Of("read")(int64(i), int64(len(parts)))
			found, err := x.find(p)
			if err == nil {
				r.Read += int64(found.to - found.from)
				err = f.write(ctx, w, x, found)
			}
			if wrong := (*infinigrammini.RangeError)(nil); errors.As(err, &wrong) {
				return fmt.Errorf("%s: %w", name, err)
			} else if err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = cli.Commit(out)
	}
	progress.Stop()
	if err != nil || !f.json {
		return err
	}
	r.Seconds = report.WallClockSince(began)
	return cli.PrintJSON(sink.StreamOfJSON(out), &r)
}

// pieceBytes are read at once.
const pieceBytes = 1 << 20

// write writes a piece.
func (f *getFlags) write(ctx context.Context, w io.Writer, x readable, p piece) error {
	if f.format.Value == partsMetadata {
		line, err := p.line()
		if err == nil {
			_, err = w.Write(append(line, '\n'))
		}
		return err
	}
	if f.format.Value == partsText && p.wholeText == nil {
		for from := p.from; from < p.to; from += pieceBytes {
			text, err := x.text(ctx, from, min(from+pieceBytes, p.to))
			if err != nil {
				return err
			}
			if _, err := w.Write(text); err != nil {
				return err
			}
		}
		return nil
	}
	read := p.wholeText
	if read == nil {
		read = func() ([]byte, error) { return x.text(ctx, p.from, p.to) }
	}
	text, err := read()
	if err != nil {
		return err
	}
	if f.format.Value == partsText {
		_, err := w.Write(text)
		return err
	}
	line := []byte(`{"document": `)
	if p.document < 0 {
		line = append(line, "null"...)
	} else {
		line = strconv.AppendInt(line, p.document, 10)
	}
	line = append(line, `, "name": `...)
	if p.name == nil {
		line = append(line, "null"...)
	} else {
		line = search.AppendString(line, []byte(*p.name))
	}
	line = fmt.Appendf(line, `, "position": %d, "length": %d, "metadata": `, p.from, p.to-p.from)
	if line, err = p.metadata(line); err != nil {
		return err
	}
	line = append(search.AppendString(append(line, `, "text": `...), text), "}\n"...)
	_, err = w.Write(line)
	return err
}

// open opens an index.
func (f *getFlags) open(ctx context.Context, name string) (readable, error) {
	if infinigrammini.Is(name) {
		x, err := f.miniFlags.open(ctx, name)
		if err != nil {
			return nil, err
		}
		return readableMini{x, ctx}, nil
	}
	file, called, err := readIndex(ctx, name)
	switch {
	case err != nil:
		return nil, err
	case file.Coding != nil:
		return nil, fmt.Errorf("%s: it is an index of symbols of %d bits, and get reads those of bytes", called,
			8*file.Coding.SymbolBytes)
	}
	return readableFile{file, called}, nil
}

// readableMini is an index of infini-gram mini.
type readableMini struct {
	*infinigrammini.Index
	ctx context.Context
}

func (x readableMini) size() (bytes, documents int64) {
	n, _ := x.Documents() // 0, if they are not known
	return int64(x.Len()), int64(n)
}

func (x readableMini) text(ctx context.Context, from, to uint64) ([]byte, error) {
	return x.Text(ctx, nil, from, to)
}

func (x readableMini) find(p part) (piece, error) {
	var d infinigrammini.Document
	var err error
	switch p.kind {
	case partRange:
		if n := x.Len(); p.to > n {
			err = &infinigrammini.RangeError{Why: fmt.Sprintf("there are no bytes %d to %d: the text has %d", p.from, p.to, n)}
		}
		return piece{document: -1, from: p.from, to: p.to, metadata: noMetadata}, err
	case partRecord:
		return piece{}, cli.Usage("--record is for indexes of records: documents of infini-gram mini have numbers")
	case partPlace:
		d, err = x.DocumentAt(p.from)
	default:
		d, err = x.Document(p.from)
	}
	return piece{document: int64(d.Number), from: d.From, to: d.To,
		metadata:  func(to []byte) ([]byte, error) { return search.AppendMetadata(x.ctx, to, x.Index, d) },
		line:      func() ([]byte, error) { return x.Metadata(x.ctx, nil, d) },
		wholeText: func() ([]byte, error) { return x.DocumentText(x.ctx, nil, d) }}, err
}

func noMetadata(to []byte) ([]byte, error) { return append(to, "null"...), nil }

// readableFile is an index of suffixcl.
type readableFile struct {
	*fmindex.File
	name string
}

func (x readableFile) Close() error { return nil }

func (x readableFile) size() (bytes, documents int64) { return int64(x.Length), int64(len(x.Records)) }

func (x readableFile) text(ctx context.Context, from, to uint64) ([]byte, error) {
	text, err := x.Text(ctx, int(from), int(to))
	if err != nil && ctx.Err() == nil {
		return nil, fmt.Errorf("%s: %w", x.name, err)
	}
	return text, err
}

func (x readableFile) find(p part) (piece, error) {
	wrong := func(format string, args ...any) (piece, error) {
		return piece{}, &infinigrammini.RangeError{Why: fmt.Sprintf(format, args...)}
	}
	if p.kind == partRange {
		if p.to > uint64(x.Length) {
			return wrong("there are no bytes %d to %d: the text has %d", p.from, p.to, x.Length)
		}
		return piece{document: -1, from: p.from, to: p.to, metadata: noMetadata}, nil
	}
	if len(x.Records) == 0 {
		return wrong("the text of the index has no records: --range takes its bytes")
	}
	record := -1
	switch p.kind {
	case partDocument:
		if p.from >= uint64(len(x.Records)) {
			return wrong("there is no record %d: the index has %d, from 0", p.from, len(x.Records))
		}
		record = int(p.from)
	case partPlace:
		found, _, ok := x.Records.Find(int(p.from), 0)
		if !ok {
			return wrong("position %d is in no record", p.from)
		}
		record = found
	case partRecord:
		for i := range x.Records {
			if x.Records[i].Name == p.name {
				record = i
				break
			}
		}
		if record < 0 {
			return wrong("no record is called %q", p.name)
		}
	}
	r := x.Records[record]
	return piece{document: int64(record), name: &r.Name, from: uint64(r.Offset), to: uint64(r.End()),
		metadata: noMetadata, line: func() ([]byte, error) {
			return nil, fmt.Errorf("%s: an index of records has no metadata", x.name)
		}}, nil
}
