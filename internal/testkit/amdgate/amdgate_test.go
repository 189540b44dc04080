package main

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/testkit/amdcode"
	"github.com/suffixcl/suffixcl/internal/testkit/amdcode/amdcodetest"
)

func TestFailures(t *testing.T) {
	one := func(k amdcode.Kernel) []string { return result{kernels: []amdcode.Kernel{k}}.failures() }
	assert.Empty(t, one(amdcode.Kernel{LDS: maxLDS, VGPRs: 256}))
	assert.Equal(t, []string{"k spills 3 scalar registers"}, one(amdcode.Kernel{Name: "k", SGPRSpills: 3, Scratch: 8}))
	assert.Equal(t, []string{"k spills 11 vector registers"}, one(amdcode.Kernel{Name: "k", VGPRSpills: 11, Scratch: 48}))
	assert.Contains(t, one(amdcode.Kernel{Scratch: 1028})[0], "private array of 1028 bytes")
	assert.Contains(t, one(amdcode.Kernel{LDS: maxLDS + 1})[0], "local memory")
	assert.Contains(t, one(amdcode.Kernel{DynamicStack: true})[0], "stack")
	assert.Contains(t, result{}.failures()[0], "no kernel")
	assert.Equal(t, []string{"reason"}, result{err: errors.New("reason")}.failures())
	var out strings.Builder
	assert.False(t, summary(&out, nil), "an empty gate must not pass")
}

// Each target is compiled for with the row that it gets.
func TestJobs(t *testing.T) {
	all, err := jobs(amdcode.Targets())
	require.NoError(t, err)
	rows := make(map[string]map[string]bool)
	for _, j := range all {
		if rows[j.target.Name] == nil {
			rows[j.target.Name] = make(map[string]bool)
		}
		rows[j.target.Name][j.row] = true
	}
	assert.Len(t, rows, len(amdcode.Targets()))
	for target, names := range rows {
		assert.Equal(t, slices.Contains(withTiny, target), names["tiny-gpu"], target)
		assert.Contains(t, names, "amd-gpu", target)
	}
}

func TestChooseTargets(t *testing.T) {
	all, err := chooseTargets("")
	require.NoError(t, err)
	assert.Equal(t, amdcode.Targets(), all)
	some, err := chooseTargets("gfx90a,gfx1100")
	require.NoError(t, err)
	assert.Len(t, some, 2)
	_, err = chooseTargets("gfx1")
	assert.Error(t, err)
}

// Of the programs only those with the files that are named.
func TestHaving(t *testing.T) {
	all, err := jobs(amdcode.Targets()[:1])
	require.NoError(t, err)
	some := having(slices.Clone(all), []string{"sets.cl", "sais.cl"})
	assert.Less(t, len(some), len(all))
	found := map[string]bool{}
	for _, j := range some {
		found[j.source.Files[len(j.source.Files)-1]] = true
	}
	assert.Equal(t, map[string]bool{"sets.cl": true, "sais.cl": true}, found)
	assert.Empty(t, having(all, []string{"nothing.cl"}))
}

func TestGateCatches(t *testing.T) {
	found := amdcodetest.Compiler(t)
	gfx90a, err := chooseTargets("gfx90a")
	require.NoError(t, err)
	for _, c := range []struct{ name, text, want string }{
		{"syntax", "#line 7 \"bad.cl\"\n__kernel void k(__global uint *p) { p[0] = nothing; }", "bad.cl:7:"},
		{"symbol", "uint missing(uint); __kernel void k(__global uint *p) { p[0] = missing(p[0]); }", "symbol: missing"},
		{
			"local memory",
			"__kernel void k(__global uint *p, uint n) { __local uint t[20000]; t[n] = n; p[0] = t[n + 1]; }",
			"local memory",
		},
		{
			"array",
			"__kernel void k(__global uint *p, uint n) { uint m[300]; " +
				"for (uint i = 0; i < n; i++) m[p[i]] = i; p[0] = m[n]; }",
			"private array",
		},
		{"nothing", "uint f(uint x) { return x; }", "no kernel"},
	} {
		t.Run(c.name, func(t *testing.T) {
			kernels, err := compile(found, c.text, gfx90a[0])
			got := result{kernels: kernels, err: err}.failures()
			require.NotEmpty(t, got)
			assert.Contains(t, got[0], c.want)
		})
	}
}

func TestMissingToolsAreNamed(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := amdcode.FindCompiler()
	assert.ErrorContains(t, err, "install the Debian packages clang-19, lld-19, llvm-19 and rocm-device-libs")
}
