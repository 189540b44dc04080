package main

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/testkit/opticks"
	"github.com/suffixcl/suffixcl/lab/bench"
	"github.com/suffixcl/suffixcl/seqio"
	"gonum.org/v1/plot/plotter"
)

const benchPapersHelp = `Repeat the measurements of two papers, and print them next to the published numbers:

  "Fast In-Memory Suffix Sorting on the GPU" (GPU-LS)
  Wang, Baxter & Owens, "Fast parallel skew and prefix-doubling suffix array
  construction on the GPU", 2016

The texts are those given, or a bundled one of 146,512 bytes. Text and suffix array are on
the device. Every result is verified there before its time counts. The best of --repeats
is shown.

%s
With --out, the directory gets FIGURE.csv and FIGURE.png as each is done; docs/papers.md
says what to expect.`

type papersFlags struct {
	labFlags
	figures []string
	sizes   []int
	repeats int
	out     string
}

func benchPapersCommand() *cobra.Command {
	var f papersFlags
	names, sources := bench.PaperFigures()
	var list strings.Builder
	for i, name := range names {
		fmt.Fprintf(&list, "  %-12s %s\n", name, sources[i])
	}
	c := &cobra.Command{
		Use:   "papers [TEXT...]",
		Short: "Repeat the papers' measurements of suffix sorters",
		Long:  fmt.Sprintf(benchPapersHelp, list.String()),
		RunE:  cli.Work(func(ctx context.Context, args []string) error { return runBenchPapers(ctx, &f, args) }),
	}
	f.DeviceFlags.Add(c.Flags())
	f.TextFlags.Add(c.Flags(), seqio.Plain)
	cli.AddJSON(c.Flags(), &f.json)
	cli.AddQuiet(c.Flags(), &f.quiet)
	c.Flags().StringSliceVar(&f.figures, "figure", nil, "figures: "+strings.Join(names, ", ")+" (default all)")
	c.Flags().IntSliceVar(&f.sizes, "sizes", []int{14, 16, 18, 20, 22, 24},
		"characters of sizes and all-a, as powers of two")
	c.Flags().IntVar(&f.repeats, "repeats", 5, "runs that are timed")
	c.Flags().StringVarP(&f.out, "out", "o", "", "directory for CSV and figures")
	return c
}

func runBenchPapers(ctx context.Context, f *papersFlags, args []string) error {
	report, err := f.measure(ctx, args)
	if err != nil || !f.json {
		return err
	}
	return cli.PrintJSON(os.Stdout, report)
}

// measure makes the figures. Without --json each is printed as it is done.
func (f *papersFlags) measure(ctx context.Context, args []string) (*bench.PapersReport, error) {
	names, _ := bench.PaperFigures()
	for _, name := range f.figures {
		if !slices.Contains(names, name) {
			return nil, cli.Usage("--figure: %q is none of %s", name, strings.Join(names, ", "))
		}
	}
	p := bench.Papers{Figures: f.figures, Repeats: f.repeats}
	for _, size := range f.sizes {
		if size < 0 || size > 31 {
			return nil, cli.Usage("--sizes: 2^%d characters: want 0 to 31", size)
		}
		p.Sizes = append(p.Sizes, 1<<size)
	}
	if f.repeats < 1 {
		return nil, cli.Usage("--repeats is positive")
	}
	var err error
	if p.Texts, err = f.texts(ctx, args); err != nil {
		return nil, err
	}
	if err := cli.MakeDirectory(f.out); err != nil {
		return nil, err
	}
	p.Open, p.Progress = f.OpenDevice, f.tell
	p.Done = func(r *bench.PapersReport, figure *bench.PaperFigure) error {
		if f.out != "" {
			if err := paperFiles(f.out, figure); err != nil {
				return err
			}
		}
		if f.json {
			return nil
		}
		if len(r.Figures) == 1 {
			fmt.Printf("%s, driver %s; all results verified\n", r.Device, r.Driver)
		}
		return printPaper(os.Stdout, figure)
	}
	return p.Run(ctx)
}

// texts reads the arguments.
func (f *papersFlags) texts(ctx context.Context, args []string) ([]bench.Text, error) {
	if len(args) == 0 {
		return []bench.Text{{Name: "opticks.txt", Data: opticks.Text}}, nil
	}
	var texts []bench.Text
	for _, arg := range args {
		data, err := f.ReadText(ctx, arg, nil)
		if err != nil {
			return nil, err
		}
		if len(data) == 0 {
			return nil, cli.Usage("%s is empty", arg)
		}
		name := filepath.Base(arg)
		if slices.ContainsFunc(texts, func(t bench.Text) bool { return t.Name == name }) {
			name = arg
		}
		texts = append(texts, bench.Text{Name: name, Data: data})
	}
	return texts, nil
}

// axes say how a figure's rows are laid out: what names a line and a column of the table.
func axes(f *bench.PaperFigure, r bench.PaperRow) (line, column string) {
	line, column = r.Text, r.Algorithm
	switch {
	case r.Phase != "":
		line, column = r.Text+", "+r.Algorithm, r.Phase
	case f.Axis == "characters":
		line = fmt.Sprintf("%s, %d", r.Text, r.X)
	case f.Axis != "":
		column = strconv.Itoa(r.X)
	}
	return line, column
}

