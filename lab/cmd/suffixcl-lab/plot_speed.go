package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/lab/bench"
	"gonum.org/v1/plot/vg"
)

const plotSpeedHelp = `Draw how fast suffix arrays are made, text by text: by suffixcl and libcubwt on an H200, and
by suffixcl and Go's index/suffixarray on a CPU. The figures are those of docs/benchmarks.md,
which this command brings with it; nothing is measured. The README shows the picture.`

func plotSpeedCommand() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:     "speed -o OUT",
		Short:   "Draw the speeds that the README shows",
		Long:    plotSpeedHelp,
		Example: "  suffixcl-lab plot speed -o docs/speed.svg",
		Args:    cobra.NoArgs,
		RunE:    cli.Work(func(ctx context.Context, _ []string) error { return runPlotSpeed(ctx, out) }),
	}
	c.Flags().VarP((*cli.FileName)(&out), "output", "o", pictureUsage)
	return c
}

func runPlotSpeed(ctx context.Context, name string) error {
	format, err := pictureFormat(name)
	if err != nil {
		return err
	}
	out, err := cli.NewOutput(name)
	if err != nil {
		return err
	}
	defer out.Discard()
	if err := out.Write(ctx, func(w io.Writer) error { return drawSpeeds(w, format) }); err != nil {
		return err
	}
	return cli.Commit(out)
}

// drawSpeeds draws a bar for each program and text. The legend has the means, which are too small to read for CPUs.
func drawSpeeds(w io.Writer, format string) error {
	speeds, err := bench.Speeds()
	if err != nil {
		return err
	}
	b := bars{width: 25 * vg.Centimeter}
	for _, s := range speeds {
		for i, program := range bench.SpeedPrograms {
			b.set(s.Text, fmt.Sprintf("%s: mean %.2g GB/s", program, speeds[0].GBps[i]), s.GBps[i])
		}
	}
	p, width, err := b.plot("Speed of suffix arrays, 20 texts", "GB of text a second")
	if err != nil {
		return err
	}
	return drawPlot(w, p, width, format)
}
