package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

func TestBenchSmall(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	clitest.Put(t, dir, "text", clitest.Prose(2000))
	r := clitest.Good(t, dir, "bench", "small", "text", "--quick", "--runs", "1")
	for _, word := range []string{"65536", "sorter", "Go, one core"} {
		assert.Contains(t, r.Out, word)
	}
	assert.Contains(t, r.Errors, "1 text of 16")
	var report smallReport
	out := clitest.Good(t, dir, "bench", "small", "--quick", "--runs", "1", "--json").Out
	require.NoError(t, json.Unmarshal([]byte(out), &report))
	require.NotEmpty(t, report.Results)
	for _, run := range report.Results {
		assert.Positive(t, run.Seconds)
		assert.Positive(t, run.Go)
		assert.NotEmpty(t, run.Algorithm)
	}
	assert.Equal(t, cli.ExitUsage, clitest.Run(t, dir, "bench", "small", "--runs", "0").Code)
	assert.Equal(t, cli.ExitFailed, clitest.Run(t, dir, "bench", "small", "missing").Code)
	clitest.Put(t, dir, "empty", nil)
	assert.Equal(t, cli.ExitFailed, clitest.Run(t, dir, "bench", "small", "empty").Code)
}
