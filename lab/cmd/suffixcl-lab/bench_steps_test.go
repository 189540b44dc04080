package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"github.com/suffixcl/suffixcl/lab/bench"
)

func TestBenchSteps(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	small := []string{"bench", "steps", "--runs", "1K,20K", "--walkers", "100", "--steps", "3", "--repeats", "1"}
	assert.Contains(t, clitest.Good(t, dir, small...).Out, "100 walkers, 3 steps of an interval of 10 rows")
	lines := strings.Split(strings.TrimSpace(clitest.Good(t, dir, append(small, "--json")...).Out), "\n")
	require.Len(t, lines, 4)
	for i, line := range lines {
		var r bench.StepsRow
		require.NoError(t, json.Unmarshal([]byte(line), &r))
		assert.Equal(t, []int{1 << 10, 20 << 10}[i/2], r.Runs)
		assert.Equal(t, uint64(10*(i%2)), r.Interval)
		assert.Positive(t, r.PerS)
	}
	for _, bad := range [][]string{{"--runs", "x"}, {"--walkers", "0"}, {"--steps", "0"}} {
		assert.Equal(t, cli.ExitUsage, clitest.Run(t, dir, append([]string{"bench", "steps"}, bad...)...).Code)
	}
}
