package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/testkit/verbcases"
)

const benchVerbsHelp = `Measure the verbs of the command suffixcl from the start of a process to its end, on made
inputs of about --size bytes: the wall clock, the time of all cores, the share of the
device, its transfers included, and the longest stage, as the command's --json tells them.
"rest" is what no stage has: the start of the process, plans, what the host computes.

"copy" is the time that reading the input and copying the result to the disk takes, by one
core. The aim is three times the device or that copy, whichever is larger, and half a second.

Each case runs once, so that all caches are full, and then --runs times, of which the best
counts. The input is all files that are read. Verbs without an input are not measured, nor is
build genometools, which needs another program.

A case that fails is told of at the end, after the measurements of the others.

With --output the measurements are written to a file, too. "bench compare OLD NEW" compares
two of them, and fails where a verb has become slower.`

type benchVerbsFlags struct {
	device   string
	command  string
	size     cli.Size
	runs     int
	only     []string
	out      cli.FileName
	markdown bool
	quiet    bool
}

func benchVerbsCommand() *cobra.Command {
	f := benchVerbsFlags{size: 4_000_000}
	c := &cobra.Command{
		Use:     "verbs",
		Short:   "Measure every verb of the command",
		Long:    benchVerbsHelp,
		Example: "  suffixcl-lab bench verbs --only count,bwt -o new.json\n  suffixcl-lab bench compare old.json new.json",
		RunE:    cli.Work(func(ctx context.Context, _ []string) error { return runBenchVerbs(ctx, &f) }),
	}
	flags := c.Flags()
	flags.StringVar(&f.device, "device", "",
		`device: index, words of its name, "gpu", "cpu" or "auto" (default $SUFFIXCL_DEVICE, else auto)`)
	flags.StringVar(&f.command, "command", "", "the command to measure (default suffixcl next to this one, or in PATH)")
	flags.Var(&f.size, "size", "bytes of each input, such as 64M")
	flags.IntVar(&f.runs, "runs", 3, "runs that are timed")
	flags.StringSliceVar(&f.only, "only", nil, "only these verbs, with commas between them")
	flags.VarP(&f.out, "output", "o", "file for the measurements, as JSON")
	flags.BoolVar(&f.markdown, "markdown", false, "write the table as Markdown")
	cli.AddQuiet(flags, &f.quiet)
	return c
}

// verbsReport is what `bench verbs -o` writes, and what `bench compare` reads.
type verbsReport struct {
	Version  int       `json:"suffixcl_bench_verbs"`
	Library  string    `json:"library"` // that of the command
	Device   string    `json:"device"`
	Platform string    `json:"platform"`
	Driver   string    `json:"driver"`
	System   string    `json:"system"`
	Cores    int       `json:"cpu_cores"`
	Began    string    `json:"began"` // RFC 3339
	Size     int64     `json:"size"`
	Runs     int       `json:"runs"`
	Results  []verbRun `json:"results"`
}

// verbRun is the best run of a verb.
type verbRun struct {
	Case    string     `json:"case"` // the verb with its flags
	Call    []string   `json:"call"`
	Bytes   int64      `json:"bytes"`        // of all files that were read
	Written int64      `json:"written"`      // bytes of the result
	Records int        `json:"records"`      // of the text, and queries
	Seconds float64    `json:"seconds"`      // wall clock of the process
	Copy    float64    `json:"copy_seconds"` // to read the input and copy the result
	CPU     float64    `json:"cpu_seconds"`
	Device  float64    `json:"device_seconds"`
	Share   float64    `json:"device_share"`
	MBps    float64    `json:"mb_per_s"`
	Bound   string     `json:"bound"` // the longest stage
	Stages  cli.Stages `json:"stages"`
}

// toldByVerb is what a verb tells of itself.
type toldByVerb struct {
	Records  int        `json:"records"`
	Queries  int        `json:"queries"`
	Device   string     `json:"device"`
	Platform string     `json:"platform"`
	Driver   string     `json:"driver"`
	Seconds  cli.Stages `json:"seconds"`
}

