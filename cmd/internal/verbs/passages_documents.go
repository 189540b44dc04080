package verbs

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/suffixcl/suffixcl/cmd/internal/formats/tsv"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/report"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/jsonline"
	"github.com/suffixcl/suffixcl/internal/tokenindex"
	"github.com/suffixcl/suffixcl/seqio"
)

// passageDocument is a document whose passages are wanted.
type passageDocument struct {
	name string
	text []byte // letters as the index has them
}

// A batch of documents is searched at once: so many bytes or documents, or one document that is longer.
const (
	passageBatchBytes     = 4 << 20
	passageBatchDocuments = 1 << 12
)

// passageDocuments reads documents.
type passageDocuments struct {
	*passagesFlags
	index    *passageIndex
	report   *passagesReport
	note     func(format string, args ...any)
	progress func(done, total int64)

	batch []passageDocument
	bytes int
	use   func([]passageDocument) error
}

// each calls use with all documents, in their order.
func (d *passageDocuments) each(ctx context.Context, use func([]passageDocument) error) error {
	d.use = use
	var files []cli.File
	for _, name := range d.documents {
		below := []cli.File{{Path: name, Below: name}}
		if name != "-" && cli.IsDirectory(name) {
			var err error
			if below, err = cli.Files(name); err != nil {
				return err
			}
		}
		files = append(files, below...)
	}
	o := cli.InputOptions{Raw: d.raw, Sequences: options.SequenceOptions(d.index.dna),
		PlainFlag: "--input file takes its bytes"}
	o.Sequences.Format, _ = cli.FormatOf(d.input.Value) // others are plain
	o.Hint = !d.input.Given && d.field == "" && !d.index.tokens()
	each := cli.EachText
	if o.Sequences.Format != seqio.Plain {
		each = oneText // what was read ahead is the text of the records, and not these
	}
	err := each(ctx, files, o, func(_ cli.File, in *cli.Input) error {
		if d.report.QueryFile == nil {
			d.report.QueryFile = report.FileOfQueries(in)
		}
		for _, note := range in.Notes {
			d.note("%s %s", in.Name, note)
		}
		if err := d.read(ctx, in); err != nil {
			return err
		}
		d.progress(in.Offset(), max(in.Size, 0))
		return nil
	})
	if err != nil {
		return err
	}
	return d.end()
}

// oneText opens the texts of files, one after the other, as cli.EachText does.
func oneText(ctx context.Context, files []cli.File, o cli.InputOptions, use func(cli.File, *cli.Input) error) error {
	for _, file := range files {
		in, err := cli.OpenText(ctx, file.Path, o)
		if err != nil {
			return err
		}
		err = use(file, in)
		in.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// read reads the documents of a file.
func (d *passageDocuments) read(ctx context.Context, in *cli.Input) error {
	switch {
	case in.Sequences() != nil:
		return d.records(ctx, in)
	case d.index.tokens() || d.field != "" || d.input.Value == "lines":
		return d.lines(ctx, in)
	}
	text, err := in.ReadAll(ctx, nil, nil)
	if err != nil {
		return err
	}
	return d.add(passageDocument{in.Name, text})
}

// add adds a document, whose text is kept.
func (d *passageDocuments) add(of passageDocument) error {
	d.batch = append(d.batch, of)
	if d.bytes += len(of.text); d.bytes < passageBatchBytes && len(d.batch) < passageBatchDocuments {
		return nil
	}
	return d.end()
}

// end has the documents used that there are.
func (d *passageDocuments) end() error {
	err := d.use(d.batch)
	d.batch, d.bytes = d.batch[:0], 0
	return err
}

func (d *passageDocuments) records(ctx context.Context, in *cli.Input) error {
	for {
		var b seqio.Batch
		err := cli.Interruptible(ctx, func() error { return in.Sequences().Next(&b, passageBatchBytes) })
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return in.Explain(err)
		}
		for i, r := range b.Records {
			name := tsv.Name(r.Name, b.First+int64(i))
			if err := d.add(passageDocument{name, b.Text[r.Offset:r.End()]}); err != nil {
				return err
			}
		}
		d.progress(in.Offset(), max(in.Size, 0))
	}
}

// lines reads lines: of text, of JSON, or of token ids.
func (d *passageDocuments) lines(ctx context.Context, in *cli.Input) error {
	r := bufio.NewReaderSize(in.Reader(ctx), 1<<20)
	for number := 1; ; number++ {
		line, err := r.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return in.Explain(err)
		}
		if number == 1 {
			line = bytes.TrimPrefix(line, []byte(jsonline.ByteOrderMark))
		}
		if len(line) > 0 {
			if wrong := d.line(in.Name, number, line); wrong != nil {
				return wrong
			}
			d.progress(in.Offset(), max(in.Size, 0))
		}
		if err != nil {
			return nil
		}
	}
}

func (d *passageDocuments) line(file string, number int, line []byte) error {
	of := passageDocument{name: file + ":" + strconv.Itoa(number)}
	switch {
	case d.index.tokens():
		tokens, err := parseGram(string(line))
		if err == nil {
			of.text, err = d.encode(tokens)
		}
		if err != nil {
			return fmt.Errorf("%s: line %d: %w", file, number, err)
		}
	case d.field != "":
		if jsonline.IsBlank(line) {
			return nil // blank lines are no documents
		}
		text, why := jsonline.Append(nil, line, d.field)
		if why != "" {
			return fmt.Errorf("%s:%d: %s", file, number, why)
		}
		of.text = text
	default:
		of.text = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
	}
	return d.add(of)
}

// encode are tokens as the index has them.
func (d *passageDocuments) encode(tokens []uint32) ([]byte, error) {
	separator := uint32(1<<(8*d.index.width) - 1)
	for i, token := range tokens {
		switch {
		case token > separator:
			return nil, fmt.Errorf("token %d is %d, which has more than %d bits: --token says how many", i+1, token,
				8*d.index.width)
		case token == separator && d.index.kind == tokenindex.InfiniGram.String():
			return nil, fmt.Errorf("token %d is %d, which separates documents", i+1, token)
		}
	}
	return d.index.grams.Encode(tokens)
}
