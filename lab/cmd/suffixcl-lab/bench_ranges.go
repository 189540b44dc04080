package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/lab/bench"
)

const benchRangesHelp = `Measure suffix arrays that are sorted in ranges, beyond 2^32 characters, too. Texts are files,
or made on the spot: KIND.SIZE as for "bench sort --synthetic". The text is in host memory,
and so is the result: 4 bytes an entry, 5 from 2^32 - 1 characters on, or the transform or
the LCP array alone.

Each text is sorted on each number of --devices, under each of --budget, with each of
--period: once to build the programs, then --runs times, of which the best counts. --check
verifies the result in linear time, with a byte of device memory a character. --profile
takes one more run, for the times of phases and kernels. With --json each measurement is a
line.

Where 1 is the first of --devices, the efficiency of the others is told: the time on one,
over the time and the number of devices. The model next to it takes what was measured on
one, and divides the time of ranges. With --per-device SIZE is what each device gets;
files have their length for all.`

func benchRangesCommand() *cobra.Command {
	var (
		f       labFlags
		b       bench.Ranges
		budgets []string
		shared  bool
	)
	c := &cobra.Command{
		Use:   "ranges TEXT...",
		Short: "Measure suffix arrays in ranges",
		Long:  benchRangesHelp,
		Args:  cobra.MinimumNArgs(1),
		RunE: cli.Work(func(ctx context.Context, args []string) error {
			if b.Runs < 1 {
				return cli.Usage("--runs is positive")
			}
			if slices.Min(b.Devices) < 1 {
				return cli.Usage("--devices are positive")
			}
			for _, arg := range args {
				t, err := rankInput(arg)
				if err != nil {
					return err
				}
				b.Texts = append(b.Texts, bench.RangesText{Name: t.Name, Len: t.Bytes, Fixed: t.File != "", Write: t.write})
			}
			for _, word := range budgets {
				bytes, err := bytesize.Parse(word)
				if err != nil {
					return cli.Usage("--budget: %v", err)
				}
				b.Budgets = append(b.Budgets, bytes)
			}
			b.Config, b.Progress = f.Config(), f.tell
			b.Open = func(c device.Config, devices int) ([]*device.Session, error) {
				return cli.OpenAlike(c, devices, shared)
			}
			b.Done = func(r bench.RangesRow) error { return cli.StandardOutput(printRanges(r, f.json)) }
			return b.Run(ctx)
		}),
	}
	f.DeviceFlags.Add(c.Flags())
	cli.AddJSON(c.Flags(), &f.json)
	cli.AddQuiet(c.Flags(), &f.quiet)
	c.Flags().StringSliceVar(&budgets, "budget", []string{"0"}, "bytes of device memory; 0: what there is")
	c.Flags().IntSliceVar(&b.Periods, "period", []int{0}, "periods of difference covers; 0: the smallest that fits")
	c.Flags().IntSliceVar(&b.Devices, "devices", []int{1}, "numbers of devices")
	c.Flags().BoolVar(&shared, "shared", false, "several sessions share a device where there are fewer")
	c.Flags().BoolVar(&b.PerDevice, "per-device", false, "each device gets SIZE bytes of text")
	c.Flags().IntVar(&b.Runs, "runs", 3, "runs that are timed")
	c.Flags().BoolVar(&b.Both, "both", false, "follow each text by its reverse complement")
	c.Flags().BoolVar(&b.Transform, "transform", false, "the Burrows-Wheeler transform alone")
	c.Flags().BoolVar(&b.LCP, "lcp", false, "the LCP array alone")
	c.MarkFlagsMutuallyExclusive("transform", "lcp")
	c.Flags().BoolVar(&b.Check, "check", false, "verify the suffix arrays")
	c.Flags().BoolVar(&b.Profile, "profile", false, "times of phases and kernels")
	return c
}

func printRanges(r bench.RangesRow, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(os.Stdout).Encode(r)
	}
	checked := ""
	if r.Checked {
		checked = ", verified"
	}
	if r.Efficiency > 0 {
		checked += fmt.Sprintf(", efficiency %.2f (model %.2f)", r.Efficiency, r.Model)
	}
	fmt.Printf("%s: %s, %s, budget %s, period %d: %d ranges, peak %s; first %.3f s, best %.3f s, %.3f GB/s%s\n", r.Text,
		bytesize.Format(int64(r.Bytes)), bytesize.Count(r.Devices, "device"), bytesize.Format(r.Budget), r.Period, r.Ranges,
		bytesize.Format(r.Peak), r.First, r.Seconds, r.GBps, checked)
	for k, busy := range r.Busy {
		fmt.Printf("  %8.3f s  device %d computes\n", busy, k)
	}
	for _, p := range r.Begun {
		fmt.Printf("  %8.3f s  %s begins\n", p.Seconds, p.Phase)
	}
	for _, p := range r.Phases {
		fmt.Printf("  %-20s %28s %6d launches %10.3f ms\n", p.Phase, "", p.Calls, p.Time.Seconds()*1e3)
	}
	for _, k := range r.Kernels {
		ms := k.Time.Seconds() * 1e3
		if ms >= 0.2 {
			fmt.Printf("  %-20s %28s %6d launches %10.3f ms %8.1f GB/s\n", k.Phase, k.Kernel, k.Calls, ms,
				float64(k.Bytes)/k.Time.Seconds()/1e9)
		}
	}
	return nil
}
