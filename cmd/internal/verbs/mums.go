package verbs

import (
	"cmp"
	"context"
	"io"
	"math"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/formats/tsv"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/operation"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/source"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cli"
)

const mumsHelp = `Find exact matches of several genomes, one a file: multi-MUMs, which occur once in each
genome that has them, or with --most-each multi-MEMs. None can be longer on either side.

Both strands count, and only A, C, G and T match, in either case. The results are those of
mumemto. Of multi-MUMs (.mums) a line each: length, position in each genome, empty where the
genome does not have it, and strands, with commas; of a match and its reverse complement
that which is forward in its first genome. With --most-each other than 1 (.mems): length,
positions, numbers of the genomes from 0, strands. Positions count the letters of a file's
sequences, one after the other, from 0; no match crosses from one sequence to the next.`

type mumsFlags struct {
	options.Job
	out            string
	genomes        []string
	length, least  int
	mostEach, most int
	forward        bool
}

func mumsVerb() verb.Verb {
	var flags mumsFlags
	v := verb.Verb{Options: &flags.Job, Op: verb.Always(operation.SortedLCP), Plan: flags.plan}
	v.Prepares = &verb.Preparation{Plans: append(verb.PlansOf(operation.SortedLCP), planMums), Rehearse: rehearseMums}
	v.Reads = []cli.Accepted{cli.Reads("GENOME", verb.Bytes, verb.Records)}
	v.Writes = verb.Rows("mumemto")
	v.Command = &cobra.Command{
		Use:   "mums GENOME [GENOME...]",
		Short: "Find multi-MUMs and multi-MEMs of genomes",
		Long:  mumsHelp,
		Example: "  suffixcl mums a.fa b.fa c.fa -o abc.mums\n" +
			"  suffixcl mums *.fa -k -1 -o most.mums          # in all genomes but one\n" +
			"  suffixcl mums *.fa -f 3 -l 50 -o repeats.mems  # up to three times in each",
	}
	v.Check = func(args []string) error {
		flags.genomes = args
		switch {
		case flags.length < 1:
			return cli.Usage("--min-length: %d letters", flags.length)
		case flags.mostEach < 0:
			return cli.Usage("--most-each: %d is less than 0", flags.mostEach)
		case flags.least > len(args) || flags.least <= -len(args) && flags.least != 0:
			return cli.Usage("-k: %d of %d genomes", flags.least, len(args))
		case flags.most <= -len(args) && flags.most != 0:
			return cli.Usage("--most: %d of %d genomes", flags.most, len(args))
		}
		return options.OneStandardInput(args...)
	}
	v.Run = func(ctx context.Context, _ []string) error {
		return runMums(ctx, v.Job(), &flags)
	}
	flags.AddSequences(v.Flags())
	options.AddTextOutput(v.Command, &flags.out)
	f := v.Flags()
	f.IntVarP(&flags.length, "min-length", "l", suffixcl.DefaultMatchLength, "shortest match")
	f.IntVarP(&flags.least, "min-genomes", "k", 0,
		"genomes that have a match at least; 0: all; -1: all but one, and so on")
	f.IntVarP(&flags.mostEach, "most-each", "f", 1, "most occurrences in each genome; 0: no limit")
	f.IntVarP(&flags.most, "most", "F", 0, "most occurrences in all; 0: no limit; -1: one less than there are genomes")
	f.BoolVar(&flags.forward, "forward", false, "only the strand that is given")
	return v
}

func (f *mumsFlags) options() suffixcl.MultiMatchOptions {
	o := suffixcl.MultiMatchOptions{MinLength: f.length, MinGenomes: f.least, MostEach: f.mostEach, MostCount: f.most,
		BothStrands: !f.forward, Letters: source.GenomeLetters}
	if o.MinGenomes < 0 {
		o.MinGenomes += len(f.genomes)
	}
	if o.MostCount < 0 {
		o.MostCount += len(f.genomes)
	}
	return o
}

// read opens the device and reads the genomes.
func (f *mumsFlags) read(ctx context.Context, j *job.Job) ([]*source.Sequences, error) {
	first, err := j.Source.OpenDeviceAndGenome(ctx, f.genomes[0])
	if err != nil {
		return nil, err
	}
	all := []*source.Sequences{first}
	for _, name := range f.genomes[1:] {
		in, err := cli.OpenText(ctx, name, f.GenomeOptions())
		if err != nil {
			return nil, err
		}
		g, err := j.Source.ReadGenome(ctx, in)
		if err != nil {
			return nil, err
		}
		all = append(all, g)
		j.Report.Bytes, j.Report.Records = j.Report.Bytes+g.Set.Len(), j.Report.Records+g.Set.Count()
	}
	return all, nil
}

func setsOf(genomes []*source.Sequences) []suffixcl.Text {
	sets := make([]suffixcl.Text, len(genomes))
	for i, g := range genomes {
		sets[i] = suffixcl.Set(g.Set)
	}
	return sets
}

func (f *mumsFlags) plan(ctx context.Context, j *job.Job, _ string) (device.MemoryPlan, error) {
	genomes, err := f.read(ctx, j)
	if err != nil {
		return nil, err
	}
	return j.Engine().MultiMatches(setsOf(genomes), f.options()).Plan(ctx)
}

func runMums(ctx context.Context, j *job.Job, flags *mumsFlags) error {
	defer j.Close()
	out, err := cli.NewTextOutput(flags.out, flags.genomes...)
	if err != nil {
		return err
	}
	defer out.Discard()
	genomes, err := flags.read(ctx, j)
	if err != nil {
		return err
	}
	return j.Sink.StreamRows(ctx, out, func(w io.Writer) error {
		t := newMultiMatchTable(w, genomes, flags.mostEach == 1)
		matches := j.Engine().MultiMatches(setsOf(genomes), flags.options())
		if err := job.EachPart(matches.Each(j.Measured(ctx)), t.add); err != nil {
			return err
		}
		err := t.finish()
		j.Report.Occurrences = t.Ended
		return err
	})
}

