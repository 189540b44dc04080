package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/testkit/gate"
	"github.com/suffixcl/suffixcl/internal/testkit/harness"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/lab/runner"
)

const gateHelp = `Run all that has to pass on a GPU before a change of kernels, of package device or of a
sorter is done:

  conformance  every subject in every variant, few inputs, of seed 1 and of a random seed;
               of some variants a part, which the seed says, unless --whole is given
  verbs        every verb of suffixcl on every kind of input, compared with definitions
  suites       the test binaries next to this command: what no subject of conformance has

"make gpu" builds suffixcl, this command and the test binaries in one directory, which may
be carried to a machine without Go, and runs it. suffixcl is taken from there. All of it
runs in child processes; what fails ends nothing else.

The directory OUT gets conformance.json and its page, summary.json for docs/conformance,
verbs.json for docs/conformance/verbs, and the output of what failed. If anything failed,
the exit code is 5.`

// deviceVariable names the device of commands that are given none.
const deviceVariable = "SUFFIXCL_DEVICE"

// gateSteps are the parts of the gate.
var gateSteps = []string{"conformance", "verbs", "suites"}

type gateFlags struct {
	device string
	out    cli.FileName
	only   []string
	seed   uint64
	length int
	whole  bool
	quiet  bool
	base   string // directory of the commands and test binaries
}

func gateCommand() *cobra.Command {
	var f gateFlags
	c := &cobra.Command{
		Use:     "gate",
		Short:   "Run all that has to pass on a GPU",
		Long:    gateHelp,
		Example: "  suffixcl-lab gate -o reports --device gpu",
		RunE: cli.Work(func(ctx context.Context, _ []string) error {
			if err := f.check(); err != nil {
				return err
			}
			return f.run(ctx)
		}),
	}
	flags := c.Flags()
	flags.StringVar(&f.device, "device", "",
		`device: index, words of its name, "gpu", "cpu" or "auto" (default $SUFFIXCL_DEVICE, else auto)`)
	f.out = "gate"
	flags.VarP(&f.out, "output", "o", "directory of the reports (default gate)")
	flags.StringSliceVar(&f.only, "only", nil, "only these parts: "+strings.Join(gateSteps, ", "))
	flags.Uint64Var(&f.seed, "seed", 0, "second seed of conformance, and that of the texts of verbs; 0: a random one")
	flags.IntVar(&f.length, "length", 20000, "symbols of the texts of verbs")
	flags.BoolVar(&f.whole, "whole", false, "conformance of all subjects in all variants with both seeds")
	cli.AddQuiet(flags, &f.quiet)
	c.AddCommand(gateTableCommand())
	return c
}

// leastGateLength leaves each record of a text some passages that occur again.
const leastGateLength = 1000

func (f *gateFlags) check() error {
	for _, step := range f.only {
		if !slices.Contains(gateSteps, step) {
			return cli.Usage("--only: %q is none of %s", step, strings.Join(gateSteps, ", "))
		}
	}
	if f.length < leastGateLength {
		return cli.Usage("--length: want %d or more", leastGateLength)
	}
	return nil
}

// gateRun is a run of the gate on a device.
type gateRun struct {
	*gateFlags
	device *cl.Device
	index  int
	mu     sync.Mutex // of results: parts run at the same time
	failed []string   // parts
}

func (f *gateFlags) run(ctx context.Context) error {
	devices, err := device.List()
	if err != nil {
		return err
	}
	selector := cmp.Or(f.device, os.Getenv(deviceVariable), "auto")
	index, err := tuned.Choose(devices, selector)
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if f.base == "" {
		f.base = filepath.Dir(self)
	}
	if err := os.MkdirAll(string(f.out), 0o777); err != nil {
		return fmt.Errorf("cannot make %s: %w", f.out, cli.WithoutPath(err))
	}
	if f.seed == 0 {
		f.seed = uint64(rand.Uint32())
	}
	// A number, as two devices may share a name.
	if err := os.Setenv(deviceVariable, strconv.Itoa(index)); err != nil {
		return err
	}
	g := gateRun{gateFlags: f, device: devices[index], index: index}
	began := time.Now()
	if err := cli.PrintResult("gate of %s, %s: seeds 1 and %d", strings.TrimSpace(g.device.Name()), cli.Library(),
		f.seed); err != nil {
		return err
	}
	all := []func(context.Context, string) error{g.conformance, g.verbs, g.suites}
	for i, part := range gateSteps {
		if len(f.only) > 0 && !slices.Contains(f.only, part) {
			all[i] = func(context.Context, string) error { return nil }
		}
	}
	// Most processes wait for the device to open and for the host to compile, more than for the device.
	steps, each := errgroup.WithContext(ctx)
	steps.SetLimit(g.atOnce(len(all)))
	for _, step := range all {
		steps.Go(func() error { return step(each, self) })
	}
	if err := steps.Wait(); err != nil {
		return err
	}
	if len(g.failed) > 0 {
		return cli.Mismatch("failed: %s; see %s", strings.Join(g.failed, ", "), f.out)
	}
	return cli.PrintResult("passed, %.0f s in all", time.Since(began).Seconds())
}

