package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/suffixcl/suffixcl/seqio"
)

// ReadChunk is the number of bytes that are read between looks at the context.
const ReadChunk = 4 << 20

// Input is an opened file, or standard input.
type Input struct {
	Name        string        // for people
	Compression string        // "gzip", "xz" or empty
	Format      string        // "fasta", "fastq" or empty
	Length      int64         // bytes that reading will give; -1 if unknown
	Size        int64         // bytes of the file; -1 if unknown
	Note        string        // what the user should know about the recognition
	Records     seqio.Table   // read so far; see KeepRecords
	Bytes       *bufio.Reader // the file's bytes

	sequences *seqio.Reader // of a text with a format
	file      *os.File
	count     countReader
	r         io.Reader // the text's bytes
}

// OpenRaw opens a file whose bytes are taken as they are; "-" is standard input.
// Errors name the file. Close must be called.
func OpenRaw(ctx context.Context, name string) (*Input, error) {
	in := &Input{Name: name, file: os.Stdin, Size: -1}
	if name == "-" {
		in.Name = "standard input"
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
	if err == nil && info.IsDir() {
		err = errors.New("it is a directory")
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
	in.count.r = in.file
	in.Bytes = bufio.NewReaderSize(&in.count, 1<<16)
	in.Length, in.r = in.Size, in.Bytes
	return in, nil
}

// OpenText opens a text. Unless raw, it is decompressed if it is compressed; see
// seqio.Decompress. The text is its bytes, or the sequences of a format.
func OpenText(ctx context.Context, name string, raw bool, format seqio.Format) (*Input, error) {
	in, err := OpenRaw(ctx, name)
	if err != nil {
		return in, err
	}
	err = Interruptible(ctx, func() error {
		if !raw {
			var text io.Reader
			text, in.Compression, in.Note, err = seqio.Decompress(in.Bytes)
			if err != nil {
				return err
			}
			if in.r = text; in.Compression != "" {
				in.Length = -1
			}
		}
		if format != seqio.Plain {
			sequences, err := seqio.NewReader(in.r, seqio.Options{Format: format, Raw: true})
			if err != nil {
				return err
			}
			in.r = sequences.TextReader()
			if sequences.Format() != seqio.Plain {
				in.Format, in.Length, in.sequences = sequences.Format().String(), -1, sequences
			}
		}
		return nil
	})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx) // what opens it may still be at it
	}
	if err != nil {
		err = in.Explain(err, 0)
		in.Close()
		return nil, err
	}
	return in, nil
}

// KeepRecords lets the records of a text with a format be noted as it is read.
func (in *Input) KeepRecords() {
	if in.sequences != nil {
		in.r = &recordReader{in: in}
	}
}

// recordReader reads the sequences of an input one after the other.
type recordReader struct {
	in      *Input
	batch   seqio.Batch
	at, all int // bytes given of the batch, and of the batches before
}

func (r *recordReader) Read(p []byte) (int, error) {
	for r.at == len(r.batch.Text) {
		r.all += len(r.batch.Text)
		r.at = 0
		err := r.in.sequences.Next(&r.batch, ReadChunk)
		for _, record := range r.batch.Records {
			record.Offset += r.all
			r.in.Records = append(r.in.Records, record)
		}
		if len(r.batch.Text) == 0 && err != nil {
			return 0, err
		}
	}
	n := copy(p, r.batch.Text[r.at:])
	r.at += n
	return n, nil
}

func (in *Input) Close() error { return in.file.Close() }

// ReadAll reads the rest. fits, if not nil, is asked before memory for n bytes is taken;
// progress, if not nil, is told the bytes of the file that were read, if their number is
// known.
func (in *Input) ReadAll(ctx context.Context, fits func(n int64) error,
	progress func(done, total int64)) ([]byte, error) {
	if fits == nil {
		fits = func(int64) error { return nil }
	}
	var text []byte
	if in.Length >= 0 {
		if err := fits(in.Length); err != nil {
			return nil, err
		}
		text = make([]byte, 0, in.Length+1) // one more to see the end
	}
	for {
		if len(text) == cap(text) {
			more := max(ReadChunk, len(text))
			if err := fits(int64(len(text) + 1)); err != nil {
				return nil, err
			}
			text = slices.Grow(text, more)
		}
		space := text[len(text):min(cap(text), len(text)+ReadChunk)]
		n, err := in.Read(ctx, space)
		text = text[:len(text)+n]
		if in.Size > 0 && progress != nil {
			progress(in.Offset(), in.Size)
		}
		if err == io.EOF {
			return text, nil
		}
		if err != nil {
			return nil, in.Explain(err, int64(len(text)))
		}
	}
}

// Measure returns the number of bytes that ReadAll would give, reading them only
// if it must.
func (in *Input) Measure(ctx context.Context) (int64, error) {
	if in.Length >= 0 {
		return in.Length, nil
	}
	var total int64
	buffer := make([]byte, ReadChunk)
	for {
		n, err := in.Read(ctx, buffer)
		total += int64(n)
		if err == io.EOF {
			return total, nil
		}
		if err != nil {
			return 0, in.Explain(err, total)
		}
	}
}

// Read fills p, or returns io.EOF behind the last bytes.
func (in *Input) Read(ctx context.Context, p []byte) (n int, err error) {
	err = Interruptible(ctx, func() error {
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

// Offset is the position in the file.
func (in *Input) Offset() int64 { return in.count.n - int64(in.Bytes.Buffered()) }

// Explain names the file, and the place in compressed ones and in those with a format.
func (in *Input) Explain(err error, done int64) error {
	var placed *seqio.Error
	if errors.As(err, &placed) {
		placed.File = in.Name
		return placed
	}
	if in.Compression == "" {
		return fmt.Errorf("reading %s: %w", in.Name, WithoutPath(err))
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("the file is cut off")
	}
	return fmt.Errorf("decompressing %s (%s) at byte %d, after %s of text: %w; --raw takes a file as it is",
		in.Name, in.Compression, in.Offset(), Plural(int(done), "byte"), WithoutPath(err))
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

// Interruptible calls f, which may wait for another process, and returns when f
// does or when the context ends. In the second case f is left behind, and what it
// uses must not be touched again.
func Interruptible(ctx context.Context, f func() error) error {
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

// Reader reads the rest of the text. It fails when the context ends, and is of no use
// after that.
func (in *Input) Reader(ctx context.Context) io.Reader { return inputReader{ctx, in} }

type inputReader struct {
	ctx context.Context
	in  *Input
}

func (r inputReader) Read(p []byte) (int, error) { return r.in.Read(r.ctx, p) }
