package main

import (
	"bufio"
	"cmp"
	"container/heap"
	"context"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/seqio"
)

const repeatsHelp = `Find for every position of a text the longest substring that covers it and occurs more
than once: the leftmost such, or with --all every one.

Lines of tab-separated values: position, start and length of the repeat, counted from 0;
positions without a repeat are left out. With --format bed a line for each repeat that is
the longest somewhere: sequence, start, end, "repeat", and its length, at most 1000, as
score. With --top N the N longest of these, start and length of each, longest first.

FASTA and FASTQ are recognised: repeats lie inside of a record, positions count from its
start, and its name comes first on a line. --both takes DNA: what occurs on the other
strand is a repeat, too.

"suffixcl-lab plot repeats" draws the lines of the whole text along it.`

type repeatsFlags struct {
	jobFlags
	out       string
	format    cli.Choice
	all, both bool
	minLength int
	top       int
}

func repeatsCommand() *cobra.Command {
	var flags repeatsFlags
	c := &cobra.Command{
		Use:   "repeats TEXT",
		Short: "Find the longest repeats that cover each position",
		Long:  repeatsHelp,
		Example: "  suffixcl repeats genome.fa --both --min-length 50 --format bed -o repeats.bed\n" +
			"  suffixcl repeats book.txt --top 20",
		Args: cobra.ExactArgs(1),
	}
	c.RunE = cli.Work(func(ctx context.Context, args []string) error {
		switch {
		case flags.minLength < 0:
			return cli.Usage("--min-length: %d characters", flags.minLength)
		case flags.top < 0 || c.Flags().Changed("top") && flags.top == 0:
			return cli.Usage("--top: want 1 or more")
		}
		return runRepeats(ctx, &flags, args[0])
	})
	flags.addSequences(c.Flags())
	c.Flags().StringVarP(&flags.out, "output", "o", "-", `result file; "-" is standard output`)
	flags.format = cli.Choice{Value: "tsv", Of: []string{"tsv", "bed"}}
	c.Flags().Var(&flags.format, "format", "tsv: a line a position; bed: a line a repeat")
	c.Flags().BoolVar(&flags.all, "all", false, "all longest repeats, not only the leftmost")
	c.Flags().BoolVar(&flags.both, "both", false, "both strands of DNA")
	c.Flags().IntVar(&flags.minLength, "min-length", 1, "shortest repeat that counts")
	c.Flags().IntVar(&flags.top, "top", 0, "only the N longest repeats")
	return c
}

func runRepeats(ctx context.Context, flags *repeatsFlags, name string) error {
	op := suffixcl.OpLongestRepeats
	if flags.all {
		op = suffixcl.OpAllLongestRepeats
	}
	j := newJob(&flags.jobFlags, "repeats", op)
	defer j.Close()
	out, err := cli.NewTextOutput(flags.out, name)
	if err != nil {
		return err
	}
	defer out.Discard()
	input := flags.Options()
	input.KeepRecords = true
	text, err := j.openDeviceAndText(ctx, name, input)
	if err != nil {
		return err
	}
	o := suffixcl.RepeatOptions{MinLength: flags.minLength, Records: j.records, ReverseComplement: flags.both,
		All: flags.all}
	if out.Name == "-" {
		j.progress.YieldTerminal()
	}
	var failed error // of the computation, no matter of the file
	err = timed(&j.report.Seconds.Write, func() error {
		return out.Write(ctx, func(w io.Writer) error {
			t := newRepeatTable(w, flags, j.records, tableName(j.report.File))
			var writing error
			err := j.engine.EachRepeats(j.measured(ctx), text, o, func(b *suffixcl.RepeatBlock) error {
				writing = t.block(b)
				return writing
			})
			if err == nil {
				writing = t.finish()
			}
			if writing == nil {
				failed = err
			}
			return cmp.Or(writing, err)
		})
	})
	if err := cmp.Or(failed, err); err != nil {
		return err
	}
	if err := cli.Commit(out); err != nil {
		return err
	}
	return j.finish(out)
}

// tableName is what a text without records is called.
func tableName(file string) string {
	return strings.Map(func(r rune) rune {
		if r <= ' ' {
			return '_'
		}
		return r
	}, filepath.Base(file))
}