// verbsBench runs the command in a directory of its own.
type verbsBench struct {
	*benchVerbsFlags
	program string
	dir     string
	made    map[string]bool // calls that make what others read
	report  verbsReport
}

func runBenchVerbs(ctx context.Context, f *benchVerbsFlags) error {
	if f.runs < 1 {
		return cli.Usage("--runs is positive")
	}
	cases, err := verbCases(f.only)
	if err != nil {
		return err
	}
	program, err := f.program()
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "suffixcl-verbs-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := verbsBench{benchVerbsFlags: f, program: program, dir: dir, made: map[string]bool{},
		report: verbsReport{Version: benchVersion, System: runtime.GOOS + "/" + runtime.GOARCH, Cores: runtime.NumCPU(),
			Began: time.Now().UTC().Format(time.RFC3339), Size: int64(f.size), Runs: f.runs}}
	if err := b.identify(ctx); err != nil {
		return err
	}
	failed := b.run(ctx, cases)
	if len(b.report.Results) == 0 {
		return failed
	}
	return errors.Join(b.print(), failed)
}

// run measures the cases. One that fails does not take the measurements of the others with it.
func (b *verbsBench) run(ctx context.Context, cases []verbcases.Case) (failed error) {
	for _, c := range cases {
		run, err := b.measure(ctx, c)
		if err != nil {
			failed = errors.Join(failed, err)
		} else {
			b.report.Results = append(b.report.Results, run)
		}
		if ctx.Err() != nil {
			break
		}
	}
	return failed
}

// print writes the measurements to the file, if there is one, and to standard output.
func (b *verbsBench) print() error {
	if b.out != "" {
		err := cli.SaveFile(string(b.out), func(w io.Writer) error { return cli.PrintJSON(w, b.report) })
		if err != nil {
			return err
		}
	}
	if b.markdown {
		return cli.StandardOutput(b.report.table().markdown(os.Stdout))
	}
	return cli.StandardOutput(b.report.table().print(os.Stdout))
}

// verbCases are those of some verbs, or all.
func verbCases(only []string) (list []verbcases.Case, err error) {
	unknown := slices.Clone(only)
	for _, c := range verbcases.All() {
		if len(only) == 0 || slices.Contains(only, c.Verb) {
			list = append(list, c)
			unknown = slices.DeleteFunc(unknown, func(verb string) bool { return verb == c.Verb })
		}
	}
	if len(unknown) > 0 {
		return nil, cli.Usage("--only: no case of %s", unknown[0])
	}
	return list, nil
}

// program is the path of the command that is measured: that of the flag, else one next to this command, else in PATH.
func (f *benchVerbsFlags) program() (string, error) {
	name := f.command
	if self, err := os.Executable(); name == "" && err == nil {
		if next := filepath.Join(filepath.Dir(self), "suffixcl"+exeSuffix()); cli.CheckReadable(next) == nil {
			name = next
		}
	}
	path, err := exec.LookPath(cmp.Or(name, "suffixcl"))
	if err == nil {
		path, err = filepath.Abs(path) // it runs in another directory
	}
	return path, err
}

// identify asks the command what it is.
func (b *verbsBench) identify(ctx context.Context) error {
	out, _, err := b.call(ctx, "version", "--json")
	if err != nil {
		return err
	}
	var v cli.VersionReport
	if err := json.Unmarshal(out, &v); err != nil {
		return fmt.Errorf("%s version --json: %w", b.program, err)
	}
	b.report.Library = v.Library()
	return nil
}

// taken is the time of a process: by the clock, and of all processors.
type taken struct{ wall, cpu time.Duration }

// call runs the command, and returns its standard output and how long its process took.
func (b *verbsBench) call(ctx context.Context, args ...string) (out []byte, took taken, err error) {
	c := exec.CommandContext(ctx, b.program, args...)
	var stdout, stderr bytes.Buffer
	c.Dir, c.Stdout, c.Stderr = b.dir, &stdout, &stderr
	if b.device != "" {
		c.Env = append(os.Environ(), deviceVariable+"="+b.device)
	}
	began := time.Now()
	err = c.Run()
	took.wall = time.Since(began)
	if state := c.ProcessState; state != nil {
		took.cpu = state.UserTime() + state.SystemTime()
	}
	switch {
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	case err != nil:
		said := cmp.Or(strings.TrimSpace(stderr.String()), err.Error())
		err = fmt.Errorf("%s %s: %s", filepath.Base(b.program), strings.Join(args, " "), said)
	}
	return stdout.Bytes(), took, err
}

