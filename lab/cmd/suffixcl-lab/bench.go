package main

import (
	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl/lab/bench"
)

func benchCommand() *cobra.Command {
	c := &cobra.Command{Use: "bench", Short: "Measure on the device"}
	c.AddCommand(benchPrimitivesCommand(), benchMatchingCommand(), benchRepeatsCommand(), benchPapersCommand(),
		benchSortCommand(), benchSmallCommand(), benchColdCommand(), benchRanksCommand(), benchRankCommand(),
		benchRangesCommand(), benchPangenomeCommand(), benchStepsCommand(), benchServeCommand(),
		benchVerbsCommand(), benchCompareCommand())
	return c
}

// benchVersion is that of the JSON and of the inputs that it tells about.
const benchVersion = 1

// benchReport is what `bench primitives --json` writes, and what `bench compare` reads.
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
