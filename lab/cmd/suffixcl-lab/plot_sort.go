package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/lab/bench"
)

const plotSortHelp = `Draw again what "suffixcl-lab bench sort" measured: the rates in device memory, text by text.
SORT.json is what it wrote with -o, or printed with --json; it may be compressed. The axis is
logarithmic where bars would be too low to see.`

func plotSortCommand() *cobra.Command {
	var out string
	job := cli.Choice{Value: bench.JobSA, Of: []string{bench.JobSA, bench.JobBWT}}
	c := &cobra.Command{
		Use:   "sort SORT.json -o OUT",
		Short: "Draw the rates of sorters",
		Long:  plotSortHelp,
		Example: "  suffixcl-lab bench sort -o measured\n" +
			"  suffixcl-lab plot sort measured/sort.json --job bwt -o bwt.svg",
		RunE: cli.Work(func(ctx context.Context, args []string) error {
			return runPlotSort(ctx, out, args[0], job.Value)
		}),
	}
	c.Flags().VarP((*cli.FileName)(&out), "output", "o", pictureUsage)
	c.Flags().Var(&job, "job", "what was measured: suffix arrays or transforms")
	return c
}

func runPlotSort(ctx context.Context, picture, from, job string) error {
	return drawReport(ctx, picture, from, func(data []byte, _ string) (func(io.Writer, string) error, error) {
		r := sortReport{SortReport: &bench.SortReport{}}
		if err := json.Unmarshal(data, &r); err != nil || r.Version == 0 {
			return nil, errors.New(`no report of "suffixcl-lab bench sort"`)
		}
		b := sortBars(r.SortReport, job)
		if len(b.categories) == 0 {
			return nil, fmt.Errorf("there is nothing to draw: it has no measurements of %s", job)
		}
		at := slices.IndexFunc(sortJobs, func(of struct{ job, title string }) bool { return of.job == job })
		p, width, err := b.plot(sortJobs[at].title+" in device memory, "+r.Device, "GB/s")
		return func(w io.Writer, format string) error { return drawPlot(w, p, width, format) }, err
	})
}
