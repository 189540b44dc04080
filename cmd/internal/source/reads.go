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
	Turns      bool // two files of mates are read in turns
	Mate       int  // 1: reads of the second of these
	written    []byte
	ends       []int // in written
}

// Written is a read as it is written in its file, with the end of its last line, where ReadOptions.Written is set.
func (r *Reads) Written(i int) []byte {
	from := 0
	if i > 0 {
		from = r.ends[i-1]
	}
	return r.written[from:r.ends[i]]
}

// ReadOptions say how reads are read.
type ReadOptions struct {
	Format  options.Queries
	Raw     bool
	Written bool // batches have reads as they are written in their files, too
	// Mates are read from two files in turns: a batch from the one of which fewer reads are known.
	Mates bool
}

// AppendName appends the name of a read, or its number in its file.
func (r *Reads) AppendName(to []byte, i int) []byte {
	return tsv.AppendName(to, r.Records[i].Name, r.number+int64(i))
}

// ReadStream reads batches while others are searched. Close must be called.
type ReadStream struct {
	s       *Source
	o       ReadOptions
	ctx     context.Context
	cancel  context.CancelFunc
	batches chan *Reads
	failed  chan error
	free    chan *Reads
	opened  chan *cli.Input
}

// errClosed ends the reading of a stream that was closed.
var errClosed = errors.New("the stream of reads was closed")

// StreamReads begins to read files, one after the other, or two of them in turns.
func (s *Source) StreamReads(ctx context.Context, names []string, o ReadOptions) *ReadStream {
	const batches = 4 // one is read, one waits, one is searched, one is written
	r := &ReadStream{s: s, o: o, batches: make(chan *Reads), failed: make(chan error, 1), free: make(chan *Reads, batches)}
	r.ctx, r.cancel = context.WithCancel(ctx)
	for range batches {
		r.free <- &Reads{}
	}
	r.opened = make(chan *cli.Input, len(names))
	read := r.read
	if o.Mates {
		read = r.readMates
	}
	go func() {
		defer close(r.batches)
		r.failed <- read(names)
	}()
	return r
}

// Close ends the reading.
func (r *ReadStream) Close() { r.cancel() }

// Done takes back a batch, once. Any goroutine may call it.
func (r *ReadStream) Done(batch *Reads) { r.free <- batch }

// Next returns the next batch, and io.EOF after the last one. A batch stays as it is until it is Done; up to two may be
// out.
func (r *ReadStream) Next() (*Reads, error) {
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
		return batch, nil
	}
}

// read reads files one after the other.
func (r *ReadStream) read(names []string) error {
	first := 0
	for _, name := range names {
		f, err := r.open(name)
		if err != nil {
			return err
		}
		for n := 0; err == nil; first += n {
			n, err = r.batch(f, first)
		}
		f.in.Close()
		if err != io.EOF {
			return err
		}
	}
	return nil
}

// readMates reads two files in turns, which have as many reads each.
func (r *ReadStream) readMates(names []string) error {
	var files [2]*readFile
	for k := range files {
		var err error
		if files[k], err = r.open(names[k]); err != nil {
			return err
		}
		defer files[k].in.Close()
		files[k].mate = k
	}
	for known, first := [2]int{}, 0; ; {
		k := 0
		if known[1] < known[0] {
			k = 1
		}
		n, err := r.batch(files[k], first)
		switch {
		case err == nil:
			known[k], first = known[k]+n, first+n
			continue
		case err != io.EOF:
			return err
		case known[0] == known[1]: // the other one has to end, too
			if _, err := r.batch(files[1-k], first); err != nil {
				return notEOF(err)
			}
		}
		return fmt.Errorf("%s has %s, and %s has more: the mates of a pair are at the same place in two files",
			files[k].in.Name, cli.Quantity(int64(known[k]), "read"), files[1-k].in.Name)
	}
}

func notEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

// readFile is a file of reads that is read.
type readFile struct {
	in      *cli.Input
	records *seqio.Reader
	written *written // or nil
	at      int64    // bytes that were read
	mate    int
}

// open opens a file. Its input must be closed.
func (r *ReadStream) open(name string) (*readFile, error) {
	o, f := r.o.Format.Options(r.o.Raw, false), &readFile{}
	if r.o.Written {
		f.written = &written{}
		o.Copy = f.written
	}
	in, err := cli.OpenText(r.ctx, name, o)
	if err != nil {
		return nil, err
	}
	r.opened <- in
	f.in, f.records = in, in.Sequences()
	if f.records == nil {
		f.records, err = seqio.NewReader(in.Reader(context.Background()), seqio.Options{Format: seqio.Lines})
		if err != nil {
			err = in.Explain(err)
			in.Close()
			return nil, err
		}
	}
	if f.written != nil {
		f.written.format = in.Format
	}
	return f, nil
}

// batch reads a batch, of which the first read has a number, and passes it on. It returns how many reads it has.
// Errors: io.EOF after the last batch.
func (r *ReadStream) batch(f *readFile, first int) (n int, err error) {
	var b *Reads
	select {
	case b = <-r.free:
	case <-r.ctx.Done():
		return 0, errClosed
	}
	in := f.in
	err = f.records.Next(&b.sequences, ReadBytes)
	if err == io.EOF {
		r.free <- b
		return 0, io.EOF
	}
	if err != nil {
		return 0, in.Explain(err)
	}
	if len(b.sequences.Text) > math.MaxUint32 {
		return 0, fmt.Errorf("%s: reads of more than %d letters at once", in.Name, uint32(math.MaxUint32))
	}
	b.Text, b.Offsets = b.sequences.Text, append(b.Offsets[:0], 0)
	b.Records, b.number, b.First = b.sequences.Records, b.sequences.First, first
	b.Turns, b.Mate = r.o.Mates, f.mate
	for _, record := range b.Records {
		b.Offsets = append(b.Offsets, uint32(record.End()))
	}
	if f.written != nil {
		if b.written, b.ends, err = f.written.take(b.written[:0], b.ends[:0], b.Records); err != nil {
			return 0, in.Explain(err)
		}
	}
	b.Start, b.End, b.Size = f.at, in.Offset(), in.Size
	f.at = b.End
	select {
	case r.batches <- b:
	case <-r.ctx.Done():
		return 0, errClosed
	}
	return len(b.Records), nil
}
