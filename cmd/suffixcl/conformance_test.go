package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/lab/runner"
)

func TestConformance(t *testing.T) {
	needDevice(t)
	dir := t.TempDir()
	args := []string{"conformance", "--quick", "--device", "auto", "--only", "exclusive sum u32", "--class", "large", "-o", "r.json"}
	first := good(t, dir, args...)
	assert.Contains(t, first.out, " passed (quick, seed 1")
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
	good(t, dir, append(args, "--resume", "--only", "inclusive sum u32")...)
	r = read("r.json")
	assert.Len(t, r.Runs[0].Cells, 2*cells)
	assert.Contains(t, r.Runs[0].Cells, before)

	r.Runs[0].Cells[0].Result, r.Runs[0].Seed = runner.Failed, 7
	f, err := os.Create(filepath.Join(dir, "bad.json"))
	require.NoError(t, err)
	require.NoError(t, r.Write(f))
	require.NoError(t, f.Close())
	merged := suffixclIn(t, dir, "conformance", "merge", "r.json", "bad.json", "-o", "all.json")
	assert.Equal(t, exitVerify, merged.code)
	assert.Contains(t, merged.errors, "1 cell did not pass")
	assert.Len(t, read("all.json").Runs, 2)
	table := good(t, dir, "conformance", "merge", "r.json", "--markdown").out
	assert.Contains(t, table, "| device, driver |")

	// A summary makes the same table and tells of the same failure, but has no cells.
	assert.Equal(t, table, good(t, dir, "conformance", "merge", "r.json", "--summary", "short.json", "--markdown").out)
	assert.Equal(t, table, good(t, dir, "conformance", "merge", "short.json", "--markdown").out)
	merged = suffixclIn(t, dir, "conformance", "merge", "bad.json", "short.json", "--summary", "both.json")
	assert.Equal(t, exitVerify, merged.code)
	data, err := os.ReadFile(filepath.Join(dir, "both.json"))
	require.NoError(t, err)
	both, err := runner.ParseSummary(data)
	require.NoError(t, err)
	require.Len(t, both.Runs, 2)
	assert.Equal(t, 1, both.Failures())
	for _, wrong := range [][]string{{"short.json", "-o", "all.json"}, {"short.json", "--json"}} {
		refused := suffixclIn(t, dir, append([]string{"conformance", "merge"}, wrong...)...)
		assert.Equal(t, exitFailed, refused.code, "%v", wrong)
		assert.Contains(t, refused.errors, "short.json: a summary", "%v", wrong)
	}

	for _, wrong := range [][]string{
		{"conformance", "--only", "bogosort"}, {"conformance", "--variant", "wave63"}, {"conformance", "--resume"},
		{"conformance", "--quick", "--full"}, {"conformance", "merge"},
	} {
		assert.Equal(t, exitUsage, suffixclIn(t, dir, wrong...).code, "%v", wrong)
	}
	assert.Equal(t, exitNoDevice, suffixclIn(t, dir, "conformance", "--device", "no such device").code)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "other.json"), []byte("{}"), 0o600))
	assert.Equal(t, exitFailed, suffixclIn(t, dir, "conformance", "merge", "other.json").code)
	assert.Equal(t, exitFailed, suffixclIn(t, dir, "conformance", "merge", "missing.json").code)
}

func TestBenchCompare(t *testing.T) {
	needDevice(t)
	dir := t.TempDir()
	write := func(name string, r benchReport) {
		data, err := json.Marshal(r)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o600))
	}
	var a benchReport
	require.NoError(t, json.Unmarshal([]byte(good(t, dir, "bench", "primitives", "--sizes", "8", "--json").out), &a))
	write("a.json", a)
	b := a
	b.Results = append(b.Results[:0:0], a.Results...)
	b.Device, b.CopyGBps = "another", 4*a.CopyGBps
	for i := range b.Results {
		b.Results[i].ItemsPerSecond *= 2
		b.Results[i].GBps *= 2
	}
	write("b.json", b)
	out := good(t, dir, "bench", "compare", "a.json", "b.json").out
	assert.Contains(t, out, "another")
	assert.Contains(t, out, "2.00")
	var compared struct{ Rows []comparison }
	require.NoError(t, json.Unmarshal([]byte(good(t, dir, "bench", "compare", "a.json", "b.json", "--json").out), &compared))
	require.Len(t, compared.Rows, len(a.Results))
	for _, row := range compared.Rows {
		assert.InDelta(t, 2, row.On[1].Ratio, 1e-9)
		assert.InDelta(t, row.On[0].CopyShare/2, row.On[1].CopyShare, 1e-9)
	}

	for name, damage := range map[string]func(*benchReport){
		"other version":   func(r *benchReport) { r.Version++ },
		"other library":   func(r *benchReport) { r.Library += "+" },
		"fewer results":   func(r *benchReport) { r.Results = r.Results[1:] },
		"other size":      func(r *benchReport) { r.Results[2].Items *= 2 },
		"other primitive": func(r *benchReport) { r.Results[0].Primitive = "x" },
		"no copy":         func(r *benchReport) { r.CopyGBps = 0 },
	} {
		c := b
		c.Results = append(c.Results[:0:0], b.Results...)
		damage(&c)
		write("c.json", c)
		r := suffixclIn(t, dir, "bench", "compare", "a.json", "c.json")
		assert.Equal(t, exitFailed, r.code, name)
		assert.Contains(t, r.errors, "c.json", name)
	}
	assert.Equal(t, exitUsage, suffixclIn(t, dir, "bench", "compare", "a.json").code)

	// What conformance has measured compares, too.
	good(t, dir, "conformance", "--quick", "--device", "auto", "--variant", "native", "--only", "copy", "--only", "exclusive sum u32", "--only", "osipov", "--class", "speed", "-o", "r.json")
	good(t, dir, "bench", "compare", "r.json", "r.json", "--plot", "r.png")
	data, err := os.ReadFile(filepath.Join(dir, "r.png"))
	require.NoError(t, err)
	assert.True(t, bytes.HasPrefix(data, []byte("\x89PNG")))
	require.NoError(t, json.Unmarshal([]byte(good(t, dir, "bench", "compare", "r.json", "r.json", "--json").out), &compared))
	require.Len(t, compared.Rows, 2)
	assert.Equal(t, "osipov", compared.Rows[1].Primitive)
	assert.Positive(t, compared.Rows[1].On[0].CopyShare)
	good(t, dir, "conformance", "--quick", "--device", "auto", "--variant", "native", "--only", "copy", "--only", "exclusive sum u32", "--only", "osipov", "--class", "speed", "--seed", "2", "-o", "s.json")
	assert.Contains(t, suffixclIn(t, dir, "bench", "compare", "r.json", "s.json").errors, "other inputs")
}
