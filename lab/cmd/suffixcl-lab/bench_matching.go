package main

import (
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/lab/bench"
	"github.com/suffixcl/suffixcl/seqio"
	"gonum.org/v1/plot/plotter"
)

const benchMatchingHelp = `Measure the search for many queries in a reference, as Liao, Sun, Ma & Qin do ("GPU
accelerated multiple deoxyribose nucleic acid sequence parallel matching"). The search is
by suffix array and suffix tree, on the device and on the CPU. Transfers and kernel are
timed apart. Half of the queries are pieces of the reference, half such pieces with one base
of twenty changed. All methods must find the same.

With --out, the directory gets matching.csv and the paper's figures 4 to 6:
matching-cpu.png and matching-device.png (total time), matching-parts.png (transfers and
kernel), matching-speedup.png (device over one thread of the CPU).`

type matchingFlags struct {
	labFlags
	reference string
	bases     int
	length    int
	queries   []int
	threads   []int
	cpuMax    int
	out       string
}

func benchMatchingCommand() *cobra.Command {
	var f matchingFlags
	c := &cobra.Command{
		Use:   "matching",
		Short: "Measure suffix array and suffix tree, device and CPU",
		Long:  benchMatchingHelp,
		RunE:  cli.Work(func(ctx context.Context, _ []string) error { return runBenchMatching(ctx, &f) }),
	}
	f.DeviceFlags.Add(c.Flags())
	f.TextFlags.Add(c.Flags(), seqio.Plain)
	cli.AddJSON(c.Flags(), &f.json)
	cli.AddQuiet(c.Flags(), &f.quiet)
	c.Flags().StringVar(&f.reference, "reference", "",
		"the reference, of which the first --bases count; random DNA without it")
	c.Flags().IntVar(&f.bases, "bases", 10_000_000, "length of the reference")
	c.Flags().IntVar(&f.length, "length", 1024, "length of a query")
	c.Flags().IntSliceVar(&f.queries, "sets", []int{512, 2048, 8192, 32768, 131072, 524288, 2097152}, "numbers of queries")
	c.Flags().IntSliceVar(&f.threads, "threads", []int{1, 2, 4, 8}, "threads of the CPU")
	c.Flags().IntVar(&f.cpuMax, "cpu-max", 0, "largest set that the CPU is given; 0: any")
	c.Flags().StringVar(&f.out, "out", "", "directory for CSV and figures")
	return c
}

func runBenchMatching(ctx context.Context, f *matchingFlags) error {
	slices.Sort(f.queries)
	switch {
	case len(f.queries) == 0 || f.queries[0] < 1 || f.bases < 1 || f.length < 1 || f.length > f.bases:
		return cli.Usage("--sets, --bases and --length are positive, and queries no longer than the reference")
	case int64(f.queries[len(f.queries)-1])*int64(f.length) > math.MaxUint32:
		return cli.Usage("--sets: %d queries of %d bases are more than 4 GiB", f.queries[len(f.queries)-1], f.length)
	case len(f.threads) > 0 && slices.Min(f.threads) < 1:
		return cli.Usage("--threads are positive")
	}
	if err := cli.MakeDirectory(f.out); err != nil {
		return err
	}
	reference, err := f.text(ctx)
	if err != nil {
		return err
	}
	s, err := f.OpenDevice(false)
	if err != nil {
		return err
	}
	caps := *s.Caps()
	m := bench.Matching{Reference: reference, Length: f.length, Queries: f.queries, Threads: f.threads,
		MostOnCPU: cmp.Or(f.cpuMax, math.MaxInt),
		Progress:  f.tell}
	report, err := m.Run(ctx, s)
	if err != nil {
		return err
	}
	if f.out != "" {
		if err := matchingFiles(f.out, report); err != nil {
			return err
		}
	}
	if f.json {
		return cli.PrintJSON(os.Stdout, struct {
			Device string `json:"device"`
			Driver string `json:"driver"`
			*bench.MatchingReport
		}{caps.Name, caps.DriverVersion, report})
	}
	return printMatching(os.Stdout, &caps, report)
}

// text reads the reference, or makes one.
func (f *matchingFlags) text(ctx context.Context) ([]byte, error) {
	if f.reference == "" {
		rng := rand.New(rand.NewPCG(2, 2))
		text := make([]byte, f.bases)
		for i := range text {
			text[i] = "ACGT"[rng.IntN(4)]
		}
		return text, nil
	}
	text, err := f.ReadText(ctx, f.reference, nil)
	if err == nil && len(text) < f.bases {
		err = fmt.Errorf("%s has %d bases; --bases asks for %d", f.reference, len(text), f.bases)
	}
	return text[:min(len(text), f.bases)], err
}

