package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/testkit/gate"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/lab/runner"
)

const kernelsHelp = `Say which kernel files have changed since a report or summary of conformance was made,
which verbs of suffixcl have them in their programs, and which subjects of conformance have
to run again on that device. Of several runs in the file the newest counts. Without --since
all files are listed.

No device is needed: the subjects run on sessions without one, which note the programs that
they are asked for. A report from before digests of files were kept tells only whether all
kernels are as they were.`

// kernelsReport is what has changed, as JSON.
type kernelsReport struct {
	Device   string       `json:"device"`
	Library  string       `json:"library"`
	Began    string       `json:"began"`
	ByFile   bool         `json:"by_file"` // the report tells files apart
	Files    []kernelFile `json:"files"`
	Subjects []string     `json:"subjects"`
	Verbs    []string     `json:"verbs"`
	Suites   []string     `json:"suites"`
}

// kernelFile is a file, and what has it in a program.
type kernelFile struct {
	File     string   `json:"file"`
	Digest   string   `json:"digest"` // "": it is gone
	Subjects []string `json:"subjects"`
}

func kernelsCommand() *cobra.Command {
	var since cli.FileName
	var asJSON bool
	c := &cobra.Command{
		Use:     "kernels",
		Short:   "Say what has to run again after a change of kernels",
		Long:    kernelsHelp,
		Example: "  suffixcl-lab kernels --since docs/conformance/h200.json",
	}
	c.RunE = cli.Work(func(ctx context.Context, _ []string) error {
		r, err := newKernelsReport(ctx, string(since))
		if err != nil {
			return err
		}
		if asJSON {
			return cli.PrintJSON(os.Stdout, r)
		}
		return r.print(since != "")
	})
	c.Flags().Var(&since, "since", "report or summary of conformance")
	cli.AddJSON(c.Flags(), &asJSON)
	return c
}

// newKernelsReport looks up the users of the files that have changed since a report, or of all.
func newKernelsReport(ctx context.Context, since string) (*kernelsReport, error) {
	r := &kernelsReport{ByFile: true, Files: []kernelFile{}}
	now := tuned.KernelDigests()
	var files []string
	if since == "" {
		for file := range now {
			files = append(files, file)
		}
		slices.Sort(files)
	} else {
		s, err := readReport(since, runner.ParseSummary)
		if err != nil {
			return nil, err
		}
		run := s.Newest()
		if run == nil {
			return nil, fmt.Errorf("%s: no run", since)
		}
		r.Device, r.Library, r.Began = run.Device, run.Library, run.Began
		files, r.ByFile = run.ChangedKernels()
	}
	var users map[string][]string
	if len(files) > 0 && r.ByFile {
		var err error
		if users, err = runner.KernelFiles(ctx); err != nil {
			return nil, err
		}
	}
	for _, file := range files {
		f := kernelFile{File: file, Digest: now[file], Subjects: []string{}}
		for _, s := range runner.Subjects() {
			if !r.ByFile || slices.Contains(users[s.Name], file) || slices.Contains(users[""], file) {
				f.Subjects = append(f.Subjects, s.Name)
			}
		}
		r.Files = append(r.Files, f)
	}
	r.fill()
	return r, nil
}

// fill tells what has to run again, in the order of the report of conformance and of the table of verbs.
func (r *kernelsReport) fill() {
	r.Subjects, r.Verbs, r.Suites = []string{}, []string{}, []string{}
	for _, s := range runner.Subjects() {
		if slices.ContainsFunc(r.Files, func(f kernelFile) bool { return slices.Contains(f.Subjects, s.Name) }) {
			r.Subjects = append(r.Subjects, s.Name)
		}
	}
	for _, v := range gate.Verbs() {
		if slices.ContainsFunc(v.Subjects, func(s string) bool { return slices.Contains(r.Subjects, s) }) {
			r.Verbs = append(r.Verbs, v.Name)
		}
	}
	for _, f := range r.Files {
		if suite, is := runner.Elsewhere[f.File]; is && !slices.Contains(r.Suites, suite) {
			r.Suites = append(r.Suites, suite)
		}
	}
}

// print is the report for people.
func (r *kernelsReport) print(compared bool) error {
	var b strings.Builder
	if compared {
		fmt.Fprintf(&b, "%s, %s, %s\n", r.Device, r.Library, r.Began)
	}
	if compared && !r.ByFile {
		b.WriteString("all kernels: the report does not tell files apart\n")
	} else {
		for _, f := range r.Files {
			fmt.Fprintf(&b, "%s  %s\n", f.note(), f.File)
			if !compared {
				fmt.Fprintf(&b, "              %s\n", strings.Join(f.users(), ", "))
			}
		}
	}
	switch {
	case !compared:
	case len(r.Files) == 0:
		b.WriteString("no kernel file has changed\n")
	default:
		r.again(&b)
	}
	return cli.PrintResult("%s", strings.TrimSuffix(b.String(), "\n"))
}

func (f *kernelFile) note() string {
	if f.Digest == "" {
		return "gone        "
	}
	return f.Digest
}

// users are subjects, or the suite that has the file.
func (f *kernelFile) users() []string {
	if suite, is := runner.Elsewhere[f.File]; is {
		return []string{"suite of " + suite}
	}
	return f.Subjects
}

// again is what to run on the device of the report.
func (r *kernelsReport) again(b *strings.Builder) {
	if len(r.Verbs) > 0 {
		fmt.Fprintf(b, "\nverbs: %s\n", strings.Join(r.Verbs, ", "))
	}
	b.WriteString("\nto run again on this device:\n")
	if len(r.Subjects) == len(runner.Subjects()) || !r.ByFile {
		b.WriteString("suffixcl-lab gate\n")
		return
	}
	if len(r.Subjects) > 0 {
		b.WriteString("suffixcl-lab conformance --quick")
		for _, s := range r.Subjects {
			fmt.Fprintf(b, " --only '%s'", s)
		}
		b.WriteString("\n")
	}
	if len(r.Verbs) > 0 {
		b.WriteString("suffixcl-lab gate --only verbs\n")
	}
	if len(r.Suites) > 0 {
		fmt.Fprintf(b, "suffixcl-lab gate --only suites    # %s\n", strings.Join(r.Suites, ", "))
	}
}
