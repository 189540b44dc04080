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
	v := verb{flags: &flags, op: always(madeIndex)}
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
		o.Planned = func(plan suffixcl.IndexPlan) error {
			if planOfRanges(plan.Memory) {
				j.noteRanges("suffix array", plan.Memory)
			}
			return resultFile{bytes: plan.File, out: outName}.checkRoom()
		}
		symbols, err := j.text(text)
		if err != nil {
			return nil, err
		}
		x, err := j.engine.Index(symbols, o).All(j.measured(ctx))
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
	o := suffixcl.IndexOptions{SampleEvery: sample, DNA: dna}
	o.Planned = func(plan suffixcl.IndexPlan) error {
		j.index = plan.File
		return nil
	}
	text, err := j.countedText(ctx, name, dna)
	if err != nil {
		return nil, err
	}
	return j.engine.Index(text, o).Plan(ctx)
}

// countedText is a text of which the bytes are counted, or one of symbols.
func (j *job) countedText(ctx context.Context, name string, dna bool) (suffixcl.Text, error) {
	if j.flags.symbolBytes() == 1 {
		counts, err := j.openDeviceAndCount(ctx, name, dna)
		return suffixcl.Counts(counts), err
	}
	data, err := j.openDeviceAndText(ctx, name, j.flags.recordOptions(dna))
	if err != nil {
		return suffixcl.Text{}, err
	}
	return j.text(data)
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
