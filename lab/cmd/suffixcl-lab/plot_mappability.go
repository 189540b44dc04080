package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/seqio"
	"gonum.org/v1/plot/plotter"
)

const plotMappabilityHelp = `Draw what "suffixcl mappability" wrote along a genome, as bedGraph: a line for each
file, of the mean in each of up to --bins parts. Positions that a file leaves out count
as 0. Sequences follow one another, each up to its last position that has a value. Files
may be compressed.`

func plotMappabilityCommand() *cobra.Command {
	var out string
	var count int
	c := &cobra.Command{
		Use:   "mappability FILE.bedgraph [FILE...] -o OUT",
		Short: "Draw mappability along a genome",
		Long:  plotMappabilityHelp,
		Example: "  suffixcl mappability genome.fa -k 50 -k 100 -o genome\n" +
			"  suffixcl-lab plot mappability genome.k50.bedgraph genome.k100.bedgraph -o genome.svg",
		RunE: cli.Work(func(ctx context.Context, args []string) error {
			return runPlotMappability(ctx, args, out, count)
		}),
	}
	c.Flags().VarP((*cli.FileName)(&out), "output", "o", pictureUsage)
	c.Flags().IntVar(&count, "bins", 1000, "most parts of the genome that are told apart")
	return c
}

func runPlotMappability(ctx context.Context, names []string, outName string, count int) error {
	format, err := pictureFormat(outName)
	if err == nil && (count < 1 || count > 1<<20) {
		err = cli.Usage("--bins: want 1 to %d", 1<<20)
	}
	if err != nil {
		return err
	}
	out, err := cli.NewOutput(outName, names...)
	if err != nil {
		return err
	}
	defer out.Discard()
	drawing := chart{title: "Mappability", x: "position", y: "mean of the bin"}
	for _, name := range names {
		means, err := readMeans(ctx, name, count)
		if err != nil {
			return err
		}
		drawing.lines = append(drawing.lines, line{strings.TrimSuffix(filepath.Base(name), ".bedgraph"), means.points()})
	}
	if err := out.Write(ctx, func(w io.Writer) error { return drawing.write(w, format) }); err != nil {
		return err
	}
	return cli.Commit(out)
}

// readMeans reads a file of bedGraph.
func readMeans(ctx context.Context, name string, count int) (*means, error) {
	in, err := cli.OpenText(ctx, name, cli.InputOptions{Sequences: seqio.Options{Format: seqio.Plain}})
	if err != nil {
		return nil, err
	}
	defer in.Close()
	m := &means{width: 1, sums: make([]float64, count)}
	if err := m.read(in.Reader(ctx)); err != nil {
		if line := new(lineError); !errors.As(err, &line) {
			return nil, in.Explain(err)
		}
		return nil, fmt.Errorf("%s:%w", in.Name, err)
	}
	if m.n == 0 {
		return nil, fmt.Errorf("%s: there is nothing to draw: it has no positions", in.Name)
	}
	return m, nil
}

// means are sums of values along a genome, in parts of equal width.
type means struct {
	n     int64 // positions
	width int64
	sums  []float64
}

// read takes the lines of bedGraph. Errors: a *lineError, and those of r.
func (m *means) read(r io.Reader) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<21)
	var sequence string
	first, last := int64(0), int64(0) // the sequence in the genome, the end of its last line
	for number := 1; lines.Scan(); number++ {
		text := strings.TrimSuffix(lines.Text(), "\r")
		if text == "" || strings.HasPrefix(text, "#") || strings.HasPrefix(text, "track") {
			continue
		}
		columns := strings.Split(text, "\t")
		if len(columns) != 4 {
			return &lineError{number, "want sequence, start, end and value, with tabs between them"}
		}
		start, wrongStart := strconv.ParseInt(columns[1], 10, 48)
		end, wrongEnd := strconv.ParseInt(columns[2], 10, 48)
		value, wrongValue := strconv.ParseFloat(columns[3], 64)
		switch {
		case wrongStart != nil || wrongEnd != nil || start < 0 || end <= start:
			return &lineError{number, "want a start, and an end after it"}
		case wrongValue != nil || math.IsNaN(value) || math.IsInf(value, 0):
			return &lineError{number, fmt.Sprintf("the value %q is no number", columns[3])}
		}
		if columns[0] != sequence {
			sequence, first, last = columns[0], first+last, 0
		}
		if start < last {
			return &lineError{number, fmt.Sprintf("it begins at %d, the line before ends at %d", start, last)}
		}
		m.add(first+start, first+end, value)
		last = end
	}
	return lines.Err()
}

// add counts a value for all positions from one to another. The width doubles until these are in a bin.
func (m *means) add(from, to int64, value float64) {
	m.n = max(m.n, to)
	for (to-1)/m.width >= int64(len(m.sums)) {
		for i := range m.sums {
			sum := 0.0
			for j := 2 * i; j < min(2*i+2, len(m.sums)); j++ {
				sum += m.sums[j]
			}
			m.sums[i] = sum
		}
		m.width *= 2
	}
	for from < to {
		i := from / m.width
		end := min(to, (i+1)*m.width)
		m.sums[i] += value * float64(end-from)
		from = end
	}
}

func (m *means) points() (points plotter.XYs) {
	for i, sum := range m.sums {
		from, to := int64(i)*m.width, min(int64(i+1)*m.width, m.n)
		if from >= to {
			break
		}
		points = append(points, plotter.XY{X: float64(from+to) / 2, Y: sum / float64(to-from)})
	}
	return points
}
