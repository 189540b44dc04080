package main

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

	"github.com/spf13/pflag"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/jsonline"
	"github.com/suffixcl/suffixcl/patterns"
	"github.com/suffixcl/suffixcl/seqio"
)

// recordSeparator stands between the records of an indexed text. No sequence holds it.
const recordSeparator = '\n'

// queryBytes is how much of a query file is searched at once, while the next part is read.
const queryBytes = 32 << 20

// openDeviceAndRecords opens text and device, makes sure that the job fits, and reads the
// records of the text for an index. Plain text has none, and no separators.
func (j *job) openDeviceAndRecords(ctx context.Context, name string, dna bool) (
	text []byte, records seqio.Table, err error) {
	if text, err = j.openDeviceAndText(ctx, name, j.flags.recordOptions(dna)); err != nil {
		return nil, nil, err
	}
	if dna && j.report.Format == "" {
		foldDNA(text)
	}
	return text, j.records, nil
}

// recordOptions are for a text whose records are told apart.
func (f *jobFlags) recordOptions(dna bool) cli.InputOptions {
	o := f.Options()
	o.KeepRecords = true
	format := o.Sequences.Format
	o.Sequences = sequenceOptions(dna)
	o.Sequences.Format, o.Sequences.Separator = format, []byte{recordSeparator}
	return o
}

// sequenceOptions are for texts and patterns.
func sequenceOptions(dna bool) seqio.Options {
	return seqio.Options{DNA: dna, Upper: dna}
}

// foldDNA does to a plain text what seqio does to sequences.
func foldDNA(text []byte) {
	upper(text)
	for i, c := range text {
		if c == 'U' {
			text[i] = 'T'
		}
	}
}

// queryFlags say where patterns come from: a file, or a list.
type queryFlags struct {
	file   string
	list   []string
	format cli.Choice
	// symbolBytes of the text: lines of a file are numbers then, unless it is 0 or 1.
	symbolBytes int
}

func (f *queryFlags) add(flags *pflag.FlagSet) {
	f.format = cli.Choice{Value: "auto", Of: []string{"auto", "lines", "fasta", "fastq"}}
	flags.Var(&f.format, "queries", "what the file of patterns is: lines, fasta, fastq, or auto")
}

// queries are a batch of patterns, and how they are called in results.
type queries struct {
	patterns.Batch
	records    seqio.Table // or nil: patterns are their own names
	first      int64       // number of the first record in its file
	start, end int64       // bytes of the file that were read before and with this batch
	size       int64       // of the file; -1 if it is not known
}

// place is how far the first `done` of the queries are: in bytes of their file, or in
// queries of the batch where its size is not known.
func (q *queries) place(done int) (at, of int64) {
	if q.size < 0 {
		return int64(done), int64(q.Len())
	}
	return q.start + int64(float64(q.end-q.start)*float64(done)/float64(q.Len())), q.size
}

var escapeTSV = strings.NewReplacer("\\", `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`)

func (q *queries) name(i int) string {
	if q.SymbolBytes > 1 {
		little := slices.Clone(q.Pattern(i)) // of symbols in reverse order
		slices.Reverse(little)
		symbols := strings.Fields(string(appendSymbols(nil, little, q.SymbolBytes)))
		slices.Reverse(symbols)
		return strings.Join(symbols, " ")
	}
	if q.records == nil {
		return escapeTSV.Replace(string(q.Pattern(i)))
	}
	return recordName(q.records[i], q.first+int64(i))
}

// recordName is that of record number i, or its number from 1 if it has none.
func recordName(r seqio.Record, i int64) string { return string(appendRecordName(nil, r.Name, i)) }

// appendRecordName appends that, without memory of its own.
func appendRecordName(to []byte, name string, i int64) []byte {
	if name == "" {
		return strconv.AppendInt(append(to, '#'), i+1, 10)
	}
	for k := range len(name) {
		if name[k] == '\\' || name[k] < ' ' {
			return append(to, escapeTSV.Replace(name)...)
		}
	}
	return append(to, name...) // as a rule
}

// options are for the file of patterns.
func (f *queryFlags) options(raw, dna bool) cli.InputOptions {
	o := cli.InputOptions{Raw: raw, Sequences: sequenceOptions(dna), PlainFlag: "--queries lines takes its lines"}
	o.Sequences.Format, _ = cli.FormatOf(f.format.Value) // "lines" are plain
	return o
}

// stream calls search with the patterns of the list, or with batches of those of the file,
// while the next is read.
func (j *job) stream(ctx context.Context, f *queryFlags, dna bool, search func(*queries) error) error {
	if f.file == "" {
		q := &queries{size: -1}
		q.SymbolBytes = f.symbolBytes
		for _, pattern := range f.list {
			if err := q.add([]byte(pattern), f.symbolBytes); err != nil {
				return err
			}
		}
		return search(q)
	}
	in, err := cli.OpenText(ctx, f.file, f.options(j.flags.Raw, dna))
	if err != nil {
		return err
	}
	defer in.Close()
	j.queriesFrom(in)
	read, cancel := context.WithCancel(ctx)
	defer cancel()
	batches, failed := make(chan *queries), make(chan error, 1)
	go func() {
		defer close(batches)
		at := int64(0)
		failed <- readQueries(in, f.symbolBytes, func(q *queries) error {
			q.start, q.end, q.size = at, in.Offset(), in.Size
			at = q.end
			select {
			case batches <- q:
				return nil
			case <-read.Done():
				return context.Cause(read)
			}
		})
	}()
	for {
		waits := time.Now()
		select {
		case <-ctx.Done():
			return context.Cause(ctx) // what reads may wait for another process
		case q, ok := <-batches:
			j.report.Seconds.Read += time.Since(waits).Seconds()
			if !ok {
				return <-failed
			}
			if err := search(q); err != nil {
				return err
			}
		}
	}
}

// queriesFrom reports a file of queries: of several the first.
func (j *job) queriesFrom(in *cli.Input) {
	if j.report.QueryFile == nil {
		j.report.QueryFile = &source{in.Name, in.Compression, formatName(in.Format)}
	}
	j.notes(in)
}

func readQueries(in *cli.Input, symbolBytes int, emit func(*queries) error) error {
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

// readRecords fills two batches in turns: when emit returns, the one before is done with. Patterns without names are
// their own.
func readRecords(r *seqio.Reader, named bool, emit func(*queries) error) error {
	var sequences [2]seqio.Batch
	var batches [2]queries
	for i := 0; ; i = 1 - i {
		b, q := &sequences[i], &batches[i]
		err := r.Next(b, queryBytes)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if len(b.Text) > math.MaxUint32 {
			return fmt.Errorf("%s: a query of more than %d bytes", recordName(b.Records[0], b.First), uint32(math.MaxUint32))
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
func (q *queries) add(line []byte, symbolBytes int) error {
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

// readSymbols fills two batches in turns, as readRecords, from lines of numbers.
func readSymbols(r io.Reader, symbolBytes int, emit func(*queries) error) error {
	lines := bufio.NewReaderSize(r, 1<<20)
	if head, _ := lines.Peek(len(jsonline.ByteOrderMark)); string(head) == jsonline.ByteOrderMark {
		_, _ = lines.Discard(len(head)) // which are buffered
	}
	var batches [2]queries
	number := 0 // of the line
	for i := 0; ; i = 1 - i {
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
