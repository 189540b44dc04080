package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/suffixcl/suffixcl/cmd/internal/formats/tsv"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/patterns"
	"github.com/suffixcl/suffixcl/seqio"
)

// ReadBytes is how many letters of reads are searched at once, while the next are read.
const ReadBytes = 16 << 20

// Reads are a batch of reads.
type Reads struct {
	patterns.Batch
	Records    seqio.Table
	number     int64 // of the first record in its file
	First      int   // number of the first one in all files
	Start, End int64 // bytes of the file that were read before and with this batch
	Size       int64 // of the file; -1 if it is not known
	sequences  seqio.Batch
}

// AppendName appends the name of a read, or its number in its file.
func (r *Reads) AppendName(to []byte, i int) []byte {
	return tsv.AppendName(to, r.Records[i].Name, r.number+int64(i))
}

// ReadStream reads batches while others are searched. Close must be called.
type ReadStream struct {
	s       *Source
	ctx     context.Context
	cancel  context.CancelFunc
	batches chan *Reads
	failed  chan error
	free    chan *Reads
	current *Reads
	opened  chan *cli.Input
}

// errClosed ends the reading of a stream that was closed.
var errClosed = errors.New("the stream of reads was closed")

// StreamReads begins to read files, one after the other.
func (s *Source) StreamReads(ctx context.Context, names []string, format options.Queries, raw bool) *ReadStream {
	const batches = 3 // one is read, one waits, one is searched
	r := &ReadStream{s: s, batches: make(chan *Reads), failed: make(chan error, 1), free: make(chan *Reads, batches)}
	r.ctx, r.cancel = context.WithCancel(ctx)
	for range batches {
		r.free <- &Reads{}
	}
	r.opened = make(chan *cli.Input, len(names))
	go func() {
		defer close(r.batches)
		r.failed <- r.read(names, format.Options(raw, false))
	}()
	return r
}

// Close ends the reading.
func (r *ReadStream) Close() { r.cancel() }

// Next returns the next batch, and io.EOF after the last one. What came before is done with.
func (r *ReadStream) Next() (*Reads, error) {
	if r.current != nil {
		r.free <- r.current
		r.current = nil
	}
	waits := time.Now()
	defer func() { r.s.Report.Seconds.Read += time.Since(waits).Seconds() }()
	select {
	case <-r.ctx.Done():
		return nil, context.Cause(r.ctx) // what reads may wait for another process
	case batch, ok := <-r.batches:
		for len(r.opened) > 0 {
			r.s.queriesFrom(<-r.opened)
		}
		if !ok {
			if err := <-r.failed; err != nil {
				return nil, err
			}
			return nil, io.EOF
		}
		r.current = batch
		return batch, nil
	}
}

func (r *ReadStream) read(names []string, o cli.InputOptions) error {
	first := 0
	for _, name := range names {
		in, err := cli.OpenText(r.ctx, name, o)
		if err != nil {
			return err
		}
		r.opened <- in
		err = r.file(in, &first)
		in.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *ReadStream) file(in *cli.Input, first *int) (err error) {
	records := in.Sequences()
	if records == nil {
		records, err = seqio.NewReader(in.Reader(context.Background()), seqio.Options{Format: seqio.Lines})
		if err != nil {
			return in.Explain(err)
		}
	}
	at := int64(0)
	for {
		var b *Reads
		select {
		case b = <-r.free:
		case <-r.ctx.Done():
			return errClosed
		}
		err := records.Next(&b.sequences, ReadBytes)
		if err == io.EOF {
			r.free <- b
			return nil
		}
		if err != nil {
			return in.Explain(err)
		}
		if len(b.sequences.Text) > math.MaxUint32 {
			return fmt.Errorf("%s: reads of more than %d letters at once", in.Name, uint32(math.MaxUint32))
		}
		b.Text, b.Offsets = b.sequences.Text, append(b.Offsets[:0], 0)
		b.Records, b.number, b.First = b.sequences.Records, b.sequences.First, *first
		for _, record := range b.Records {
			b.Offsets = append(b.Offsets, uint32(record.End()))
		}
		*first += len(b.Records)
		b.Start, b.End, b.Size = at, in.Offset(), in.Size
		at = b.End
		select {
		case r.batches <- b:
		case <-r.ctx.Done():
			return errClosed
		}
	}
}
