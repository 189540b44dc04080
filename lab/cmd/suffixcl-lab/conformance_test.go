package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"github.com/suffixcl/suffixcl/internal/testkit/amdcode/amdcodetest"
	"github.com/suffixcl/suffixcl/lab/runner"
)

func TestConformance(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	args := []string{"conformance", "--quick", "--device", "auto", "--only", "exclusive sum u32", "--class", "large",
		"-o", "r.json"}
	first := clitest.Good(t, dir, args...)
	assert.Contains(t, first.Out, " passed (quick, seed 1")
	read := func(name string) *runner.Report {
		data, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		r, err := runner.Parse(data)
		require.NoError(t, err)
		return r
	}
	r := read("r.json")
	require.Len(t, r.Runs, 1)
	cells := len(r.Runs[0].Cells)
	require.Positive(t, cells)
	assert.NotEmpty(t, r.Runs[0].Library)
	page, err := os.ReadFile(filepath.Join(dir, "r.html"))
	require.NoError(t, err)
	assert.Contains(t, string(page), "exclusive sum u32")

	// Resumed with more to do, the report grows; the old cells stay as they are.
	before := r.Runs[0].Cells[0]
	clitest.Good(t, dir, append(args, "--resume", "--only", "inclusive sum u32")...)
	r = read("r.json")
	assert.Len(t, r.Runs[0].Cells, 2*cells)
	assert.Contains(t, r.Runs[0].Cells, before)

	r.Runs[0].Cells[0].Result, r.Runs[0].Seed = runner.Failed, 7
	f, err := os.Create(filepath.Join(dir, "bad.json"))
	require.NoError(t, err)
	require.NoError(t, r.Write(f))
	require.NoError(t, f.Close())
	merged := clitest.Run(t, dir, "conformance", "merge", "r.json", "bad.json", "-o", "all.json")
	assert.Equal(t, cli.ExitVerify, merged.Code)
	assert.Contains(t, merged.Errors, "1 cell did not pass")
	assert.Len(t, read("all.json").Runs, 2)
	table := clitest.Good(t, dir, "conformance", "merge", "r.json", "--markdown").Out
	assert.Contains(t, table, "| device, driver |")

	// A summary makes the same table and tells of the same failure, but has no cells.
	summarise := []string{"conformance", "merge", "r.json", "--summary", "short.json", "--markdown"}
	assert.Equal(t, table, clitest.Good(t, dir, summarise...).Out)
	assert.Equal(t, table, clitest.Good(t, dir, "conformance", "merge", "short.json", "--markdown").Out)
	merged = clitest.Run(t, dir, "conformance", "merge", "bad.json", "short.json", "--summary", "both.json")
	assert.Equal(t, cli.ExitVerify, merged.Code)
	data, err := os.ReadFile(filepath.Join(dir, "both.json"))
	require.NoError(t, err)
	both, err := runner.ParseSummary(data)
	require.NoError(t, err)
	require.Len(t, both.Runs, 2)
	assert.Equal(t, 1, both.Failures())
	for _, wrong := range [][]string{{"short.json", "-o", "all.json"}, {"short.json", "--json"}} {
		refused := clitest.Run(t, dir, append([]string{"conformance", "merge"}, wrong...)...)
		assert.Equal(t, cli.ExitFailed, refused.Code, "%v", wrong)
		assert.Contains(t, refused.Errors, "short.json: a summary", "%v", wrong)
	}

	for _, wrong := range [][]string{
		{"conformance", "--only", "bogosort"}, {"conformance", "--variant", "wave63"}, {"conformance", "--resume"},
		{"conformance", "--quick", "--full"}, {"conformance", "merge"},
	} {
		assert.Equal(t, cli.ExitUsage, clitest.Run(t, dir, wrong...).Code, "%v", wrong)
	}
	assert.Equal(t, cli.ExitNoDevice, clitest.Run(t, dir, "conformance", "--device", "no such device").Code)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "other.json"), []byte("{}"), 0o600))
	assert.Equal(t, cli.ExitFailed, clitest.Run(t, dir, "conformance", "merge", "other.json").Code)
	assert.Equal(t, cli.ExitFailed, clitest.Run(t, dir, "conformance", "merge", "missing.json").Code)
}

// An emulated device needs no OpenCL library, and a failure is repeated with the same schedule.
func TestConformanceEmulated(t *testing.T) {
	dir := t.TempDir()
	for _, device := range []string{"amdgpu:gfx1", "amdgpu:gfx942:x", "amdgpu:"} {
		bad := clitest.Run(t, dir, "conformance", "--device", device)
		assert.Equal(t, cli.ExitUsage, bad.Code, device)
		assert.Contains(t, bad.Errors, "--device")
	}
	amdcodetest.Compiler(t)
	t.Setenv("SUFFIXCL_OPENCL_LIBRARY", filepath.Join(dir, "libNothing.so"))
	good := clitest.Good(t, dir, "conformance", "--quick", "--device", "amdgpu:gfx1100:3", "--variant", "tiny",
		"--only", "exclusive sum u32", "-o", "r.json")
	assert.Contains(t, good.Out, "gfx1100:emulated")
	assert.Contains(t, good.Out, "2 of 2 cells passed")
	t.Setenv("PATH", t.TempDir())
	bare := clitest.Run(t, dir, "conformance", "--quick", "--device", "amdgpu:gfx1100")
	assert.NotZero(t, bare.Code)
	assert.Contains(t, bare.Errors, "install the Debian packages clang-19")
}
