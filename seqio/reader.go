package seqio

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/suffixcl/suffixcl/internal/jsonline"
)

// Reader reads an input record by record, in one pass. A call reads and parses on as many processors as there are, if
// it is asked for much. None of them is at work between calls.
type Reader struct {
	o     Options
	done  int64 // records
	err   error // sticky
	input *bufio.Reader

	parser *parser
	parts  []part // of a block
	next   int    // part that is to be taken from
	open   bool   // the last record of the batch goes on in the next part
	pieces []piece
}

// NewReader begins to read. With Auto it recognises the format; see [Recognise]. The input must not be compressed.
//
// Errors, of all methods: an *Error for what is not of its format; those of the input, after the name of the file.
func NewReader(r io.Reader, o Options) (*Reader, error) {
	input := bufio.NewReaderSize(r, lookahead)
	if o.Format == Auto {
		format, err := Recognise(input)
		if err != nil {
			return nil, named(o.Name, err)
		}
		o.Format = format
	}
	return newReader(input, o)
}

// newReader reads a known format.
func newReader(input *bufio.Reader, o Options) (*Reader, error) {
	d := &Reader{o: o, input: input}
	if o.Format == Plain {
		return d, nil
	}
	head, err := input.Peek(len(jsonline.ByteOrderMark))
	if err != nil && err != io.EOF {
		return nil, named(o.Name, err)
	}
	if string(head) == jsonline.ByteOrderMark {
		_, _ = input.Discard(len(head)) // which are buffered
	}
	d.parser = newParser(input, grammar{format: o.Format, alphabet: newAlphabet(o), separator: o.Separator,
		wholeHeaders: o.Headers})
	return d, nil
}

// fail makes an error sticky and names the file.
func (d *Reader) fail(err error) error {
	d.err = named(d.o.Name, err)
	return d.err
}

// named names the file in errors of the input.
func named(file string, err error) error {
	var wrong *Error
	if errors.As(err, &wrong) {
		wrong.File = file
		return wrong
	}
	if file == "" || err == io.EOF {
		return err
	}
	return fmt.Errorf("%s: %w", file, err)
}

// Next fills b with whole records until its text has at least `want` bytes, or the input ends. So its memory is
// bounded by `want` and the longest record. At the end of the input it returns io.EOF and an empty batch. After an
// error b holds the records before it, and later calls return the error again.
func (d *Reader) Next(b *Batch, want int) error {
	*b = Batch{Text: b.Text[:0], Records: b.Records[:0], First: d.done}
	return d.More(b, want)
}

// More is Next without emptying b: it appends whole records, until these have at least `want` bytes. So records of
// several inputs come into one batch. At the end of the input it returns io.EOF and leaves b as it is.
func (d *Reader) More(b *Batch, want int) error {
	had := len(b.Records)
	if d.o.Format == Plain {
		d.plain(b)
	} else {
		d.records(b, want)
	}
	d.done += int64(len(b.Records) - had)
	if d.err != io.EOF || len(b.Records) == had {
		return d.err
	}
	return nil
}

// ReadAll returns all records of an input. Errors as NewReader.
func ReadAll(r io.Reader, o Options) (*Batch, error) {
	d, err := NewReader(r, o)
	if err != nil {
		return nil, err
	}
	var b Batch
	if err := d.Next(&b, math.MaxInt); err != nil && err != io.EOF {
		return nil, err
	}
	return &b, nil
}

// plain appends the whole input as a record.
func (d *Reader) plain(b *Batch) {
	if d.err != nil {
		return
	}
	if d.done > 0 {
		d.err = io.EOF
		return
	}
	from := len(b.Text)
	for {
		if len(b.Text) == cap(b.Text) {
			b.Text = grow(b.Text, firstBlock)
		}
		n, err := d.input.Read(b.Text[len(b.Text):cap(b.Text)])
		b.Text = b.Text[:len(b.Text)+n]
		if err == io.EOF {
			b.Records = append(b.Records, Record{Offset: from, Length: len(b.Text) - from})
			b.Text = append(b.Text, d.o.Separator...)
			return
		}
		if err != nil {
			b.Text = b.Text[:from]
			d.fail(err)
			return
		}
	}
}
