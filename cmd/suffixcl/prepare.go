package main

import (
	"context"
	"errors"
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
	"github.com/suffixcl/suffixcl/patterns"
)

const prepareHelp = `Build the programs of verbs before they are needed, and keep them: for images and clusters,
and for a first run that is as fast as the second. What is there already is not built again.

Programs are for one device and version of its driver. SUFFIXCL_CACHE names the directory,
if that is not to be the user's. Drivers keep files of their own, which are listed, too: an
image needs both. After an update of the driver or of suffixcl they are built anew.`

// preparation is what a verb needs.
type preparation struct {
	verb string
	ops  []suffixcl.Op
	// rehearse calls what plans nothing before it is called; may be nil.
	rehearse func(ctx context.Context, e *suffixcl.Engine, text []byte) error
}

var preparations = []preparation{
	{"sa", []suffixcl.Op{suffixcl.OpSuffixArray}, nil},
	{"lcp", []suffixcl.Op{suffixcl.OpLCP, suffixcl.OpLCPOf}, nil},
	{"bwt", []suffixcl.Op{suffixcl.OpBWT}, nil},
	{"unbwt", []suffixcl.Op{suffixcl.OpInverseBWT}, nil},
	{"index", []suffixcl.Op{suffixcl.OpBuildIndex}, rehearseIndex},
	{"count", []suffixcl.Op{suffixcl.OpBuildIndex}, rehearseIndex},
	{"locate", []suffixcl.Op{suffixcl.OpBuildIndex}, rehearseIndex},
	{"match", []suffixcl.Op{suffixcl.OpNewMatcher}, rehearseMatcher},
	{"repeats", []suffixcl.Op{suffixcl.OpLongestRepeats}, nil},
	{"verify", []suffixcl.Op{suffixcl.OpVerify, suffixcl.OpVerifyBWT, suffixcl.OpVerifyLCP}, nil},
	{"devices", []suffixcl.Op{suffixcl.OpSuffixArray, suffixcl.OpVerify}, nil},
}

// preparedLengths are those of texts that are sorted in different ways.
var preparedLengths = []int{1 << 12, 1 << 15, 1 << 20, 1 << 28}

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
		RunE:    cli.Work(func(ctx context.Context, _ []string) error { return f.run(ctx) }),
	}
	f.DeviceFlags.Add(c.Flags())
	c.Flags().StringSliceVar(&f.verbs, "for", nil, "verbs, separated by commas; all of "+
		strings.Join(preparedVerbs(), ", ")+" if none is given")
	cli.AddJSON(c.Flags(), &f.json)
	cli.AddQuiet(c.Flags(), &f.quiet)
	return c
}

func preparedVerbs() (names []string) {
	for _, p := range preparations {
		names = append(names, p.verb)
	}
	return names
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

func (f *prepareFlags) run(ctx context.Context) error {
	if len(f.verbs) == 0 {
		f.verbs = preparedVerbs()
	}
	for _, name := range f.verbs {
		if !slices.Contains(preparedVerbs(), name) {
			return cli.Usage("--for: there is no verb %q to prepare for; there are %s", name,
				strings.Join(preparedVerbs(), ", "))
		}
	}
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
		for _, op := range p.ops {
			for _, n := range preparedLengths {
				plan, err := e.Plan(ctx, op, n)
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

// rehearsedPatterns occur in the text of the self-test.
func rehearsedPatterns(text []byte) (*patterns.Batch, error) {
	var b patterns.Batch
	return &b, errors.Join(b.Add(text[:3]), b.Add(text[len(text)-100:]))
}

func rehearseIndex(ctx context.Context, e *suffixcl.Engine, text []byte) error {
	dna := []byte(strings.Repeat("GATTACAGATTC", 30))
	for _, text := range [][]byte{text, dna} {
		x, err := e.BuildIndex(ctx, text, suffixcl.IndexOptions{})
		if err != nil {
			return err
		}
		err = rehearseSearch(ctx, x, text)
		if err := errors.Join(err, x.Close()); err != nil {
			return err
		}
	}
	return nil
}

func rehearseMatcher(ctx context.Context, e *suffixcl.Engine, text []byte) error {
	m, err := e.NewMatcher(ctx, text, suffixcl.MatcherOptions{})
	if err != nil {
		return err
	}
	return errors.Join(rehearseSearch(ctx, m, text), m.Close())
}

func rehearseSearch(ctx context.Context, x searcher, text []byte) error {
	b, err := rehearsedPatterns(text)
	if err != nil {
		return err
	}
	if _, err := x.Count(ctx, b); err != nil {
		return err
	}
	return x.Locate(ctx, b, func(int, []uint32) error { return nil })
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
	fmt.Fprintf(&b, "%s: %s for %s are ready, %s\n", r.Device, cli.Plural(r.Programs, "program"),
		strings.Join(r.Verbs, ", "), short(r.Seconds))
	for _, c := range r.Caches {
		fmt.Fprintf(&b, "  %s: %s, %s\n", c.Dir, cli.Plural(c.Files, "file"), bytesize.Format(c.Bytes))
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
