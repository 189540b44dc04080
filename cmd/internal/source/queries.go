package source

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/suffixcl/suffixcl/cmd/internal/formats/tsv"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/internal/jsonline"
	"github.com/suffixcl/suffixcl/internal/regular"
	"github.com/suffixcl/suffixcl/patterns"
	"github.com/suffixcl/suffixcl/seqio"
)

// queryBytes is how much of a query file is searched at once, while the next part is read.
const queryBytes = 32 << 20

// Queries are a batch of patterns, and how they are called in results.
type Queries struct {
	patterns.Batch
	records    seqio.Table // or nil: patterns are their own names
	first      int64       // number of the first record in its file
	Start, End int64       // bytes of the file that were read before and with this batch
	Size       int64       // of the file; -1 if it is not known
}

// Place is how far the first `done` of the queries are: in bytes of their file, or in
// queries of the batch where its size is not known.
func (q *Queries) Place(done int) (at, of int64) {
	if q.Size < 0 {
		return int64(done), int64(q.Len())
	}
	return q.Start + int64(float64(q.End-q.Start)*float64(done)/float64(q.Len())), q.Size
}

// Name is what a query is called in results.
func (q *Queries) Name(i int) string {
	if q.SymbolBytes > 1 {
		little := slices.Clone(q.Pattern(i)) // of symbols in reverse order
		slices.Reverse(little)
		symbols := strings.Fields(string(tsv.AppendSymbols(nil, little, q.SymbolBytes)))
		slices.Reverse(symbols)
		return strings.Join(symbols, " ")
	}
	if q.records == nil {
		return tsv.Escape(string(q.Pattern(i)))
	}
	return tsv.Name(q.records[i].Name, q.first+int64(i))
}

// RawName is the name of a query as it is, without what cells need.
func (q *Queries) RawName(i int) []byte {
	switch {
	case q.SymbolBytes > 1:
		return []byte(q.Name(i))
	case q.records == nil:
		return q.Pattern(i)
	}
	return []byte(q.records[i].Name)
}

// queryBatches are in turns: one is searched, one is read, and the others wait.
const queryBatches = 4

// queryFile is a file of queries that is being read.
type queryFile struct {
	in      *cli.Input
	ctx     context.Context
	end     context.CancelFunc
	batches chan *Queries
	failed  chan error
}

// BeginQueries begins to read a regular file of queries, while index or text are prepared. Stream takes it over, and
// tells of errors. end has to be called.
func (s *Source) BeginQueries(ctx context.Context, f *options.Queries, dna bool) (end func()) {
	if f.File == "" || regular.Check(f.File) != nil {
		return func() {}
	}
	r, err := s.openQueries(ctx, f, dna)
	if err != nil {
		return func() {}
	}
	s.queries = r
	return r.close
}

// BeginQueriesOf is BeginQueries for an index, whose header tells what patterns are. Where it does not, nothing begins.
func (s *Source) BeginQueriesOf(ctx context.Context, index string, f *options.Queries) (end func()) {
	file, err := regular.Open(index)
	if err != nil {
		return func() {}
	}
	defer file.Close()
	header, err := fmindex.ReadHeader(file)
	if err != nil || header.Coding != nil {
		return func() {}
	}
	return s.BeginQueries(ctx, f, header.Alphabet == fmindex.DNA)
}

func (s *Source) openQueries(ctx context.Context, f *options.Queries, dna bool) (*queryFile, error) {
	in, err := cli.OpenText(ctx, f.File, f.Options(s.Flags.Raw, dna))
	if err != nil {
		return nil, err
	}
	r := &queryFile{in: in, batches: make(chan *Queries, queryBatches-2), failed: make(chan error, 1)}
	r.ctx, r.end = context.WithCancel(ctx)
	symbolBytes := f.SymbolBytes
	go func() {
		defer close(r.batches)
		at := int64(0)
		r.failed <- readQueries(in, symbolBytes, func(q *Queries) error {
			q.Start, q.End, q.Size = at, in.Offset(), in.Size
			at = q.End
			select {
			case r.batches <- q:
				return nil
			case <-r.ctx.Done():
				return context.Cause(r.ctx)
			}
		})
	}()
	return r, nil
}

func (r *queryFile) close() {
	r.end()
	r.in.Close()
}

