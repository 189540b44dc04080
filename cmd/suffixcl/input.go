package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/suffixcl/suffixcl/seqio"
)

// readChunk is read at once, between looks at the context.
const readChunk = 4 << 20

// input is an opened file, or standard input.
type input struct {
	name        string // for people
	compression string // "gzip", "xz" or empty
	format      string // "fasta", "fastq" or empty
	length      int64  // bytes that reading will give; -1 if unknown
	note        string // what the user should know about the recognition

	sequences *seqio.Reader // of a text with a format
	records   seqio.Table   // read so far; see keepRecords

	file  *os.File
	size  int64 // bytes of the file; -1 if unknown
	count countReader
	plain *bufio.Reader // the file's bytes
	r     io.Reader     // the text's bytes
}

// openRaw opens a file whose bytes are taken as they are.
func openRaw(ctx context.Context, name string) (*input, error) {
	in := &input{name: name, file: os.Stdin, size: -1}
	if name == "-" {
		in.name = "standard input"
	} else {
		var err error
		// Opening a pipe waits for its writer.
		err = interruptible(ctx, func() error {
			in.file, err = os.Open(name)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("cannot read %s: %w", name, pathless(err))
		}
	}
	info, err := in.file.Stat()
	if err == nil && info.IsDir() {
		err = errors.New("it is a directory")
	}
	if err != nil {
		in.file.Close()
		return nil, fmt.Errorf("cannot read %s: %w", in.name, pathless(err))
	}
	if info.Mode().IsRegular() && info.Size() > 0 { // size 0 may mean unknown, as in /proc
		in.size = info.Size()
		if at, err := in.file.Seek(0, io.SeekCurrent); err == nil {
			in.size = max(in.size-at, 0)
		}
	}
	in.count.r = in.file
	in.plain = bufio.NewReaderSize(&in.count, 1<<16)
	in.length, in.r = in.size, in.plain
	return in, nil
}

// openText opens a text. Unless raw, it is decompressed if it is compressed; see
// seqio.Decompress. The text is its bytes, or the sequences of a format.
func openText(ctx context.Context, name string, raw bool, format seqio.Format) (*input, error) {
	in, err := openRaw(ctx, name)
	if err != nil {
		return in, err
	}
	err = interruptible(ctx, func() error {
		if !raw {
			var text io.Reader
			text, in.compression, in.note, err = seqio.Decompress(in.plain)
			if err != nil {
				return err
			}
			if in.r = text; in.compression != "" {
				in.length = -1
			}
		}
		if format != seqio.Plain {
			sequences, err := seqio.NewReader(in.r, seqio.Options{Format: format, Raw: true})
			if err != nil {
				return err
			}
			in.r = sequences.TextReader()
			if sequences.Format() != seqio.Plain {
				in.format, in.length, in.sequences = sequences.Format().String(), -1, sequences
			}
		}
		return nil
	})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx) // what opens it may still be at it
	}
	if err != nil {
		err = in.explain(err, 0)
		in.Close()
		return nil, err
	}
	return in, nil
}

// keepRecords lets the records of a text with a format be noted as it is read.
func (in *input) keepRecords() {
	if in.sequences != nil {
		in.r = &recordReader{in: in}
	}
}

// recordReader reads the sequences of an input one after the other.
type recordReader struct {
	in      *input
	batch   seqio.Batch
	at, all int // bytes given of the batch, and of the batches before
}

func (r *recordReader) Read(p []byte) (int, error) {
	for r.at == len(r.batch.Text) {
		r.all += len(r.batch.Text)
		r.at = 0
		err := r.in.sequences.Next(&r.batch, readChunk)
		for _, record := range r.batch.Records {
			record.Offset += r.all
			r.in.records = append(r.in.records, record)
		}
		if len(r.batch.Text) == 0 && err != nil {
			return 0, err
		}
	}
	n := copy(p, r.batch.Text[r.at:])
	r.at += n
	return n, nil
}

func (in *input) Close() error { return in.file.Close() }

// readAll reads the rest. fits is asked before memory for n bytes is taken;
// progress is told the bytes of the file that were read, if their number is known.
func (in *input) readAll(ctx context.Context, fits func(n int64) error, progress func(done, total int64)) ([]byte, error) {
	var text []byte
	if in.length >= 0 {
		if err := fits(in.length); err != nil {
			return nil, err
		}
		text = make([]byte, 0, in.length+1) // one more to see the end
	}
	for {
		if len(text) == cap(text) {
			more := max(readChunk, len(text))
			if err := fits(int64(len(text) + 1)); err != nil {
				return nil, err
			}
			text = slices.Grow(text, more)
		}
		space := text[len(text):min(cap(text), len(text)+readChunk)]
		n, err := in.read(ctx, space)
		text = text[:len(text)+n]
		if in.size > 0 {
			progress(in.offset(), in.size)
		}
		if err == io.EOF {
			return text, nil
		}
		if err != nil {
			return nil, in.explain(err, int64(len(text)))
		}
	}
}

// measure returns the number of bytes that readAll would give, reading them only
// if it must.
func (in *input) measure(ctx context.Context) (int64, error) {
	if in.length >= 0 {
		return in.length, nil
	}
	var total int64
	buffer := make([]byte, readChunk)
	for {
		n, err := in.read(ctx, buffer)
		total += int64(n)
		if err == io.EOF {
			return total, nil
		}
		if err != nil {
			return 0, in.explain(err, total)
		}
	}
}

// read fills p, or returns io.EOF behind the last bytes.
func (in *input) read(ctx context.Context, p []byte) (n int, err error) {
	err = interruptible(ctx, func() error {
		got := 0
		for got < len(p) {
			m, err := in.r.Read(p[got:])
			got += m
			if err != nil {
				n = got
				return err
			}
		}
		n = got
		return nil
	})
	if ctx.Err() != nil {
		return 0, context.Cause(ctx) // n may still be written
	}
	return n, err
}

// offset is the position in the file.
func (in *input) offset() int64 { return in.count.n - int64(in.plain.Buffered()) }

// explain names the file, and the place in compressed ones and in those with a format.
func (in *input) explain(err error, done int64) error {
	var placed *seqio.Error
	if errors.As(err, &placed) {
		placed.File = in.name
		return placed
	}
	if in.compression == "" {
		return fmt.Errorf("reading %s: %w", in.name, pathless(err))
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("the file is cut off")
	}
	return fmt.Errorf("decompressing %s (%s) at byte %d, after %s of text: %w; --raw takes a file as it is",
		in.name, in.compression, in.offset(), plural(int(done), "byte"), pathless(err))
}

// countReader counts what it reads.
type countReader struct {
	r io.Reader
	n int64
}

func (c *countReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// interruptible calls f, which may wait for another process, and returns when f
// does or when the context ends. In the second case f is left behind, and what it
// uses must not be touched again.
func interruptible(ctx context.Context, f func() error) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// pathless takes operation and path off an error, where the message has a better
// name for the file.
func pathless(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	var l *os.LinkError
	if errors.As(err, &l) {
		return l.Err
	}
	return err
}
