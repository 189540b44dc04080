package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"sort"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/seqio"
)

// genomeLetters are those of DNA as genomes are compared: in lower case.
const genomeLetters = "acgt"

// sequences are those of a genome with their names.
type sequences struct {
	set     *suffixcl.Collection
	records seqio.Table
	runs    []recordRun
}

// recordRun are the records from one on, up to those of the next run: they follow one another in a file.
type recordRun struct {
	first  int
	number int64 // of the first in its file
}

// name is that of a sequence, or its number in its file.
func (g *sequences) name(k int) string { return recordName(g.records[k], g.number(k)) }

// appendName appends that.
func (g *sequences) appendName(to []byte, k int) []byte {
	return appendRecordName(to, g.records[k].Name, g.number(k))
}

// number is that of a sequence in its file, from 0.
func (g *sequences) number(k int) int64 {
	run := g.runs[sort.Search(len(g.runs), func(i int) bool { return g.runs[i].first > k })-1]
	return run.number + int64(k-run.first)
}

// genomeReader reads the sequences of files, one file after the other.
type genomeReader struct {
	j     *job
	names []string // of the files of queries to come
	in    *cli.Input
	read  int64 // records of the file so far
	plain bool  // the file has been read
	begun bool  // the file

	queries bool
}

// newGenomeReader reads a file that is open, or those of queries.
func newGenomeReader(j *job, in *cli.Input, names ...string) *genomeReader {
	return &genomeReader{j: j, in: in, names: names, queries: in == nil}
}

func (r *genomeReader) Close() {
	if r.in != nil {
		r.in.Close()
	}
}

// genomeOptions are for the files of genomes.
func (f *jobFlags) genomeOptions() cli.InputOptions {
	o := f.Options()
	o.Hint, o.Records, o.Sequences.Separator = false, true, []byte{terminator}
	return o
}

// next reads sequences of about so many letters, whole ones, in lower case. io.EOF: there are no more.
func (r *genomeReader) next(ctx context.Context, want int) (*sequences, error) {
	var b seqio.Batch
	g := &sequences{runs: []recordRun{{0, r.read}}}
	for len(b.Text) < want {
		if r.in == nil {
			if len(r.names) == 0 {
				break
			}
			in, err := cli.OpenText(ctx, r.names[0], r.j.flags.genomeOptions())
			if err != nil {
				return nil, err
			}
			r.j.queriesFrom(in)
			r.in, r.read, r.plain, r.names = in, 0, false, r.names[1:]
			g.runs = append(g.runs, recordRun{len(b.Records), 0})
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
			r.j.progress.Of("read")(r.in.Offset(), r.in.Size)
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
	g.records = b.Records
	var err error
	g.set, err = suffixcl.CollectRecords(b.Text, g.records)
	return g, err
}

// part appends some sequences of the file; the bytes of a plain one are a sequence without a name. An empty file of
// queries has none.
func (r *genomeReader) part(ctx context.Context, b *seqio.Batch, want int) error {
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
	b.Text = append(append(b.Text, text...), terminator)
	return err
}

// openDeviceAndGenome opens the device and a file, and reads its sequences.
func (j *job) openDeviceAndGenome(ctx context.Context, name string) (*sequences, error) {
	in, err := j.openDeviceAndInput(ctx, name, j.flags.genomeOptions())
	if err != nil {
		return nil, err
	}
	g, err := j.readGenome(ctx, in)
	if err == nil {
		j.report.Bytes, j.report.Records = g.set.Len(), g.set.Count()
	}
	return g, err
}

// readGenome reads all sequences of a file, which it closes.
func (j *job) readGenome(ctx context.Context, in *cli.Input) (g *sequences, err error) {
	r := newGenomeReader(j, in)
	defer r.Close()
	err = timed(&j.report.Seconds.Read, func() error {
		g, err = r.next(ctx, math.MaxInt)
		return err
	})
	return g, err
}
