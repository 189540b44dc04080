package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/lab/bench"
)

func benchCommand() *cobra.Command {
	c := &cobra.Command{Use: "bench", Short: "Measure on the device"}
	c.AddCommand(benchPrimitivesCommand(), benchMatchingCommand(), benchRepeatsCommand(), benchPapersCommand(), benchSortCommand(), benchCompareCommand())
	return c
}

// openProfiled opens the device that the flags name.
func (f *jobFlags) openProfiled(profile bool) (*device.Session, error) {
	f.profile = profile
	return f.openSession(device.Config{Selector: f.device})
}

// tell is the progress of a measurement.
func (f *jobFlags) tell(format string, args ...any) {
	if !f.quiet {
		fmt.Fprintf(os.Stderr, "suffixcl: "+format+"\n", args...)
	}
}

// makeDirectory makes the directory for results, if one is named: before anything is measured.
func makeDirectory(name string) error {
	if name == "" {
		return nil
	}
	if err := os.MkdirAll(name, 0o777); err != nil {
		return fmt.Errorf("cannot write to %s: %w", name, pathless(err))
	}
	return nil
}

const benchPrimitivesHelp = `Measure the primitives on device-resident data: items a second, GB/s of the bytes
that the job has to move, and the share of a plain copy's bandwidth in the same run.
Every result is checked.

--reference runs a program that measures the same on the same device, such as
internal/lab/bench/cub/cub ("make cub"), with the sizes as arguments, and puts the ratio beside
each result. It must write a JSON object a line: primitive, items, items_per_s.`

type benchFlags struct {
	jobFlags
	sizes     []int
	reference string
}

func benchPrimitivesCommand() *cobra.Command {
	var flags benchFlags
	c := &cobra.Command{
		Use:   "primitives",
		Short: "Measure scan, compaction and sorts",
		Long:  benchPrimitivesHelp,
		Args:  cobra.NoArgs,
		RunE:  work(func(ctx context.Context, _ []string) error { return runBenchPrimitives(ctx, &flags) }),
	}
	flags.addDevice(c.Flags())
	c.Flags().IntSliceVar(&flags.sizes, "sizes", []int{20, 24}, "items, as powers of two")
	c.Flags().StringVar(&flags.reference, "reference", "", "program that measures another library")
	c.Flags().BoolVar(&flags.json, "json", false, "write one JSON object instead of a table")
	addQuiet(c.Flags(), &flags.quiet)
	return c
}

// benchVersion is that of the JSON and of the inputs that it tells about.
const benchVersion = 1

// benchReport is what `bench primitives --json` writes.
type benchReport struct {
	Version  int            `json:"suffixcl_bench_primitives,omitempty"`
	Sorting  int            `json:"suffixcl_bench_sort,omitempty"` // instead of Version: a sortReport
	Library  string         `json:"library"`                       // version of suffixcl, and digest of the kernels
	Device   string         `json:"device"`
	Driver   string         `json:"driver"`
	Inputs   string         `json:"inputs,omitempty"` // of a conformance report: level and seed
	CopyGBps float64        `json:"copy_gb_per_s"`
	Results  []bench.Result `json:"results"`
}

func runBenchPrimitives(ctx context.Context, flags *benchFlags) error {
	for _, size := range flags.sizes {
		if size < 0 || size > 31 {
			return usage("--sizes: 2^%d items: want 0 to 31", size)
		}
	}
	s, err := flags.openSession(device.Config{Selector: flags.device})
	if err != nil {
		return err
	}
	defer s.Close()
	report := benchReport{Version: benchVersion, Library: library(), Device: s.Caps().Name, Driver: s.Caps().DriverVersion}
	largest := 0
	for _, size := range flags.sizes {
		largest = max(largest, 1<<size)
	}
	if report.CopyGBps, err = bench.CopyGBps(ctx, s, int(min(int64(max(largest, 1<<24))*4, s.Caps().MaxAlloc))); err != nil {
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
	for _, c := range bench.Primitives() {
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
		return printJSON(os.Stdout, report)
	}
	return table.Flush()
}

type benchKey struct {
	primitive string
	items     int
}

// measureReference runs the reference program, if there is one.
func (f *benchFlags) measureReference(ctx context.Context) (map[benchKey]float64, error) {
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