func printMatching(w io.Writer, caps *device.Caps, r *bench.MatchingReport) error {
	fmt.Fprintf(w, "%s, driver %s; %d characters, queries of %d, %d of the largest set occur\n\n", caps.Name,
		caps.DriverVersion, r.Reference, r.Length, r.Found)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "bytes\tper character\tindex\t")
	for _, size := range r.Sizes {
		fmt.Fprintf(t, "%d\t%.2f\t%s\t\n", size.Bytes, float64(size.Bytes)/float64(r.Reference), size.Name)
	}
	t.Flush()
	fmt.Fprintln(w)
	fmt.Fprintln(t, "queries\twhere\tmethod\tindex ms\tqueries ms\tkernel ms\tresult ms\ttotal ms\tM queries/s\tspeedup\t")
	for _, row := range r.Rows {
		fmt.Fprintf(t, "%d\t%s\t%s\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%s\t\n", row.Queries, where(row), row.Method,
			row.Index*1e3, row.Upload*1e3, row.Kernel*1e3, row.Result*1e3, row.Total()*1e3,
			float64(row.Queries)/row.Kernel/1e6, speedup(r, row))
	}
	return cli.StandardOutput(t.Flush())
}

func where(row bench.MatchingRow) string {
	if row.Threads > 0 {
		return fmt.Sprintf("cpu, %d", row.Threads)
	}
	return row.Where
}

// serial is the time of one thread of the CPU for the same structure and set, 0 if it was
// not measured.
func serial(r *bench.MatchingReport, row bench.MatchingRow) float64 {
	structure := "array"
	if row.Method == "tree" {
		structure = "tree"
	}
	for _, other := range r.Rows {
		if other.Threads == 1 && other.Method == structure && other.Queries == row.Queries {
			return other.Total()
		}
	}
	return 0
}

// speedup is by total time.
func speedup(r *bench.MatchingReport, row bench.MatchingRow) string {
	if one := serial(r, row); one > 0 {
		return fmt.Sprintf("%.1f", one/row.Total())
	}
	return ""
}

// matchingFiles writes the table and the figures.
func matchingFiles(dir string, r *bench.MatchingReport) error {
	err := cli.SaveFile(filepath.Join(dir, "matching.csv"), func(to io.Writer) error {
		w := csv.NewWriter(to)
		w.Write([]string{"where", "threads", "method", "queries", "index_transfer_s", "query_transfer_s", "kernel_s",
			"result_transfer_s", "total_s", "speedup"})
		for _, row := range r.Rows {
			cells := []string{row.Where, strconv.Itoa(row.Threads), row.Method, strconv.Itoa(row.Queries)}
			for _, v := range []float64{row.Index, row.Upload, row.Kernel, row.Result, row.Total()} {
				cells = append(cells, strconv.FormatFloat(v, 'g', 6, 64))
			}
			w.Write(append(cells, speedup(r, row)))
		}
		w.Flush()
		return w.Error()
	})
	if err != nil {
		return err
	}
	total := func(row bench.MatchingRow) map[string]float64 {
		name := row.Method
		if row.Threads > 0 {
			name = fmt.Sprintf("%s, %d threads", row.Method, row.Threads)
		}
		return map[string]float64{name: row.Total()}
	}
	for _, figure := range []struct {
		name, title, unit string
		of                string // where
		value             func(bench.MatchingRow) map[string]float64
	}{
		{"matching-cpu.png", "Figure 4, left: CPU", "seconds", "cpu", total},
		{"matching-device.png", "Figure 4, right: device, transfers included", "seconds", "device", total},
		{"matching-parts.png", "Figure 5: transfers and kernel", "seconds", "device",
			func(row bench.MatchingRow) map[string]float64 {
				return map[string]float64{row.Method + ", kernel": row.Kernel, row.Method + ", transfers": row.Total() - row.Kernel}
			}},
		{"matching-speedup.png", "Figure 6: device over one thread of the CPU", "times", "device",
			func(row bench.MatchingRow) map[string]float64 {
				one := serial(r, row)
				return map[string]float64{row.Method: one / row.Total(), row.Method + ", kernel": one / row.Kernel}
			}},
	} {
		lines := map[string]plotter.XYs{}
		for _, row := range r.Rows {
			if row.Where != figure.of {
				continue
			}
			for name, y := range figure.value(row) {
				if y > 0 {
					lines[name] = append(lines[name], plotter.XY{X: float64(row.Queries), Y: y})
				}
			}
		}
		if err := drawLines(filepath.Join(dir, figure.name), figure.title, "queries", figure.unit, lines); err != nil {
			return err
		}
	}
	return nil
}
