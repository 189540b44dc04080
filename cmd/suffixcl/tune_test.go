package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/lab/bench"
	"github.com/suffixcl/suffixcl/internal/tune"
)

func TestBench(t *testing.T) {
	needDevice(t)
	dir := t.TempDir()
	r := good(t, dir, "bench", "primitives", "--sizes", "6,10")
	for _, c := range bench.Primitives() {
		assert.Contains(t, r.out, c.Primitive)
		assert.Contains(t, r.errors, c.Primitive+", 2^10 items")
	}
	assert.Empty(t, good(t, dir, "bench", "primitives", "--sizes", "6", "--quiet").errors)
	var report benchReport
	require.NoError(t, json.Unmarshal([]byte(good(t, dir, "bench", "primitives", "--sizes", "10", "--json").out), &report))
	assert.Len(t, report.Results, len(bench.Primitives()))
	assert.Positive(t, report.CopyGBps)
	for _, r := range report.Results {
		assert.Equal(t, 1<<10, r.Items)
		assert.Positive(t, r.GBps, r.Primitive)
		assert.Positive(t, r.CopyShare, r.Primitive)
	}
}

func TestBenchReference(t *testing.T) {
	needDevice(t)
	if runtime.GOOS == "windows" {
		t.Skip("the reference is a shell script")
	}
	dir := t.TempDir()
	reference := func(script string) string {
		name := filepath.Join(dir, "reference")
		require.NoError(t, os.WriteFile(name, []byte("#!/bin/sh\n"+script), 0o755))
		return name
	}
	name := reference(`for n in "$@"; do echo '{"primitive": "exclusive sum u32", "items": '$((1 << n))', "items_per_s": 5e3}'; done`)
	var report benchReport
	require.NoError(t, json.Unmarshal([]byte(good(t, dir, "bench", "primitives", "--sizes", "5,7", "--json", "--reference", name).out), &report))
	for _, r := range report.Results {
		want := 0.0
		if r.Primitive == "exclusive sum u32" {
			want = 5e3
		}
		assert.InDelta(t, want, r.Reference, 0, "%s, %d items", r.Primitive, r.Items)
	}
	for script, want := range map[string]string{"echo no JSON": "line 1", "exit 3": "exit status 3"} {
		r := suffixclIn(t, dir, "bench", "primitives", "--sizes", "5", "--reference", reference(script))
		assert.Equal(t, exitFailed, r.code)
		assert.Contains(t, r.errors, want)
	}
}

// What tune writes is what it reports, and what others use.
func TestTune(t *testing.T) {
	needDevice(t)
	dir := t.TempDir()
	args := []string{"tune", "--only", "scan,merge", "--size", "12", "-o", "below/tuning.json"}
	assert.Contains(t, good(t, dir, append(args, "--budget", "1ns")...).out, "Nothing to write.")
	assert.NoDirExists(t, filepath.Join(dir, "below"))
	r := good(t, dir, append(args, "--json", "--budget", "20s")...)
	var report tuneReport
	require.NoError(t, json.Unmarshal([]byte(r.out), &report))
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
	c := command(dir, "bench", "primitives", "--sizes", "8")
	c.Env = append(os.Environ(), "SUFFIXCL_TUNING="+report.File)
	assert.Equal(t, exitDone, finish(t, c).code)
}

// A bad tuning file is an error of every verb that uses a device, which names it; tune
// does not overwrite it.
func TestBadTuningFile(t *testing.T) {
	needDevice(t)
	dir := t.TempDir()
	put(t, dir, "text", []byte("banana"))
	for text, want := range map[string]string{
		"{": "unexpected end", `{"version": 7}`: "version 1", `{"version": 1, "colour": "red"}`: "colour",
	} {
		put(t, dir, "tuning.json", []byte(text))
		for _, args := range [][]string{{"sa", "text", "-o", "out"}, {"plan", "sa", "text"}, {"bench", "primitives", "--sizes", "5"}, {"tune", "--only", "scan", "--budget", "1ns"}} {
			c := command(dir, args...)
			c.Env = append(os.Environ(), "SUFFIXCL_TUNING=tuning.json")
			r := finish(t, c)
			assert.Equal(t, exitFailed, r.code, "%v", args)
			assert.Contains(t, r.errors, "tuning.json")
			assert.Contains(t, r.errors, want)
		}
	}
	assert.Equal(t, []string{"text", "tuning.json"}, files(t, dir))
	c := command(dir, "sa", "text", "-o", "out")
	c.Env = append(os.Environ(), "SUFFIXCL_TUNING=missing.json")
	r := finish(t, c)
	assert.Equal(t, exitFailed, r.code)
	assert.Contains(t, r.errors, "missing.json")
	c = command(dir, "sa", "text", "-o", "out")
	c.Env = append(os.Environ(), "SUFFIXCL_TUNING=off")
	assert.Equal(t, exitDone, finish(t, c).code)
}

// An interrupt ends the search; what was found is written, or nothing.
func TestTuneInterrupt(t *testing.T) {
	needDevice(t)
	if runtime.GOOS == "windows" {
		t.Skip("there are no such signals")
	}
	dir := t.TempDir()
	c := command(dir, "tune", "--size", "12", "--budget", "0", "-o", "tuning.json")
	timer := time.AfterFunc(3*time.Second, func() { c.Process.Signal(syscall.SIGINT) })
	defer timer.Stop()
	r := finish(t, c)
	require.Equal(t, exitInterrupted, r.code, r.errors)
	assert.Contains(t, r.errors, "interrupted")
	for _, name := range files(t, dir) {
		assert.Equal(t, "tuning.json", name)
		_, err := tune.ReadFile(filepath.Join(dir, name))
		assert.NoError(t, err)
	}
}

func TestTuneUsage(t *testing.T) {
	dir := t.TempDir()
	for _, args := range [][]string{
		{"tune", "text"}, {"tune", "--only", "quicksort"}, {"tune", "--size", "32"}, {"tune", "--size", "-1"},
		{"tune", "--budget", "-1s"}, {"tune", "--budget", "soon"}, {"bench", "primitives", "--sizes", "32"},
	} {
		r := suffixclIn(t, dir, args...)
		assert.Equal(t, exitUsage, r.code, fmt.Sprint(args))
		assert.Empty(t, r.out)
	}
}
