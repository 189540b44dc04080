package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"github.com/suffixcl/suffixcl/internal/tune"
)

// What tune writes is what it reports, and what others use.
func TestTune(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	args := []string{"tune", "--only", "scan,merge", "--size", "12", "-o", "below/tuning.json"}
	assert.Contains(t, clitest.Good(t, dir, append(args, "--budget", "1ns")...).Out, "Nothing to write.")
	assert.NoDirExists(t, filepath.Join(dir, "below"))
	r := clitest.Good(t, dir, append(args, "--json", "--budget", "20s")...)
	var report tuneReport
	require.NoError(t, json.Unmarshal([]byte(r.Out), &report))
	require.NotEmpty(t, report.Findings)
	changed := 0
	for _, f := range report.Findings {
		assert.Positive(t, f.BuiltIn)
		assert.GreaterOrEqual(t, f.Gain(), 1.0)
		assert.Zero(t, f.Wrong, f.Error)
		if f.Changed {
			changed++
		}
	}
	if changed == 0 {
		t.Skip("the built-in parameters are the best ones here")
	}
	file, err := tune.ReadFile(filepath.Join(dir, report.File))
	require.NoError(t, err)
	e := file.Find(report.Device, report.Driver, report.Kind)
	require.NotNil(t, e)
	for _, f := range report.Findings {
		for path, value := range f.Parameters {
			if f.Changed {
				assert.Equal(t, value, e.Parameters[path], path)
			}
		}
	}
	c := clitest.Command(dir, "bench", "primitives", "--sizes", "8")
	c.Env = append(os.Environ(), "SUFFIXCL_TUNING="+report.File)
	assert.Equal(t, cli.ExitDone, clitest.Finish(t, c).Code)
}

func TestTuneRows(t *testing.T) {
	out := clitest.Good(t, t.TempDir(), "tune", "rows").Out
	for _, r := range tune.Rows() {
		assert.Contains(t, out, "\n| `"+r.Name()+"` | ")
	}
}

// A bad tuning file is an error, which names it; tune does not overwrite it.
func TestBadTuningFile(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	for text, want := range map[string]string{
		"{": "unexpected end", `{"version": 7}`: "version 1", `{"version": 1, "colour": "red"}`: "colour",
	} {
		clitest.Put(t, dir, "tuning.json", []byte(text))
		for _, args := range [][]string{{"bench", "primitives", "--sizes", "5"},
			{"tune", "--only", "scan", "--budget", "1ns"}} {
			c := clitest.Command(dir, args...)
			c.Env = append(os.Environ(), "SUFFIXCL_TUNING=tuning.json")
			r := clitest.Finish(t, c)
			assert.Equal(t, cli.ExitFailed, r.Code, "%v", args)
			assert.Contains(t, r.Errors, "tuning.json")
			assert.Contains(t, r.Errors, want)
		}
	}
	assert.Equal(t, []string{"tuning.json"}, clitest.Files(t, dir))
}

// An interrupt ends the search; what was found is written, or nothing.
func TestTuneInterrupt(t *testing.T) {
	clitest.NeedDevice(t)
	if runtime.GOOS == "windows" {
		t.Skip("there are no such signals")
	}
	dir := t.TempDir()
	c := clitest.Command(dir, "tune", "--size", "12", "--budget", "0", "-o", "tuning.json")
	timer := time.AfterFunc(3*time.Second, func() { c.Process.Signal(syscall.SIGINT) })
	defer timer.Stop()
	r := clitest.Finish(t, c)
	require.Equal(t, cli.ExitInterrupted, r.Code, r.Errors)
	assert.Contains(t, r.Errors, "interrupted")
	for _, name := range clitest.Files(t, dir) {
		assert.Equal(t, "tuning.json", name)
		_, err := tune.ReadFile(filepath.Join(dir, name))
		assert.NoError(t, err)
	}
}
