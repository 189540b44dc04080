package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

// A command that does nothing is measured in all cases, each with its caches.
func TestBenchCold(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	command := script(t, filepath.Join(dir, "command"), "echo $1 $SUFFIXCL_HELPERS >>"+log+
		"\nmkdir -p \"$XDG_CACHE_HOME\" \"$CUDA_CACHE_PATH\" \"$POCL_CACHE_DIR\"\n")
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

// Timelines are what the command leaves in a directory: calls to the driver stand on a line of their own if they are
// long.
func TestBenchColdTimeline(t *testing.T) {
	dir := t.TempDir()
	at := func(ms int) string {
		return time.Now().Add(time.Duration(ms) * time.Millisecond).Format(time.RFC3339Nano)
	}
	line := `{"main": "` + at(1) + `", "ended": "` + at(90) + `", "parts": [
		{"what": "clFinish", "began": "` + at(3) + `", "took": 1000},
		{"what": "clBuildProgram", "began": "` + at(4) + `", "took": 7000000},
		{"what": "close device", "began": "` + at(12) + `", "took": 2000}]}`
	command := script(t, filepath.Join(dir, "command"),
		"[ -z \"$SUFFIXCL_TIMELINE\" ] || cat >\"$SUFFIXCL_TIMELINE/$$.json\" <<END\n"+line+"\nEND\n")
	out := clitest.Good(t, dir, "bench", "cold", "--timeline", "--command", command, "-q").Out
	assert.Regexp(t, `(?m)^sa of the bundled text +full +4 +\d`, out)
	assert.Contains(t, out, "devices, caches empty: ms from the start of the process")
	assert.Regexp(t, `(?m) 7\.0 +clBuildProgram$`, out)
	assert.Regexp(t, `(?m) 0\.0 +close device$`, out)
	assert.Len(t, regexp.MustCompile(`clFinish`).FindAllString(out, -1), 3, "in the sums only")

	script(t, command, "")
	bad := clitest.Run(t, dir, "bench", "cold", "--timeline", "--command", command, "-q")
	assert.Equal(t, cli.ExitFailed, bad.Code)
	assert.Contains(t, bad.Errors, "without timelines")
}
