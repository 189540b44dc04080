package main

import (
	"context"
	"io"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/seqio"
)

const indexHelp = `Build an FM-index of a text, for "count" and "locate".

OUT is a file with a version and checksums; docs/formats.md describes it. FASTA and FASTQ
are recognised: occurrences are told by record, and none crosses records. With --dna
only A, C, G and T match, in either case (U is T); N and the other codes of IUPAC match
nothing. Without it every byte matches itself. With --symbols u16 or u32 the text is
little-endian integers, as token ids, without records; positions count symbols.

--sample N keeps every Nth position, in 4 bytes, to locate occurrences: a smaller N is
faster and larger. With 0 the index can only count: 0.5 bytes a base of DNA.

If the device has too little memory to sort the text in one piece, that is done in ranges,
as by sa; --algorithm ranges does so in any case. The file is the same. The device then
needs memory for ranges, and after them for the index.`

const dnaHelp = "the text is DNA: fold case, U is T, only A, C, G and T match"

func indexVerb() verb {
	var (
		flags  jobFlags
		out    string
		sample int
		dna    bool
	)
	v := verb{flags: &flags, op: always(suffixcl.OpBuildIndex)}
	v.plan = func(ctx context.Context, j *job, name string) (device.MemoryPlan, error) {
		return planBuildIndex(ctx, j, name, sample, dna)
	}
	v.Command = &cobra.Command{
		Use:     "index TEXT -o OUT",
		Short:   "Build an FM-index",
		Long:    indexHelp,
		Example: "  suffixcl index genome.fa.gz --dna -o genome.fmi",
	}
	v.check = func([]string) error {
		if sample < 0 || sample > fmindex.MaxRate {
			return cli.Usage("--sample %d: 0 to %d", sample, fmindex.MaxRate)
		}
		if flags.sorter() == suffixcl.AlgorithmRanges && flags.symbolBytes() > 1 {
			return cli.Usage("--algorithm ranges sorts bytes: --symbols does not go with it")
		}
		return flags.plainSymbols(map[string]bool{"dna": dna})
	}
	v.run = func(ctx context.Context, args []string) error {
		return runIndex(ctx, newJob(v), args[0], out, sample, dna)
	}
	v.result = func(j *job) resultFile { return resultFile{bytes: j.index, out: out} }
	flags.addSequences(v.Flags())
	flags.addSorters(v.Flags(), suffixcl.AlgorithmRanges)
	flags.addSymbols(v.Flags())
	addOutput(v.Command, &out)
	v.Flags().IntVar(&sample, "sample", 32, "of this many positions one is kept; 0: none")
	v.Flags().BoolVar(&dna, "dna", false, dnaHelp)
	return v
}

func runIndex(ctx context.Context, j *job, name, outName string, sample int, dna bool) error {
	return j.result(ctx, outName, []string{name}, func(j *job) (func(io.Writer) error, error) {
		text, records, err := j.openDeviceAndRecords(ctx, name, dna)
		if err != nil {
			return nil, err
		}
		o := suffixcl.IndexOptions{SampleEvery: sample, Records: records, DNA: dna}
		symbols, err := j.text(text)
		if err != nil {
			return nil, err
		}
		bytes := symbolIndexBytes(symbols, o)
		if j.flags.symbolBytes() == 1 {
			if plan, err := j.plan(int64(len(text))); err == nil && planOfRanges(plan) {
				j.noteRanges("suffix array", plan)
			}
			bytes = indexBytes(fmindex.Histogram(text), o)
		}
		if err := (resultFile{bytes: bytes, out: outName}).checkRoom(); err != nil {
			return nil, err
		}
		x, err := j.engine.BuildIndexOf(j.measured(ctx), symbols, o)
		if err != nil {
			return nil, err
		}
		return func(w io.Writer) error {
			defer x.Close()
			return x.Save(j.measured(ctx), w)
		}, nil
	})
}

// planBuildIndex counts the bytes of the text, or its symbols, on which the memory of its index depends.
func planBuildIndex(ctx context.Context, j *job, name string, sample int, dna bool) (device.MemoryPlan, error) {
	if j.flags.symbolBytes() > 1 {
		data, err := j.openDeviceAndText(ctx, name, j.flags.recordOptions(dna))
		if err != nil {
			return nil, err
		}
		text, err := j.text(data)
		if err != nil {
			return nil, err
		}
		o := suffixcl.IndexOptions{SampleEvery: sample}
		j.index = symbolIndexBytes(text, o)
		return j.engine.PlanIndexOf(ctx, text, o)
	}
	counts, err := j.openDeviceAndCount(ctx, name, dna)
	if err != nil {
		return nil, err
	}
	o := suffixcl.IndexOptions{SampleEvery: sample, DNA: dna}
	j.index = indexBytes(counts, o)
	return j.engine.PlanIndex(ctx, counts, o)
}

// indexBytes are those of the file of an index, without its header, of a text with these counts of its bytes. With DNA
// each of the other letters is taken to stand alone.
func indexBytes(counts *[256]uint64, o suffixcl.IndexOptions) int64 {
	h := fmindex.Header{Counts: *counts, Rate: o.SampleEvery, Separator: fmindex.NoSeparator}
	if o.DNA {
		h.Alphabet = fmindex.DNA
	}
	for _, n := range counts {
		h.Length += int(n)
	}
	h.Primary = min(h.Length, 1)
	count, locate, err := h.Bytes()
	if err != nil {
		return 0 // building it tells why
	}
	return count + locate
}

// symbolIndexBytes is indexBytes of a text of symbols, in the digits of its index. A text of bytes has none.
func symbolIndexBytes(text suffixcl.Text, o suffixcl.IndexOptions) int64 {
	var coding *fmindex.Coding
	var coded []byte
	var err error
	if symbols := text.Tokens16(); symbols != nil {
		coding, coded, err = fmindex.Code(symbols)
	} else if symbols := text.Tokens32(); symbols != nil {
		coding, coded, err = fmindex.Code(symbols)
	}
	if coding == nil || err != nil {
		return 0 // building it tells why
	}
	o.SampleEvery *= coding.Width()
	return indexBytes(fmindex.Histogram(coded), o) + 4*int64(len(coding.Values))
}

// openDeviceAndCount opens text and device, and counts the bytes of the text.
func (j *job) openDeviceAndCount(ctx context.Context, name string, dna bool) (*[256]uint64, error) {
	in, err := j.openDeviceAndInput(ctx, name, j.flags.recordOptions(dna))
	if err != nil {
		return nil, err
	}
	defer in.Close()
	var counts [256]uint64
	chunk := make([]byte, cli.ReadChunk)
	for err == nil {
		var n int
		if n, err = in.Read(ctx, chunk); dna && in.Format == seqio.Plain {
			foldDNA(chunk[:n])
		}
		for c, count := range fmindex.Histogram(chunk[:n]) {
			counts[c] += count
		}
		j.report.Bytes += n
	}
	j.report.Records = in.RecordCount
	if err != io.EOF {
		return nil, in.Explain(err)
	}
	return &counts, nil
}
