package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/fmindex"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/seqio"
)

const indexHelp = `Build an FM-index of a text, for "count" and "locate".

OUT is a file with a version and checksums; docs/formats.md describes it. FASTA and FASTQ
are recognised: occurrences are told by record, and none crosses records. With --dna
only A, C, G and T match, in either case (U is T); N and the other codes of IUPAC match
nothing. Without it every byte matches itself.

--sample N keeps every Nth position, in 4 bytes, to locate occurrences: a smaller N is
faster and larger. With 0 the index can only count: 0.5 bytes a base of DNA.`

const dnaHelp = "the text is DNA: fold case, U is T, only A, C, G and T match"

func indexCommand() *cobra.Command {
	var (
		flags  jobFlags
		out    string
		sample int
		dna    bool
	)
	c := &cobra.Command{
		Use:     "index TEXT -o OUT",
		Short:   "Build an FM-index",
		Long:    indexHelp,
		Example: "  suffixcl index genome.fa.gz --dna -o genome.fmi",
		Args:    cobra.ExactArgs(1),
	}
	c.RunE = cli.Work(func(ctx context.Context, args []string) error {
		if sample < 0 || sample > fmindex.MaxRate {
			return cli.Usage("--sample %d: 0 to %d", sample, fmindex.MaxRate)
		}
		return runIndex(ctx, &flags, args[0], out, sample, dna)
	})
	flags.addSequences(c.Flags())
	addOutput(c.Flags(), &out)
	c.Flags().IntVar(&sample, "sample", 32, "of this many positions one is kept; 0: none")
	c.Flags().BoolVar(&dna, "dna", false, dnaHelp)
	c.MarkFlagRequired("output")
	return c
}

func runIndex(ctx context.Context, flags *jobFlags, name, outName string, sample int, dna bool) error {
	j := newJob(flags, "index", suffixcl.OpBuildIndex)
	return j.result(ctx, outName, []string{name}, func(j *job) (func(io.Writer) error, error) {
		text, records, err := j.openDeviceAndRecords(ctx, name, dna)
		if err != nil {
			return nil, err
		}
		x, err := j.engine.BuildIndex(j.measured(ctx), text,
			suffixcl.IndexOptions{SampleEvery: sample, Records: records, DNA: dna})
		if err != nil {
			return nil, err
		}
		return func(w io.Writer) error {
			defer x.Close()
			return x.Save(j.measured(ctx), w)
		}, nil
	})
}

const searchHelp = `

Patterns are arguments, or with --patterns those of a file: its lines, or the sequences
of FASTA or FASTQ, which are called by their names in the result. A file that begins with
">" or "@" and has no valid record is an error unless --queries says what it is. Files may
be compressed; they are searched in parts while the next is read. The empty pattern occurs
nowhere.`

func countCommand() *cobra.Command {
	return searchCommand("count", "Count occurrences with an FM-index",
		`Count how often patterns occur in the text of an FM-index. Standard output gets a line
for each pattern: pattern, tab, count.`+searchHelp, false)
}

func locateCommand() *cobra.Command {
	return searchCommand("locate", "Locate occurrences with an FM-index",
		`Tell where patterns occur in the text of an FM-index. Standard output gets a line for
each occurrence: pattern, tab, position from 0 on, or record:position where the text has
records; of each pattern in ascending order.`+searchHelp, true)
}

func searchCommand(verb, short, long string, locate bool) *cobra.Command {
	var (
		flags jobFlags
		from  queryFlags
	)
	c := &cobra.Command{
		Use:     verb + " INDEX [PATTERN...]",
		Short:   short,
		Long:    long,
		Example: fmt.Sprintf("  suffixcl %s genome.fmi GATTACA\n  suffixcl %s genome.fmi --patterns reads.fq.gz", verb, verb),
		Args:    cobra.MinimumNArgs(1),
	}
	c.RunE = cli.Work(func(ctx context.Context, args []string) error {
		if (from.file != "") == (len(args) > 1) {
			return cli.Usage("patterns are arguments, or those of --patterns FILE")
		}
		if err := oneStandardInput(args[0], from.file); err != nil {
			return err
		}
		return runSearch(ctx, &flags, &from, verb, args[0], args[1:], locate)
	})
	flags.addCommon(c.Flags())
	flags.AddRaw(c.Flags())
	from.add(c.Flags())
	c.Flags().Var((*cli.FileName)(&from.file), "patterns", "file of patterns")
	return c
}

func runSearch(ctx context.Context, flags *jobFlags, from *queryFlags, verb, name string, list []string,
	locate bool) error {
	j := newJob(flags, verb, suffixcl.OpBuildIndex)
	defer j.Close()
	x, err := j.openDeviceAndIndex(ctx, name)
	if err != nil {
		return err
	}
	defer x.Close()
	header := x.Header()
	j.progress.YieldTerminal()
	out := newTable(ctx, os.Stdout)
	search := func(q *queries) error {
		j.report.Queries += q.Len()
		j.report.Bytes += len(q.Text)
		if locate {
			return x.Locate(j.measured(ctx), &q.Batch, func(i int, positions []uint32) error {
				return j.rows(out, q.name(i), header.Records, positions, len(q.Pattern(i)), "")
			})
		}
		counts, err := x.Count(j.measured(ctx), &q.Batch)
		if err != nil {
			return err
		}
		for i, count := range counts {
			j.report.Occurrences += int64(count)
			if err := out.row(q.name(i), strconv.FormatUint(uint64(count), 10)); err != nil {
				return err
			}
		}
		return nil
	}
	if len(list) > 0 {
		q := &queries{}
		for _, pattern := range list {
			if err := q.Add([]byte(pattern)); err != nil {
				return err
			}
		}
		err = search(q)
	} else {
		err = j.stream(ctx, from, header.Alphabet == fmindex.DNA, search)
	}
	if err == nil {
		err = out.flush()
	}
	if err != nil {
		return err
	}
	return j.finish(&cli.Output{Name: "-"})
}

// rows writes the occurrences of a pattern.
func (j *job) rows(out *table, name string, records seqio.Table, positions []uint32, length int, strand string) error {
	j.report.Occurrences += int64(len(positions))
	for _, p := range positions {
		at, err := place(records, int(p), length)
		if err != nil {
			return err
		}
		if strand != "" {
			err = out.row(name, at, strand)
		} else {
			err = out.row(name, at)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// openDeviceAndIndex opens index and device, and loads the index.
func (j *job) openDeviceAndIndex(ctx context.Context, name string) (*suffixcl.Index, error) {
	in, err := cli.OpenRaw(ctx, name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	j.report.File = in.Name
	if err := timed(&j.report.Seconds.Open, j.openDevice); err != nil {
		return nil, err
	}
	var x *suffixcl.Index
	err = timed(&j.report.Seconds.Read, func() error {
		return cli.Interruptible(ctx, func() error {
			x, err = j.engine.LoadIndex(j.measured(ctx), in.Reader(ctx))
			return err
		})
	})
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.Name, err)
	}
	return x, nil
}
