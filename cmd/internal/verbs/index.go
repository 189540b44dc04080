package verbs

import (
	"cmp"
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/operation"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/search"
	"github.com/suffixcl/suffixcl/cmd/internal/sink"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/formats"
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

With --both, for --dna, the index has both strands of each record of FASTA, one after the
other as bwa has them, with random bases where there are other letters. "smems" takes it.

--sample N keeps every Nth position, in 4 bytes, to locate occurrences: a smaller N is
faster and larger. With 0 the index can only count: 0.5 bytes a base of DNA.

If the device has too little memory to sort the text in one piece, that is done in ranges,
as by sa; --algorithm ranges does so in any case. The file is the same. The device then
needs memory for ranges, and after them for the index.`

func indexVerb() verb.Verb {
	var (
		flags  options.Job
		out    string
		sample int
		dna    bool
		both   bool
		size   int64 // of the file that is planned
	)
	v := verb.Verb{Options: &flags, Op: verb.Always(operation.MadeIndex)}
	v.Plan = func(ctx context.Context, j *job.Job, name string) (device.MemoryPlan, error) {
		if both {
			r, err := readStrands(ctx, j, name, sample)
			if err != nil {
				return nil, err
			}
			size = r.Size()
			return r.Plan(ctx, j.Engine())
		}
		o := suffixcl.IndexOptions{SampleEvery: sample, DNA: dna}
		o.Planned = func(plan suffixcl.IndexPlan) error {
			size = plan.File
			return nil
		}
		return planBuildIndex(ctx, j, name, o)
	}
	v.Prepares = &verb.Preparation{Plans: append(verb.PlansOf(operation.MadeIndex), planStrands), Rehearse: rehearseIndex}
	v.Reads = []cli.Accepted{verb.Texts("TEXT")}
	v.Writes = []cli.Produced{cli.Writes("output", verb.Index)}
	v.Command = &cobra.Command{
		Use:     "index TEXT -o OUT",
		Short:   "Build an FM-index",
		Long:    indexHelp,
		Example: "  suffixcl index genome.fa.gz --dna -o genome.fmi",
	}
	v.Check = func([]string) error {
		if sample < 0 || sample > fmindex.MaxRate {
			return cli.Usage("--sample %d: 0 to %d", sample, fmindex.MaxRate)
		}
		if flags.Sorter() == suffixcl.AlgorithmRanges && flags.SymbolBytes() > 1 {
			return cli.Usage("--algorithm ranges sorts bytes: --symbols does not go with it")
		}
		switch {
		case both && !dna:
			return cli.Usage("--both is for --dna: other texts have one strand")
		case both && flags.Sorter() == suffixcl.AlgorithmRanges:
			return cli.Usage("--algorithm ranges does not go with --both")
		}
		return flags.PlainSymbols(map[string]bool{"dna": dna})
	}
	v.Run = func(ctx context.Context, args []string) error {
		if both {
			return runStrands(ctx, v.Job(), args[0], out, sample)
		}
		return runIndex(ctx, v.Job(), args[0], out, sample, dna)
	}
	v.Result = func(j *job.Job) sink.File { return sink.File{Bytes: size, Out: out} }
	flags.AddSequences(v.Flags())
	flags.AddSorters(v.Flags(), suffixcl.AlgorithmRanges)
	flags.AddSymbols(v.Flags())
	options.AddOutput(v.Command, &out)
	v.Flags().IntVar(&sample, "sample", 32, "of this many positions one is kept; 0: none")
	v.Flags().BoolVar(&dna, "dna", false, options.DNAHelp)
	v.Flags().BoolVar(&both, "both", false, "both strands of DNA, for smems")
	return v
}

func runIndex(ctx context.Context, j *job.Job, name, outName string, sample int, dna bool) error {
	defer j.Close()
	return j.Sink.Result(ctx, outName, []string{name}, func() (func(io.Writer) error, error) {
		text, records, err := j.Source.OpenDeviceAndRecords(ctx, name, dna)
		if err != nil {
			return nil, err
		}
		o := suffixcl.IndexOptions{SampleEvery: sample, Records: records, DNA: dna}
		o.Planned = func(plan suffixcl.IndexPlan) error {
			if operation.IsOfRanges(plan.Memory) {
				j.Planner.NoteRanges("suffix array", plan.Memory)
			}
			return sink.File{Bytes: plan.File, Out: outName}.CheckRoom()
		}
		symbols, err := j.Source.Text(text)
		if err != nil {
			return nil, err
		}
		x, err := j.Engine().Index(symbols, o).All(j.Measured(ctx))
		if err != nil {
			return nil, err
		}
		return func(w io.Writer) error {
			defer x.Close()
			return x.Save(j.Measured(ctx), w)
		}, nil
	})
}

// readStrands reads the reference of an index of both strands, and opens the device.
func readStrands(ctx context.Context, j *job.Job, name string, sample int) (*formats.Reference, error) {
	if err := j.Session.OpenDevice(); err != nil {
		return nil, err
	}
	var all seqio.Batch
	err := cli.Timed(&j.Report.Seconds.Read, func() error { return readReference(ctx, j, name, nil, &all) })
	if err != nil {
		return nil, err
	}
	j.Report.Bytes, j.Report.Records = len(all.Text), len(all.Records)
	return formats.NewFMIndex(&all, sample)
}

// planStrands plans an index of both strands of n bases.
func planStrands(ctx context.Context, e *suffixcl.Engine, n int) (device.MemoryPlan, error) {
	r, err := formats.NewFMIndex(&seqio.Batch{Text: verb.GenomeOf(n), Records: seqio.Table{{Length: n}}}, 32)
	if err != nil {
		return nil, err
	}
	return r.Plan(ctx, e)
}

func runStrands(ctx context.Context, j *job.Job, name, outName string, sample int) error {
	defer j.Close()
	return j.Sink.Result(ctx, outName, []string{name}, func() (func(io.Writer) error, error) {
		r, err := readStrands(ctx, j, name, sample)
		if err != nil {
			return nil, err
		}
		plan, err := r.Plan(ctx, j.Engine())
		if err == nil {
			err = cmp.Or(plan.Fits(j.Session.Device), sink.File{Bytes: r.Size(), Out: outName}.CheckRoom())
		}
		return func(w io.Writer) error { return r.WriteTo(j.Measured(ctx), j.Engine(), w) }, err
	})
}

// planBuildIndex counts the bytes of the text, or its symbols, on which the memory of its index depends.
func planBuildIndex(
	ctx context.Context, j *job.Job, name string, o suffixcl.IndexOptions,
) (device.MemoryPlan, error) {
	text, err := openDeviceAndCounted(ctx, j, name, o.DNA)
	if err != nil {
		return nil, err
	}
	return j.Engine().Index(text, o).Plan(ctx)
}

// openDeviceAndCounted is a text of which the bytes are counted, or one of symbols.
func openDeviceAndCounted(ctx context.Context, j *job.Job, name string, dna bool) (suffixcl.Text, error) {
	if j.Flags.SymbolBytes() == 1 {
		counts, err := j.Source.OpenDeviceAndCount(ctx, name, dna)
		return suffixcl.Counts(counts), err
	}
	data, err := j.Source.OpenDeviceAndText(ctx, name, j.Flags.RecordOptions(dna))
	if err != nil {
		return suffixcl.Text{}, err
	}
	return j.Source.Text(data)
}

func rehearseIndex(ctx context.Context, e *suffixcl.Engine, text []byte) error {
	const sample = 32 // which locate needs
	for _, c := range []struct {
		text []byte
		o    suffixcl.IndexOptions
	}{
		{text, suffixcl.IndexOptions{SampleEvery: sample}},
		{verb.GenomeOf(400), suffixcl.IndexOptions{SampleEvery: sample}},
		{append(verb.GenomeOf(400), 'n'), suffixcl.IndexOptions{SampleEvery: sample, DNA: true}}, // with what is no symbol
	} {
		x, err := e.Index(suffixcl.Bytes(c.text), c.o).All(ctx)
		if err != nil {
			return err
		}
		err = search.Rehearse(ctx, x, c.text)
		if err := errors.Join(err, x.Close()); err != nil {
			return err
		}
	}
	return nil
}
