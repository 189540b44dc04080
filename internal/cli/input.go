package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"syscall"

	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/decompress"
	"github.com/suffixcl/suffixcl/seqio"
)

// Input is an opened file, or standard input.
type Input struct {
	Name        string       // for people
	Compression string       // "gzip", "xz", ... or empty
	Format      seqio.Format // of a text; never Auto
	Length      int64        // bytes that reading will give; -1 if unknown
	Size        int64        // bytes of the file; -1 if unknown
	Notes       []string     // what the user should know about the recognition
	RecordCount int          // records read so far
	Records     seqio.Table  // these, with InputOptions.KeepRecords

	options   InputOptions
	file      *os.File
	info      os.FileInfo // as it was opened
	source    *decompress.Reader
	ahead     readElsewhere // or nil
	sequences *seqio.Reader // of a text with a format
	r         io.Reader     // the text
}

// readElsewhere is what reads the source of an input on another goroutine, and closes the file.
type readElsewhere interface {
	offset() int64 // in the file, of what was taken
	close()
}

// InputOptions say how a text is read. The zero value recognises compression and format.
type InputOptions struct {
	Raw         bool          // take compressed files as they are
	Sequences   seqio.Options // format, and what becomes of sequences
	KeepRecords bool          // of a text with a format
	// Hint is for a format that is a default: a plain text that looks like FASTA or FASTQ is noted.
	Hint bool
	// Records are expected: a plain text that was recognised as such is noted.
	Records bool
	// PlainFlag is the flag that takes a file as plain text, and what it takes, for errors.
	PlainFlag string
	// Copy, if not nil, gets the bytes of the text as they are read, before they are taken apart.
	Copy io.Writer
}

// OpenRaw opens a file whose bytes are taken as they are; "-" is standard input. Errors name the file. Close must
// be called.
func OpenRaw(ctx context.Context, name string) (*Input, error) {
	in, err := openFile(ctx, name)
	if err != nil {
		return nil, err
	}
	in.Format = seqio.Plain
	in.source = decompress.Plain(in.bytes())
	in.r = in.source
	return in, nil
}

// OpenText opens a text: its bytes, or the sequences of a format.
func OpenText(ctx context.Context, name string, o InputOptions) (*Input, error) {
	in, err := openFile(ctx, name)
	if err != nil {
		return nil, err
	}
	in.options = o
	return in.recognised(ctx, in.recognise)
}

// recognised finds out what the file is, by a function, or closes it.
func (in *Input) recognised(ctx context.Context, recognise func() error) (*Input, error) {
	err := Interruptible(ctx, recognise)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx) // recognise may still use it
	}
	if err != nil {
		err = in.Explain(err)
		in.Close()
		return nil, err
	}
	return in, nil
}

// CheckReadable returns an error if there is no file of that name.
func CheckReadable(name string) error {
	if _, err := os.Stat(name); err != nil {
		return fmt.Errorf("cannot read %s: %w", name, WithoutPath(err))
	}
	return nil
}

// Compression is what a file is compressed by, by its first bytes, or empty.
func Compression(file io.ReaderAt) string {
	d, err := decompress.NewReader(io.NewSectionReader(file, 0, math.MaxInt64))
	var unsupported *decompress.UnsupportedError
	switch {
	case errors.As(err, &unsupported):
		return unsupported.Compression
	case err != nil:
		return ""
	}
	return d.Compression()
}

// StandardInput is the name of standard input in messages.
const StandardInput = "standard input"

