package verbs

import (
	"cmp"
	"container/heap"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cmd/internal/formats/bed"
	"github.com/suffixcl/suffixcl/cmd/internal/formats/tsv"
	"github.com/suffixcl/suffixcl/cmd/internal/job"
	"github.com/suffixcl/suffixcl/cmd/internal/operation"
	"github.com/suffixcl/suffixcl/cmd/internal/options"
	"github.com/suffixcl/suffixcl/cmd/internal/search"
	"github.com/suffixcl/suffixcl/cmd/internal/verb"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/seqio"
)

const repeatsHelp = `Find for every position of a text the longest substring that covers it and occurs more
than once: the leftmost such, or with --all every one.

Lines of tab-separated values: position, start and length of the repeat, counted from 0.
Positions without a repeat are left out. With --format bed a line for each repeat that is
the longest somewhere: sequence, start, end, "repeat", and its length, at most 1000, as
score. With --top N the N longest of these, start and length of each, longest first.

FASTA and FASTQ are recognised: repeats lie inside of a record, positions count from its
start, and its name comes first on a line.

Bytes are compared as they are: letters that differ in case differ, and runs of N are long
repeats. With --dna case is folded, U is T, and repeats hold A, C, G and T only. With
--mask lower, for soft-masked sequences, they hold no letter in lower case either. --both
takes DNA: what occurs on the other strand is a repeat, too.

With --symbols u16 or u32 the text is little-endian integers, as token ids, without
records; positions and lengths count them.

"suffixcl-lab plot repeats" draws the lines of the whole text along it.`

type repeatsFlags struct {
	options.Job
	out       string
	format    cli.Choice
	all, both bool
	dna       bool
	mask      cli.Choice
	minLength int
	top       int
}

func repeatsVerb() verb.Verb {
	var flags repeatsFlags
	v := verb.Verb{Options: &flags.Job, Op: verb.Always(operation.SortedLCP), Plan: flags.plan}
	v.Prepares = &verb.Preparation{Plans: []verb.Planning{planRepeats}}
	v.Reads = []cli.Accepted{verb.Texts("TEXT")}
	v.Writes = verb.Rows("tsv", "bed")
	v.Command = &cobra.Command{
		Use:   "repeats TEXT",
		Short: "Find the longest repeats that cover each position",
		Long:  repeatsHelp,
		Example: "  suffixcl repeats genome.fa --dna --both --min-length 50 --format bed -o repeats.bed\n" +
			"  suffixcl repeats book.txt --top 20",
	}
	v.Check = func([]string) error {
		switch {
		case flags.minLength < 0:
			return cli.Usage("--min-length: %d characters", flags.minLength)
		case flags.top < 0 || v.Flags().Changed("top") && flags.top == 0:
			return cli.Usage("--top: want 1 or more")
		case flags.mask.Value != "none" && !flags.dna:
			return cli.Usage("--mask needs --dna")
		}
		return flags.PlainSymbols(map[string]bool{"dna": flags.dna, "both": flags.both})
	}
	v.Run = func(ctx context.Context, args []string) error {
		return runRepeats(ctx, v.Job(), &flags, args[0])
	}
	flags.AddSequences(v.Flags())
	flags.AddSymbols(v.Flags())
	options.AddTextOutput(v.Command, &flags.out)
	flags.format = cli.Choice{Value: "tsv", Of: []string{"tsv", "bed"}}
	v.Flags().Var(&flags.format, "format", "tsv: a line a position; bed: a line a repeat")
	v.Flags().BoolVar(&flags.all, "all", false, "all longest repeats, not only the leftmost")
	v.Flags().BoolVar(&flags.both, "both", false, "both strands of DNA")
	v.Flags().BoolVar(&flags.dna, "dna", false, options.DNAHelp)
	flags.mask = cli.Choice{Value: "none", Of: []string{"none", "lower"}}
	v.Flags().Var(&flags.mask, "mask", "letters of DNA that are in no repeat: none, or those in lower case")
	v.Flags().IntVar(&flags.minLength, "min-length", 1, "shortest repeat that counts")
	v.Flags().IntVar(&flags.top, "top", 0, "only the N longest repeats")
	return v
}

// inputOptions are for the text, whose records are kept.
func (f *repeatsFlags) inputOptions() cli.InputOptions {
	o := f.Options()
	o.KeepRecords = true
	return o
}

