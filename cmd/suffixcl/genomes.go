package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"

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
}

// name is that of a sequence.
func (g *sequences) name(k int) string { return recordName(g.records[k], int64(k)) }

// genomeReader reads the sequences of files, one file after the other.
type genomeReader struct {
	j     *job
	names []string // of the files to come
	in    *cli.Input
	plain bool // the file has been read
	batch seqio.Batch
}

// newGenomeReader reads files; the first is open where `in` is given.
func newGenomeReader(j *job, in *cli.Input, names ...string) *genomeReader {
	return &genomeReader{j: j, in: in, names: names}
}

func (r *genomeReader) Close() {
	if r.in != nil {
		r.in.Close()
	}
}

// genomeOptions are for the files of genomes.
func (f *jobFlags) genomeOptions() cli.InputOptions {
	o := f.Options()
	o.Hint, o.Sequences.Separator = false, []byte{terminator}
	return o
}

// next reads sequences of about so many letters, whole ones, in lower case. io.EOF: there are no more.
func (r *genomeReader) next(ctx context.Context, want int) (*sequences, error) {
	var text []byte
	g := &sequences{}
	for len(text) < want {
		if r.in == nil {
			if len(r.names) == 0 {
				break
			}
			in, err := cli.OpenText(ctx, r.names[0], r.j.flags.genomeOptions())
			if err != nil {
				return nil, err
			}
			r.j.notes(in)
			r.in, r.plain, r.names = in, false, r.names[1:]
		}
		b, err := r.part(ctx, want-len(text))
		if err == io.EOF {
			r.in.Close()
			r.in = nil
			continue
		}
		if err != nil {
			return nil, err
		}
		if len(b.Text)+len(text) > suffixcl.MaxLen {
			return nil, fmt.Errorf("%s: with it there are more than %d letters", r.in.Name, suffixcl.MaxLen)
		}
		for _, record := range b.Records {
			record.Offset += len(text)
			g.records = append(g.records, record)
		}
		if text == nil {
			text = slices.Grow(text, int(min(int64(want), max(r.in.Size, int64(len(b.Text))))))
		}
		text = append(text, b.Text...)
		if r.in.Size > 0 {
			r.j.progress.Of("read")(r.in.Offset(), r.in.Size)
		}
	}
	if len(g.records) == 0 {
		return nil, io.EOF
	}
	parallel.Do(len(text), 1<<20, func(lo, hi int) {
		for i, c := range text[lo:hi] {
			if 'A' <= c && c <= 'Z' {
				text[lo+i] = c | 0x20
			}
		}
	})
	var err error
	g.set, err = suffixcl.CollectRecords(text, g.records)
	return g, err
}

// part reads some sequences of the file; the bytes of a plain one are a sequence without a name.
func (r *genomeReader) part(ctx context.Context, want int) (b *seqio.Batch, err error) {
	if records := r.in.Sequences(); records != nil {
		err = cli.Interruptible(ctx, func() error { return records.Next(&r.batch, min(want, cli.ReadChunk)) })
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil && err != io.EOF {
			err = r.in.Explain(err)
		}
		return &r.batch, err
	}
	if r.plain {
		return nil, io.EOF
	}
	r.plain = true
	text, err := r.in.ReadAll(ctx, nil, nil)
	return &seqio.Batch{Text: append(text, terminator), Records: seqio.Table{{Length: len(text)}}}, err
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
	if err == io.EOF {
		return nil, fmt.Errorf("%s has no sequences", in.Name)
	}
	return g, err
}