func (g *gateRun) path(name string) string { return filepath.Join(string(g.out), name) }

// end prints a line about a part, and notes that it failed.
func (g *gateRun) end(part string, passed bool, began time.Time, format string, args ...any) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	word := "passed"
	if !passed {
		word = "FAILED"
		g.failed = append(g.failed, part)
	}
	return cli.PrintResult("%s  %s: %s, %.0f s", word, part, fmt.Sprintf(format, args...), time.Since(began).Seconds())
}

// child runs a process, and keeps what it writes in a file, which is removed if all is well. Errors: the context's and
// of the file.
func (g *gateRun) child(ctx context.Context, log string, c *exec.Cmd) (passed bool, err error) {
	file, err := os.Create(g.path(log))
	if err != nil {
		return false, err
	}
	defer file.Close()
	c.Stdout, c.Stderr = file, file
	failure := c.Run()
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	if failure != nil {
		fmt.Fprintln(file, failure)
		return false, nil
	}
	return true, os.Remove(g.path(log))
}

// conformance runs all subjects with each seed, and joins the reports: what there is after each seed is kept.
func (g *gateRun) conformance(ctx context.Context, self string) error {
	var variants []string
	for _, v := range harness.Matrix(g.device) {
		variants = append(variants, v.Name)
	}
	var reports []*runner.Report
	for _, seed := range []uint64{g.seed, 1} { // where time ends a run, the random one is there
		began := time.Now()
		name := g.path(fmt.Sprintf("seed-%d.json", seed))
		args := []string{"conformance", "--quick", "--device", strconv.Itoa(g.index), "--seed", fmt.Sprint(seed), "-o", name,
			"--variant", strings.Join(variants, ",")}
		if g.whole { // nothing is left to other seeds
			args = append(args, "--only", "primitives", "--only", "sorters", "--only", "applications")
		}
		if g.quiet {
			args = append(args, "-q")
		}
		part := fmt.Sprintf("conformance, seed %d", seed)
		passed, err := g.child(ctx, fmt.Sprintf("seed-%d.log", seed), exec.CommandContext(ctx, self, args...))
		if err != nil {
			return err
		}
		report, err := readReport(name, runner.Parse)
		if err != nil {
			if err := g.end(part, false, began, "no report: %v", err); err != nil {
				return err
			}
			continue
		}
		reports = append(reports, report)
		ok, all := report.Summary().Count()
		if err := g.end(part, passed && all > 0, began, "%d of %d cells", ok, all); err != nil {
			return err
		}
		page := strings.TrimSuffix(name, ".json") + ".html" // of both there is one
		joined := runner.Merge(reports...)
		if err := errors.Join(saveReport(joined, g.path("conformance.json")),
			cli.SaveFile(g.path("summary.json"), joined.Summary().Write), os.Remove(name), os.Remove(page)); err != nil {
			return err
		}
	}
	return nil
}

// processTime is how long a process of a verb may take: the first compiles kernels.
const processTime = 2 * time.Minute

