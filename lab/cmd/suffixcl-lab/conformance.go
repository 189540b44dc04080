package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/testkit/amdcode"
	"github.com/suffixcl/suffixcl/internal/testkit/amdgpu"
	"github.com/suffixcl/suffixcl/internal/testkit/harness"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/lab/runner"
)

const conformanceHelp = `Test every primitive, sorter and application on every device found, on many classes of
inputs and with capabilities of the device forced off, against other implementations.

A class of inputs is a cell. Cells run in a child process. One with a case that takes
longer than --limit, or ends the process, has failed, and the run goes on after it. -o
keeps a report (docs/conformance.md), which is written all the time. A page stands next to
it, under the same name with .html. --resume goes on with a run that was interrupted.

--quick takes about a minute on a GPU. If any cell fails, the exit code is 5.`

type conformanceFlags struct {
	device                  string
	quick, full             bool
	variants, only, classes []string
	seed                    uint64
	limit                   time.Duration
	out                     string
	resume, quiet, json     bool
	child                   bool
}

func conformanceCommand() *cobra.Command {
	var flags conformanceFlags
	c := &cobra.Command{
		Use:   "conformance",
		Short: "Test everything on every device",
		Long:  conformanceHelp,
		RunE:  cli.Work(func(ctx context.Context, _ []string) error { return runConformance(ctx, &flags) }),
	}
	var variants []string
	for _, v := range harness.Known() {
		variants = append(variants, v.Name)
	}
	f := c.Flags()
	f.StringVar(&flags.device, "device", "",
		`device: index, words of its name, "gpu", "cpu" or "auto" (default: all of them), or an AMD GPU that is emulated: `+
			`"amdgpu:gfx942", with the seed of its schedule "amdgpu:gfx942:7"`)
	f.BoolVar(&flags.quick, "quick", false, "few inputs")
	f.BoolVar(&flags.full, "full", false, "all inputs")
	f.StringSliceVar(&flags.variants, "variant", nil, "only these: "+strings.Join(variants, ", "))
	f.StringArrayVar(&flags.only, "only", nil,
		`only this primitive, sorter or application, by its name in the report, or "primitives", "sorters" or `+
			`"applications"; again for more`)
	f.StringArrayVar(&flags.classes, "class", nil, "only this class of inputs, by its name in the report; again for more")
	f.Uint64Var(&flags.seed, "seed", 1, "seed of the inputs")
	f.DurationVar(&flags.limit, "limit", 0, fmt.Sprintf("time for a case (default %v, on simulators %v)", runner.Limit,
		runner.LimitSimulated))
	f.StringVarP(&flags.out, "output", "o", "", "report to write, .json; the page goes next to it")
	f.BoolVar(&flags.resume, "resume", false, "go on with the report that -o names")
	f.BoolVar(&flags.json, "json", false, "write the report on standard output instead of a table")
	cli.AddQuiet(f, &flags.quiet)
	f.BoolVar(&flags.child, "child", false, "be a child process")
	f.MarkHidden("child")
	c.MarkFlagsMutuallyExclusive("quick", "full")
	c.AddCommand(conformanceMergeCommand())
	return c
}

// subjectsOf are the names of subjects, given by name or by kind.
func subjectsOf(wanted []string) (names []string, err error) {
	for _, name := range wanted {
		var known []string
		before := len(names)
		for _, s := range runner.Subjects() {
			if known = append(known, s.Name); s.Name == name || s.Kind+"s" == name {
				names = append(names, s.Name)
			}
		}
		if len(names) == before {
			return nil, cli.Usage("--only: %q is none of %s", name, strings.Join(known, ", "))
		}
	}
	return names, nil
}

func runConformance(ctx context.Context, flags *conformanceFlags) error {
	if emulated, ok := strings.CutPrefix(flags.device, amdgpu.Prefix); ok {
		if emulated == "" {
			return cli.Usage("--device %s: no target", flags.device)
		}
		if err := os.Setenv(amdgpu.Variable, emulated); err != nil { // for the children, too
			return err
		}
		flags.device = ""
	}
	if err := amdgpu.InstallFromEnvironment(); errors.Is(err, amdcode.ErrNoCompiler) {
		return err
	} else if err != nil {
		return cli.Usage("--device: %v", err)
	}
	if flags.child {
		signal.Ignore(os.Interrupt, syscall.SIGTERM) // the parent's, which then ends this
		return runner.Work(ctx, os.Stdin, os.Stdout)
	}
	if err := checkReportName("-o", flags.out); err != nil {
		return err
	}
	if flags.resume && flags.out == "" {
		return cli.Usage("--resume needs -o")
	}
	if flags.limit < 0 {
		return cli.Usage("--limit: %v is negative", flags.limit)
	}
	only, err := subjectsOf(flags.only)
	if err != nil {
		return err
	}
	for _, name := range flags.variants {
		if !slices.ContainsFunc(harness.Known(), func(v harness.Variant) bool { return v.Name == name }) {
			return cli.Usage("--variant: there is no %q", name)
		}
	}
	report := runner.Merge()
	if flags.resume {
		old, err := readReport(flags.out, runner.Parse)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err == nil {
			report = old
		}
	}
	devices, err := device.List()
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	bar := cli.NewProgress(flags.quiet)
	options := runner.Options{
		Variants: flags.variants, Only: only, Classes: flags.classes, Level: "normal", Seed: max(flags.seed, 1),
		Limit:   flags.limit,
		Library: cli.Library(),
		Command: func(ctx context.Context) *exec.Cmd { return exec.CommandContext(ctx, self, "conformance", "--child") },
		Progress: func(run *runner.Run, c runner.Cell, done, total int) {
			bar.Update(c.Variant, int64(done), int64(total))
			if c.Result != runner.Passed && !flags.quiet {
				fmt.Fprintf(os.Stderr, "suffixcl-lab: %s on %s, %s, %s: %s: %s\n  %s\n", c.Subject, run.Device, c.Variant,
					c.Class, c.Result, c.Error, run.Repeat(c))
			}
		},
	}
	switch {
	case flags.quick:
		options.Level = "quick"
	case flags.full:
		options.Level = "full"
	}
	if flags.device != "" {
		i, err := tuned.Choose(devices, flags.device)
		if err != nil {
			return err
		}
		options.Devices = []int{i}
	} else {
		for i := range devices {
			options.Devices = append(options.Devices, i)
		}
	}
	save := func() error { return nil }
	if flags.out != "" {
		save = func() error { return saveReport(report, flags.out) }
	}
	options.Save = save
	err = report.Run(ctx, devices, options)
	bar.Stop()
	if err = errors.Join(err, save()); err != nil {
		return err
	}
	if flags.json {
		if err := report.Write(os.Stdout); err != nil {
			return err
		}
	}
	return flags.show(report.Summary())
}

