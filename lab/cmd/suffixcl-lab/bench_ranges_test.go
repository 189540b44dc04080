package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"github.com/suffixcl/suffixcl/lab/bench"
)

func TestBenchRanges(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	for _, perDevice := range []bool{false, true} {
		args := []string{"bench", "ranges", "random.dna.20K", "--devices", "1,2", "--shared", "--budget", "2M",
			"--runs", "1", "--check", "--json"}
		if perDevice {
			args = append(args, "--per-device")
		}
		lines := strings.Split(strings.TrimSpace(clitest.Good(t, dir, args...).Out), "\n")
		require.Len(t, lines, 2)
		for i, line := range lines {
			var row bench.RangesRow
			require.NoError(t, json.Unmarshal([]byte(line), &row))
			assert.Equal(t, i+1, row.Devices)
			assert.True(t, row.Checked)
			assert.Positive(t, row.Ranges)
			bytes := 20 << 10
			if perDevice {
				bytes *= row.Devices
			}
			assert.Equal(t, bytes, row.Bytes)
			assert.Equal(t, i > 0, row.Efficiency > 0)
			assert.Equal(t, i > 0, row.Model > 0)
		}
	}
	file := filepath.Join(dir, "text")
	require.NoError(t, os.WriteFile(file, []byte(strings.Repeat("mississippi", 500)), 0o600))
	var row bench.RangesRow
	out := clitest.Good(t, dir, "bench", "ranges", file, "--budget", "2M", "--runs", "1", "--check", "--json").Out
	require.NoError(t, json.Unmarshal([]byte(out), &row))
	assert.Equal(t, 5500, row.Bytes)
	assert.True(t, row.Checked)
	none := clitest.Run(t, dir, "bench", "ranges", "random.dna.20K", "--devices", "1000")
	assert.Equal(t, cli.ExitUsage, none.Code)
	assert.Contains(t, none.Errors, "not 1000")
	for _, wrong := range []string{"0", "-1,1"} {
		assert.Equal(t, cli.ExitUsage, clitest.Run(t, dir, "bench", "ranges", "random.dna.20K", "--devices", wrong).Code)
	}
}