// verbs runs the table of verbs by processes of suffixcl.
func (g *gateRun) verbs(ctx context.Context, _ string) error {
	began := time.Now()
	program, err := filepath.Abs(filepath.Join(g.base, "suffixcl"+exeSuffix()))
	if err != nil {
		return err
	}
	if err := cli.CheckReadable(program); err != nil {
		return fmt.Errorf("the gate runs suffixcl, which has to be next to suffixcl-lab: %w", err)
	}
	run := func(ctx context.Context, dir string, args ...string) (code int, out, errs string, err error) {
		limited, cancel := context.WithTimeout(ctx, processTime)
		defer cancel()
		c := exec.CommandContext(limited, program, args...)
		var stdout, stderr bytes.Buffer
		c.Dir, c.Stdout, c.Stderr = dir, &stdout, &stderr
		err = c.Run()
		var exit *exec.ExitError
		switch {
		case limited.Err() != nil:
			return -1, stdout.String(), stderr.String(), fmt.Errorf("ended after %v", processTime)
		case errors.As(err, &exit):
			err = nil
		}
		return c.ProcessState.ExitCode(), stdout.String(), stderr.String(), err
	}
	caps := tuned.Identify(g.device)
	report := &gate.Report{Version: gate.Version, Device: strings.TrimSpace(caps.Name), Platform: caps.Platform,
		Driver: caps.DriverVersion, System: runtime.GOOS + "/" + runtime.GOARCH, Library: cli.Library(),
		Began: began.UTC().Format(time.RFC3339)}
	bar, done := cli.NewProgress(g.quiet), 0
	report.Cells, err = gate.Run(ctx, gate.Options{Run: run, Length: g.length, Seed: g.seed, AtOnce: g.atOnce(8),
		Ended: func(c gate.Cell, all int) {
			done++
			bar.Update("verbs", int64(done), int64(all))
		}})
	bar.Stop()
	if err != nil {
		return err
	}
	if err := cli.SaveFile(g.path("verbs.json"), report.Write); err != nil {
		return err
	}
	wrong := report.Wrong()
	for _, c := range wrong {
		tell(false, "%s, %s: %s\n  %s", c.Verb, c.Kind, c.Why, c.Command)
	}
	return g.end("verbs", len(wrong) == 0, began, "%s right, %d refused, %d absent, %d wrong",
		bytesize.Count(report.Count(gate.Right), "cell"), report.Count(gate.Refused), report.Count(gate.Absent), len(wrong))
}

// atOnce is how many processes, of those that might, share the device: each has a context there, and compiles on the
// host.
func (g *gateRun) atOnce(most int) int {
	if g.device.Type()&cl.DeviceTypeGPU == 0 {
		return 1
	}
	return max(min(runtime.NumCPU(), most, int(g.device.GlobalMemSize()>>30)), 1)
}

func exeSuffix() string {
	if runtime.GOOS == "windows" {
		return ".exe"
	}
	return ""
}

// Test binaries end in suiteSuffix, as those of go test -c do; a suite may take suiteTime.
const (
	suiteSuffix = ".test"
	suiteTime   = "540s"
)

// suites runs the test binaries next to the command, whose names end in .test. None is a failure: then they were not
// carried along.
func (g *gateRun) suites(ctx context.Context, _ string) error {
	binaries, err := filepath.Glob(filepath.Join(g.base, "*"+suiteSuffix))
	if err != nil {
		return err
	}
	if len(binaries) == 0 {
		return g.end("suites", false, time.Now(), "no test binaries in %s", g.base)
	}
	all, each := errgroup.WithContext(ctx)
	all.SetLimit(g.atOnce(len(binaries)))
	for _, binary := range binaries {
		all.Go(func() error {
			path, err := filepath.Abs(binary)
			if err != nil {
				return err
			}
			return g.suite(each, path)
		})
	}
	return all.Wait()
}

// suite runs a test binary, in the directory of its name next to it, if it has files there.
func (g *gateRun) suite(ctx context.Context, binary string) error {
	began, dir := time.Now(), strings.TrimSuffix(binary, suiteSuffix)
	name := filepath.Base(dir)
	// The log of a suite that fails has the time of each test.
	c := exec.CommandContext(ctx, binary, "-test.v", "-test.short", "-test.timeout", suiteTime)
	c.Env = append(os.Environ(), "REQUIRE_OPENCL=1", "SUFFIXCL_TEST_DEVICE="+strconv.Itoa(g.index))
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		c.Dir = dir
	}
	passed, err := g.child(ctx, name+".log", c)
	if err != nil {
		return err
	}
	return g.end("suite of "+name, passed, began, "on the device")
}

const gateTableHelp = `Write the table of verbs and kinds of input as Markdown, of reports of gate: the verbs.json of
several devices, under the names that they have in the table. docs/conformance.md has it.`

func gateTableCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "table VERBS.json...",
		Short: "Write the table of verbs and kinds of input",
		Long:  gateTableHelp,
		RunE: cli.Work(func(_ context.Context, args []string) error {
			table, err := gateTable(args)
			if err != nil {
				return err
			}
			return cli.PrintResult("%s", strings.TrimSpace(table))
		}),
	}
}

func gateTable(files []string) (string, error) {
	var names []string
	var reports []*gate.Report
	for _, file := range files {
		r, err := readReport(file, gate.Parse)
		if err != nil {
			return "", err
		}
		names, reports = append(names, strings.TrimSuffix(filepath.Base(file), ".json")), append(reports, r)
	}
	mark := func(library string) string { return runner.Marked(library, tuned.KernelDigest()) }
	return gate.Markdown(names, reports, mark), nil
}
