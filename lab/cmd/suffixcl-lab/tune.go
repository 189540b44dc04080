package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/lab/tuner"
)

const tuneHelp = `Search the tuning parameters of the primitives on the device, and print the gain over the
built-in ones. What gained is written to a file. Every later run uses it on this device,
as long as its driver stays the same. Every result is checked; one that is wrong does
not count.

The file is the one that SUFFIXCL_TUNING names, else suffixcl/tuning.json in the
user's configuration directory; -o names another. What it says of other devices and
primitives stays. An interrupt ends the search, and what it has found is written.`

type tuneFlags struct {
	labFlags
	only   []string
	budget time.Duration
	fast   bool
	size   int
	file   string
}

func tuneCommand() *cobra.Command {
	var flags tuneFlags
	c := &cobra.Command{
		Use:   "tune",
		Short: "Search tuning parameters for the device",
		Long:  tuneHelp,
		RunE:  cli.Work(func(ctx context.Context, _ []string) error { return runTune(ctx, &flags) }),
	}
	flags.DeviceFlags.Add(c.Flags())
	primitives, _ := tuner.Names()
	c.Flags().StringSliceVar(&flags.only, "only", nil, "primitives: "+strings.Join(primitives, ", ")+
		"; or groups, as in the first column of the result (default all)")
	c.Flags().DurationVar(&flags.budget, "budget", 5*time.Minute,
		"time to take, such as 90s or 1h; 0: until all has been tried")
	c.Flags().BoolVar(&flags.fast, "quick", false, "stop where no neighbour of the best parameters is better")
	c.Flags().IntVar(&flags.size, "size", 0, "items, as a power of two (default 26, on CPUs 22)")
	c.Flags().StringVarP(&flags.file, "output", "o", "", "tuning file to write")
	cli.AddJSON(c.Flags(), &flags.json)
	cli.AddQuiet(c.Flags(), &flags.quiet)
	c.AddCommand(&cobra.Command{
		Use:   "rows",
		Short: "Print where the built-in parameters come from",
		Long:  "Print where the values of the built-in rows (internal/tune/rows) come from, as a table in Markdown.",
		RunE: cli.Work(func(context.Context, []string) error {
			return cli.PrintResult("%s", strings.TrimSpace(tuner.Provenance()))
		}),
	})
	return c
}

// tuneReport is what `tune --json` writes.
type tuneReport struct {
	tuner.Report
	File string `json:"file,omitempty"` // written
}

func runTune(ctx context.Context, flags *tuneFlags) error {
	if flags.size < 0 || flags.size > 31 {
		return cli.Usage("--size: 2^%d items: want 1 to 31", flags.size)
	}
	if flags.budget < 0 {
		return cli.Usage("--budget: %v is less than nothing", flags.budget)
	}
	primitives, groups := tuner.Names()
	for _, name := range flags.only {
		if !slices.Contains(primitives, name) && !slices.Contains(groups, name) {
			return cli.Usage("--only: %q is none of %s", name, strings.Join(slices.Concat(primitives, groups), ", "))
		}
	}
	file := flags.file
	if file == "" {
		if file, _ = tune.FileName(); file == "" {
			return cli.Usage("there is no tuning file to write: name one with -o")
		}
	}
	if _, err := tune.ReadFile(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w (remove it, or write another with -o)", err)
	}
	options := tuner.Options{
		Device: flags.Config(),
		Only:   flags.only, Budget: flags.budget, Quick: flags.fast,
	}
	if flags.size > 0 {
		options.Items = 1 << flags.size
	}
	progress := cli.NewProgress(flags.quiet)
	options.Progress = func(s tuner.Step) {
		progress.Update(fmt.Sprintf("%s (%d/%d)", s.Group, s.Number+1, s.Of), int64(s.Tried), int64(s.Points))
	}
	found, err := tuner.Search(ctx, options)
	progress.Stop()
	if found.Device == "" {
		return tuned.Unusable(err)
	}
	report := tuneReport{Report: found}
	saved, saveErr := found.Save(file)
	if saved && saveErr == nil {
		report.File = file
	}
	if flags.json {
		return errors.Join(err, saveErr, cli.PrintJSON(os.Stdout, report))
	}
	return errors.Join(err, saveErr, report.print())
}

func (r *tuneReport) print() error {
	fmt.Printf("%s, driver %s\n", r.Device, r.Driver)
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "group\tmeasured\titems\tbuilt-in G/s\tbest G/s\tgain\ttried\trefused\twrong\tparameters")
	for _, f := range r.Findings {
		var params []string
		for _, path := range slices.Sorted(maps.Keys(f.Parameters)) {
			params = append(params, fmt.Sprintf("%s=%d", path[strings.LastIndexByte(path, '.')+1:], f.Parameters[path]))
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%.3f\t%.3f\t%.3f\t%d/%d\t%d\t%d\t%s\n", f.Group, f.Primitive, f.Items,
			f.BuiltIn/1e9, f.Best/1e9, f.Gain(), f.Tried, f.Points, f.Refused, f.Wrong, strings.Join(params, " "))
	}
	if err := t.Flush(); err != nil {
		return cli.StandardOutput(err)
	}
	for _, f := range r.Findings {
		if f.Error != "" {
			fmt.Fprintf(os.Stderr, "suffixcl-lab: %s: %s\n", f.Group, f.Error)
		}
	}
	if r.File == "" {
		return cli.PrintResult("Nothing to write.")
	}
	return cli.PrintResult("Written to %s.", r.File)
}
