package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/testkit/opticks"
)

const benchColdHelp = `Measure the command suffixcl from the start of its process to its end, with the caches of
programs empty and full: its own and those of NVIDIA's driver and of PoCL. Each case has
new, empty directories. Helpers are the processes that build programs (SUFFIXCL_HELPERS).

TEXT, or a bundled one of 150 KB, is sorted. With --timeline the command tells what it does,
and when: with full caches in sorting the bundled text and in testing devices, with empty ones
in testing devices.`

type benchColdFlags struct {
	labFlags
	command  string
	timeline bool
}

func benchColdCommand() *cobra.Command {
	var f benchColdFlags
	c := &cobra.Command{
		Use:   "cold [TEXT]",
		Short: "Measure first and second calls of the command",
		Long:  benchColdHelp,
		Args:  cobra.MaximumNArgs(1),
		RunE:  cli.Work(func(ctx context.Context, args []string) error { return runBenchCold(ctx, &f, args) }),
	}
	f.DeviceFlags.Add(c.Flags())
	cli.AddJSON(c.Flags(), &f.json)
	cli.AddQuiet(c.Flags(), &f.quiet)
	c.Flags().StringVar(&f.command, "command", "suffixcl", "the command to measure")
	c.Flags().BoolVar(&f.timeline, "timeline", false, "show what the shortest calls do, and when")
	return c
}

// coldRun is a measured process.
type coldRun struct {
	Call    string  `json:"call"`
	Caches  string  `json:"caches"` // empty, full, or what is full
	Helpers int     `json:"helpers"`
	Seconds float64 `json:"seconds"`
}

// coldReport is what `bench cold --json` writes.
type coldReport struct {
	Library   string         `json:"library"`
	Results   []coldRun      `json:"results"`
	Timelines []coldTimeline `json:"timelines"` // with --timeline
}

// coldBench runs the command in caches of its own.
type coldBench struct {
	flags *benchColdFlags
	dir   string
	text  string
	small string
	out   coldReport
}

// Directories of a case, below that of the run.
const (
	ownCache  = "own"
	driverNV  = "nv"
	driverCPU = "pocl"
)

func runBenchCold(ctx context.Context, f *benchColdFlags, args []string) error {
	dir, err := os.MkdirTemp("", "suffixcl-cold-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := coldBench{flags: f, dir: dir, small: filepath.Join(dir, "small"), out: coldReport{Library: cli.Library()}}
	sample := opticks.Text[:min(len(opticks.Text), 200_000)]
	if err := os.WriteFile(b.small, sample, 0o644); err != nil {
		return err
	}
	if b.text = b.small; len(args) == 1 {
		b.text = args[0]
	}
	run := b.run
	if f.timeline {
		run = b.timelines
	}
	if err := run(ctx); err != nil {
		return err
	}
	if f.json {
		return cli.PrintJSON(os.Stdout, b.out)
	}
	return b.print()
}

func (b *coldBench) run(ctx context.Context) error {
	sa := []string{"sa", b.text, "-q", "-o", filepath.Join(b.dir, "out")}
	small := []string{"sa", b.small, "-q", "-o", filepath.Join(b.dir, "out")}
	for _, helpers := range []int{-1, 1, 2, 4, 8} {
		if err := b.measure(ctx, "empty", helpers, sa, ownCache, driverNV, driverCPU); err != nil {
			return err
		}
	}
	// The last has left all of them full.
	for _, call := range [][]string{sa, small} {
		if err := b.measure(ctx, "full", 4, call); err != nil {
			return err
		}
	}
	if err := b.measure(ctx, "the driver's empty", 4, sa, driverNV, driverCPU); err != nil {
		return err
	}
	if err := b.measure(ctx, "the driver's full", 4, sa, ownCache); err != nil {
		return err
	}
	for _, call := range [][]string{{"devices"}, {"prepare", "--for", "sa,bwt", "-q"}} {
		for _, helpers := range []int{-1, 4} {
			if err := b.measure(ctx, "empty", helpers, call, ownCache, driverNV, driverCPU); err != nil {
				return err
			}
		}
	}
	return nil
}

// measure runs a call after the directories were emptied.
func (b *coldBench) measure(ctx context.Context, caches string, helpers int, call []string, empty ...string) error {
	if err := b.empty(empty); err != nil {
		return err
	}
	b.flags.tell("%s, caches %s, %d helpers", call[0], caches, max(helpers, 0))
	began := time.Now()
	if err := b.start(ctx, helpers, call); err != nil {
		return err
	}
	took := time.Since(began).Seconds()
	b.out.Results = append(b.out.Results, coldRun{b.nameOf(call), caches, max(helpers, 0), took})
	return nil
}

// empty empties directories.
func (b *coldBench) empty(names []string) error {
	for _, name := range names {
		if err := os.RemoveAll(filepath.Join(b.dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// start runs a call.
func (b *coldBench) start(ctx context.Context, helpers int, call []string) error {
	return b.finish(b.command(ctx, helpers, call), call)
}

// finish runs the command of a call to its end.
func (b *coldBench) finish(c *exec.Cmd, call []string) error {
	if err := c.Run(); err != nil {
		return fmt.Errorf("%s %s: %w", b.flags.command, call[0], err)
	}
	return nil
}

// command is a call with the caches of the run.
func (b *coldBench) command(ctx context.Context, helpers int, call []string) *exec.Cmd {
	c := exec.CommandContext(ctx, b.flags.command, call...)
	if call[0] != "devices" && b.flags.Device != "" {
		c.Args = append(c.Args, "--device", b.flags.Device)
	}
	c.Env = append(os.Environ(), "SUFFIXCL_CACHE=", "XDG_CACHE_HOME="+filepath.Join(b.dir, ownCache),
		"CUDA_CACHE_PATH="+filepath.Join(b.dir, driverNV), "POCL_CACHE_DIR="+filepath.Join(b.dir, driverCPU),
		"SUFFIXCL_HELPERS="+strconv.Itoa(helpers))
	c.Stderr = os.Stderr
	return c
}

// nameOf is what people know a call by.
func (b *coldBench) nameOf(call []string) string {
	if len(call) > 1 && call[1] == b.small {
		return call[0] + " of the bundled text"
	}
	return call[0]
}

func (b *coldBench) print() error {
	t := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "call\tcaches\thelpers\tseconds")
	for _, r := range b.out.Results {
		fmt.Fprintf(t, "%s\t%s\t%d\t%.2f\n", r.Call, r.Caches, r.Helpers, r.Seconds)
	}
	err := t.Flush()
	for _, line := range b.out.Timelines {
		line.print(os.Stdout)
	}
	return cli.StandardOutput(err)
}
