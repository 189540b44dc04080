//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"github.com/suffixcl/suffixcl/internal/testkit/gate"
	"github.com/suffixcl/suffixcl/lab/runner"
)

// newGate is a gate on the first device, with what is in a directory.
func newGate(t *testing.T, base string) *gateRun {
	clitest.NeedDevice(t)
	devices, err := device.List()
	require.NoError(t, err)
	f := &gateFlags{out: cli.FileName(t.TempDir()), seed: 7, length: leastGateLength, quiet: true, base: base}
	return &gateRun{gateFlags: f, device: devices[0]}
}

// What fails is noted with its output, and what comes after it runs.
func TestGateSuites(t *testing.T) {
	base := t.TempDir()
	g := newGate(t, base)
	require.NoError(t, g.suites(t.Context(), ""))
	assert.Equal(t, []string{"suites"}, g.failed, "none is there")

	script(t, filepath.Join(base, "a.test"), "echo lost the device; exit 2")
	script(t, filepath.Join(base, "b.test"), "test -f testdata/x && test \"$REQUIRE_OPENCL\" = 1")
	require.NoError(t, os.MkdirAll(filepath.Join(base, "b", "testdata"), 0o777))
	clitest.Put(t, filepath.Join(base, "b", "testdata"), "x", nil)
	g.failed = nil
	require.NoError(t, g.suites(t.Context(), ""))
	assert.Equal(t, []string{"suite of a"}, g.failed)
	assert.Equal(t, []string{"a.log"}, clitest.Files(t, string(g.out)))
	assert.Equal(t, "lost the device\nexit status 2\n", string(clitest.Get(t, string(g.out), "a.log")))
}

// Both seeds are in the report and in the summary; a run without a report fails alone.
func TestGateConformance(t *testing.T) {
	base := t.TempDir()
	g := newGate(t, base)
	report := func(result runner.Result) string {
		var b strings.Builder
		r := &runner.Report{Version: runner.Version, Runs: []*runner.Run{{RunInfo: runner.RunInfo{Device: "A", Seed: 999},
			Cells: []runner.Cell{{Subject: "skew", Kind: "sorter", Variant: "native", Class: "x", Result: result}}}}}
		require.NoError(t, r.Write(&b))
		return b.String()
	}
	clitest.Put(t, base, "1", []byte(report(runner.Passed)))
	clitest.Put(t, base, "7", []byte(report(runner.Failed)))
	self := script(t, filepath.Join(base, "self"), `echo "$@" >> `+base+`/calls
while [ $# -gt 0 ]; do case $1 in -o) out=$2;; --seed) seed=$2;; esac; shift; done
sed "s/999/$seed/" `+base+`/$seed > $out; touch ${out%.json}.html
test $seed = 1
`)
	require.NoError(t, g.conformance(t.Context(), self))
	assert.NotContains(t, string(clitest.Get(t, base, "calls")), "--only")
	require.NoError(t, os.Remove(filepath.Join(base, "calls")))
	g.failed, g.whole = nil, true
	require.NoError(t, g.conformance(t.Context(), self))
	assert.Equal(t, []string{"conformance, seed 7"}, g.failed)
	assert.Equal(t, []string{"conformance.html", "conformance.json", "seed-7.log", "summary.json"},
		clitest.Files(t, string(g.out)))
	s, err := runner.ParseSummary(clitest.Get(t, string(g.out), "summary.json"))
	require.NoError(t, err)
	require.Len(t, s.Runs, 2)
	assert.Equal(t, []uint64{7, 1}, []uint64{s.Runs[0].Seed, s.Runs[1].Seed})
	calls := string(clitest.Get(t, base, "calls"))
	for _, want := range []string{"--only applications", "--only sorters", "--variant native,tiny", "--quick"} {
		assert.Equal(t, 2, strings.Count(calls, want), want)
	}

	g.failed = nil
	require.NoError(t, os.Remove(filepath.Join(base, "1")))
	require.NoError(t, os.Remove(filepath.Join(base, "7")))
	require.NoError(t, g.conformance(t.Context(), self))
	assert.Equal(t, []string{"conformance, seed 7", "conformance, seed 1"}, g.failed)
}

// A command that refuses all fails every cell that it should take; one that is not there is an error.
func TestGateVerbs(t *testing.T) {
	base := t.TempDir()
	g := newGate(t, base)
	require.ErrorContains(t, g.verbs(t.Context(), ""), "has to be next to suffixcl-lab")
	script(t, filepath.Join(base, "suffixcl"), "echo 'suffixcl: no (see suffixcl sa --help)' >&2; exit 2")
	require.NoError(t, g.verbs(t.Context(), ""))
	assert.Equal(t, []string{"verbs"}, g.failed)
	r, err := gate.Parse(clitest.Get(t, string(g.out), "verbs.json"))
	require.NoError(t, err)
	assert.Equal(t, strings.TrimSpace(g.device.Name()), r.Device)
	assert.Zero(t, r.Count(gate.Right))
	assert.Greater(t, len(r.Wrong()), 100)
	table := clitest.Good(t, string(g.out), "gate", "table", "verbs.json").Out
	assert.Contains(t, table, "| verbs | "+r.Device+", "+r.Platform)
	assert.Contains(t, table, "| `sa` | **wrong** |")
}

func TestGateErrors(t *testing.T) {
	dir := t.TempDir()
	for args, want := range map[string]string{
		"gate --only everything": `"everything" is none of conformance, verbs, suites`,
		"gate --length 10":       "--length: want 1000 or more",
		"gate text":              "",
		"gate table":             "",
		"kernels text":           "",
	} {
		r := clitest.Run(t, dir, strings.Fields(args)...)
		assert.Equal(t, cli.ExitUsage, r.Code, args)
		assert.Contains(t, r.Errors, want)
	}
	clitest.Put(t, dir, "bad.json", []byte("{}"))
	r := clitest.Run(t, dir, "gate", "table", "bad.json")
	assert.Equal(t, cli.ExitFailed, r.Code)
	assert.Contains(t, r.Errors, "bad.json: not a report on verbs")
	clitest.NeedDevice(t)
	r = clitest.Run(t, dir, "gate", "--device", "no such device", "-o", "out")
	assert.Equal(t, cli.ExitNoDevice, r.Code)
	assert.Equal(t, []string{"bad.json"}, clitest.Files(t, dir))
	// The whole command: one part, which fails as nothing was carried along.
	r = clitest.Run(t, dir, "gate", "--only", "suites", "-o", "out", "--seed", "9")
	assert.Equal(t, cli.ExitVerify, r.Code)
	assert.Contains(t, r.Out, fmt.Sprintf("seeds 1 and %d\nFAILED  suites: no test binaries in ", 9))
	assert.Contains(t, r.Errors, "failed: suites; see out")
}
