package main

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

const prepareHelp = `Build the programs of verbs before they are needed, and keep them: for images and clusters,
and for a first run that is as fast as the second. What is there already is not built again.

Programs are for one device and version of its driver. SUFFIXCL_CACHE names the directory,
if that is not to be the user's. Drivers keep files of their own, which are listed, too: an
image needs both. After an update of the driver or of suffixcl they are built anew.

All verbs that compute on a device are known. What only some calls need is built when it is
first needed: sorting in ranges and over ranks, a sorter of --algorithm, and --symbols,
--set, --order and --documents of the verbs for text.`

type prepareFlags struct {
	cli.DeviceFlags
	verbs []string
	json  bool
	quiet bool
}

func prepareCommand() *cobra.Command {
	var f prepareFlags
	c := &cobra.Command{
		Use:     "prepare",
		Short:   "Build the programs of verbs ahead",
		Long:    prepareHelp,
		Example: "  suffixcl prepare --for sa,bwt\n  SUFFIXCL_CACHE=/opt/suffixcl suffixcl prepare --device gpu",
	}
	c.RunE = cli.Work(func(ctx context.Context, _ []string) error {
		if err := cmp.Or(cli.CheckList(c.Flags(), "for", f.verbs), f.check(c.Root())); err != nil {
			return err
		}
		return f.run(ctx)
	})
	f.DeviceFlags.Add(c.Flags())
	c.Flags().StringSliceVar(&f.verbs, "for", nil, "verbs, separated by commas; all of "+
		strings.Join(preparedVerbs(), ", ")+" if none is given")
	cli.AddJSON(c.Flags(), &f.json)
	cli.AddQuiet(c.Flags(), &f.quiet)
	return c
}

// prepareReport is the result as JSON.
type prepareReport struct {
	Device   string          `json:"device"`
	Platform string          `json:"platform"`
	Driver   string          `json:"driver"`
	Verbs    []string        `json:"verbs"`
	Programs int             `json:"programs"` // that the verbs may need
	Seconds  float64         `json:"seconds"`
	Caches   []preparedCache `json:"caches"`
}

// preparedCache is a directory of programs.
type preparedCache struct {
	Dir   string `json:"dir"`
	Files int    `json:"files"`
	Bytes int64  `json:"bytes"`
}

// check fills in the verbs, and tells of those that there are not, or that have no programs.
func (f *prepareFlags) check(root *cobra.Command) error {
	known := preparedVerbs()
	if len(f.verbs) == 0 {
		f.verbs = known
	}
	f.verbs = withoutCopies(f.verbs)
	for _, name := range f.verbs {
		isVerb := slices.ContainsFunc(root.Commands(), func(c *cobra.Command) bool { return !c.Hidden && c.Name() == name })
		switch {
		case slices.Contains(known, name):
		case isVerb:
			return cli.Usage("--for: %s has no programs of its own to prepare; those that have are %s", name,
				strings.Join(known, ", "))
		default:
			return cli.Usage("--for: there is no verb %q to prepare for; there are %s", name, strings.Join(known, ", "))
		}
	}
	return nil
}

// withoutCopies are the words, each where it is first.
func withoutCopies(words []string) (once []string) {
	for _, w := range words {
		if !slices.Contains(once, w) {
			once = append(once, w)
		}
	}
	return once
}

func (f *prepareFlags) run(ctx context.Context) error {
	began := time.Now()
	r := prepareReport{Verbs: f.verbs}
	progress := cli.NewProgress(f.quiet)
	defer progress.Stop()
	c := f.Config()
	c.Helper = helper
	var s *device.Session
	c.OnBuild = func(string) (built func()) {
		progress.Compiling(programsOf(s))
		return progress.Compiled
	}
	s, err := cli.OpenDevice(c)
	if err != nil {
		return err
	}
	e, err := suffixcl.New(s, suffixcl.EngineOptions{})
	if err != nil {
		s.Close()
		return err
	}
	defer e.Close()
	if err := f.prepare(ctx, e, s); err != nil {
		return err
	}
	progress.Stop()
	caps := e.Caps()
	r.Device, r.Platform, r.Driver, r.Seconds = caps.Name, caps.Platform, caps.DriverVersion, time.Since(began).Seconds()
	r.Programs = len(tuned.Sources(s))
	for _, dir := range tuned.Caches(s) {
		r.Caches = append(r.Caches, sizeOfCache(dir))
	}
	if f.json {
		return cli.PrintJSON(os.Stdout, &r)
	}
	return r.print()
}

// prepare builds what the verbs plan, and calls what plans nothing.
func (f *prepareFlags) prepare(ctx context.Context, e *suffixcl.Engine, s *device.Session) error {
	for _, p := range preparations {
		if !slices.Contains(f.verbs, p.verb) {
			continue
		}
		for _, plan := range p.plans {
			for _, n := range preparedLengths {
				plan, err := plan(ctx, e, n)
				if err == nil {
					err = plan.Fits(s)
				}
				if err != nil && !device.IsTooLarge(err) {
					return err
				}
			}
		}
	}
	if slices.Contains(f.verbs, "devices") {
		if err := tuned.SelfTest(s); err != nil {
			return err
		}
	}
	if err := tuned.Prepare(ctx, s, true); err != nil {
		return err
	}
	for _, p := range preparations {
		if p.rehearse == nil || !slices.Contains(f.verbs, p.verb) {
			continue
		}
		if err := p.rehearse(ctx, e, selfTestText()); err != nil {
			return err
		}
	}
	return nil
}

// sizeOfCache counts the files of a directory. What cannot be read counts as nothing.
func sizeOfCache(dir string) preparedCache {
	c := preparedCache{Dir: dir}
	_ = filepath.WalkDir(dir, func(_ string, f fs.DirEntry, err error) error {
		if err != nil || !f.Type().IsRegular() {
			return nil
		}
		if info, err := f.Info(); err == nil {
			c.Files++
			c.Bytes += info.Size()
		}
		return nil
	})
	return c
}

func (r *prepareReport) print() error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s for %s are ready, %s\n", r.Device, bytesize.Count(r.Programs, "program"),
		strings.Join(r.Verbs, ", "), short(r.Seconds))
	for _, c := range r.Caches {
		fmt.Fprintf(&b, "  %s: %s, %s\n", c.Dir, bytesize.Count(c.Files, "file"), bytesize.Format(c.Bytes))
	}
	_, err := fmt.Print(b.String())
	return cli.StandardOutput(err)
}

// programsOf is what the progress tells of the programs of a session: how many are built, of how many that are known
// to be needed. The session is nil while it opens.
func programsOf(s *device.Session) func() (built, all int) {
	return func() (built, all int) {
		if s != nil {
			built, all = tuned.Ahead(s)
		}
		return built, all
	}
}

// buildProgramsCommand is what a session starts as device.Config.Helper.
func buildProgramsCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "build-programs",
		Short:  "Build programs for another process of suffixcl",
		Args:   cobra.NoArgs,
		Hidden: true,
		RunE: cli.Work(func(context.Context, []string) error {
			return tuned.ServeBuilds(os.Stdin, os.Stdout)
		}),
	}
}