// repeatTable writes repeats as they come.
type repeatTable struct {
	w       *bufio.Writer
	flags   *repeatsFlags
	records seqio.Table
	name    string

	line []byte
	last found // the last one that was new
	any  bool
	top  topRepeats
}

// found is a repeat of a record, in positions of the text.
type found struct {
	record int
	suffixcl.Repeat
}

func newRepeatTable(w io.Writer, flags *repeatsFlags, records seqio.Table, name string) *repeatTable {
	return &repeatTable{w: bufio.NewWriterSize(w, writeChunk), flags: flags, records: records, name: name}
}

// columns begins a line with the record and the place of each position in it.
func (t *repeatTable) columns(named bool, record int, positions ...uint32) {
	t.line = t.line[:0]
	offset := uint32(0)
	if len(t.records) > 0 {
		t.line = append(append(t.line, t.records[record].Name...), '\t')
		offset = uint32(t.records[record].Offset)
	} else if named {
		t.line = append(append(t.line, t.name...), '\t')
	}
	for i, p := range positions {
		if i > 0 {
			t.line = append(t.line, '\t')
		}
		t.line = strconv.AppendUint(t.line, uint64(p-offset), 10)
	}
}

func (t *repeatTable) end() error {
	t.line = append(t.line, '\n')
	_, err := t.w.Write(t.line)
	return err
}

func (t *repeatTable) number(v uint32) {
	t.line = strconv.AppendUint(append(t.line, '\t'), uint64(v), 10)
}

func (t *repeatTable) block(b *suffixcl.RepeatBlock) error {
	for i, length := range b.Length {
		if length == 0 {
			continue
		}
		starts := b.Start[i : i+1]
		if b.Offsets != nil {
			starts = b.Starts[b.Offsets[i]:b.Offsets[i+1]]
		}
		for _, start := range starts {
			if err := t.repeat(uint32(b.First+i), found{b.Record, suffixcl.Repeat{Start: start, Length: length}}); err != nil {
				return err
			}
		}
	}
	return nil
}

// repeat is given one of a position. Those that are new start behind all before.
func (t *repeatTable) repeat(position uint32, r found) error {
	fresh := !t.any || r.Start > t.last.Start
	if fresh {
		t.any, t.last = true, r
	}
	switch {
	case t.flags.top > 0:
		if fresh {
			t.top.add(r, t.flags.top)
		}
		return nil
	case t.flags.format.Value == "tsv":
		t.columns(false, r.record, position, r.Start)
		t.number(r.Length)
		return t.end()
	case fresh:
		return t.bed(r)
	}
	return nil
}

func (t *repeatTable) bed(r found) error {
	t.columns(true, r.record, r.Start, r.Start+r.Length)
	t.line = append(t.line, "\trepeat"...)
	t.number(min(r.Length, 1000))
	return t.end()
}

func (t *repeatTable) finish() error {
	for _, r := range t.top.sorted() {
		if t.flags.format.Value == "bed" {
			if err := t.bed(r); err != nil {
				return err
			}
			continue
		}
		t.columns(false, r.record, r.Start)
		t.number(r.Length)
		if err := t.end(); err != nil {
			return err
		}
	}
	return t.w.Flush()
}

// topRepeats is a heap of the longest, the first to give way on top.
type topRepeats []found

func (h topRepeats) before(i, j found) bool {
	return cmp.Or(cmp.Compare(j.Length, i.Length), cmp.Compare(i.Start, j.Start)) < 0
}
func (h topRepeats) Len() int           { return len(h) }
func (h topRepeats) Less(i, j int) bool { return h.before(h[j], h[i]) }
func (h topRepeats) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *topRepeats) Push(r any)        { *h = append(*h, r.(found)) }
func (h *topRepeats) Pop() any {
	last := len(*h) - 1
	r := (*h)[last]
	*h = (*h)[:last]
	return r
}

func (h *topRepeats) add(r found, most int) {
	if len(*h) < most {
		heap.Push(h, r)
	} else if h.before(r, (*h)[0]) {
		(*h)[0] = r
		heap.Fix(h, 0)
	}
}

func (h topRepeats) sorted() []found {
	slices.SortFunc(h, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.Length, a.Length), cmp.Compare(a.Start, b.Start))
	})
	return h
}
