package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/lab/bench"
)

const benchPrimitivesHelp = `Measure the primitives on device-resident data: items a second, GB/s of the bytes
that the job has to move, and the share of a plain copy's bandwidth in the same run.
Every result is checked.

--reference runs a program that measures the same on the same device, such as
lab/bench/cub/cub ("make cub"), with the sizes as arguments, and puts the ratio next
to each result. It must write a JSON object a line: primitive, items, items_per_s.`

type primitivesFlags struct {
	labFlags
	sizes     []int
	only      string
	reference string
}

func benchPrimitivesCommand() *cobra.Command {
	var flags primitivesFlags
	c := &cobra.Command{
		Use:   "primitives",
		Short: "Measure scan, compaction and sorts",
		Long:  benchPrimitivesHelp,
		RunE:  cli.Work(func(ctx context.Context, _ []string) error { return runBenchPrimitives(ctx, &flags) }),
	}
	flags.DeviceFlags.Add(c.Flags())
	c.Flags().IntSliceVar(&flags.sizes, "sizes", []int{20, 24}, "items, as powers of two")
	c.Flags().StringVar(&flags.only, "only", "", "those with this in their names, as \"segmented sort\"")
	c.Flags().StringVar(&flags.reference, "reference", "", "program that measures another library")
	cli.AddJSON(c.Flags(), &flags.json)
	cli.AddQuiet(c.Flags(), &flags.quiet)
	return c
}

func runBenchPrimitives(ctx context.Context, flags *primitivesFlags) error {
	for _, size := range flags.sizes {
		if size < 0 || size > 31 {
			return cli.Usage("--sizes: 2^%d items: want 0 to 31", size)
		}
	}
	cases := slices.DeleteFunc(bench.Primitives(), func(c bench.Case) bool {
		return !strings.Contains(c.Primitive, flags.only)
	})
	if len(cases) == 0 {
		return cli.Usage("--only: no primitive has %q in its name", flags.only)
	}
	s, err := flags.OpenDevice(false)
	if err != nil {
		return err
	}
	defer s.Close()
	report := benchReport{
		Version: benchVersion, Library: cli.Library(), Device: s.Caps().Name, Driver: s.Caps().DriverVersion,
	}
	largest := 0
	for _, size := range flags.sizes {
		largest = max(largest, 1<<size)
	}
	copied := min(int64(max(largest, 1<<24))*4, s.Caps().MaxAlloc)
	if report.CopyGBps, err = bench.CopyGBps(ctx, s, int(copied)); err != nil {
		return err
	}
	reference, err := flags.measureReference(ctx)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	if !flags.json {
		fmt.Printf("%s, driver %s, copy %.0f GB/s\n", report.Device, report.Driver, report.CopyGBps)
		fmt.Fprintln(table, "primitive\titems\tms\tG items/s\tGB/s\tof copy\treference\tratio")
	}
	for _, c := range cases {
		for _, size := range flags.sizes {
			flags.tell("%s, 2^%d items", c.Primitive, size)
			r, err := c.Run(ctx, s, 1<<size)
			if err != nil {
				return err
			}
			r.CopyShare = r.GBps / report.CopyGBps
			r.Reference = reference[benchKey{r.Primitive, r.Items}]
			report.Results = append(report.Results, r)
			if !flags.json {
				ratio, other := "", ""
				if r.Reference > 0 {
					ratio, other = fmt.Sprintf("%.2f", r.Ratio()), fmt.Sprintf("%.2f", r.Reference/1e9)
				}
				fmt.Fprintf(table, "%s\t2^%d\t%.3f\t%.2f\t%.0f\t%.2f\t%s\t%s\n",
					r.Primitive, size, r.Seconds*1e3, r.ItemsPerSecond/1e9, r.GBps, r.CopyShare, other, ratio)
			}
		}
	}
	if flags.json {
		return cli.PrintJSON(os.Stdout, report)
	}
	return table.Flush()
}

type benchKey struct {
	primitive string
	items     int
}

// measureReference runs the reference program, if there is one.
func (f *primitivesFlags) measureReference(ctx context.Context) (map[benchKey]float64, error) {
	if f.reference == "" {
		return nil, nil
	}
	var args []string
	for _, size := range f.sizes {
		args = append(args, strconv.Itoa(size))
	}
	c := exec.CommandContext(ctx, f.reference, args...)
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("reference %s: %w", f.reference, err)
	}
	results := make(map[benchKey]float64)
	lines := bufio.NewScanner(bytes.NewReader(out))
	for n := 1; lines.Scan(); n++ {
		var r struct {
			Primitive      string  `json:"primitive"`
			Items          int     `json:"items"`
			ItemsPerSecond float64 `json:"items_per_s"`
		}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return nil, fmt.Errorf("reference %s: line %d: %w", f.reference, n, err)
		}
		results[benchKey{r.Primitive, r.Items}] = r.ItemsPerSecond
	}
	return results, lines.Err()
}