// options are those of the search in a text with records.
func (f *repeatsFlags) options(text []byte, records seqio.Table) suffixcl.RepeatOptions {
	o := suffixcl.RepeatOptions{MinLength: f.minLength, Records: records, ReverseComplement: f.both, All: f.all}
	if f.dna {
		o.Records = segments(text, records, f.mask.Value == "lower", f.minLength)
	}
	return o
}

// plan reads the text only for --dna, whose segments count.
func (f *repeatsFlags) plan(ctx context.Context, j *job.Job, name string) (device.MemoryPlan, error) {
	if !f.dna {
		records, err := j.Source.OpenDeviceAndMeasure(ctx, name, f.inputOptions())
		if err != nil {
			return nil, err
		}
		if width := f.SymbolBytes(); width > 1 {
			if err := j.Source.WholeSymbols(j.Report.Bytes); err != nil {
				return nil, err
			}
			return j.Engine().Repeats(suffixcl.Length(width, j.Report.Bytes/width), f.options(nil, nil)).Plan(ctx)
		}
		return j.Engine().Repeats(suffixcl.Length(1, j.Report.Bytes), f.options(nil, records)).Plan(ctx)
	}
	text, err := j.Source.OpenDeviceAndText(ctx, name, f.inputOptions())
	if err != nil {
		return nil, err
	}
	return j.Engine().Repeats(suffixcl.Bytes(text), f.options(text, j.Source.Records)).Plan(ctx)
}

func runRepeats(ctx context.Context, j *job.Job, flags *repeatsFlags, name string) error {
	defer j.Close()
	out, err := cli.NewTextOutput(flags.out, name)
	if err != nil {
		return err
	}
	defer out.Discard()
	text, err := j.Source.OpenDeviceAndText(ctx, name, flags.inputOptions())
	if err != nil {
		return err
	}
	o := flags.options(text, j.Source.Records)
	return j.Sink.StreamRows(ctx, out, func(w io.Writer) error {
		t := newRepeatTable(w, flags, j.Source.Records, search.TextName(j.Report.File))
		if flags.dna && len(o.Records) == 0 { // no records would mean all of the text
			return t.finish()
		}
		symbols, err := j.Source.Text(text)
		if err != nil {
			return err
		}
		if err := job.EachPart(j.Engine().Repeats(symbols, o).Each(j.Measured(ctx)), t.block); err != nil {
			return explainRepeats(j, err)
		}
		err = t.finish()
		j.Report.Tell(cli.Quantity(t.Ended, "line"))
		return err
	})
}

// explainRepeats names the file and the record of a byte that --both does not take.
func explainRepeats(j *job.Job, err error) error {
	var e *suffixcl.TextError
	if !errors.As(err, &e) || e.Text >= 0 {
		return err
	}
	if record, place, ok := j.Source.Records.Find(e.Offset, 1); ok {
		return fmt.Errorf("%s: position %d of %s: %s", j.Report.File, place,
			tsv.Name(j.Source.Records[record].Name, int64(record)), e.Why)
	}
	return fmt.Errorf("%s: %w", j.Report.File, err)
}

// repeatTable writes repeats as they come.
type repeatTable struct {
	tsv.Writer
	flags     *repeatsFlags
	positions bool // each has a line
	records   seqio.Table
	name      string

	last  uint32 // start of the last one that was new
	any   bool
	top   topRepeats
	found tsv.Batch[recordRepeat]
}

// recordRepeat is a repeat of a record, in positions of the text, that covers a position.
type recordRepeat struct {
	record   int32
	position uint32
	suffixcl.Repeat
}

func newRepeatTable(w io.Writer, flags *repeatsFlags, records seqio.Table, name string) *repeatTable {
	t := &repeatTable{Writer: tsv.New(w), flags: flags, records: records, name: name}
	t.found.Format = t.format
	t.positions = flags.format.Value == "tsv" && flags.top == 0
	return t
}

func (t *repeatTable) block(b *suffixcl.Repeats) error {
	record, _, _ := t.records.Find(b.First, 1) // b.Record may be a part of it
	if len(b.Length) >= 2*tsv.Each && t.positions {
		return t.each(int32(record), b)
	}
	for position, r := range b.All() {
		if err := t.repeat(recordRepeat{int32(record), uint32(position), r}); err != nil {
			return err
		}
	}
	return nil
}

