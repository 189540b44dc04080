// Amdgate compiles every program of the library for AMD GPUs, without a device.
// It fails on what would fail or crawl there:
//
//   - compile errors, and warnings, which NVIDIA's compiler tells users of
//   - unresolved symbols
//   - registers spilled, private arrays left in memory
//   - more local memory than a work-group can have
//
// Usage:
//
//	go run ./internal/testkit/amdgate [-q] [-targets gfx90a,gfx1100] [-files sets.cl,sais.cl]
//
// It needs clang 19, lld 19, objdump of LLVM 19 and AMD's device libraries; it says which packages to
// install where they are missing. What it cannot tell: whether the result is right.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/suffixcl/suffixcl/internal/testkit/amdcode"
)

func main() {
	quiet := flag.Bool("q", false, "print failures and the summary, not the table")
	names := flag.String("targets", "", "comma-separated targets; all where empty")
	files := flag.String("files", "", "comma-separated files of kernels: only programs with one of them")
	flag.Parse()
	ok, err := run(os.Stdout, *names, *files, *quiet)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "amdgate:", err)
		os.Exit(1)
	case !ok:
		os.Exit(1)
	}
}

// run prints the report and tells whether everything passed.
func run(w io.Writer, names, files string, quiet bool) (bool, error) {
	chosen, err := chooseTargets(names)
	if err != nil {
		return false, err
	}
	compiler, err := amdcode.FindCompiler()
	if err != nil {
		return false, err
	}
	all, err := jobs(chosen)
	if err != nil {
		return false, err
	}
	if files != "" {
		if all = having(all, strings.Split(files, ",")); len(all) == 0 {
			return false, fmt.Errorf("no program has one of %s", files)
		}
	}
	results, err := compileAll(compiler, all)
	if err != nil {
		return false, err
	}
	if !quiet {
		table(w, results)
	}
	return summary(w, results), nil
}

func chooseTargets(names string) ([]amdcode.Target, error) {
	if names == "" {
		return amdcode.Targets(), nil
	}
	var chosen []amdcode.Target
	for name := range strings.SplitSeq(names, ",") {
		t, err := amdcode.Lookup(name)
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, t)
	}
	return chosen, nil
}

func table(w io.Writer, results []result) {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "target\trow\tVGPRs\tSGPRs\tLDS\tscratch\tspills v\ts\t  kernel (program)")
	for _, r := range results {
		for _, k := range r.kernels {
			fmt.Fprintf(tw, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t  %s (%s)\n",
				r.job.target.Name, r.job.row, k.VGPRs, k.SGPRs, k.LDS, k.Scratch, k.VGPRSpills, k.SGPRSpills, k.Name, r.job.name)
		}
	}
	tw.Flush()
}

// summary prints every failure and the worst kernels, and tells whether there was
// no failure.
func summary(w io.Writer, results []result) bool {
	failures, count, alone := 0, 0, 0
	var vgprs, sgprs, lds, scratch worst
	for _, r := range results {
		for _, f := range r.failures() {
			failures++
			fmt.Fprintf(w, "FAIL %s: %s\n", r.job, f)
		}
		if r.alone {
			alone++
		}
		for _, k := range r.kernels {
			count++
			vgprs.see(k.VGPRs, k, r.job)
			lds.see(k.LDS, k, r.job)
			scratch.see(k.Scratch, k, r.job)
			sgprs.see(k.SGPRs, k, r.job)
		}
	}
	fmt.Fprintf(w, "%d programs, %d kernels, %d failures\n", len(results), count, failures)
	if alone > 0 {
		fmt.Fprintf(w, "%d were compiled by themselves: they need more of OpenCL's library, or others failed\n", alone)
	}
	fmt.Fprintf(w, "most VGPRs:     %s\n", vgprs)
	fmt.Fprintf(w, "most SGPRs:     %s\n", sgprs)
	fmt.Fprintf(w, "most LDS bytes: %s\n", lds)
	fmt.Fprintf(w, "most scratch:   %s\n", scratch)
	return failures == 0 && count > 0
}

type worst struct {
	n     int
	where string
}

func (w *worst) see(n int, k amdcode.Kernel, j job) {
	if n > w.n {
		*w = worst{n, fmt.Sprintf("%s of %s", k.Name, j)}
	}
}

func (w worst) String() string {
	if w.n == 0 {
		return "0"
	}
	return fmt.Sprintf("%d (%s)", w.n, w.where)
}
