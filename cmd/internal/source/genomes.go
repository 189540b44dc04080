package source

import (
	"context"
	"fmt"
	"io"
	"math"
	"sort"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/formats/tsv"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/seqio"
)

// GenomeLetters are those of DNA as genomes are compared: in lower case.
const GenomeLetters = "acgt"

// Sequences are those of a genome with their names.
type Sequences struct {
	Set     *suffixcl.Collection
	Records seqio.Table
	Runs    []RecordRun
}

// RecordRun are the records from one on, up to those of the next run: they follow one another in a file.
type RecordRun struct {
	First  int
	Number int64 // of the first in its file
}

// Name is that of a sequence, or its number in its file.
func (g *Sequences) Name(k int) string { return tsv.Name(g.Records[k].Name, g.number(k)) }

// AppendName appends that.
func (g *Sequences) AppendName(to []byte, k int) []byte {
	return tsv.AppendName(to, g.Records[k].Name, g.number(k))
}

// number is that of a sequence in its file, from 0.
func (g *Sequences) number(k int) int64 {
	run := g.Runs[sort.Search(len(g.Runs), func(i int) bool { return g.Runs[i].First > k })-1]
	return run.Number + int64(k-run.First)
}

// GenomeReader reads the sequences of files, one file after the other.
type GenomeReader struct {
	s     *Source
	names []string // of the files of queries to come
	in    *cli.Input
	read  int64 // records of the file so far
	plain bool  // the file has been read
	begun bool  // the file

	queries bool
}

// NewGenomeReader reads a file that is open, or those of queries.
func NewGenomeReader(s *Source, in *cli.Input, names ...string) *GenomeReader {
	return &GenomeReader{s: s, in: in, names: names, queries: in == nil}
}

// Close closes the file that is read.
func (r *GenomeReader) Close() {
	if r.in != nil {
		r.in.Close()
	}
}

// Next reads sequences of about so many letters, whole ones, in lower case. io.EOF: there are no more.
func (r *GenomeReader) Next(ctx context.Context, want int) (*Sequences, error) {
	var b seqio.Batch
	g := &Sequences{Runs: []RecordRun{{0, r.read}}}
	for len(b.Text) < want {
		if r.in == nil {
			if len(r.names) == 0 {
				break
			}
			in, err := cli.OpenText(ctx, r.names[0], r.s.Flags.GenomeOptions())
			if err != nil {
				return nil, err
			}
			r.s.queriesFrom(in)
			r.in, r.read, r.plain, r.names = in, 0, false, r.names[1:]
			g.Runs = append(g.Runs, RecordRun{len(b.Records), 0})
			r.begun = false
		}
		if b.Text == nil && r.in.Size > 0 {
			b.Text = make([]byte, 0, min(int64(want), r.in.Size+1)) // one copy, and none of what has been read
		}
		before := len(b.Records)
		err := r.part(ctx, &b, want-len(b.Text))
		r.read += int64(len(b.Records) - before)
		if err == io.EOF {
			r.in.Close()
			r.in = nil
			continue
		}
		if err != nil {
			return nil, err
		}
		if len(b.Text) > suffixcl.MaxLen {
			return nil, fmt.Errorf("%s: with it there are more than %d letters", r.in.Name, suffixcl.MaxLen)
		}
		if r.in.Size > 0 {
			r.s.Session.Progress.Of("read")(r.in.Offset(), r.in.Size)
		}
	}
	if len(b.Records) == 0 {
		return nil, io.EOF
	}
	parallel.Do(len(b.Text), 1<<20, func(lo, hi int) {
		for i, c := range b.Text[lo:hi] {
			if 'A' <= c && c <= 'Z' {
				b.Text[lo+i] = c | 0x20
			}
		}
	})
	g.Records = b.Records
	var err error
	g.Set, err = suffixcl.CollectRecords(b.Text, g.Records)
	return g, err
}

// part appends some sequences of the file; the bytes of a plain one are a sequence without a name. An empty file of
// queries has none.
func (r *GenomeReader) part(ctx context.Context, b *seqio.Batch, want int) error {
	if records := r.in.Sequences(); records != nil {
		err := cli.Interruptible(ctx, func() error { return records.More(b, min(want, cli.ReadChunk)) })
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		switch {
		case err == io.EOF && !r.begun:
			err = fmt.Errorf("%s has no sequences", r.in.Name)
		case err != nil && err != io.EOF:
			err = r.in.Explain(err)
		}
		r.begun = true
		return err
	}
	if r.begun {
		return io.EOF
	}
	r.begun = true
	text, err := r.in.ReadAll(ctx, nil, nil)
	if len(text) == 0 && r.queries {
		return err
	}
	b.Records = append(b.Records, seqio.Record{Offset: len(b.Text), Length: len(text)})
	b.Text = append(append(b.Text, text...), options.Terminator)
	return err
}

// OpenDeviceAndGenome opens the device and a file, and reads its sequences.
func (s *Source) OpenDeviceAndGenome(ctx context.Context, name string) (*Sequences, error) {
	in, err := s.OpenDeviceAndInput(ctx, name, s.Flags.GenomeOptions())
	if err != nil {
		return nil, err
	}
	g, err := s.ReadGenome(ctx, in)
	if err == nil {
		s.Report.Bytes, s.Report.Records = g.Set.Len(), g.Set.Count()
	}
	return g, err
}

// ReadGenome reads all sequences of a file, which it closes.
func (s *Source) ReadGenome(ctx context.Context, in *cli.Input) (g *Sequences, err error) {
	r := NewGenomeReader(s, in)
	defer r.Close()
	err = cli.Timed(&s.Report.Seconds.Read, func() error {
		g, err = r.Next(ctx, math.MaxInt)
		return err
	})
	return g, err
}
