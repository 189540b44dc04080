package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"gonum.org/v1/plot/plotter"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/testkit/synthetic"
	"github.com/suffixcl/suffixcl/lab/bench"
	"github.com/suffixcl/suffixcl/seqio"
)

const benchRepeatsHelp = `Measure longest repeats on prefixes of texts, as Tian & Xu (2015) do:

  Table 2    the steps of the walks
  Figure 4   time over size
  Table 3    speed-ups over the sequential O(n) algorithm
  Table 4    peak memory

Rank and LCP array are given, in host memory for algorithms on the CPU and in that of the
device for others. "end to end" is from text to result in host memory. CPU times are means
of --runs, device times the best of 5. Every result is compared with every other.

Walks of too many steps in all are left out (--cpu-limit for each core, --device-limit).
--adversarial adds texts as long as the first, made so that walks are long.
--out DIR writes the tables as CSV and the charts as PNG and SVG there.`

type benchRepeatsFlags struct {
	labFlags
	sizes       []string
	out         string
	adversarial bool
	options     bench.RepeatsOptions
}

func benchRepeatsCommand() *cobra.Command {
	var flags benchRepeatsFlags
	c := &cobra.Command{
		Use:   "repeats TEXT...",
		Short: "Measure longest repeats",
		Long:  benchRepeatsHelp,
		RunE:  cli.Work(func(ctx context.Context, args []string) error { return runBenchRepeats(ctx, &flags, args) }),
	}
	flags.DeviceFlags.Add(c.Flags())
	flags.TextFlags.Add(c.Flags(), seqio.Plain)
	cli.AddJSON(c.Flags(), &flags.json)
	c.Flags().StringSliceVar(&flags.sizes, "sizes", nil,
		"lengths of the prefixes, such as 10M,20M; the whole text comes last")
	c.Flags().StringVar(&flags.out, "out", "", "directory for tables and charts")
	c.Flags().IntVar(&flags.options.Runs, "runs", 3, "runs of each algorithm on the CPU")
	c.Flags().Float64Var(&flags.options.CPULimit, "cpu-limit", 1e10, "most steps of all walks, for each core")
	c.Flags().Float64Var(&flags.options.DeviceLimit, "device-limit", 0,
		"most steps of all walks on the device; 0: 1e11 on a GPU, else 1e9")
	c.Flags().BoolVar(&flags.options.Sequential, "sequential", false, "on the CPU, only one core")
	c.Flags().BoolVar(&flags.options.DeviceOnly, "device-only", false, "nothing on the CPU")
	c.Flags().BoolVar(&flags.options.Given, "given", false, "only with rank and LCP array given")
	c.Flags().BoolVar(&flags.adversarial, "adversarial", false, "texts with long walks, too")
	cli.AddQuiet(c.Flags(), &flags.quiet)
	return c
}

// repeatsReport is what `bench repeats --json` writes.
type repeatsReport struct {
	Device string                 `json:"device"`
	Driver string                 `json:"driver"`
	Cores  int                    `json:"cpu_cores"`
	Texts  []*bench.RepeatsReport `json:"texts"`
}

func runBenchRepeats(ctx context.Context, flags *benchRepeatsFlags, names []string) error {
	var sizes []int
	for _, text := range flags.sizes {
		n, err := bytesize.Parse(text)
		if err != nil {
			return cli.Usage("--sizes: %v", err)
		}
		sizes = append(sizes, int(n))
	}
	slices.Sort(sizes)
	if err := cli.MakeDirectory(flags.out); err != nil {
		return err
	}
	s, err := flags.OpenDevice(false)
	if err != nil {
		return err
	}
	e, err := suffixcl.New(s, suffixcl.EngineOptions{KeepMemory: -1})
	if err != nil {
		s.Close()
		return err
	}
	defer e.Close()
	if flags.options.DeviceLimit == 0 {
		if flags.options.DeviceLimit = 1e11; s.Caps().CPUShape {
			flags.options.DeviceLimit = 1e9
		}
	}
	report := repeatsReport{Device: s.Caps().Name, Driver: s.Caps().DriverVersion, Cores: runtime.NumCPU()}
	measure := func(name string, text []byte) error {
		flags.tell("%s, %d characters", name, len(text))
		r, err := bench.Repeats(ctx, s, e, name, text, flags.options)
		if err == nil {
			report.Texts = append(report.Texts, r)
		}
		return err
	}
	first := 0
	for i, name := range names {
		text, err := flags.ReadText(ctx, name, func(n int64) error {
			plan, err := e.Repeats(suffixcl.Length(1, int(n)), suffixcl.RepeatOptions{All: true}).Plan(ctx)
			if err != nil {
				return err
			}
			return plan.Fits(s)
		})
		if err != nil {
			return err
		}
		if len(text) == 0 {
			return fmt.Errorf("%s is empty", name)
		}
		if i == 0 {
			first = len(text)
		}
		lengths := slices.DeleteFunc(slices.Clone(sizes), func(n int) bool { return n <= 0 || n >= len(text) })
		for _, n := range append(lengths, len(text)) {
			if err := measure(filepath.Base(name), text[:n]); err != nil {
				return err
			}
		}
	}
	if flags.adversarial {
		texts := synthetic.Adversarial(first)
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			if err := measure("adversarial "+name, texts[name]); err != nil {
				return err
			}
		}
	}
	tables := report.tables()
	if flags.out != "" {
		if err := report.save(flags.out, tables); err != nil {
			return err
		}
	}
	if flags.json {
		return cli.PrintJSON(os.Stdout, report)
	}
	fmt.Printf("%s, driver %s; CPU of %s\n", report.Device, report.Driver, bytesize.Count(report.Cores, "core"))
	for _, t := range tables {
		if err := t.print(os.Stdout); err != nil {
			return err
		}
	}
	return nil
}

