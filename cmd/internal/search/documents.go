package search

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl/cmd/internal/formats/tsv"
	"github.com/suffixcl/suffixcl/cmd/internal/source"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/infinigrammini"
)

// DocumentFlags say what is told of the documents that have occurrences.
type DocumentFlags struct {
	Documents bool
	Context   int
	Most      int
}

// Add declares the flags.
func (f *DocumentFlags) Add(c *cobra.Command) {
	c.Flags().BoolVar(&f.Documents, "documents", false, "lines of JSON: the document of each occurrence, too")
	c.Flags().IntVar(&f.Context, "context", 0, "with --documents: bytes before and after an occurrence to tell")
	c.Flags().IntVar(&f.Most, "max", 0, "most occurrences of a query that are told, any of them; 0: all")
}

// Check tells of wrong usage.
func (f *DocumentFlags) Check() error {
	switch {
	case f.Context < 0 || f.Most < 0:
		return cli.Usage("--context and --max are 0 or more")
	case f.Context > 0 && !f.Documents:
		return cli.Usage("--context is for --documents")
	}
	return nil
}

// DocumentWriter writes occurrences in documents of an index on the host, or in records.
type DocumentWriter struct {
	tsv.Writer
	Target // of records, where there is no index
	Index  *infinigrammini.Index
	Ctx    context.Context
	Bytes  int  // before and after an occurrence
	Both   bool // strands were searched
}

// WriteFound writes what was found of a query.
func (w *DocumentWriter) WriteFound(q *source.Queries, f *Found) error {
	name := q.RawName(f.Query)
	if f.tooMany {
		w.Line = append(AppendString(append(w.Line, `{"query": `...), name), `, "occurrences": `...)
		w.Line = append(strconv.AppendInt(w.Line, int64(f.all()), 10), "} "...)
		return w.End()
	}
	length := len(q.Pattern(f.Query)) / max(q.SymbolBytes, 1)
	for position, strand := range f.hits() {
		w.Line = AppendString(append(w.Line, `{"query": `...), name)
		w.number("position", int64(position))
		if w.Both {
			w.Line = append(append(append(w.Line, `, "strand": "`...), strandNames[strand]...), '"')
		}
		var err error
		if w.Index != nil {
			err = w.document(position, uint64(length))
		} else {
			err = w.record(position, length)
		}
		if err != nil {
			return err
		}
		w.Line = append(w.Line, "} "...) // of which the last is the end of the line
		if err := w.End(); err != nil {
			return err
		}
	}
	return nil
}

func (w *DocumentWriter) number(name string, value int64) {
	w.Line = append(append(append(w.Line, `, "`...), name...), `": `...)
	w.Line = strconv.AppendInt(w.Line, value, 10)
}

// record tells of the record that has an occurrence.
func (w *DocumentWriter) record(position uint64, length int) error {
	if len(w.Records) == 0 {
		return fmt.Errorf("%s: the text of the index has no records", w.Name)
	}
	i, offset, ok := w.Records.Find(int(position), length)
	if !ok {
		_, _, _, err := w.find(position, length)
		return err
	}
	w.number("document", int64(i))
	w.number("place", int64(offset))
	w.number("length", int64(w.Records[i].Length))
	w.Line = append(AppendString(append(w.Line, `, "name": `...), []byte(w.Records[i].Name)), `, "metadata": null`...)
	return nil
}

// document tells of the document that has an occurrence.
func (w *DocumentWriter) document(position, length uint64) error {
	d, err := w.Index.DocumentAt(position)
	if err != nil {
		return err
	}
	w.number("document", int64(d.Number))
	w.number("place", int64(position)-int64(d.From))
	w.number("length", int64(d.To-d.From))
	w.Line = append(w.Line, `, "name": null, "metadata": `...)
	if w.Line, err = AppendMetadata(w.Ctx, w.Line, w.Index, d); err != nil || w.Bytes == 0 {
		return err
	}
	// An occurrence may begin at the separator, or pass the end.
	before := max(d.From, position-min(position, uint64(w.Bytes)))
	after := min(d.To, position+length+uint64(w.Bytes))
	for _, part := range []struct {
		name     string
		from, to uint64
	}{{"before", before, position}, {"after", position + length, after}} {
		var text []byte
		if part.from < part.to {
			if text, err = w.Index.Text(w.Ctx, nil, part.from, part.to); err != nil {
				return err
			}
		}
		if part.name == "before" {
			text = withoutBegun(text)
		} else {
			text = withoutCut(text)
		}
		w.Line = append(append(append(w.Line, `, "`...), part.name...), `": `...)
		w.Line = AppendString(w.Line, text)
	}
	return nil
}

// AppendMetadata appends what an index knows of a document, as JSON: null, if it has no metadata; a string, if its line
// is no JSON.
func AppendMetadata(ctx context.Context, to []byte, x *infinigrammini.Index, d infinigrammini.Document) ([]byte,
	error) {
	if !x.Shards[d.Shard].HasMetadata() {
		return append(to, "null"...), nil
	}
	begin := len(to)
	to, err := x.Metadata(ctx, to, d)
	if err == nil && !json.Valid(to[begin:]) {
		line := string(to[begin:])
		to = AppendString(to[:begin], []byte(line))
	}
	return to, err
}

// AppendString appends a string of JSON. Bytes that are no UTF-8 become U+FFFD.
func AppendString(to, text []byte) []byte {
	const digits = "0123456789abcdef"
	to = append(to, '"')
	for len(text) > 0 {
		switch c := text[0]; {
		case c == '"' || c == '\\':
			to = append(to, '\\', c)
		case c == '\n':
			to = append(to, `\n`...)
		case c == '\t':
			to = append(to, `\t`...)
		case c < ' ':
			to = append(to, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		default:
			r, n := utf8.DecodeRune(text)
			to = utf8.AppendRune(to, r) // of one byte that is none U+FFFD
			text = text[n:]
			continue
		}
		text = text[1:]
	}
	return append(to, '"')
}

// withoutBegun is a text without the rest of a character at its begin.
func withoutBegun(text []byte) []byte {
	for k := 0; k < min(len(text), utf8.UTFMax); k++ {
		if utf8.RuneStart(text[k]) {
			return text[k:]
		}
	}
	return text
}

// withoutCut is a text without the begin of a character at its end.
func withoutCut(text []byte) []byte {
	for k := len(text) - 1; k >= max(0, len(text)-utf8.UTFMax); k-- {
		if utf8.RuneStart(text[k]) {
			if !utf8.FullRune(text[k:]) {
				return text[:k]
			}
			break
		}
	}
	return text
}