// cell is a row's value: ms where a parameter varies, of phases with their share, MB/s of
// algorithms.
func cell(f *bench.PaperFigure, r bench.PaperRow) string {
	switch {
	case r.Problem != "":
		return "no memory"
	case r.Phase != "":
		return fmt.Sprintf("%.2f (%.0f %%)", r.Seconds*1e3, 100*r.Share)
	case f.Axis == "" || f.Axis == "characters":
		return fmt.Sprintf("%.1f", r.MBps)
	}
	return fmt.Sprintf("%.3f", r.Seconds*1e3)
}

func unit(f *bench.PaperFigure) string {
	switch f.Axis {
	case "characters":
		return "MB/s"
	case "":
		if f.Rows[0].Phase != "" {
			return "ms"
		}
		return "MB/s"
	}
	return "ms"
}

func printPaper(w io.Writer, f *bench.PaperFigure) error {
	fmt.Fprintf(w, "\n%s: %s; %s\n\n", f.Source, f.Title, unit(f))
	printPaperTable(w, f)
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "claim\tpaper\there")
	for _, c := range f.Claims {
		fmt.Fprintf(t, "%s\t%s\t%s\n", c.What, c.Paper, c.Here)
	}
	return cli.StandardOutput(t.Flush())
}

// printPaperTable puts measured lines first, then those of each publication.
func printPaperTable(w io.Writer, f *bench.PaperFigure) {
	const published = "published"
	type place struct{ block, line, column string }
	var columns, blocks []string
	lines, cells := map[string][]string{}, map[place]string{} // lines by block
	once := func(list []string, s string) []string {
		if slices.Contains(list, s) {
			return list
		}
		return append(list, s)
	}
	head := "text"
	for _, r := range f.Rows {
		line, column := axes(f, r)
		columns, blocks = once(columns, column), once(blocks, r.Paper)
		lines[r.Paper] = once(lines[r.Paper], line)
		cells[place{r.Paper, line, column}] = cell(f, r)
		cells[place{r.Paper, line, published}] = r.Paper
		if f.Axis != "" && f.Axis != "characters" {
			head = "text, " + f.Axis
		}
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	if len(blocks) > 1 {
		columns = append(columns, published)
	}
	fmt.Fprintf(t, "%s\t%s\t\n", head, strings.Join(columns, "\t"))
	for _, block := range blocks {
		for _, line := range lines[block] {
			fmt.Fprint(t, line)
			for _, column := range columns {
				fmt.Fprint(t, "\t"+cells[place{block, line, column}])
			}
			fmt.Fprintln(t, "\t")
		}
	}
	t.Flush()
}

// paperFiles writes the table and the plot of a figure.
func paperFiles(dir string, f *bench.PaperFigure) error {
	err := cli.SaveFile(filepath.Join(dir, f.Name+".csv"), func(w io.Writer) error {
		c := csv.NewWriter(w)
		c.Write([]string{"text", "characters", "algorithm", cmp.Or(f.Axis, "x"), "phase", "seconds", "mean_seconds",
			"share", "mb_per_s", "paper", "problem"})
		for _, r := range f.Rows {
			cells := []string{r.Text, strconv.Itoa(r.Characters), r.Algorithm, "", r.Phase}
			if f.Axis != "" {
				cells[3] = strconv.Itoa(r.X)
			}
			for _, v := range []float64{r.Seconds, r.Mean, r.Share, r.MBps} {
				text := ""
				if v != 0 {
					text = strconv.FormatFloat(v, 'g', 6, 64)
				}
				cells = append(cells, text)
			}
			c.Write(append(cells, r.Paper, r.Problem))
		}
		c.Flush()
		return c.Error()
	})
	if err != nil {
		return err
	}
	name, title := filepath.Join(dir, f.Name+".png"), f.Source+": "+f.Title
	if f.Axis == "" {
		return drawBars(name, title, unit(f), paperBars(f))
	}
	return drawLines(name, title, f.Axis, unit(f), paperLines(f))
}

func paperBars(f *bench.PaperFigure) bars {
	var b bars
	for _, r := range f.Rows {
		line, column := axes(f, r)
		if r.Paper != "" {
			line += " (published)"
		}
		value := r.MBps
		if r.Phase != "" {
			value, b.stacked = r.Seconds*1e3, true
		}
		b.set(line, column, value)
	}
	return b
}

func paperLines(f *bench.PaperFigure) map[string]plotter.XYs {
	lines := map[string]plotter.XYs{}
	for _, r := range f.Rows {
		name, y := r.Text, r.Seconds*1e3
		if f.Axis == "characters" {
			name, y = r.Text+", "+r.Algorithm, r.MBps
		}
		if r.Paper != "" {
			name += " (published)"
		}
		if y > 0 {
			lines[name] = append(lines[name], plotter.XY{X: float64(r.X), Y: y})
		}
	}
	return lines
}