// whole are the reports of whole texts: the last of each.
func (r *repeatsReport) whole() []*bench.RepeatsReport {
	var list []*bench.RepeatsReport
	for i, t := range r.Texts {
		if i+1 == len(r.Texts) || r.Texts[i+1].Text != t.Text {
			list = append(list, t)
		}
	}
	return list
}

func (r *repeatsReport) tables() []sheet {
	steps := sheet{"table2", "Table 2: LLRs that cover a position",
		[][]string{{"text", "bytes", "useful", "raw min", "raw max", "raw mean (alpha)", "compact min", "compact max",
			"compact mean (beta)", "longest repeats of a position"}}}
	times := sheet{"figure4", "Figure 4: time", [][]string{{"text", "bytes", "query", "algorithm", "seconds", "MB/s"}}}
	speed := sheet{"table3", "Table 3: speed-up over the sequential O(n) algorithm for the leftmost", nil}
	memory := sheet{"table4", "Table 4: peak memory, bytes a character", nil}
	for _, t := range r.Texts {
		for _, run := range t.Runs {
			rate := 0.0
			if run.Seconds > 0 {
				rate = float64(run.Bytes) / 1e6 / run.Seconds
			}
			times.rows = append(times.rows, []string{t.Text, strconv.Itoa(t.Bytes), run.Query, run.Algorithm,
				number(run.Seconds), number(rate)})
		}
	}
	for i, t := range r.whole() {
		steps.rows = append(steps.rows, []string{t.Text, strconv.Itoa(t.Bytes), strconv.Itoa(t.Useful),
			fmt.Sprint(t.Raw.Min), fmt.Sprint(t.Raw.Max), number(t.Raw.Mean), fmt.Sprint(t.Compact.Min),
			fmt.Sprint(t.Compact.Max), number(t.Compact.Mean),
			number(float64(t.AllCount) / float64(t.Bytes))})
		head, ratios, bytes := []string{"text", "bytes"}, []string{t.Text, strconv.Itoa(t.Bytes)},
			[]string{t.Text, strconv.Itoa(t.Bytes)}
		old := 0.0
		for _, run := range t.Runs {
			if run.Algorithm == bench.Optimal {
				old = run.Seconds
			}
		}
		for _, run := range t.Runs {
			head = append(head, run.Query+" "+run.Algorithm)
			ratio := 0.0
			if run.Seconds > 0 {
				ratio = old / run.Seconds
			}
			ratios = append(ratios, number(ratio))
			bytes = append(bytes, number(float64(run.PeakBytes)/float64(t.Bytes)))
		}
		if i == 0 {
			speed.rows, memory.rows = append(speed.rows, head), append(memory.rows, head)
		}
		speed.rows, memory.rows = append(speed.rows, ratios), append(memory.rows, bytes)
	}
	return []sheet{steps, times, turned(speed), turned(memory)}
}

// charts are time over size of each text and query.
func (r *repeatsReport) charts() map[string]*chart {
	all := make(map[string]*chart)
	for _, t := range r.Texts {
		for _, run := range t.Runs {
			if run.Seconds == 0 {
				continue
			}
			name := "figure4-" + run.Query + "-" + fileName(t.Text)
			c := all[name]
			if c == nil {
				c = &chart{title: fmt.Sprintf("%s longest repeats of %s, %s", run.Query, t.Text, r.Device), x: "characters",
					y: "seconds", logX: true, logY: true, markers: true}
				all[name] = c
			}
			at := slices.IndexFunc(c.lines, func(l line) bool { return l.name == run.Algorithm })
			if at < 0 {
				at = len(c.lines)
				c.lines = append(c.lines, line{name: run.Algorithm})
			}
			c.lines[at].points = append(c.lines[at].points, plotter.XY{X: float64(run.Bytes), Y: run.Seconds})
		}
	}
	return all
}

func (r *repeatsReport) save(dir string, tables []sheet) error {
	for _, t := range tables {
		write := func(w io.Writer) error { return csv.NewWriter(w).WriteAll(t.rows) }
		if err := cli.SaveFile(filepath.Join(dir, t.name+".csv"), write); err != nil {
			return err
		}
	}
	charts := r.charts()
	for _, name := range slices.Sorted(maps.Keys(charts)) {
		for _, format := range []string{"png", "svg"} {
			write := func(w io.Writer) error { return charts[name].write(w, format) }
			if err := cli.SaveFile(filepath.Join(dir, name+"."+format), write); err != nil {
				return err
			}
		}
	}
	return nil
}

// fileName is the name of a text as part of a file's.
func fileName(text string) string {
	return strings.Map(func(r rune) rune {
		if r <= ' ' || r == '/' {
			return '_'
		}
		return r
	}, text)
}
