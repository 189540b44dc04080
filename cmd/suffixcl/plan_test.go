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
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

func TestMemory(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "text", clitest.Prose(10000))
	clitest.Put(t, dir, "sa", encode(suffixArray(clitest.Prose(10000)), 4))
	for _, args := range [][]string{
		{"sa", "text", "-o", "out"}, {"bwt", "text", "-o", "out"}, {"verify", "text", "sa"},
		{"lcp", "text", "-o", "out"}, {"lcp", "text", "-o", "out", "--sa", "sa"},
		{"unbwt", "text", "-o", "out", "--primary", "1"},
	} {
		r := clitest.Run(t, dir, append(args, "--max-mem", "20K")...)
		assert.Equal(t, cli.ExitMemory, r.Code, "%v: %s", args, r.Errors)
		assert.Regexp(t, `needs .*\d+ bytes.* memory limit is .*20480 bytes`, r.Errors)
		assert.Empty(t, r.Out)
	}
	// From a pipe of unknown length.
	c := clitest.Command(dir, "sa", "-", "-o", "out", "--max-mem", "20K")
	c.Stdin = bytes.NewReader(clitest.Prose(10000))
	assert.Equal(t, cli.ExitMemory, clitest.Finish(t, c).Code)
	assert.Equal(t, []string{"sa", "text"}, clitest.Files(t, dir))
}

func TestPlan(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "text", clitest.Prose(10000))
	clitest.Put(t, dir, "empty", nil)
	for _, verb := range []string{"sa", "lcp", "bwt", "unbwt", "verify"} {
		r := clitest.Good(t, dir, "plan", verb, "text")
		assert.Contains(t, r.Out, "peak")
		assert.Contains(t, r.Out, "\nfits\n")
		assert.Empty(t, r.Errors)
		clitest.Good(t, dir, "plan", verb, "empty")

		r = clitest.Run(t, dir, "plan", verb, "text", "--max-mem", "10000")
		assert.Equal(t, cli.ExitMemory, r.Code)
		assert.Contains(t, r.Out, "does not fit: ")
		assert.Contains(t, r.Errors, "10000 bytes")

		r = clitest.Run(t, dir, "plan", verb, "text", "--max-mem", "10000", "--json")
		assert.Equal(t, cli.ExitMemory, r.Code)
		var p planReport
		require.NoError(t, json.Unmarshal([]byte(r.Out), &p))
		assert.False(t, p.Fits)
		assert.EqualValues(t, 10000, p.Bytes)
		assert.EqualValues(t, 10000, p.Limit.Device)
		largest := slices.MaxFunc(p.Phases, func(a, b planPhase) int { return int(a.Device - b.Device) })
		assert.Equal(t, p.Peak.Device, largest.Device)
	}
	// The plan is what happens.
	var p planReport
	require.NoError(t, json.Unmarshal([]byte(clitest.Good(t, dir, "plan", "bwt", "text", "--json").Out), &p))
	var r report
	require.NoError(t, json.Unmarshal([]byte(clitest.Good(t, dir, "bwt", "text", "-o", "out", "--json").Out), &r))
	assert.Equal(t, p.Peak.Device, r.PeakBytes)

	// Far too long, and not read: a sparse file.
	f, err := os.Create(filepath.Join(dir, "long"))
	require.NoError(t, err)
	defer f.Close()
	if err := f.Truncate(1 << 34); err != nil {
		t.Skip(err)
	}
	for _, verb := range []string{"sa", "lcp", "bwt", "unbwt", "verify"} {
		assert.Equal(t, cli.ExitMemory, clitest.Run(t, dir, "plan", verb, "long").Code)
	}
	assert.Equal(t, cli.ExitMemory, clitest.Run(t, dir, "sa", "long", "-o", "out2").Code)
}
