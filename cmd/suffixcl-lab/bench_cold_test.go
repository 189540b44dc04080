package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

// A command that does nothing is measured in all cases, each with its caches.
func TestBenchCold(t *testing.T) {
	dir := t.TempDir()
	command := filepath.Join(dir, "command")
	log := filepath.Join(dir, "log")
	require.NoError(t, os.WriteFile(command, []byte("#!/bin/sh\necho $1 $SUFFIXCL_HELPERS >>"+log+
		"\nmkdir -p \"$XDG_CACHE_HOME\" \"$CUDA_CACHE_PATH\" \"$POCL_CACHE_DIR\"\n"), 0o755))
	var r coldReport
	out := clitest.Good(t, dir, "bench", "cold", "--command", command, "--json", "-q").Out
	require.NoError(t, json.Unmarshal([]byte(out), &r))
	assert.Len(t, r.Results, 13)
	calls, err := os.ReadFile(log)
	require.NoError(t, err)
	assert.Contains(t, string(calls), "sa -1\nsa 1\nsa 2\nsa 4\nsa 8\n")
	assert.Contains(t, string(calls), "devices -1\ndevices 4\n")

	bad := clitest.Run(t, dir, "bench", "cold", "--command", filepath.Join(dir, "missing"), "-q")
	assert.Equal(t, cli.ExitFailed, bad.Code)
	assert.Contains(t, bad.Errors, "missing sa:")
}
