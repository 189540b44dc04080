package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/lab/bench"
)

const benchPangenomeHelp = `Measure a run-length transform that grows by haplotypes, both strands of each, as "suffixcl
pangenome" makes it. The haplotypes are made on the spot: copies of 64 founders of one
genome, with mutations, insertions and deletions, satellites, and stretches that all share.
Each is a line: how long it took from the memory of the host to the index on the device.

--check reads all strings from the index at the end, and compares them. --profile tells the
times of phases and kernels. With --json each haplotype is a line of JSON.`

func benchPangenomeCommand() *cobra.Command {
	var (
		f           labFlags
		b           bench.Pangenome
		size, batch string
	)
	c := &cobra.Command{
		Use:   "pangenome",
		Short: "Measure run-length transforms that grow",
		Long:  benchPangenomeHelp,
		Args:  cobra.NoArgs,
		RunE: cli.Work(func(ctx context.Context, _ []string) error {
			for _, v := range []struct {
				flag, word string
				to         *int
			}{{"--genome", size, &b.Bases}, {"--batch", batch, &b.Batch}} {
				n, err := bytesize.Parse(v.word)
				if err != nil || n < 1 {
					return cli.Usage("%s: %q is no size", v.flag, v.word)
				}
				*v.to = int(n)
			}
			if b.Chromosomes < 1 || b.Haplotypes < 1 {
				return cli.Usage("--chromosomes and --haplotypes are positive")
			}
			b.Config, b.Progress = f.Config(), f.tell
			b.Done = func(r bench.PangenomeRow) error { return cli.StandardOutput(printPangenome(r, f.json)) }
			return b.Run(ctx)
		}),
	}
	f.DeviceFlags.Add(c.Flags())
	cli.AddJSON(c.Flags(), &f.json)
	cli.AddQuiet(c.Flags(), &f.quiet)
	c.Flags().StringVar(&size, "genome", "10M", "bases of a genome")
	c.Flags().StringVar(&batch, "batch", strconv.Itoa(limits.MaxLen),
		"symbols of a batch, at most, unless a chromosome has more")
	c.Flags().IntVar(&b.Chromosomes, "chromosomes", 24, "chromosomes of a genome")
	c.Flags().IntVar(&b.Haplotypes, "haplotypes", 5, "haplotypes to add")
	c.Flags().BoolVar(&b.Check, "check", false, "read all strings from the index, and compare them")
	c.Flags().BoolVar(&b.Profile, "profile", false, "times of phases and kernels")
	return c
}

func printPangenome(r bench.PangenomeRow, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(os.Stdout).Encode(r)
	}
	fmt.Printf("%3d: %.3f s, %d letters in %s; %d rows, %s on the device; made in %.2f s\n", r.Haplotype, r.Seconds,
		r.Letters, bytesize.Count(r.Batches, "batch"), r.Rows, bytesize.Format(r.Bytes), r.Make)
	for _, p := range r.Phases {
		fmt.Printf("  %-20s %28s %6d launches %10.3f ms\n", p.Phase, "", p.Calls, p.Time.Seconds()*1e3)
	}
	for _, k := range r.Kernels {
		if ms := k.Time.Seconds() * 1e3; ms >= 1 {
			fmt.Printf("  %-20s %28s %6d launches %10.3f ms %8.1f GB/s\n", k.Phase, k.Kernel, k.Calls, ms,
				float64(k.Bytes)/k.Time.Seconds()/1e9)
		}
	}
	if r.Runs > 0 {
		fmt.Printf("  %d runs; .fmd of %s in %.2f s\n", r.Runs, bytesize.Format(int64(r.FMD)), r.Encode)
	}
	return nil
}