// show prints a line for each device, unless it is to be JSON, and tells whether all is well.
func (f *conformanceFlags) show(summary *runner.Summary) error {
	var err error
	if !f.json {
		for _, run := range summary.Runs {
			passed, all := run.Count("")
			err = errors.Join(err, cli.PrintResult("%s, %s %s: %d of %s passed (%s, seed %d, %.1f s in cells)",
				run.Device, run.Platform, run.Driver, passed, bytesize.Count(all, "cell"), run.Level, run.Seed, run.Seconds))
		}
	}
	if n := summary.Failures(); err == nil && n > 0 {
		err = cli.Mismatch("%s did not pass", bytesize.Count(n, "cell"))
	}
	return err
}

const conformanceMergeHelp = `Join reports of several machines, or of several runs: one report and page of all devices.
Where the same was run twice, the later file counts.

--summary writes what docs/conformance/ keeps of a report: how many cells passed, by subject
and variant, the speeds, and every cell that did not pass. A summary can be read in place of
a report where no single cells are needed, as for --markdown.`

func conformanceMergeCommand() *cobra.Command {
	var flags conformanceFlags
	var markdown bool
	var summaryName string
	c := &cobra.Command{
		Use:   "merge REPORT.json...",
		Short: "Join reports",
		Long:  conformanceMergeHelp,
		RunE: cli.Work(func(_ context.Context, args []string) error {
			if err := errors.Join(checkReportName("-o", flags.out), checkReportName("--summary", summaryName)); err != nil {
				return err
			}
			report, summary, err := mergeReports(args, flags.out != "" || flags.json)
			if err != nil {
				return err
			}
			if flags.out != "" {
				if err := saveReport(report, flags.out); err != nil {
					return err
				}
			}
			if summaryName != "" {
				if err := cli.SaveFile(summaryName, summary.Write); err != nil {
					return err
				}
			}
			if markdown {
				return cli.PrintResult("%s", strings.TrimSpace(summary.Markdown(tuned.KernelDigest())))
			}
			if flags.json {
				if err := report.Write(os.Stdout); err != nil {
					return err
				}
			}
			return flags.show(summary)
		}),
	}
	c.Flags().StringVarP(&flags.out, "output", "o", "", "report to write, .json; the page goes next to it")
	c.Flags().StringVar(&summaryName, "summary", "", "summary to write, .json")
	c.Flags().BoolVar(&flags.json, "json", false, "write the report on standard output")
	c.Flags().BoolVar(&markdown, "markdown", false, "write the table of devices as Markdown")
	return c
}

// checkReportName checks the name of a report, or that none is written. The page's name
// follows from it.
func checkReportName(flag, name string) error {
	if name != "" && (!strings.HasSuffix(name, ".json") || filepath.Base(name) == ".json") {
		return cli.Usage("%s %s: want a name that ends in .json", flag, name)
	}
	return nil
}

// mergeReports joins reports, and sums them up with the summaries among the files. Where cells
// are needed a summary is an error.
func mergeReports(names []string, cells bool) (*runner.Report, *runner.Summary, error) {
	var reports []*runner.Report
	var summaries []*runner.Summary
	for _, name := range names {
		r, err := readReport(name, runner.Parse)
		if err == nil {
			reports = append(reports, r)
			continue
		}
		if cells || !errors.Is(err, runner.ErrSummary) {
			return nil, nil, err
		}
		s, err := readReport(name, runner.ParseSummary)
		if err != nil {
			return nil, nil, err
		}
		summaries = append(summaries, s)
	}
	report := runner.Merge(reports...)
	summary, err := runner.JoinSummaries(append(summaries, report.Summary())...)
	return report, summary, err
}

func readReport[T any](name string, parse func([]byte) (*T, error)) (*T, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("cannot read %s: %w", name, cli.WithoutPath(err))
	}
	r, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}

// saveReport writes report and page, each under its name when it is complete.
func saveReport(r *runner.Report, name string) error {
	if err := cli.SaveFile(name, r.Write); err != nil {
		return err
	}
	return cli.SaveFile(strings.TrimSuffix(name, ".json")+".html", r.Page)
}
