package verbs

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/operation"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/sink"
	"github.com/suffixcl/suffixcl/cmd/internal/source"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cli"
)

const mappabilityHelp = `Count how often the k-mer at each position of a genome occurs in it. The
mappability of a position is 1 divided by that frequency; it is 0 where the k-mer holds
another letter than A, C, G and T, or reaches beyond its sequence. Up to four k of up to
256 take sorted hashes each; more, longer ones and --unique take one suffix array for all.

Result files are called OUT.kK.FORMAT. bedgraph, wig (with OUT.chrom.sizes) and txt have
mappabilities, or with --frequency frequencies, and are laid out as GenMap's; positions of 0
are left out of the first two. raw8 and raw16 have a frequency for each position, one
sequence after the other, little-endian, at most 255 or 65535.

--both counts the other strand, too: a k-mer that is its own reverse complement counts once
at each place. --unique writes OUT.unique.bedgraph, the length of the shortest substring at
each position that occurs once; with --both such a palindrome is none.

"suffixcl-lab plot mappability" draws files of bedGraph along the genome.`

type mappabilityFlags struct {
	options.Job
	out       string
	lengths   []int
	format    cli.Choice
	frequency bool
	both      bool
	unique    bool
	sorts     int // of pairs of groups, that are planned
}

func mappabilityVerb() verb.Verb {
	var flags mappabilityFlags
	v := verb.Verb{Options: &flags.Job, Op: verb.Always(operation.SortedLCP), Plan: flags.plan,
		Sorts: func() int { return flags.sorts }}
	v.Prepares = &verb.Preparation{Plans: append(verb.PlansOf(operation.SortedLCP), planMappability)}
	v.Reads = []cli.Accepted{cli.Reads("GENOME", verb.Bytes, verb.Records)}
	v.Writes = []cli.Produced{cli.Writes("output", "bedgraph", "wig", "txt", "raw8", "raw16")}
	v.Command = &cobra.Command{
		Use:   "mappability GENOME -o OUT",
		Short: "Count the k-mer at each position of a genome",
		Long:  mappabilityHelp,
		Example: "  suffixcl mappability genome.fa.gz -k 50 -k 100 --both -o genome\n" +
			"  suffixcl mappability genome.fa -k 36 --format raw16 --unique -o genome",
	}
	v.Check = func([]string) error {
		switch {
		case len(flags.lengths) == 0 && !flags.unique:
			return cli.Usage("mappability: -k or --unique is missing")
		case slices.ContainsFunc(flags.lengths, func(k int) bool { return k < 1 || k > suffixcl.MaxLen }):
			return cli.Usage("-k: want 1 to %d", suffixcl.MaxLen)
		case len(flags.lengths) == 0 && (flags.frequency || v.Flags().Changed("format")):
			return cli.Usage("--format and --frequency are for -k: --unique writes lengths as bedGraph")
		case flags.frequency && flags.raw() > 0:
			return cli.Usage("--frequency: raw files have nothing else")
		}
		slices.Sort(flags.lengths)
		flags.lengths = slices.Compact(flags.lengths)
		return options.CheckPrefix(v.Flags(), "OUT.k50.bedgraph")
	}
	v.Run = func(ctx context.Context, args []string) error {
		return runMappability(ctx, v.Job(), &flags, args[0])
	}
	flags.AddSequences(v.Flags())
	options.AddOutput(v.Command, &flags.out)
	v.Flags().Lookup("output").Usage = "names of the result files, before .k50.bedgraph and so on (required)"
	v.Flags().IntSliceVarP(&flags.lengths, "k", "k", nil, "lengths of k-mers, with commas or several times")
	flags.format = cli.Choice{Value: "bedgraph", Of: []string{"bedgraph", "wig", "txt", "raw8", "raw16"}}
	v.Flags().Var(&flags.format, "format", "bedgraph, wig, txt, raw8 or raw16")
	v.Flags().BoolVar(&flags.frequency, "frequency", false, "frequencies instead of mappabilities")
	v.Flags().BoolVar(&flags.both, "both", false, "both strands")
	v.Flags().BoolVar(&flags.unique, "unique", false, "lengths of shortest unique substrings, too")
	return v
}

// raw is the number of bytes of a frequency in a raw file, or 0.
func (f *mappabilityFlags) raw() int {
	return map[string]int{"raw8": 1, "raw16": 2}[f.format.Value]
}

