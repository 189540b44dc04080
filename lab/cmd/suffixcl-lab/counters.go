package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/testkit/amdcode"
	"github.com/suffixcl/suffixcl/internal/testkit/amdgpu"
	"github.com/suffixcl/suffixcl/internal/testkit/harness"
	"github.com/suffixcl/suffixcl/lab/bench"
)

const countersHelp = `Run every sorter, the LCP array and the transform of a text on an emulated AMD GPU, and
count what the kernels do there; then run primitives on as many random items of 64 bits.
The tables have a line for each kernel:

  instr    instructions of wavefronts, in thousands
  valu     the share of vector instructions, in percent
  lanes    lanes active in them, in percent
  lines    lines of 128 bytes of global memory that are touched, for one that has to be
  banks    cycles of local memory, for one without conflicts
  lanes/w  reads of other lanes through the hardware of local memory, a wavefront
  VGPRs    vector registers
  LDS      bytes of local memory of a work-group
  waves    wavefronts of a SIMD that registers and local memory allow
  groups   work-groups of a compute unit that they allow`

func countersCommand() *cobra.Command {
	target, length := "", 0
	c := &cobra.Command{
		Use:   "counters FILE",
		Short: "Count what kernels do on an emulated AMD GPU",
		Long:  countersHelp,
		Args:  cobra.ExactArgs(1),
		RunE: cli.Work(func(ctx context.Context, args []string) error {
			return runCounters(ctx, target, length, args[0])
		}),
	}
	addTarget(c.Flags(), &target)
	c.Flags().IntVar(&length, "length", 100_000, "bytes of the text to take")
	return c
}

// addTarget defines --target.
func addTarget(f *pflag.FlagSet, target *string) {
	f.StringVar(target, "target", "gfx942", strings.Join(amdcode.Names(), ", "))
}

func runCounters(ctx context.Context, target string, length int, name string) error {
	if length < 1 {
		return cli.Usage("--length: %d is not positive", length)
	}
	f, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", name, cli.WithoutPath(err))
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, int64(length)))
	if err != nil {
		return fmt.Errorf("cannot read %s: %w", name, cli.WithoutPath(err))
	}
	d, err := countingDevice(target)
	if err != nil {
		return err
	}
	devices, err := device.List()
	if err != nil {
		return err
	}
	if err := exercise(ctx, devices[0], text); err != nil {
		return err
	}
	of, work := countersTable(d.Rows()), d.Work()
	d.Reset()
	if err := exercise64(ctx, devices[0], length); err != nil {
		return err
	}
	return cli.PrintResult("%s\nPrimitives of 64 bits, %d items:\n\n%s\n%s",
		of, length, countersTable(d.Rows()), speed(work, d.Work()))
}

// speed is that of the emulator, which tells how large tests can be.
func speed(parts ...amdgpu.Work) string {
	items, instructions, seconds := 0.0, 0.0, 0.0
	for _, w := range parts {
		items, instructions = items+float64(w.Items), instructions+float64(w.Instructions)
		seconds += w.Time.Seconds()
	}
	return fmt.Sprintf("%.1f million work-items and %.1f million instructions of wavefronts in %.1f s of launches",
		items/1e6, instructions/1e6, seconds)
}

// exercise runs what is counted, with the tuning that is built in.
func exercise(ctx context.Context, d *cl.Device, text []byte) error {
	for _, a := range suffixcl.Algorithms() {
		if a == suffixcl.AlgorithmAuto {
			continue
		}
		s, err := harness.Open(d, harness.Variants[0])
		if err != nil {
			return err
		}
		e, err := suffixcl.New(s, suffixcl.EngineOptions{Algorithm: a}) // which closes the session
		if err != nil {
			return errors.Join(err, s.Close())
		}
		if _, err = e.SuffixArray(ctx, text); err == nil && a == suffixcl.AlgorithmSuffixsort {
			err = applications(ctx, e, text)
		}
		if err = errors.Join(err, e.Close()); err != nil {
			return fmt.Errorf("%s: %w", a, err)
		}
	}
	return nil
}

// exercise64 runs primitives on elements of 64 bits.
func exercise64(ctx context.Context, d *cl.Device, n int) error {
	s, err := harness.Open(d, harness.Variants[0])
	if err != nil {
		return err
	}
	for _, c := range []bench.Case{
		bench.Sum[uint64](), bench.Select[uint64](), bench.MergeKeys[uint64]("merge"), bench.SortKeys[uint64]("sort of keys"),
		bench.SortPairs[uint64, uint64]("sort of pairs", 64),
		bench.SegmentedSort[uint64](64, 2047), bench.SegmentedSort[uint64](2, 60511),
	} {
		input, err := c.Prepare(ctx, s, n)
		if err == nil {
			_, err = input.Measure(ctx, 1)
			input.Release()
		}
		if err != nil {
			return errors.Join(err, s.Close())
		}
	}
	return s.Close()
}

func applications(ctx context.Context, e *suffixcl.Engine, text []byte) error {
	if _, err := e.LCP(ctx, text); err != nil {
		return err
	}
	transform, primary, err := e.BWT(ctx, text)
	if err != nil {
		return err
	}
	_, err = e.InverseBWT(ctx, transform, primary)
	return err
}

func countersTable(rows []amdgpu.Row) string {
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "instr\tvalu\tlanes\tlines\tbanks\tlanes/w\tVGPRs\tLDS\twaves\tgroups\t  kernel")
	for _, r := range rows {
		fmt.Fprintf(w, "%d\t%d\t%d\t%s\t%s\t%s\t%d\t%d\t%d\t%d\t  %s\n",
			(r.Total()+500)/1000, 100*r.Of("vector")/r.Total(),
			100*r.Lanes/max(r.Of("vector")*uint64(r.Wavefront), 1),
			ratio(r.GlobalLines, r.GlobalIdeal), ratio(r.LocalCycles, r.LocalIdeal), ratio(r.Of("lanes"), r.Wavefronts),
			r.VGPRs, r.LDS, r.PerSIMD, r.PerUnit, r.Kernel)
	}
	w.Flush()
	return out.String()
}

func ratio(a, b uint64) string {
	if b == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f", float64(a)/float64(b))
}
