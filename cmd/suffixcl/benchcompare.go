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
)

const benchCompareHelp = `Put results of "bench primitives --json" or "bench sort --json" side by side: items (bytes of
text) a second, how many times those of the first file, and the share of a plain copy's
bandwidth on the same device, by which devices of different memory compare.

Only the same can be compared: files of another version of suffixcl, or of other
primitives, texts or sizes, are refused.`

func benchCompareCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "compare REPORT.json REPORT.json...",
		Short: "Compare measurements of several devices",
		Long:  benchCompareHelp,
		Args:  cobra.MinimumNArgs(2),
		RunE: work(func(_ context.Context, args []string) error {
			var reports []benchReport
			for _, name := range args {
				r, err := readBench(name)
				if err == nil && len(reports) > 0 {
					err = alike(reports[0], r)
				}
				if err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				reports = append(reports, r)
			}
			rows := compareBench(reports)
			if asJSON {
				return printJSON(os.Stdout, map[string]any{"devices": reports, "rows": rows})
			}
			return printComparison(os.Stdout, reports, rows)
		}),
	}
	c.Flags().BoolVar(&asJSON, "json", false, "write one JSON object instead of a table")
	return c
}

func readBench(name string) (benchReport, error) {
	var r benchReport
	data, err := os.ReadFile(name)
	if err != nil {
		return r, pathless(err)
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return r, err
	}
	if r.Version+r.Sorting != benchVersion || r.CopyGBps <= 0 || len(r.Results) == 0 {
		return r, fmt.Errorf("not a report of bench primitives or sort --json, version %d", benchVersion)
	}
	for _, m := range r.Results {
		if m.ItemsPerSecond <= 0 {
			return r, fmt.Errorf("%s, %d items: no measurement", m.Primitive, m.Items)
		}
	}
	return r, nil
}

// alike refuses what is not the same measurement as the first.
func alike(first, r benchReport) error {
	if r.Version != first.Version {
		return errors.New("a report of another kind than the first")
	}
	if r.Library != first.Library {
		return fmt.Errorf("measured with %s, the first with %s", r.Library, first.Library)
	}
	if len(r.Results) != len(first.Results) {
		return fmt.Errorf("%s, the first has %d", plural(len(r.Results), "measurement"), len(first.Results))
	}
	for i, m := range r.Results {
		if f := first.Results[i]; m.Primitive != f.Primitive || m.Items != f.Items {
			return fmt.Errorf("measurement %d is of %s, %d items, in the first of %s, %d items", i+1, m.Primitive, m.Items, f.Primitive, f.Items)
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
	if err := t.Flush(); err != nil {
		return fmt.Errorf("writing standard output: %w", pathless(err))
	}
	return nil
}