// measure runs a case.
func (b *verbsBench) measure(ctx context.Context, c verbcases.Case) (run verbRun, err error) {
	tell(b.quiet, "%s", c.Name())
	if err := c.Make(b.dir, int(b.size)); err != nil {
		return run, err
	}
	for _, before := range c.Before {
		if key := strings.Join(before, " "); !b.made[key] {
			if _, _, err := b.call(ctx, append(before, "-q")...); err != nil {
				return run, err
			}
			b.made[key] = true
		}
	}
	run = verbRun{Case: c.Name(), Call: c.Call()}
	for i := range b.runs + 1 {
		out, took, err := b.call(ctx, append(c.Call(), "-q", "--json")...)
		if err != nil {
			return run, err
		}
		var told toldByVerb
		if err := json.Unmarshal(out, &told); err != nil {
			return run, fmt.Errorf("%s --json: %w", c.Name(), err)
		}
		if i == 1 || i > 1 && took.wall.Seconds() < run.Seconds { // the first fills caches
			run.is(took, told)
		}
		if told.Device != "" {
			b.report.Device, b.report.Platform, b.report.Driver = told.Device, told.Platform, told.Driver
		}
	}
	began := time.Now()
	if run.Bytes, run.Written, err = c.Copy(b.dir); err != nil {
		return run, err
	}
	run.Copy = time.Since(began).Seconds()
	run.MBps = float64(run.Bytes) / 1e6 / run.Seconds
	return run, b.discard()
}

// is takes over what a run tells.
func (r *verbRun) is(took taken, told toldByVerb) {
	seconds := took.wall.Seconds()
	r.Seconds, r.CPU, r.Records = seconds, took.cpu.Seconds(), told.Records+told.Queries
	r.Stages = told.Seconds
	r.Stages.Total = seconds
	r.Device, r.Bound = r.Stages.OnDevice(), r.Stages.Bound().Name
	r.Share = r.Device / seconds
}

// aim is what a verb may take: three times the device or a plain copy, whichever is larger, and half a second.
func (r *verbRun) aim() float64 { return max(3*r.Device, r.Copy) + 0.5 }

// discard removes results.
func (b *verbsBench) discard() error {
	names, err := filepath.Glob(filepath.Join(b.dir, verbcases.Results))
	for _, name := range names {
		err = errors.Join(err, os.RemoveAll(name))
	}
	return err
}

// table has a row for each case.
func (r *verbsReport) table() sheet {
	t := sheet{
		title: fmt.Sprintf("%s, driver %s, %s; %s; best of %s", cmp.Or(r.Device, "no device"), r.Driver,
			bytesize.Count(r.Cores, "core"), r.Library, bytesize.Count(r.Runs, "run")),
		rows: [][]string{{"verb", "input, MB", "records", "result, MB", "s", "cores, s", "device, s", "copy, s", "of aim",
			"MB/s", "longest stage", "of it"}},
	}
	share := func(part float64) string { return fmt.Sprintf("%.0f %%", 100*part) }
	for _, run := range r.Results {
		records := ""
		if run.Records > 0 {
			records = fmt.Sprint(run.Records)
		}
		bound := run.Stages.Bound()
		t.rows = append(t.rows, []string{run.Case, fmt.Sprintf("%.1f", float64(run.Bytes)/1e6), records,
			fmt.Sprintf("%.1f", float64(run.Written)/1e6), fmt.Sprintf("%.2f", run.Seconds), fmt.Sprintf("%.2f", run.CPU),
			fmt.Sprintf("%.2f", run.Device), fmt.Sprintf("%.2f", run.Copy), share(run.Seconds / run.aim()),
			fmt.Sprintf("%.1f", run.MBps), bound.Name, share(bound.Seconds / run.Seconds)})
	}
	return t
}
