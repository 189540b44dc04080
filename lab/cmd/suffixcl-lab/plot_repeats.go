package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/seqio"
	"gonum.org/v1/plot/plotter"
)

const plotRepeatsHelp = `Draw the lengths of repeats along a text, from what "suffixcl repeats" wrote: the longest
and the mean in each of up to --bins parts of the text. REPEATS.tsv has a line for each
position, as "repeats" writes it without --top and --format bed; it may be compressed.

The text ends after the last position with a repeat, or has --length characters. Records
follow one another, each up to its last position with a repeat.`

type plotRepeatsFlags struct {
	out    string
	bins   int
	length int64
}

func plotRepeatsCommand() *cobra.Command {
	var flags plotRepeatsFlags
	c := &cobra.Command{
		Use:     "repeats REPEATS.tsv -o OUT",
		Short:   "Draw repeat lengths along a text",
		Long:    plotRepeatsHelp,
		Example: "  suffixcl repeats genome.txt -o repeats.tsv\n  suffixcl-lab plot repeats repeats.tsv -o repeats.png",
		RunE:    cli.Work(func(ctx context.Context, args []string) error { return runPlotRepeats(ctx, &flags, args[0]) }),
	}
	c.Flags().VarP((*cli.FileName)(&flags.out), "output", "o", pictureUsage)
	c.Flags().IntVar(&flags.bins, "bins", 1000, "most parts of the text that are told apart")
	c.Flags().Int64Var(&flags.length, "length", 0, "length of the text; 0: up to the last repeat")
	return c
}

func runPlotRepeats(ctx context.Context, flags *plotRepeatsFlags, name string) error {
	format, err := pictureFormat(flags.out)
	switch {
	case err != nil:
		return err
	case flags.bins < 1 || flags.bins > 1<<20:
		return cli.Usage("--bins: want 1 to %d", 1<<20)
	case flags.length < 0:
		return cli.Usage("--length: %d characters", flags.length)
	}
	out, err := cli.NewOutput(flags.out, name)
	if err != nil {
		return err
	}
	defer out.Discard()
	in, err := cli.OpenText(ctx, name, cli.InputOptions{Sequences: seqio.Options{Format: seqio.Plain}})
	if err != nil {
		return err
	}
	defer in.Close()
	b := newBins(flags.bins, flags.length)
	if err := readRepeats(in.Reader(ctx), b); err != nil {
		if line := new(lineError); !errors.As(err, &line) {
			return in.Explain(err)
		}
		return fmt.Errorf("%s:%w", in.Name, err)
	}
	if b.n == 0 {
		return fmt.Errorf("%s: there is nothing to draw: it has no repeats", in.Name)
	}
	if flags.length > 0 && b.n > flags.length {
		return fmt.Errorf("%s: repeats up to position %d, in a text of --length %d", in.Name, b.n-1, flags.length)
	}
	title := "Longest repeats of " + strings.TrimSuffix(filepath.Base(in.Name), ".tsv")
	if err := out.Write(ctx, func(w io.Writer) error { return b.chart(title).write(w, format) }); err != nil {
		return err
	}
	return cli.Commit(out)
}

// lineError is a line that is none of the table of repeats.
type lineError struct {
	line int
	why  string
}

func (e *lineError) Error() string { return fmt.Sprintf("%d: %s", e.line, e.why) }

// readRepeats counts the lines of a table of repeats. Errors: a *lineError, and those of r.
func readRepeats(r io.Reader, b *bins) error {
	lines := bufio.NewReaderSize(r, 1<<20)
	var record string
	first, last := int64(0), int64(-1) // position of the record in the text, last position in the record
	for number := 1; ; number++ {
		text, err := lines.ReadString('\n')
		if err != nil && err != io.EOF {
			return err
		}
		if text == "" {
			return nil
		}
		line, why := parseRepeat(strings.TrimRight(text, "\r\n"))
		if why != "" {
			return &lineError{number, why}
		}
		if line.record != record || line.position < last {
			record, first, last = line.record, first+last+1, -1
		}
		if line.position > last { // else another repeat of the same length
			last = line.position
			b.add(first+last, line.length)
		}
	}
}

// repeatLine is a line of the table of repeats.
type repeatLine struct {
	record   string
	position int64
	length   int64
}

// parseRepeat takes a line apart, or says why it cannot.
func parseRepeat(text string) (line repeatLine, why string) {
	columns := strings.Split(text, "\t")
	if len(columns) == 4 {
		line.record, columns = columns[0], columns[1:]
	}
	const want = `want position, start and length, as "suffixcl repeats" writes them`
	if len(columns) != 3 {
		return line, want
	}
	var values [3]int64
	for i, column := range columns {
		v, err := strconv.ParseUint(column, 10, 32)
		if err != nil {
			return line, want
		}
		values[i] = int64(v)
	}
	position, start, length := values[0], values[1], values[2]
	if position < start || position >= start+length {
		return line, fmt.Sprintf("the repeat of %d characters at %d does not cover position %d: %s", length, start,
			position, want)
	}
	line.position, line.length = position, length
	return line, ""
}

// bins are the lengths of repeats along a text, in parts of equal width.
type bins struct {
	n       int64 // characters of the text
	width   int64
	longest []int64
	sum     []int64
}

// newBins makes up to limit bins for a text of n characters, or of unknown length if n is 0.
func newBins(limit int, n int64) *bins {
	width := max((n+int64(limit)-1)/int64(limit), 1)
	return &bins{n: n, width: width, longest: make([]int64, limit), sum: make([]int64, limit)}
}

// add counts the length of the repeat at a position. The width doubles until the position
// is in a bin.
func (b *bins) add(position, length int64) {
	b.n = max(b.n, position+1)
	for position/b.width >= int64(len(b.sum)) {
		b.double()
	}
	i := position / b.width
	b.longest[i] = max(b.longest[i], length)
	b.sum[i] += length
}

// double joins pairs of bins.
func (b *bins) double() {
	for i := range b.sum {
		longest, sum := int64(0), int64(0)
		for j := 2 * i; j < min(2*i+2, len(b.sum)); j++ {
			longest, sum = max(longest, b.longest[j]), sum+b.sum[j]
		}
		b.longest[i], b.sum[i] = longest, sum
	}
	b.width *= 2
}

// chart draws the bins. On the logarithmic axis what is below 1 is drawn as 1.
func (b *bins) chart(title string) *chart {
	var longest, mean plotter.XYs
	for i := range b.sum {
		from, to := int64(i)*b.width, min(int64(i+1)*b.width, b.n)
		if from >= to {
			break
		}
		x := float64(from+to) / 2
		longest = append(longest, plotter.XY{X: x, Y: max(1, float64(b.longest[i]))})
		mean = append(mean, plotter.XY{X: x, Y: max(1, float64(b.sum[i])/float64(to-from))})
	}
	return &chart{title: title, x: "position", y: "length (1 and less as 1)", logY: true,
		lines: []line{{"longest of the bin", longest}, {"mean of the bin", mean}}}
}
