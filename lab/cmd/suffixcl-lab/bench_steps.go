package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/lab/bench"
)

const benchStepsHelp = `Measure rank in run-length transforms of random runs on the device. Walkers take steps to
the left with random letters, each from where the one before led: of one row, and of both
ends of an interval, as a new genome is walked. Times are the best of --repeats.

With --json each line of the table is a line of JSON.`

func benchStepsCommand() *cobra.Command {
	var (
		f       labFlags
		b       bench.Steps
		sizes   []string
		walkers string
	)
	c := &cobra.Command{
		Use:   "steps",
		Short: "Measure rank in run-length transforms",
		Long:  benchStepsHelp,
		Args:  cobra.NoArgs,
		RunE: cli.Work(func(ctx context.Context, _ []string) error {
			b.Runs = nil
			for _, word := range sizes {
				n, err := bytesize.Parse(word)
				if err != nil || n < 1 {
					return cli.Usage("--runs: %q is no size", word)
				}
				b.Runs = append(b.Runs, int(n))
			}
			n, err := bytesize.Parse(walkers)
			if err != nil || n < 1 {
				return cli.Usage("--walkers: %q is no size", walkers)
			}
			if b.Walkers = int(n); b.Steps < 1 || b.Repeats < 1 || b.Mean < 1 || b.Size < 1 {
				return cli.Usage("--steps, --repeats, --mean and --interval are positive")
			}
			b.Config, b.Progress = f.Config(), f.tell
			b.Done = func(r bench.StepsRow) error { return cli.StandardOutput(printSteps(r, f.json)) }
			return b.Run(ctx)
		}),
	}
	f.DeviceFlags.Add(c.Flags())
	cli.AddJSON(c.Flags(), &f.json)
	cli.AddQuiet(c.Flags(), &f.quiet)
	c.Flags().StringSliceVar(&sizes, "runs", []string{"256M"}, "runs of an index; several with commas")
	c.Flags().StringVar(&walkers, "walkers", "1M", "walkers")
	c.Flags().IntVar(&b.Mean, "mean", 14, "rows of most runs, about")
	c.Flags().IntVar(&b.Steps, "steps", 256, "steps of a walker")
	c.Flags().IntVar(&b.Repeats, "repeats", 5, "runs that are timed")
	c.Flags().Uint64Var(&b.Size, "interval", 10, "rows of intervals")
	return c
}

func printSteps(r bench.StepsRow, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(os.Stdout).Encode(r)
	}
	of := "one row"
	if r.Interval > 0 {
		of = fmt.Sprintf("an interval of %d rows", r.Interval)
	}
	fmt.Printf("%d runs, %d rows, %s: %d walkers, %d steps of %s: %.4f s, %.3f G steps/s\n", r.Runs, r.Rows,
		bytesize.Format(r.Bytes), r.Walkers, r.Steps, of, r.Seconds, r.PerS/1e9)
	return nil
}
