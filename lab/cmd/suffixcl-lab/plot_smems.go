package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl/internal/cli"
	"gonum.org/v1/plot/plotter"
)

const plotSMEMsHelp = `Draw how many maximal exact matches are how long. LENGTHS.tsv is what "suffixcl smems" wrote
with --histogram: a line for each length, with its number of matches.`

func plotSMEMsCommand() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "smems LENGTHS.tsv -o OUT",
		Short: "Draw the lengths of maximal exact matches",
		Long:  plotSMEMsHelp,
		Example: "  suffixcl smems genome.fa reads.fq.gz -o matches --histogram lengths.tsv\n" +
			"  suffixcl-lab plot smems lengths.tsv -o lengths.svg",
		RunE: cli.Work(func(ctx context.Context, args []string) error { return runPlotSMEMs(ctx, out, args[0]) }),
	}
	c.Flags().VarP((*cli.FileName)(&out), "output", "o", pictureUsage)
	return c
}

func runPlotSMEMs(ctx context.Context, picture, from string) error {
	return drawReport(ctx, picture, from, func(data []byte, name string) (func(io.Writer, string) error, error) {
		points, err := readHistogram(data)
		c := chart{title: "Matches of " + strings.TrimSuffix(filepath.Base(name), ".tsv"), x: "letters of a match",
			y: "matches", logX: true, logY: true, markers: true, lines: []line{{"matches of each length", points}}}
		return c.write, err
	})
}

// readHistogram reads lines of length and number of matches, by length.
func readHistogram(data []byte) (points plotter.XYs, err error) {
	number, last := 0, uint64(0)
	for text := range bytes.Lines(data) {
		number++
		length, count, _ := strings.Cut(strings.TrimRight(string(text), "\r\n"), "\t")
		letters, wrong := strconv.ParseUint(length, 10, 32)
		matches, alsoWrong := strconv.ParseUint(count, 10, 63)
		if wrong != nil || alsoWrong != nil || letters <= last || matches == 0 {
			return nil, fmt.Errorf(`line %d: want length and matches, ascending, as "suffixcl smems --histogram" writes them`,
				number)
		}
		last = letters
		points = append(points, plotter.XY{X: float64(letters), Y: float64(matches)})
	}
	if len(points) == 0 {
		return nil, errors.New("there is nothing to draw: there were no matches")
	}
	return points, nil
}