// openFile opens a file, or takes standard input.
func openFile(ctx context.Context, name string) (*Input, error) {
	in := &Input{Name: name, file: os.Stdin, Size: -1}
	if name == "-" {
		in.Name = StandardInput
	} else {
		var err error
		// Opening a pipe waits for its writer.
		err = Interruptible(ctx, func() error {
			in.file, err = os.Open(name)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("cannot read %s: %w", name, WithoutPath(err))
		}
	}
	info, err := in.file.Stat()
	in.info = info
	if err == nil && info.IsDir() {
		err = syscall.EISDIR
	}
	if err != nil {
		in.file.Close()
		return nil, fmt.Errorf("cannot read %s: %w", in.Name, WithoutPath(err))
	}
	if info.Mode().IsRegular() && info.Size() > 0 { // size 0 may mean unknown, as in /proc
		in.Size = info.Size()
		if at, err := in.file.Seek(0, io.SeekCurrent); err == nil {
			in.Size = max(in.Size-at, 0)
		}
	}
	in.Length = in.Size
	return in, nil
}

// recognise finds out compression and format.
func (in *Input) recognise() error {
	if err := in.openSource(); err != nil {
		return err
	}
	return in.recogniseFormat(in.source)
}

// openSource finds out the compression.
func (in *Input) openSource() (err error) {
	if in.options.Raw {
		in.source = decompress.Plain(in.bytes())
		return nil
	}
	if in.source, err = decompress.NewReader(in.bytes()); err != nil {
		return err
	}
	if note := in.source.Note(); note != "" {
		in.Notes = append(in.Notes, note)
	}
	if in.Compression = in.source.Compression(); in.Compression != "" {
		in.Length = -1
	}
	return nil
}

// recogniseFormat finds out the format of what is read from a reader.
func (in *Input) recogniseFormat(from io.Reader) error {
	o := in.options
	buffer := int64(readBuffer)
	if in.Length >= 0 { // files may be many, and short
		buffer = min(buffer, in.Length+1) // one more to see the end
	}
	if o.Copy != nil {
		from = io.TeeReader(from, o.Copy)
	}
	text := bufio.NewReaderSize(from, int(buffer))
	if in.r, in.Format = text, o.Sequences.Format; in.Format == seqio.Auto || o.Hint {
		looks, err := seqio.Recognise(text)
		switch {
		case in.Format == seqio.Auto && err != nil:
			return err
		case in.Format == seqio.Auto:
			if in.Format = looks; looks == seqio.Plain && o.Records {
				in.Notes = append(in.Notes, "has no records of FASTA or FASTQ: its bytes are one sequence, line ends included")
			}
		case err == nil && looks != in.Format:
			in.Notes = append(in.Notes, fmt.Sprintf("looks like %s: taken as bytes, headers and line ends included; "+
				"--input %s takes the sequences", strings.ToUpper(looks.String()), looks))
		}
	}
	if in.Format == seqio.Plain {
		return nil
	}
	o.Sequences.Format = in.Format
	var err error
	if in.sequences, err = seqio.NewReader(text, o.Sequences); err != nil {
		return err
	}
	in.r, in.Length = &recordReader{in: in}, -1
	return nil
}

// Info is the file as it was when it was opened.
func (in *Input) Info() os.FileInfo { return in.info }

// Sequences reads records, instead of their text; nil if the text is plain.
func (in *Input) Sequences() *seqio.Reader { return in.sequences }

// Plain is the file, where the text is all of its bytes as they are, so that it can be read at any place; else nil.
func (in *Input) Plain() *os.File {
	if in.file == nil || in.file == os.Stdin || in.Size < 0 || in.Compression != "" || in.Format != seqio.Plain {
		return nil
	}
	return in.file
}

// Close closes the file.
func (in *Input) Close() error {
	switch {
	case in.file == nil: // it was read whole
		return nil
	case in.ahead != nil: // which closes it
		in.ahead.close()
		return nil
	}
	return in.file.Close()
}

// Offset is the position in the file.
func (in *Input) Offset() int64 {
	if w, whole := in.r.(*wholeText); whole {
		return int64(w.at)
	}
	if in.ahead != nil {
		return in.ahead.offset()
	}
	return in.source.Offset()
}

// Explain names the file in an error of reading, and the place in it, and what may help.
func (in *Input) Explain(err error) error {
	var (
		wrong       *seqio.Error
		damaged     *decompress.Error
		unsupported *decompress.UnsupportedError
	)
	const raw = "--raw takes a file as it is"
	switch {
	case errors.As(err, &wrong):
		wrong.File = in.Name
		if wrong.Recognised == seqio.Auto {
			return wrong
		}
		return fmt.Errorf("%w; %s", wrong, in.options.PlainFlag)
	case errors.As(err, &damaged):
		return fmt.Errorf("decompressing %s (%s) at byte %d, after %s of text: %w; %s", in.Name, damaged.Compression,
			damaged.Offset, bytesize.Count(damaged.Text, "byte"), damaged.Err, raw)
	case errors.As(err, &unsupported):
		return fmt.Errorf("reading %s: %w: decompress it first; %s", in.Name, unsupported, raw)
	}
	return fmt.Errorf("reading %s: %w", in.Name, WithoutPath(err))
}
