package main

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"github.com/suffixcl/suffixcl/lab/bench"
)

func TestBench(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	r := clitest.Good(t, dir, "bench", "primitives", "--sizes", "6,10")
	for _, c := range bench.Primitives() {
		assert.Contains(t, r.Out, c.Primitive)
		assert.Contains(t, r.Errors, c.Primitive+", 2^10 items")
	}
	assert.Empty(t, clitest.Good(t, dir, "bench", "primitives", "--sizes", "6", "--quiet").Errors)
	var report benchReport
	require.NoError(t, json.Unmarshal([]byte(clitest.Good(t, dir, "bench", "primitives", "--sizes", "10", "--json").Out),
		&report))
	assert.Len(t, report.Results, len(bench.Primitives()))
	one := clitest.Good(t, dir, "bench", "primitives", "--sizes", "6", "--only", "select")
	assert.Contains(t, one.Out, "select 50 %")
	assert.NotContains(t, one.Out, "sum")
	assert.Positive(t, report.CopyGBps)
	for _, r := range report.Results {
		assert.Equal(t, 1<<10, r.Items)
		assert.Positive(t, r.GBps, r.Primitive)
		assert.Positive(t, r.CopyShare, r.Primitive)
	}
}

func TestBenchReference(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	reference := func(text string) string { return script(t, filepath.Join(dir, "reference"), text) }
	name := reference(`for n in "$@"; do
	echo '{"primitive": "exclusive sum u32", "items": '$((1 << n))', "items_per_s": 5e3}'
done`)
	var report benchReport
	require.NoError(t, json.Unmarshal([]byte(clitest.Good(t, dir, "bench", "primitives", "--sizes", "5,7", "--json",
		"--reference", name).Out), &report))
	for _, r := range report.Results {
		want := 0.0
		if r.Primitive == "exclusive sum u32" {
			want = 5e3
		}
		assert.InDelta(t, want, r.Reference, 0, "%s, %d items", r.Primitive, r.Items)
	}
	for script, want := range map[string]string{"echo no JSON": "line 1", "exit 3": "exit status 3"} {
		r := clitest.Run(t, dir, "bench", "primitives", "--sizes", "5", "--reference", reference(script))
		assert.Equal(t, cli.ExitFailed, r.Code)
		assert.Contains(t, r.Errors, want)
	}
}
