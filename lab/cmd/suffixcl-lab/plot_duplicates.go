package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl/internal/cli"
	"gonum.org/v1/plot/vg"
)

const plotDuplicatesHelp = `Draw the lengths of duplicate passages: how many ranges of each length "suffixcl dedup"
found, and how many percent of the bytes in ranges they have. REPORT.json is what it told
with --json.`

func plotDuplicatesCommand() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "duplicates REPORT.json -o OUT",
		Short: "Draw the lengths of duplicate passages",
		Long:  plotDuplicatesHelp,
		Example: "  suffixcl dedup shards/ --field text -o ranges --json > report.json\n" +
			"  suffixcl-lab plot duplicates report.json -o lengths.svg",
		RunE: cli.Work(func(ctx context.Context, args []string) error { return runPlotDuplicates(ctx, out, args[0]) }),
	}
	c.Flags().VarP((*cli.FileName)(&out), "output", "o", pictureUsage)
	return c
}

func runPlotDuplicates(ctx context.Context, picture, from string) error {
	return drawReport(ctx, picture, from, func(data []byte, name string) (func(io.Writer, string) error, error) {
		lengths, err := readLengths(data)
		title := "Duplicate passages of " + strings.TrimSuffix(filepath.Base(name), ".json")
		return func(w io.Writer, format string) error { return drawLengths(w, format, title, lengths) }, err
	})
}

// lengthBucket counts the ranges of Least to twice as many bytes, as dedup tells of them.
type lengthBucket struct {
	Least  int64 `json:"least"`
	Ranges int64 `json:"ranges"`
	Bytes  int64 `json:"bytes"`
}

// readLengths returns the histogram of what dedup told, by length.
func readLengths(data []byte) ([]lengthBucket, error) {
	var told struct {
		Duplicates *struct {
			Lengths []lengthBucket `json:"lengths"`
		} `json:"duplicates"`
	}
	if err := json.Unmarshal(data, &told); err != nil {
		return nil, fmt.Errorf(`no JSON object, as "suffixcl dedup --json" tells it: %w`, err)
	}
	if told.Duplicates == nil {
		return nil, fmt.Errorf(`the object has no duplicates: want what "suffixcl dedup --json" tells`)
	}
	lengths := told.Duplicates.Lengths
	if len(lengths) == 0 {
		return nil, fmt.Errorf("there is nothing to draw: no duplicates were found")
	}
	for i, b := range lengths {
		if b.Least < 1 || b.Ranges < 1 || b.Bytes/b.Ranges < b.Least || i > 0 && b.Least < 2*lengths[i-1].Least {
			return nil, fmt.Errorf("duplicates.lengths[%d]: %d ranges of %d bytes or more have %d bytes", i, b.Ranges,
				b.Least, b.Bytes)
		}
	}
	return lengths, nil
}

// drawLengths draws a histogram, with the lengths that have no ranges.
func drawLengths(w io.Writer, format, title string, lengths []lengthBucket) error {
	all := lengthBucket{}
	for _, b := range lengths {
		all.Ranges, all.Bytes = all.Ranges+b.Ranges, all.Bytes+b.Bytes
	}
	b := bars{width: 25 * vg.Centimeter}
	last := lengths[len(lengths)-1].Least
	for least := lengths[0].Least; least <= last && least > 0; least *= 2 {
		at, _ := slices.BinarySearchFunc(lengths, least, func(b lengthBucket, least int64) int {
			return cmp.Compare(b.Least, least)
		})
		here := lengthBucket{}
		if lengths[at].Least == least {
			here = lengths[at]
		}
		category := strconv.FormatInt(least, 10)
		b.set(category, "ranges", 100*float64(here.Ranges)/float64(all.Ranges))
		b.set(category, "bytes in ranges", 100*float64(here.Bytes)/float64(all.Bytes))
	}
	p, width, err := b.plot(title, "percent")
	if err != nil {
		return err
	}
	p.X.Label.Text = fmt.Sprintf("bytes of a range, from this to twice as many (%s of %s)",
		cli.Quantity(all.Ranges, "range"), cli.Quantity(all.Bytes, "byte"))
	return drawPlot(w, p, width, format)
}