// each writes the lines of a block that is long.
func (t *repeatTable) each(record int32, b *suffixcl.Repeats) error {
	if err := t.found.Write(&t.Writer); err != nil {
		return err
	}
	return t.Many(len(b.Length), tsv.Each, func(rows tsv.Writer, lo, hi int) (tsv.Writer, error) {
		part := suffixcl.Repeats{First: b.First + lo, Start: b.Start[lo:hi], Length: b.Length[lo:hi], Starts: b.Starts}
		if b.Offsets != nil {
			part.Offsets = b.Offsets[lo : hi+1]
		}
		line := t.line(record)
		for position, r := range part.All() {
			if err := line.write(&rows, uint32(position), r); err != nil {
				return rows, err
			}
		}
		return rows, nil
	})
}

// repeat is given one of a position. Those that are new start after all before.
func (t *repeatTable) repeat(r recordRepeat) error {
	if !t.positions {
		if t.any && r.Start <= t.last {
			return nil
		}
		t.any, t.last = true, r.Start
	}
	if t.flags.top > 0 {
		t.top.add(r, t.flags.top)
		return nil
	}
	return t.found.Add(&t.Writer, r)
}

// format has lines of repeats.
func (t *repeatTable) format(rows tsv.Writer, list []recordRepeat) (tsv.Writer, error) {
	line := repeatLine{record: -1}
	for _, r := range list {
		if r.record != line.record {
			line = t.line(r.record)
		}
		if err := line.write(&rows, r.position, r.Repeat); err != nil {
			return rows, err
		}
	}
	return rows, nil
}

// repeatLine is what the lines of a record have in common.
type repeatLine struct {
	record         int32
	name           []byte // a cell, or nothing
	sequence       string // of BED
	offset         uint32
	bed, positions bool
}

// line is that of a record. A text without records has its name in BED alone.
func (t *repeatTable) line(record int32) repeatLine {
	l := repeatLine{record: record, bed: t.flags.format.Value == "bed", positions: t.positions}
	if len(t.records) > 0 {
		l.sequence = tsv.Name(t.records[record].Name, int64(record))
		l.name = append([]byte(l.sequence), '\t')
		l.offset = uint32(t.records[record].Offset)
	} else {
		l.sequence = t.name
	}
	return l
}

func (l *repeatLine) write(rows *tsv.Writer, position uint32, r suffixcl.Repeat) error {
	if l.bed {
		start := int(r.Start - l.offset)
		return bed.Write(rows, bed.Feature{Sequence: l.sequence, Start: start, End: start + int(r.Length), Name: "repeat",
			Score: min(int(r.Length), bed.MaxScore)})
	}
	rows.Line = append(rows.Line, l.name...)
	if l.positions {
		rows.Number(uint64(position - l.offset))
	}
	rows.Number(uint64(r.Start - l.offset))
	rows.Number(uint64(r.Length))
	return rows.End()
}

func (t *repeatTable) finish() error {
	for _, r := range t.top.sorted() {
		if err := t.found.Add(&t.Writer, r); err != nil {
			return err
		}
	}
	if err := t.found.Write(&t.Writer); err != nil {
		return err
	}
	return t.Flush()
}

// topRepeats is a heap of the longest, the first to give way on top.
type topRepeats []recordRepeat

func (h topRepeats) before(i, j recordRepeat) bool {
	return cmp.Or(cmp.Compare(j.Length, i.Length), cmp.Compare(i.Start, j.Start)) < 0
}

func (h topRepeats) Len() int { return len(h) }

func (h topRepeats) Less(i, j int) bool { return h.before(h[j], h[i]) }

func (h topRepeats) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *topRepeats) Push(r any) { *h = append(*h, r.(recordRepeat)) }

func (h *topRepeats) Pop() any {
	last := len(*h) - 1
	r := (*h)[last]
	*h = (*h)[:last]
	return r
}

func (h *topRepeats) add(r recordRepeat, limit int) {
	if len(*h) < limit {
		heap.Push(h, r)
	} else if h.before(r, (*h)[0]) {
		(*h)[0] = r
		heap.Fix(h, 0)
	}
}

func (h topRepeats) sorted() []recordRepeat {
	slices.SortFunc(h, func(a, b recordRepeat) int {
		return cmp.Or(cmp.Compare(b.Length, a.Length), cmp.Compare(a.Start, b.Start))
	})
	return h
}

func planRepeats(ctx context.Context, e *suffixcl.Engine, n int) (device.MemoryPlan, error) {
	return e.Repeats(suffixcl.Length(1, n), suffixcl.RepeatOptions{}).Plan(ctx)
}
