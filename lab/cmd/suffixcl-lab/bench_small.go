package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/testkit/opticks"
	"github.com/suffixcl/suffixcl/lab/bench"
	"github.com/suffixcl/suffixcl/seqio"
)

const benchSmallHelp = `Measure suffix arrays of small texts on an open engine, from host memory to host memory:
calls of one text, and streams of many. Next to them: the sorter for long texts of the same
device, which sorts the texts one by one, and Go's index/suffixarray on one core. Times are
the best of --runs. Results of the two sorters are compared.

Texts are parts of TEXT, or of a bundled one.`

type benchSmallFlags struct {
	labFlags
	runs  int
	quick bool
}

func benchSmallCommand() *cobra.Command {
	var f benchSmallFlags
	c := &cobra.Command{
		Use:   "small [TEXT]",
		Short: "Measure small texts",
		Long:  benchSmallHelp,
		Args:  cobra.MaximumNArgs(1),
		RunE:  cli.Work(func(ctx context.Context, args []string) error { return runBenchSmall(ctx, &f, args) }),
	}
	f.DeviceFlags.Add(c.Flags())
	f.TextFlags.Add(c.Flags(), seqio.Plain)
	cli.AddJSON(c.Flags(), &f.json)
	cli.AddQuiet(c.Flags(), &f.quiet)
	c.Flags().IntVar(&f.runs, "runs", 20, "runs that are timed")
	c.Flags().BoolVar(&f.quick, "quick", false, "no streams")
	return c
}

// smallReport is what `bench small --json` writes.
type smallReport struct {
	Library string           `json:"library"`
	Device  string           `json:"device"`
	Driver  string           `json:"driver"`
	Others  string           `json:"others"` // the algorithm of long texts
	Results []bench.SmallRun `json:"results"`
}

func runBenchSmall(ctx context.Context, f *benchSmallFlags, args []string) error {
	if f.runs < 1 {
		return cli.Usage("--runs is positive")
	}
	text := opticks.Text
	if len(args) == 1 {
		var err error
		if text, err = os.ReadFile(args[0]); err != nil {
			return fmt.Errorf("cannot read %s: %w", args[0], cli.WithoutPath(err))
		}
	}
	open := func(algorithm suffixcl.Algorithm) (*suffixcl.Engine, error) {
		s, err := f.OpenDevice(false)
		if err != nil {
			return nil, err
		}
		if algorithm == "" { // that AlgorithmAuto has for long texts
			if _, algorithm, err = suffixcl.NewSorter(s, suffixcl.AlgorithmAuto, 1<<20); err != nil {
				s.Close()
				return nil, err
			}
		}
		e, err := suffixcl.New(s, suffixcl.EngineOptions{Algorithm: algorithm})
		if err != nil {
			s.Close()
		}
		return e, err
	}
	auto, err := open(suffixcl.AlgorithmAuto)
	if err != nil {
		return err
	}
	defer auto.Close()
	others, err := open("")
	if err != nil {
		return err
	}
	defer others.Close()
	caps := auto.Caps()
	r := smallReport{Library: cli.Library(), Device: caps.Name, Driver: caps.DriverVersion}
	var sorted suffixcl.Stats // of others: the calls of auto have their own
	ctx = suffixcl.WithStats(ctx, &sorted)
	for _, c := range bench.SmallTexts {
		runs := f.runs
		if c[0] > 1 {
			if f.quick {
				continue
			}
			runs = max(1, runs/5) // they last longer
		}
		f.tell("%s of %s", bytesize.Count(c[0], "text"), bytesize.Format(int64(c[1])))
		run, err := bench.Small(ctx, auto, others, text, c[0], c[1], runs)
		if err != nil {
			return err
		}
		r.Results = append(r.Results, run)
	}
	r.Others = string(sorted.Algorithm)
	if f.json {
		return cli.PrintJSON(os.Stdout, r)
	}
	fmt.Printf("%s, driver %s; ms, best of %s\n", r.Device, r.Driver, bytesize.Count(f.runs, "run"))
	return cli.StandardOutput(smallTable(r).print(os.Stdout))
}

func smallTable(r smallReport) sheet {
	t := sheet{title: "Small texts, host to host", rows: [][]string{
		{"texts", "bytes", "sorter", "best", "median", r.Others, "times", "Go, one core", "times"},
	}}
	ms := func(seconds float64) string { return fmt.Sprintf("%.3f", 1e3*seconds) }
	for _, run := range r.Results {
		t.rows = append(t.rows, []string{
			fmt.Sprint(run.Texts), fmt.Sprint(run.Bytes), run.Algorithm, ms(run.Seconds), ms(run.Median),
			ms(run.Others), fmt.Sprintf("%.1f", run.Others/run.Seconds), ms(run.Go), fmt.Sprintf("%.1f", run.Go/run.Seconds),
		})
	}
	return t
}