func (f *mappabilityFlags) options(j *job.Job) suffixcl.MappabilityOptions {
	return suffixcl.MappabilityOptions{K: f.lengths, Unique: f.unique, BothStrands: f.both, Letters: source.GenomeLetters,
		Grouped: func(groups, sorts int) {
			f.sorts = sorts
			j.Session.Note("the sequences do not fit at once: %s of them are sorted in pairs, %s in all; "+
				"more memory takes less time", cli.Quantity(int64(groups), "group"), cli.Quantity(int64(sorts), "sort"))
		}}
}

func (f *mappabilityFlags) plan(ctx context.Context, j *job.Job, name string) (device.MemoryPlan, error) {
	g, err := j.Source.OpenDeviceAndGenome(ctx, name)
	if err != nil {
		return nil, err
	}
	return j.Engine().Mappability(suffixcl.Set(g.Set), f.options(j)).Plan(ctx)
}

// mappabilityFile is a result.
type mappabilityFile struct {
	k      int // 0: shortest unique substrings
	format string
	out    *cli.Output
}

// files are those that the flags want.
func (f *mappabilityFlags) files(input string) (files []mappabilityFile, sizes *cli.Output, err error) {
	add := func(k int, name, format string) {
		if err == nil {
			file := mappabilityFile{k: k, format: format}
			file.out, err = cli.NewOutput(f.out+"."+name+"."+format, input)
			files = append(files, file)
		}
	}
	for _, k := range f.lengths {
		add(k, "k"+strconv.Itoa(k), f.format.Value)
	}
	if f.unique {
		add(0, "unique", "bedgraph")
	}
	if err == nil && f.format.Value == "wig" {
		sizes, err = cli.NewOutput(f.out+".chrom.sizes", input)
	}
	return files, sizes, err
}

func runMappability(ctx context.Context, j *job.Job, flags *mappabilityFlags, name string) error {
	defer j.Close()
	files, sizes, err := flags.files(name)
	if err != nil {
		return err
	}
	outputs := make([]*cli.Output, len(files))
	for i, file := range files {
		outputs[i] = file.out
		defer file.out.Discard()
	}
	if sizes != nil {
		defer sizes.Discard()
	}
	g, err := j.Source.OpenDeviceAndGenome(ctx, name)
	if err != nil {
		return err
	}
	tables := map[int]*mappabilityTable{}
	compute := func() error {
		values := j.Engine().Mappability(suffixcl.Set(g.Set), flags.options(j))
		return job.EachPart(values.Each(j.Measured(ctx)), func(m *suffixcl.Mappability) error { return tables[m.K].add(m) })
	}
	// All files are open at the same time: each is written within the one before.
	for _, file := range slices.Backward(files) {
		inner := compute
		compute = func() error {
			return sink.WriteWhile(ctx, file.out, func(w io.Writer) error {
				t := newMappabilityTable(w, g, flags, file)
				tables[file.k] = t
				if err := inner(); err != nil {
					return err
				}
				return t.finish()
			})
		}
	}
	err = cli.Timed(&j.Report.Seconds.Write, func() error {
		if err := compute(); err != nil {
			return err
		}
		if sizes == nil {
			return nil
		}
		outputs = append(outputs, sizes)
		return sizes.Write(ctx, func(w io.Writer) error {
			for k, r := range g.Records {
				if _, err := fmt.Fprintf(w, "%s\t%d\n", g.Name(k), r.Length); err != nil {
					return err
				}
			}
			return nil
		})
	})
	if err != nil {
		return err
	}
	if err := cli.Commit(outputs...); err != nil {
		return err
	}
	j.Report.Output = flags.out
	return j.Sink.Finish(nil)
}

func planMappability(ctx context.Context, e *suffixcl.Engine, n int) (device.MemoryPlan, error) {
	set := suffixcl.Documents(verb.TextsOf(n, 2)...)
	var plans []func() (device.MemoryPlan, error)
	for _, unique := range []bool{false, true} {
		for _, both := range []bool{false, true} {
			o := suffixcl.MappabilityOptions{K: []int{20, 50}, Unique: unique, BothStrands: both, Letters: source.GenomeLetters}
			plans = append(plans, func() (device.MemoryPlan, error) { return e.Mappability(set, o).Plan(ctx) })
		}
	}
	return verb.All(plans...)
}
