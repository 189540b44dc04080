package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMemory(t *testing.T) {
	needDevice(t)
	dir := t.TempDir()
	put(t, dir, "text", prose(10000))
	put(t, dir, "sa", encode(suffixArray(prose(10000)), 4))
	for _, args := range [][]string{
		{"sa", "text", "-o", "out"}, {"bwt", "text", "-o", "out"}, {"verify", "text", "sa"},
		{"lcp", "text", "-o", "out"}, {"lcp", "text", "-o", "out", "--sa", "sa"}, {"unbwt", "text", "-o", "out", "--primary", "1"},
	} {
		r := suffixclIn(t, dir, append(args, "--max-mem", "20K")...)
		assert.Equal(t, exitMemory, r.code, "%v: %s", args, r.errors)
		assert.Regexp(t, `needs .*\d+ bytes.* memory limit is .*20480 bytes`, r.errors)
		assert.Empty(t, r.out)
	}
	// From a pipe of unknown length.
	c := command(dir, "sa", "-", "-o", "out", "--max-mem", "20K")
	c.Stdin = bytes.NewReader(prose(10000))
	assert.Equal(t, exitMemory, finish(t, c).code)
	assert.Equal(t, []string{"sa", "text"}, files(t, dir))
}

func TestPlan(t *testing.T) {
	needDevice(t)
	dir := t.TempDir()
	put(t, dir, "text", prose(10000))
	put(t, dir, "empty", nil)
	for _, verb := range []string{"sa", "lcp", "bwt", "unbwt", "verify"} {
		r := good(t, dir, "plan", verb, "text")
		assert.Contains(t, r.out, "peak")
		assert.Contains(t, r.out, "\nfits\n")
		assert.Empty(t, r.errors)
		good(t, dir, "plan", verb, "empty")

		r = suffixclIn(t, dir, "plan", verb, "text", "--max-mem", "10000")
		assert.Equal(t, exitMemory, r.code)
		assert.Contains(t, r.out, "does not fit: ")
		assert.Contains(t, r.errors, "10000 bytes")

		r = suffixclIn(t, dir, "plan", verb, "text", "--max-mem", "10000", "--json")
		assert.Equal(t, exitMemory, r.code)
		var p planReport
		require.NoError(t, json.Unmarshal([]byte(r.out), &p))
		assert.False(t, p.Fits)
		assert.EqualValues(t, 10000, p.Bytes)
		assert.EqualValues(t, 10000, p.Limit.Device)
		assert.Equal(t, p.Peak.Device, slices.MaxFunc(p.Phases, func(a, b planPhase) int { return int(a.Device - b.Device) }).Device)
	}
	// The plan is what happens.
	var p planReport
	require.NoError(t, json.Unmarshal([]byte(good(t, dir, "plan", "bwt", "text", "--json").out), &p))
	var r report
	require.NoError(t, json.Unmarshal([]byte(good(t, dir, "bwt", "text", "-o", "out", "--json").out), &r))
	assert.Equal(t, p.Peak.Device, r.PeakBytes)

	// Far too long, and not read: a sparse file.
	f, err := os.Create(filepath.Join(dir, "long"))
	require.NoError(t, err)
	defer f.Close()
	if err := f.Truncate(1 << 34); err != nil {
		t.Skip(err)
	}
	for _, verb := range []string{"sa", "lcp", "bwt", "unbwt", "verify"} {
		assert.Equal(t, exitMemory, suffixclIn(t, dir, "plan", verb, "long").code)
	}
	assert.Equal(t, exitMemory, suffixclIn(t, dir, "sa", "long", "-o", "out2").code)
}