// Stream calls search with the patterns of the list, or with batches of those of the file, while the next are read.
func (s *Source) Stream(ctx context.Context, f *options.Queries, dna bool, search func(*Queries) error) error {
	if f.File == "" {
		q := &Queries{Size: -1}
		q.SymbolBytes = f.SymbolBytes
		for _, pattern := range f.List {
			if err := q.add([]byte(pattern), f.SymbolBytes); err != nil {
				return err
			}
		}
		return search(q)
	}
	r := s.queries
	if s.queries = nil; r == nil {
		var err error
		if r, err = s.openQueries(ctx, f, dna); err != nil {
			return err
		}
		defer r.close()
	}
	s.queriesFrom(r.in)
	for {
		waits := time.Now()
		select {
		case <-ctx.Done():
			return context.Cause(ctx) // what reads may wait for another process
		case q, ok := <-r.batches:
			s.Report.Seconds.Read += time.Since(waits).Seconds()
			if !ok {
				return <-r.failed
			}
			if err := search(q); err != nil {
				return err
			}
		}
	}
}

func readQueries(in *cli.Input, symbolBytes int, emit func(*Queries) error) error {
	var err error
	switch r := in.Sequences(); {
	case r != nil:
		err = readRecords(r, true, emit)
	case symbolBytes > 1:
		err = readSymbols(in.Reader(context.Background()), symbolBytes, emit)
	default:
		r, err = seqio.NewReader(in.Reader(context.Background()), seqio.Options{Format: seqio.Lines})
		if err == nil {
			err = readRecords(r, false, emit)
		}
	}
	if err != nil {
		return in.Explain(err)
	}
	return nil
}

// readRecords fills batches in turns: when emit returns, the next one is done with. Patterns without names are
// their own.
func readRecords(r *seqio.Reader, named bool, emit func(*Queries) error) error {
	var sequences [queryBatches]seqio.Batch
	var batches [queryBatches]Queries
	for i := 0; ; i = (i + 1) % queryBatches {
		b, q := &sequences[i], &batches[i]
		err := r.Next(b, queryBytes)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if len(b.Text) > math.MaxUint32 {
			return fmt.Errorf("%s: a query of more than %d bytes", tsv.Name(b.Records[0].Name, b.First), uint32(math.MaxUint32))
		}
		q.first, q.Text, q.Offsets = b.First, b.Text, append(q.Offsets[:0], 0)
		if named {
			q.records = b.Records
		}
		for _, record := range b.Records {
			q.Offsets = append(q.Offsets, uint32(record.End()))
		}
		if err := emit(q); err != nil {
			return err
		}
	}
}

// add adds a pattern: its bytes, or the symbols of so many bytes whose numbers are there.
func (q *Queries) add(line []byte, symbolBytes int) error {
	if symbolBytes <= 1 {
		return q.Add(line)
	}
	var pattern []byte
	for _, field := range bytes.Fields(line) {
		symbol, err := strconv.ParseUint(string(field), 10, 8*symbolBytes)
		if err != nil {
			return fmt.Errorf("%q is no symbol of %d bits in decimal digits", field, 8*symbolBytes)
		}
		pattern = append(pattern, binary.BigEndian.AppendUint64(nil, symbol)[8-symbolBytes:]...)
	}
	return q.Add(pattern)
}

// readSymbols fills batches in turns, as readRecords, from lines of numbers.
func readSymbols(r io.Reader, symbolBytes int, emit func(*Queries) error) error {
	lines := bufio.NewReaderSize(r, 1<<20)
	if head, _ := lines.Peek(len(jsonline.ByteOrderMark)); string(head) == jsonline.ByteOrderMark {
		_, _ = lines.Discard(len(head)) // which are buffered
	}
	var batches [queryBatches]Queries
	number := 0 // of the line
	for i := 0; ; i = (i + 1) % queryBatches {
		q := &batches[i]
		q.Reset()
		q.SymbolBytes = symbolBytes
		var end error
		for end == nil && len(q.Text) < queryBytes {
			var line []byte
			if line, end = lines.ReadBytes('\n'); end != nil && end != io.EOF {
				return end
			}
			if len(line) > 0 {
				number++
				line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
				if err := q.add(line, symbolBytes); err != nil {
					return fmt.Errorf("line %d: %w", number, err)
				}
			}
		}
		if q.Len() > 0 {
			if err := emit(q); err != nil {
				return err
			}
		}
		if end != nil {
			return nil
		}
	}
}
