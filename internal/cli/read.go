package cli

import (
	"context"
	"io"
	"slices"

	"github.com/suffixcl/suffixcl/seqio"
)

const (
	// ReadChunk is the number of bytes that are read between looks at the context.
	ReadChunk = 4 << 20
	// readBuffer is what seqio.Recognise looks at. Longer reads go past it.
	readBuffer = 1 << 16
)

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
		r.in.RecordCount += len(r.batch.Records)
		if r.in.options.KeepRecords {
			r.keep()
		}
		if len(r.batch.Text) == 0 && err != nil {
			return 0, err
		}
	}
	n := copy(p, r.batch.Text[r.at:])
	r.at += n
	return n, nil
}

// keep appends the records of the batch. Millions that grow by a quarter would be moved five times: there is room for
// as many as the file has, if the rest of it is like this.
func (r *recordReader) keep() {
	records, more := r.in.Records, len(r.batch.Records)
	if all := len(records) + more; all > cap(records) && all > manyRecords {
		left := more * 8
		if text := r.all + len(r.batch.Text); text > 0 && r.in.most() > 0 {
			left = int(float64(all) * max(float64(r.in.most())/float64(text)-1, 0))
		}
		records = slices.Grow(records, more+max(left, all))
	}
	for _, record := range r.batch.Records {
		record.Offset += r.all
		records = append(records, record)
	}
	r.in.Records = records
}

// manyRecords are worth a guess.
const manyRecords = 1 << 12

// ReadAll reads the rest. fits, if not nil, is asked before memory for n bytes is taken;
// progress, if not nil, is told the bytes of the file that were read, if their number is
// known.
func (in *Input) ReadAll(ctx context.Context, fits func(n int64) error,
	progress func(done, total int64)) ([]byte, error) {
	if fits == nil {
		fits = func(int64) error { return nil }
	}
	var text []byte
	if room := max(in.Length, in.most()); room > 0 || in.Length == 0 {
		err := fits(room)
		switch {
		case err == nil:
			switch r := in.r.(type) {
			case *wholeText:
				text = r.take()
			case *aheadReader:
				text = r.take(ctx, func(n int) {
					if in.Length >= 0 && progress != nil { // the place in another file is its reader's
						progress(int64(n), in.Size)
					}
				})
			}
			if text == nil {
				text = make([]byte, 0, room+1) // one more to see the end
			}
		case in.Length >= 0:
			return nil, err
		}
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
			return nil, in.Explain(err)
		}
	}
}

// most is how long the text may be, where the file tells; else 0. A record has a header at least, and in FASTQ as many
// qualities as symbols.
func (in *Input) most() int64 {
	switch {
	case in.Compression != "" || in.Size < 0:
		return 0
	case in.Format == seqio.FASTA:
		return in.Size
	case in.Format == seqio.FASTQ:
		return in.Size / 2
	}
	return 0
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
			return 0, in.Explain(err)
		}
	}
}

// Read fills p, or returns io.EOF after the last bytes.
func (in *Input) Read(ctx context.Context, p []byte) (n int, err error) {
	if w, whole := in.r.(*wholeText); whole && ctx.Err() == nil { // which does not wait
		return fill(w, p)
	}
	err = Interruptible(ctx, func() (err error) {
		n, err = fill(in.r, p)
		return err
	})
	if ctx.Err() != nil {
		return 0, context.Cause(ctx) // n may still be written
	}
	return n, err
}

// fill reads until p is full or there is an error, which may be io.EOF after some bytes.
func fill(r io.Reader, p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		var more int
		more, err = r.Read(p[n:])
		n += more
	}
	return n, err
}

// Reader reads the rest of the text. It fails when the context ends, and is of no use
// after that.
func (in *Input) Reader(ctx context.Context) io.Reader { return inputReader{ctx, in} }

type inputReader struct {
	ctx context.Context
	in  *Input
}

func (r inputReader) Read(p []byte) (int, error) { return r.in.Read(r.ctx, p) }
