package seqio

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/suffixcl/suffixcl/internal/jsonline"
)

const (
	bufferSize = 1 << 21
	maxHeader  = 1 << 20 // bytes of a header line
)

// Reader reads an input record by record, in one pass.
type Reader struct {
	o       Options
	symbols *[256]int16
	// lettersStay: A to Z and a to z are symbols as they are.
	lettersStay bool
	done        int64 // records
	err         error // sticky

	input  *bufio.Reader
	line   int64 // number of the line that is being read
	column int64 // bytes of it that have been read
	inLine bool  // the next bytes go on with it

	scratch []byte // symbols of lines
	ended   bool   // all of the input is in the buffer
}

// NewReader begins to read. With Auto it recognises the format; see [Recognise]. The input must not be compressed.
//
// Errors, of all methods: an *Error for what is not of its format; those of the input, after the name of the file.
func NewReader(r io.Reader, o Options) (*Reader, error) {
	input := bufio.NewReaderSize(r, bufferSize)
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
	d := &Reader{o: o, symbols: o.symbols(), input: input, lettersStay: !o.DNA && !o.Upper}
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

func (d *Reader) wrong(column int64, format string, args ...any) error {
	return &Error{Line: d.line, Column: column, Why: fmt.Sprintf(format, args...)}
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
	before, had := len(b.Text), len(b.Records)
	for d.err == nil && (len(b.Records) == had || len(b.Text)-before < want) {
		text, records := len(b.Text), len(b.Records)
		if err := d.record(b); err != nil {
			b.Text, b.Records = b.Text[:text], b.Records[:records]
			d.fail(err)
			break
		}
		d.done++
	}
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

// record appends the next record, or returns io.EOF.
func (d *Reader) record(b *Batch) error {
	var err error
	switch d.o.Format {
	case FASTA:
		err = d.fasta(b)
	case FASTQ:
		err = d.fastq(b)
	default:
		err = d.plain(b)
	}
	if err != nil {
		return err
	}
	b.Text = append(b.Text, d.o.Separator...)
	return nil
}

func (d *Reader) plain(b *Batch) error {
	if d.done > 0 {
		return io.EOF
	}
	r := Record{Offset: len(b.Text)}
	for {
		if len(b.Text) == cap(b.Text) {
			b.Text = append(b.Text, 0)[:len(b.Text)]
		}
		n, err := d.input.Read(b.Text[len(b.Text):cap(b.Text)])
		b.Text = b.Text[:len(b.Text)+n]
		if err == io.EOF {
			r.Length = len(b.Text) - r.Offset
			b.Records = append(b.Records, r)
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// part returns the next bytes of a line, without its end, and whether they are the last
// of it; io.EOF after the last line. The bytes are valid until the next call.
func (d *Reader) part() (part []byte, last bool, err error) {
	part, err = d.input.ReadSlice('\n')
	if !d.inLine && len(part) > 0 {
		d.line++
		d.column = 0
	}
	switch {
	case err == bufio.ErrBufferFull:
		if part[len(part)-1] == '\r' { // which may belong to the line's end
			d.input.UnreadByte()
			part = part[:len(part)-1]
		}
		d.inLine = true
		return part, false, nil
	case err == io.EOF && (len(part) > 0 || d.inLine): // a line without an end
	case err != nil:
		return nil, false, err
	}
	d.inLine = false
	if n := len(part); n > 0 && part[n-1] == '\n' {
		part = part[:n-1]
	}
	if n := len(part); n > 0 && part[n-1] == '\r' {
		part = part[:n-1]
	}
	return part, true, nil
}

// peek returns the first byte of the next line; io.EOF if there is none.
func (d *Reader) peek() (byte, error) {
	head, err := d.input.Peek(1)
	if len(head) == 0 {
		return 0, err
	}
	return head[0], nil
}

// header reads a line, which starts with a mark, and returns the rest.
func (d *Reader) header() (string, error) {
	var line []byte
	for {
		part, last, err := d.part()
		if err != nil {
			return "", err
		}
		line = append(line, part...)
		if len(line) > maxHeader {
			return "", d.wrong(0, "a header of more than %d bytes", maxHeader)
		}
		if last {
			break
		}
	}
	for i, c := range line {
		if c < ' ' && c != '\t' || c == 0x7f {
			return "", d.wrong(int64(i+1), "byte %#02x in a header", c)
		}
	}
	return string(line[1:]), nil
}

// begin appends a record with a header.
func (d *Reader) begin(b *Batch, header string) {
	name, description := header, ""
	if i := strings.IndexAny(header, " \t"); i >= 0 && !d.o.Headers {
		name, description = header[:i], strings.TrimSpace(header[i:])
	}
	b.Records = append(b.Records, Record{Name: name, Description: description, Offset: len(b.Text)})
}

// sequence appends a line of sequence to the last record.
func (d *Reader) sequence(b *Batch) error {
	r := &b.Records[len(b.Records)-1]
	for {
		part, last, err := d.part()
		if err != nil {
			return err
		}
		if len(part) >= manyBytes && d.append(b, part) {
			if d.column += int64(len(part)); last {
				return nil
			}
			continue
		}
		n := len(b.Text)
		b.Text = grow(b.Text, len(part))[:n+len(part)]
		same := 0
		if d.lettersStay {
			same = copyLetters(b.Text[n:], part)
			n += same
		}
		for i, c := range part[same:] {
			switch s := d.symbols[c]; {
			case s >= 0:
				b.Text[n] = byte(s)
				n++
			case s == wrong:
				b.Text = b.Text[:n]
				return d.wrong(d.column+int64(same+i)+1, "%s in sequence %q", symbolName(c), r.Name)
			}
		}
		b.Text = b.Text[:n]
		d.column += int64(len(part))
		r.Length = len(b.Text) - r.Offset
		if last {
			return nil
		}
	}
}

func symbolName(c byte) string {
	if c > ' ' && c < 0x7f {
		return fmt.Sprintf("symbol %q", c)
	}
	return fmt.Sprintf("byte %#02x", c)
}

// skip passes over lines that are blank or start with ';' (if comments), and returns the
// first byte of the next line; io.EOF if there is none.
func (d *Reader) skip(comments bool) (byte, error) {
	for {
		c, err := d.peek()
		if err != nil {
			return 0, err
		}
		comment := c == ';' && comments
		if !comment && c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return c, nil
		}
		if err := d.pass(!comment); err != nil {
			return 0, err
		}
	}
}

// pass reads a line and forgets it; blank says that it must be.
func (d *Reader) pass(blank bool) error {
	for last := false; !last; {
		part, end, err := d.part()
		if err != nil {
			return err
		}
		if rest := bytes.TrimLeft(part, " \t"); blank && len(rest) > 0 {
			return d.wrong(d.column+int64(len(part)-len(rest))+1, "%s outside of a record", symbolName(rest[0]))
		}
		d.column += int64(len(part))
		last = end
	}
	return nil
}

// open begins a record, whose header starts with a mark, and returns the header; io.EOF if there is no record.
func (d *Reader) open(b *Batch, mark byte, comments bool) (string, error) {
	c, err := d.skip(comments)
	if err != nil {
		return "", err
	}
	if c != mark {
		d.line++
		return "", d.wrong(1, "%s where a record should begin with '%c'", symbolName(c), mark)
	}
	header, err := d.header()
	if err == nil {
		d.begin(b, header)
	}
	return header, err
}

func (d *Reader) fasta(b *Batch) error {
	if _, err := d.open(b, '>', true); err != nil {
		return err
	}
	for {
		c, err := d.peek()
		if err == io.EOF || c == '>' {
			return nil
		}
		if err == nil && c == ';' {
			err = d.pass(false)
		} else if err == nil {
			var taken bool
			if taken, err = d.lines(b); err == nil && !taken {
				err = d.sequence(b)
			}
		}
		if err != nil {
			return err
		}
	}
}

func (d *Reader) fastq(b *Batch) error {
	header, err := d.open(b, '@', false)
	if err != nil {
		return err
	}
	r := &b.Records[len(b.Records)-1]
	cut := func(err error) error {
		if err == io.EOF {
			return d.wrong(0, "the file ends inside of record %q", r.Name)
		}
		return err
	}
	for {
		c, err := d.peek()
		if err != nil {
			return cut(err)
		}
		if c == '+' {
			break
		}
		if err := d.sequence(b); err != nil {
			return cut(err)
		}
	}
	again, err := d.header()
	if err != nil {
		return cut(err)
	}
	if again != "" && again != header {
		return d.wrong(0, "the line with '+' names %q, the record is %q", again, header)
	}
	return d.quality(r, cut)
}

// quality reads as many quality symbols as the record has others.
func (d *Reader) quality(r *Record, cut func(error) error) error {
	have := 0
	for first := true; first || have < r.Length; first = false {
		if _, err := d.peek(); err == io.EOF && r.Length == 0 {
			return nil
		}
		for last := false; !last; {
			var part []byte
			var err error
			if part, last, err = d.part(); err != nil {
				return cut(err)
			}
			for i, c := range part {
				if have++; have > r.Length {
					return d.wrong(0, "record %q has more quality symbols than its sequence has symbols, which are %d",
						r.Name, r.Length)
				}
				if c < '!' || c > '~' {
					return d.wrong(d.column+int64(i)+1, "%s in the quality of %q", symbolName(c), r.Name)
				}
			}
			d.column += int64(len(part))
		}
	}
	return nil
}
