package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

func TestTimeline(t *testing.T) {
	dir := t.TempDir()
	empty, text := filepath.Join(dir, "empty"), filepath.Join(dir, "text")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	require.NoError(t, os.WriteFile(text, []byte(strings.Repeat("abracadabra ", 500)+"!"), 0o600))
	for _, args := range [][]string{{}, {empty}, {"--runs", "0", text}, {"--algorithm", "bogo", text}} {
		assert.Equal(t, cli.ExitUsage, clitest.Run(t, dir, append([]string{"timeline"}, args...)...).Code, args)
	}
	out := clitest.Good(t, dir, "timeline", "--runs", "2", "--algorithm", "suffixsort", text).Out
	assert.Regexp(t, `^text: \d+ launches in [\d.]+ us, which took [\d.]+ us\n`, out)
	assert.Regexp(t, `\n +[\d.]+ +[\d.]+ +[\d.]+ +initial sorting +suffixsort_windows\n`, out)
	out = clitest.Good(t, dir, "timeline", "--runs", "2", "--calls", "--bwt", "--algorithm", "suffixsort", text).Out
	assert.Regexp(t, `^text: \d+ calls in `, out)
	assert.Regexp(t, `clEnqueueNDRangeKernel bwt_emit, \d+ work-groups\n`, out)
}
