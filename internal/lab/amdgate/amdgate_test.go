package main

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The fixture is testdata/tiny.cl; how it was built stands there.
func TestReadCodeObject(t *testing.T) {
	f, err := os.Open("testdata/tiny.gfx90a.co")
	require.NoError(t, err)
	defer f.Close()
	kernels, err := readCodeObject(f)
	require.NoError(t, err)
	assert.Equal(t, []kernel{
		{Name: "lean", VGPRs: 2, SGPRs: 10, LDS: 256},
		{Name: "scratch", VGPRs: 9, SGPRs: 24, Scratch: 1028},
		{Name: "spills", VGPRs: 32, SGPRs: 16, VGPRSpills: 11, Scratch: 48},
	}, kernels)

	got := result{kernels: kernels}.failures()
	require.Len(t, got, 2)
	assert.Contains(t, got[0], "scratch keeps a private array of 1028 bytes")
	assert.Contains(t, got[1], "spills spills 11 vector registers")
}

func TestReadCodeObjectRefusesDamage(t *testing.T) {
	whole, err := os.ReadFile("testdata/tiny.gfx90a.co")
	require.NoError(t, err)
	_, err = readCodeObject(bytes.NewReader(whole[:100]))
	assert.Error(t, err)

	doc := []byte("\x81\xaeamdhsa.kernels\x91\x81\xa5.name\xa1k")
	_, err = readMetadata(doc)
	assert.ErrorContains(t, err, "kernel k lacks a number")
	for n := range doc { // every cut is an error, none a panic
		_, err := readMetadata(doc[:n])
		assert.Error(t, err, "%d bytes", n)
	}
}

func TestFailures(t *testing.T) {
	one := func(k kernel) []string { return result{kernels: []kernel{k}}.failures() }
	assert.Empty(t, one(kernel{LDS: maxLDS, VGPRs: 256}))
	assert.Equal(t, []string{"k spills 3 scalar registers"}, one(kernel{Name: "k", SGPRSpills: 3, Scratch: 8}))
	assert.Contains(t, one(kernel{LDS: maxLDS + 1})[0], "local memory")
	assert.Contains(t, one(kernel{DynamicStack: true})[0], "stack")
	assert.Contains(t, result{}.failures()[0], "no kernel")
	assert.Equal(t, []string{"reason"}, result{err: errors.New("reason")}.failures())
	var out strings.Builder
	assert.False(t, summary(&out, nil), "an empty gate must not pass")
}

func TestForAMD(t *testing.T) {
	for row, want := range map[string]bool{
		"gpu": true, "tiny-gpu": true, "amd-gpu": true, "gfx90a-gpu": true, "gfx1100-gpu": true,
		"cpu": false, "tiny-cpu": false, "pocl-cpu": false, "sm_90-gpu": false, "NVIDIA H200-gpu": false, "intel-gpu": false,
	} {
		assert.Equal(t, want, forAMD(row), row)
	}
}

func TestChooseTargets(t *testing.T) {
	all, err := chooseTargets("")
	require.NoError(t, err)
	assert.Equal(t, targets, all)
	some, err := chooseTargets("gfx90a,gfx1100")
	require.NoError(t, err)
	assert.Len(t, some, 2)
	_, err = chooseTargets("gfx1")
	assert.Error(t, err)
}

// needTools skips where the compilers are missing, unless REQUIRE_AMDGATE=1.
func needTools(t *testing.T) tools {
	t.Helper()
	found, err := findTools()
	if err != nil && os.Getenv("REQUIRE_AMDGATE") != "1" {
		t.Skip(err)
	}
	require.NoError(t, err)
	return found
}

func TestGateCatches(t *testing.T) {
	found := needTools(t)
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
			kernels, err := found.compile(c.text, gfx90a[0])
			got := result{kernels: kernels, err: err}.failures()
			require.NotEmpty(t, got)
			assert.Contains(t, got[0], c.want)
		})
	}
}

func TestMissingToolsAreNamed(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := findTools()
	assert.ErrorContains(t, err, "install the Debian packages clang-19, lld-19 and rocm-device-libs")
}
