package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"
	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/hooks"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/seqio"
)

const timelineHelp = `Print each launch of a suffix sort, from device memory to device memory, as the driver
timed it: when it began, how long it took, and how long the device had idled before. The
run with the least time from its first launch to its last is printed. Events cost time, so
a run without a profile is faster.

--calls prints the host's calls to the driver instead, of the fastest run without a
profile: when each began, how long it took, and how long the host did something else
before, as waiting for counts; of launches the number of work-groups, too.`

type timelineFlags struct {
	labFlags
	algorithm string
	bwt       bool
	calls     bool
	runs      int
}

func timelineCommand() *cobra.Command {
	var f timelineFlags
	c := &cobra.Command{
		Use:   "timeline TEXT...",
		Short: "Print each launch of a sort with its times",
		Long:  timelineHelp,
		Args:  cobra.MinimumNArgs(1),
		RunE:  cli.Work(func(ctx context.Context, args []string) error { return runTimeline(ctx, &f, args) }),
	}
	f.DeviceFlags.Add(c.Flags())
	f.TextFlags.Add(c.Flags(), seqio.Plain)
	c.Flags().StringVar(&f.algorithm, "algorithm", string(suffixcl.AlgorithmAuto), "suffix sorter")
	c.Flags().BoolVar(&f.bwt, "bwt", false, "the Burrows-Wheeler transform")
	c.Flags().BoolVar(&f.calls, "calls", false, "calls to the driver instead of launches")
	c.Flags().IntVar(&f.runs, "runs", 20, "runs, of which the fastest is printed")
	return c
}

// timed is a launch, copy or fill as the driver timed it, or a call to the driver.
type timed struct {
	phase, name  string // of a call no phase
	began, ended time.Duration
}

// lasted is how long parts of a run took together, from the first to the last.
func lasted(parts []timed) time.Duration {
	if len(parts) == 0 {
		return 0
	}
	return parts[len(parts)-1].ended - parts[0].began
}

func runTimeline(ctx context.Context, f *timelineFlags, names []string) error {
	algorithm, err := suffixcl.ParseAlgorithm(f.algorithm)
	if err != nil {
		return cli.Usage("--algorithm: %v", err)
	}
	if f.runs < 1 {
		return cli.Usage("--runs is positive")
	}
	for _, name := range names {
		text, err := f.ReadText(ctx, name, nil)
		if err != nil {
			return err
		}
		if len(text) == 0 {
			return cli.Usage("%s is empty", name)
		}
		measure := f.launches
		if f.calls {
			measure = f.driverCalls
		}
		parts, err := measure(ctx, algorithm, text)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := f.print(filepath.Base(name), parts); err != nil {
			return cli.StandardOutput(err)
		}
	}
	return nil
}

// launches returns those of the fastest run.
func (f *timelineFlags) launches(ctx context.Context, algorithm suffixcl.Algorithm, text []byte) ([]timed, error) {
	var parts []timed
	hook := hooks.Session{Timed: func(phase, kernel string, began, ended time.Duration) {
		parts = append(parts, timed{phase, kernel, began, ended})
	}}
	return f.fastest(ctx, algorithm, text, hook, &parts)
}

// driverCalls returns those of the fastest run, with the kernels that they launch.
func (f *timelineFlags) driverCalls(ctx context.Context, algorithm suffixcl.Algorithm, text []byte) ([]timed, error) {
	var parts []timed
	kernel, start := "", time.Now()
	hook := hooks.Session{Launched: func(name string, groups int) {
		kernel = fmt.Sprintf(" %s, %d work-groups", name, groups)
	}}
	defer hooks.Watch(func(what string, began time.Time, took time.Duration) {
		at := began.Sub(start)
		parts = append(parts, timed{"", what + kernel, at, at + took})
		kernel = ""
	})()
	return f.fastest(ctx, algorithm, text, hook, &parts)
}

// fastest returns the parts of the fastest run, which the hooks collect.
func (f *timelineFlags) fastest(ctx context.Context, algorithm suffixcl.Algorithm, text []byte, hook hooks.Session,
	parts *[]timed) (best []timed, err error) {
	c := f.Config()
	c.Profile = !f.calls
	s, err := tuned.Open(c, tuned.Edits{Hooks: hook})
	if err != nil {
		return nil, tuned.Unusable(err)
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	sorter, _, err := suffixcl.NewSorter(s, algorithm, len(text))
	if err != nil {
		return nil, err
	}
	defer sorter.Release()
	in, err := device.Alloc[uint8](s, len(text))
	if err != nil {
		return nil, err
	}
	defer in.Release()
	transform, err := device.Alloc[uint8](s, len(text))
	if err != nil {
		return nil, err
	}
	defer transform.Release()
	sa, err := device.Alloc[uint32](s, len(text))
	if err != nil {
		return nil, err
	}
	defer sa.Release()
	if err := cmp.Or(sorter.Allocate(), in.Upload(ctx, text, nil)); err != nil {
		return nil, err
	}
	for run := range f.runs + 1 { // the first one builds kernels
		*parts = nil
		if f.bwt {
			_, err = sorter.RunBWT(ctx, in, sa, transform, nil)
		} else {
			err = sorter.Run(ctx, in, sa, nil)
		}
		if err := cmp.Or(err, s.Finish()); err != nil {
			return nil, err
		}
		if run == 1 || run > 1 && lasted(*parts) < lasted(best) {
			best = *parts
		}
	}
	return best, nil
}

func (f *timelineFlags) print(name string, parts []timed) error {
	busy := time.Duration(0)
	for _, p := range parts {
		busy += p.ended - p.began
	}
	what, before := "launches", "idle before"
	if f.calls {
		what, before = "calls", "else before"
	}
	fmt.Printf("%s: %d %s in %s us, which took %s us\n", name, len(parts), what, microseconds(lasted(parts)),
		microseconds(busy))
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "at, us\ttook\t%s\t\n", before)
	for i, p := range parts {
		between := time.Duration(0)
		if i > 0 {
			between = p.began - parts[i-1].ended
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t  %s\n", microseconds(p.began-parts[0].began), microseconds(p.ended-p.began),
			microseconds(between), strings.TrimSpace(p.phase+"  "+p.name))
	}
	return w.Flush()
}

func microseconds(d time.Duration) string { return fmt.Sprintf("%.1f", float64(d.Nanoseconds())/1e3) }