// multiMatchTable writes matches of several genomes.
type multiMatchTable struct {
	tsv.Writer
	genomes     []*source.Sequences
	row         func(*multiMatchTable, suffixcl.MultiMatch) error
	found       []suffixcl.MultiMatch
	occurrences []suffixcl.GenomePosition // of these
	each        []suffixcl.GenomePosition // of a multi-MUM, by genome
}

// newMultiMatchTable writes multi-MUMs, or multi-MEMs.
func newMultiMatchTable(w io.Writer, genomes []*source.Sequences, unique bool) *multiMatchTable {
	t := &multiMatchTable{Writer: tsv.New(w), genomes: genomes, row: (*multiMatchTable).mem}
	if unique {
		t.row = (*multiMatchTable).mum
	}
	return t
}

// add takes a match, whose occurrences are the caller's.
func (t *multiMatchTable) add(m *suffixcl.MultiMatch) error {
	from := len(t.occurrences)
	t.occurrences = append(t.occurrences, m.Occurrences...)
	t.found = append(t.found, suffixcl.MultiMatch{Length: m.Length, Occurrences: t.occurrences[from:]})
	if len(t.found)+len(t.occurrences) < tsv.AtOnce {
		return nil
	}
	return t.write()
}

// write writes the matches that were collected.
func (t *multiMatchTable) write() error {
	each := tsv.EachOf(len(t.found), len(t.occurrences))
	err := t.Many(len(t.found), each, func(rows tsv.Writer, lo, hi int) (tsv.Writer, error) {
		some := *t
		some.Writer, some.each = rows, make([]suffixcl.GenomePosition, len(t.genomes))
		for _, m := range t.found[lo:hi] {
			if err := some.row(&some, m); err != nil {
				return some.Writer, err
			}
		}
		return some.Writer, nil
	})
	t.found, t.occurrences = t.found[:0], t.occurrences[:0]
	return err
}

func (t *multiMatchTable) finish() error {
	if err := t.write(); err != nil {
		return err
	}
	return t.Flush()
}

// absent is a genome without an occurrence.
const absent = math.MaxUint32

// position is that in all letters of the genome.
func (t *multiMatchTable) position(o suffixcl.GenomePosition) uint64 {
	return uint64(t.genomes[o.Genome].Records[o.Text].Offset) - uint64(o.Text) + uint64(o.Position) // terminators
}

// list appends cells with commas between them.
func (t *multiMatchTable) list(all []suffixcl.GenomePosition, cell func(suffixcl.GenomePosition)) {
	for i, o := range all {
		if i > 0 {
			t.Line = append(t.Line, ',')
		}
		if o.Position != absent {
			cell(o)
		}
	}
	t.Line = append(t.Line, '\t')
}

func (t *multiMatchTable) positions(all []suffixcl.GenomePosition) {
	t.list(all, func(o suffixcl.GenomePosition) { t.Line = strconv.AppendUint(t.Line, t.position(o), 10) })
}

func (t *multiMatchTable) strands(all []suffixcl.GenomePosition) {
	t.list(all, func(o suffixcl.GenomePosition) {
		if o.Reverse {
			t.Line = append(t.Line, '-')
		} else {
			t.Line = append(t.Line, '+')
		}
	})
}

// mum is a line of .mums.
func (t *multiMatchTable) mum(m suffixcl.MultiMatch) error {
	first := slices.MinFunc(m.Occurrences, func(a, b suffixcl.GenomePosition) int {
		return cmp.Compare(a.Genome, b.Genome)
	})
	if first.Reverse {
		return nil
	}
	for k := range t.each {
		t.each[k].Position = absent
	}
	for _, o := range m.Occurrences {
		t.each[o.Genome] = o
	}
	t.Number(uint64(m.Length))
	t.positions(t.each)
	t.strands(t.each)
	return t.End()
}

// mem is a line of .mems.
func (t *multiMatchTable) mem(m suffixcl.MultiMatch) error {
	t.Number(uint64(m.Length))
	t.positions(m.Occurrences)
	t.list(m.Occurrences, func(o suffixcl.GenomePosition) { t.Line = strconv.AppendInt(t.Line, int64(o.Genome), 10) })
	t.strands(m.Occurrences)
	return t.End()
}

// preparedMums are multi-MUMs and multi-MEMs.
var preparedMums = []suffixcl.MultiMatchOptions{
	{MinLength: suffixcl.DefaultMatchLength, MostEach: 1, BothStrands: true, Letters: source.GenomeLetters},
	{MinLength: suffixcl.DefaultMatchLength, BothStrands: true, Letters: source.GenomeLetters},
}

func planMums(ctx context.Context, e *suffixcl.Engine, n int) (device.MemoryPlan, error) {
	set := suffixcl.Documents(verb.TextsOf(n, 2)...)
	var plans []func() (device.MemoryPlan, error)
	for _, o := range preparedMums {
		plans = append(plans, func() (device.MemoryPlan, error) {
			return e.MultiMatches([]suffixcl.Text{set, set}, o).Plan(ctx)
		})
	}
	return verb.All(plans...)
}

func rehearseMums(ctx context.Context, e *suffixcl.Engine, _ []byte) error {
	set := suffixcl.Documents(verb.TextsOf(400, 2)...)
	for _, o := range preparedMums {
		if _, err := e.MultiMatches([]suffixcl.Text{set, set}, o).All(ctx); err != nil {
			return err
		}
	}
	return nil
}
