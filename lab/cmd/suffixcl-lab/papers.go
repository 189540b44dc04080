package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/suffixcl/suffixcl/distributed"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/lab/bench"
	"github.com/suffixcl/suffixcl/seqio"
)

const papersHelp = `Repeat the tables of the papers, with the published numbers next to the measured ones:

  gpu-ls  "Fast In-Memory Suffix Sorting on the GPU"
  wang    Wang, Baxter & Owens, "Fast parallel skew and prefix-doubling suffix array
          construction on the GPU", 2016
  psffx   Nahar & Tseng, "Parallelized Suffix Array Construction": its 14 inputs over 1, 2,
          4 and 8 ranks, by pCSS and pDC3, next to SA-IS on one core

TEXT... are for the first two; bench papers and bench ranks have more options. With --out,
the directory gets tables as CSV, and figures.`

// Papers, by the names of --only.
const (
	paperGPULS = "gpu-ls"
	paperWang  = "wang"
	paperPSFFX = "psffx"
)

var paperNames = []string{paperGPULS, paperWang, paperPSFFX}

// allPapersFlags are those of both measurements, and which papers.
type allPapersFlags struct {
	sorters papersFlags
	ranks   benchRanksFlags
	only    []string
	repeats int
	out     string
}

func papersCommand() *cobra.Command {
	f := allPapersFlags{}
	f.sorters.sizes = []int{14, 16, 18, 20, 22, 24}
	f.ranks.largest = 1_000_000_000
	lab := &f.sorters.labFlags
	c := &cobra.Command{
		Use:     "papers [TEXT...]",
		Short:   "Repeat the papers' tables",
		Long:    papersHelp,
		Example: "  suffixcl-lab papers --only psffx --largest 10M -o results",
		RunE:    cli.Work(func(ctx context.Context, args []string) error { return runPapers(ctx, &f, args) }),
	}
	lab.DeviceFlags.Add(c.Flags())
	lab.TextFlags.Add(c.Flags(), seqio.Plain)
	cli.AddJSON(c.Flags(), &lab.json)
	cli.AddQuiet(c.Flags(), &lab.quiet)
	c.Flags().StringSliceVar(&f.only, "only", paperNames, "papers")
	c.Flags().IntSliceVar(&f.ranks.ranks, "ranks", []int{1, 2, 4, 8}, "psffx: numbers of ranks")
	c.Flags().Var(&f.ranks.largest, "largest", "psffx: leave out inputs of more bytes")
	c.Flags().BoolVar(&f.ranks.inProcess, "in-process", false, "psffx: ranks are goroutines, without MPI")
	c.Flags().IntVar(&f.repeats, "repeats", 3, "runs that are timed")
	c.Flags().StringVarP(&f.out, "out", "o", "", "directory for CSV and figures")
	return c
}

// papersReport is what `papers --json` writes.
type papersReport struct {
	Sorters *bench.PapersReport `json:"suffix_sorters"` // of gpu-ls and wang; null without
	Ranks   *ranksReport        `json:"ranks"`          // of psffx; null without
}

func runPapers(ctx context.Context, f *allPapersFlags, args []string) error {
	for _, name := range f.only {
		if !slices.Contains(paperNames, name) {
			return cli.Usage("--only: %q is none of %s", name, strings.Join(paperNames, ", "))
		}
	}
	if f.repeats < 1 {
		return cli.Usage("--repeats is positive")
	}
	var report papersReport
	f.sorters.repeats, f.ranks.runs, f.ranks.labFlags = f.repeats, f.repeats, f.sorters.labFlags
	if f.out != "" {
		f.sorters.out, f.ranks.out = filepath.Join(f.out, "sorters"), filepath.Join(f.out, paperPSFFX)
	}
	names, sources := bench.PaperFigures()
	for i, name := range names {
		paper := paperWang
		if strings.HasPrefix(sources[i], "GPU-LS") {
			paper = paperGPULS
		}
		if slices.Contains(f.only, paper) {
			f.sorters.figures = append(f.sorters.figures, name)
		}
	}
	if len(f.sorters.figures) > 0 {
		var err error
		if report.Sorters, err = f.sorters.measure(ctx, args); err != nil {
			return err
		}
	} else if len(args) > 0 {
		return cli.Usage("the inputs of %s are made", paperPSFFX)
	}
	if slices.Contains(f.only, paperPSFFX) {
		// As its authors ran it, each rank sorts; then as the library does where ranks share a device.
		measured, err := f.ranks.measure(ctx, []distributed.Options{
			{Algorithm: distributed.PCSS, Distributed: true}, {Algorithm: distributed.PDC3, Distributed: true},
			{Algorithm: distributed.PCSS},
		}, nil)
		if err != nil {
			return err
		}
		if report.Ranks = &measured; !f.sorters.json {
			if err := f.ranks.print(measured); err != nil {
				return err
			}
		}
	}
	if f.sorters.json {
		return cli.PrintJSON(os.Stdout, report)
	}
	return nil
}
