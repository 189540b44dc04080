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
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/lab/amdcode"
	"github.com/suffixcl/suffixcl/internal/lab/amdgpu"
	"github.com/suffixcl/suffixcl/internal/lab/harness"
)

const countersHelp = `Run every sorter, the LCP array and the transform of a text on an emulated AMD GPU, and
count what the kernels do there. The table has a line for each kernel:

  instr    instructions of wavefronts, in thousands
  valu     the share of vector instructions, in percent
  lanes    lanes active in them, in percent
  lines    lines of 128 bytes of global memory that are touched, for one that has to be
  banks    cycles of local memory, for one without conflicts
  lanes/w  reads of other lanes through the hardware of local memory, a wavefront
  VGPRs    vector registers
  LDS      bytes of local memory of a work-group
  waves    wavefronts of a SIMD that registers and local memory allow
  groups   work-groups of a compute unit that local memory allows`

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
	c.Flags().StringVar(&target, "target", "gfx942", "gfx90a, gfx942, gfx1030 or gfx1100")
	c.Flags().IntVar(&length, "length", 100_000, "bytes of the text to take")
	return c
}

func runCounters(ctx context.Context, target string, length int, name string) error {
	if length < 1 {
		return cli.Usage("--length: %d is not positive", length)
	}
	d, err := amdgpu.New(target, amdgpu.Options{Seed: 1, Count: true, Unchecked: true})
	switch {
	case errors.Is(err, amdcode.ErrNoCompiler):
		return err
	case err != nil:
		return cli.Usage("--target: %v", err)
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
	if err := d.Install(); err != nil {
		return err
	}
	if err := exercise(ctx, text); err != nil {
		return err
	}
	return cli.PrintResult("%s", strings.TrimRight(countersTable(d.Rows()), "\n"))
}

// exercise runs what is counted, with the tuning that is built in.
func exercise(ctx context.Context, text []byte) error {
	devices, err := device.List()
	if err != nil {
		return err
	}
	for _, a := range suffixcl.Algorithms() {
		if a == suffixcl.AlgorithmAuto {
			continue
		}
		s, err := harness.Open(devices[0], harness.Variants[0])
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
	ratio := func(a, b uint64) string {
		if b == 0 {
			return "-"
		}
		return fmt.Sprintf("%.1f", float64(a)/float64(b))
	}
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
