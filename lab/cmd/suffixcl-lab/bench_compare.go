package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/lab/bench"
	"github.com/suffixcl/suffixcl/lab/runner"
)

const benchCompareHelp = `Put measurements of several devices side by side: results of "bench primitives --json" or
"bench sort --json", or reports of "conformance". The table has items (bytes of text) a
second, how many times those of the first, and the share of a plain copy's bandwidth on
the same device. By that share devices of different memory compare. --plot draws it.

Or compare two results of "bench verbs", the old and the new, of one device. They may be of
different versions. If a verb takes --slower percent longer, or more, the exit code is 5.

Of devices, only the same can be compared: files of another version of suffixcl, or of other
algorithms, inputs or sizes, are refused.`

func benchCompareCommand() *cobra.Command {
	var asJSON bool
	var plotName string
	var slower float64
	c := &cobra.Command{
		Use:   "compare REPORT.json...",
		Short: "Compare measurements of several devices, or of verbs",
		Long:  benchCompareHelp,
		RunE: cli.Work(func(_ context.Context, args []string) error {
			if plotName != "" && !strings.HasSuffix(plotName, ".png") {
				return cli.Usage("--plot: %s does not end in .png", plotName)
			}
			if len(args) > 0 {
				switch _, verbs, err := readVerbs(args[0]); {
				case err != nil:
					return fmt.Errorf("%s: %w", args[0], err)
				case verbs && plotName != "":
					return cli.Usage("--plot: verbs are not drawn")
				case verbs:
					return runCompareVerbs(os.Stdout, args, slower, asJSON)
				}
			}
			var reports []benchReport
			for _, name := range args {
				list, err := readBench(name)
				if err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				for _, r := range list {
					if len(reports) > 0 {
						if err := alike(reports[0], r); err != nil {
							return fmt.Errorf("%s: %w", name, err)
						}
					}
					reports = append(reports, r)
				}
			}
			if len(reports) < 2 {
				return cli.Usage("one device: nothing to compare it with")
			}
			rows := compareBench(reports)
			if plotName != "" {
				if err := plotComparison(plotName, reports, rows); err != nil {
					return err
				}
			}
			if asJSON {
				return cli.PrintJSON(os.Stdout, map[string]any{"devices": reports, "rows": rows})
			}
			return printComparison(os.Stdout, reports, rows)
		}),
	}
	c.Flags().BoolVar(&asJSON, "json", false, "write one JSON object instead of a table")
	c.Flags().Float64Var(&slower, "slower", defaultSlower, "percent by which a verb may not become slower")
	c.Flags().StringVar(&plotName, "plot", "", "draw the shares of the copies' bandwidth, .png")
	return c
}

// readBench reads the measurements of a device, or of those of a conformance report.
func readBench(name string) ([]benchReport, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, cli.WithoutPath(err)
	}
	var list []benchReport
	if all, err := runner.ParseSummary(data); err == nil {
		for _, run := range all.Runs {
			list = append(list, measuredBy(run))
		}
	} else {
		var r benchReport
		if err := json.Unmarshal(data, &r); err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	for _, r := range list {
		if err := r.check(); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// measuredBy is what a conformance run has measured.
func measuredBy(run *runner.RunSummary) benchReport {
	r := benchReport{Version: benchVersion, Library: run.Library, Device: run.Device, Driver: run.Driver,
		CopyGBps: run.CopyGBps(),
		Inputs:   fmt.Sprintf("%s, seed %d", run.Level, run.Seed)}
	for _, s := range run.Measured() {
		r.Results = append(r.Results, bench.Result{Primitive: s.Subject, Items: s.Speed.Items, Seconds: s.Speed.Seconds,
			ItemsPerSecond: s.Speed.PerSecond, GBps: s.Speed.GBps, CopyShare: s.Speed.GBps / r.CopyGBps})
	}
	return r
}

func (r *benchReport) check() error {
	if r.Version+r.Sorting != benchVersion || r.CopyGBps <= 0 || len(r.Results) == 0 {
		return fmt.Errorf("not a report of bench primitives or sort --json, version %d, "+
			"nor one of conformance with measurements", benchVersion)
	}
	for _, m := range r.Results {
		if m.ItemsPerSecond <= 0 {
			return fmt.Errorf("%s, %d items: no measurement", m.Primitive, m.Items)
		}
	}
	return nil
}

// alike refuses what is not the same measurement as the first.
func alike(first, r benchReport) error {
	if r.Version != first.Version {
		return errors.New("a report of another kind than the first")
	}
	if r.Library != first.Library {
		return fmt.Errorf("measured with %s, the first with %s", r.Library, first.Library)
	}
	if r.Inputs != first.Inputs {
		return fmt.Errorf("measured on other inputs (%s) than the first (%s)", r.Inputs, first.Inputs)
	}
	if len(r.Results) != len(first.Results) {
		return fmt.Errorf("%s, the first has %d", bytesize.Count(len(r.Results), "measurement"), len(first.Results))
	}
	for i, m := range r.Results {
		if f := first.Results[i]; m.Primitive != f.Primitive || m.Items != f.Items {
			return fmt.Errorf("measurement %d is of %s, %d items, in the first of %s, %d items", i+1, m.Primitive, m.Items,
				f.Primitive, f.Items)
		}
	}
	return nil
}

// comparison is a primitive on all devices, in the order of the files.
type comparison struct {
	Primitive string   `json:"primitive"`
	Items     int      `json:"items"`
	On        []placed `json:"on"`
}

type placed struct {
	ItemsPerSecond float64 `json:"items_per_s"`
	Ratio          float64 `json:"ratio"` // to the first file
	CopyShare      float64 `json:"copy_share"`
}

func compareBench(reports []benchReport) []comparison {
	var rows []comparison
	for i, first := range reports[0].Results {
		row := comparison{Primitive: first.Primitive, Items: first.Items}
		for _, r := range reports {
			m := r.Results[i]
			row.On = append(row.On, placed{m.ItemsPerSecond, m.ItemsPerSecond / first.ItemsPerSecond, m.GBps / r.CopyGBps})
		}
		rows = append(rows, row)
	}
	return rows
}

func printComparison(w io.Writer, reports []benchReport, rows []comparison) error {
	for i, r := range reports {
		fmt.Fprintf(w, "%c: %s, driver %s, copy %.1f GB/s\n", 'A'+rune(i), r.Device, r.Driver, r.CopyGBps)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	header := "primitive\titems\t"
	for i := range reports {
		header += fmt.Sprintf("%c G items/s\tratio\tof copy\t", 'A'+rune(i))
	}
	fmt.Fprintln(t, header)
	for _, row := range rows {
		var line strings.Builder
		fmt.Fprintf(&line, "%s\t%d\t", row.Primitive, row.Items)
		for _, p := range row.On {
			fmt.Fprintf(&line, "%.3f\t%.2f\t%.2f\t", p.ItemsPerSecond/1e9, p.Ratio, p.CopyShare)
		}
		fmt.Fprintln(t, line.String())
	}
	return cli.StandardOutput(t.Flush())
}

// plotComparison draws the shares; what has none is left out.
func plotComparison(name string, reports []benchReport, rows []comparison) error {
	var b bars
	for _, row := range rows {
		for i, p := range row.On {
			if p.CopyShare > 0 {
				b.set(fmt.Sprintf("%s, %d", row.Primitive, row.Items), fmt.Sprintf("%c: %s", 'A'+rune(i), reports[i].Device),
					100*p.CopyShare)
			}
		}
	}
	return drawBars(name, "Share of the copy's bandwidth on the same device", "%", b)
}
