package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/device"
)

// The command is tested as people run it: built once, run as a child process.

var (
	program  string // the command
	noDevice error  // why there is no device, if there is none
)

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "suffixcl-test-")
	if err != nil {
		panic(err)
	}
	os.Chmod(dir, 0o755) // some tests run the command as another user
	program = filepath.Join(dir, "suffixcl")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	build := exec.Command("go", "build", "-o", program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	build.Stderr = os.Stderr
	code := 1
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "building the command:", err)
	} else {
		_, noDevice = device.List()
		code = m.Run()
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

func needDevice(t *testing.T) {
	if noDevice != nil {
		if os.Getenv("REQUIRE_OPENCL") == "1" {
			t.Fatal(noDevice)
		}
		t.Skip(noDevice)
	}
}

// result of a run.
type result struct {
	code        int
	out, errors string
}

// command makes a run in dir.
func command(dir string, args ...string) *exec.Cmd {
	c := exec.Command(program, args...)
	c.Dir = dir
	return c
}

func finish(t *testing.T, c *exec.Cmd) result {
	t.Helper()
	var out, errs bytes.Buffer
	if c.Stdout == nil {
		c.Stdout = &out
	}
	c.Stderr = &errs
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{c.ProcessState.ExitCode(), out.String(), errs.String()}
}

func suffixclIn(t *testing.T, dir string, args ...string) result {
	t.Helper()
	return finish(t, command(dir, args...))
}

// good runs the command, which must succeed.
func good(t *testing.T, dir string, args ...string) result {
	t.Helper()
	r := suffixclIn(t, dir, args...)
	require.Equal(t, exitDone, r.code, "%v: %s", args, r.errors)
	return r
}

func put(t *testing.T, dir, name string, data []byte) string {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o644))
	return name
}

func get(t *testing.T, dir, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	require.NoError(t, err)
	return data
}

func files(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	names := []string{}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// prose is a text with repeats and all bytes.
func prose(n int) []byte {
	var b []byte
	for i := 0; len(b) < n; i++ {
		b = fmt.Appendf(b, "line %d of %d, %c\n", i*i%97, i/50, byte(i))
	}
	return b[:n]
}

func TestHelpAndVersion(t *testing.T) {
	dir := t.TempDir()
	assert.Contains(t, good(t, dir, "--help").out, "Exit codes")
	assert.Equal(t, good(t, dir, "--help"), good(t, dir, "help"))
	root := rootCommand()
	require.Greater(t, len(root.Commands()), 16)
	for _, verb := range root.Commands() {
		r := good(t, dir, verb.Name(), "--help")
		assert.Contains(t, r.out, "suffixcl "+verb.Name())
		assert.Empty(t, r.errors)
		assert.Equal(t, r, good(t, dir, "help", verb.Name()))
		for i, line := range strings.Split(verb.Long, "\n") {
			assert.LessOrEqual(t, len(line), 92, "line %d of %s", i+1, verb.Name())
		}
	}
	assert.Contains(t, good(t, dir, "help", "bench", "primitives").out, "suffixcl bench primitives [flags]")
	assert.Contains(t, good(t, dir, "version").out, runtime.Version())
	var v versionReport
	require.NoError(t, json.Unmarshal([]byte(good(t, dir, "version", "--json").out), &v))
	assert.Equal(t, runtime.GOARCH, v.Arch)
}

// The exit codes are those of the help and of the README.
func TestExitCodes(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	require.NoError(t, err)
	for code, meaning := range map[int]string{
		exitDone: "done", exitFailed: "failed", exitUsage: "wrong usage", exitNoDevice: "no usable device",
		exitMemory: "does not fit in memory", exitVerify: "verification failed", exitInterrupted: "interrupted",
	} {
		assert.Regexp(t, fmt.Sprintf(`(?m)\b%d  %s\b`, code, meaning), rootHelp)
		assert.Contains(t, string(readme), fmt.Sprintf("| %d | %s |", code, meaning))
	}
}

func TestUsage(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "text", []byte("banana"))
	put(t, dir, "sa", nil)
	for _, args := range [][]string{
		{},
		{"fly"},
		{"help", "fly"},
		{"help", "sa", "text"},
		{"bench"},
		{"bench", "fly"},
		{"sa"},
		{"sa", "text"},
		{"sa", "text", "text", "-o", "out"},
		{"sa", "text", "-o", "out", "--wings"},
		{"sa", "text", "-o", "out", "--width", "3"},
		{"sa", "text", "-o", ""},
		{"sa", "text", "-o", "out", "--algorithm", "bogosort"},
		{"sa", "text", "-o", "out", "--max-mem", "much"},
		{"bwt", "text"},
		{"lcp", "text"},
		{"lcp", "text", "-o", "out", "--sa", ""},
		{"lcp", "-", "-o", "out", "--sa", "-"},
		{"lcp", "text", "-o", "out", "--sa", "sa", "--algorithm", "osipov"},
		{"unbwt", "text"},
		{"unbwt", "text", "-o", "out", "--primary", "-1"},
		{"unbwt", "text", "-o", "out", "--raw"},
		{"unbwt", "-", "-o", "out"},
		{"repeats"},
		{"repeats", "text", "--min-length", "-1"},
		{"repeats", "text", "--top", "0"},
		{"repeats", "text", "--format", "gff"},
		{"repeats", "text", "--plot", "out.pdf"},
		{"repeats", "text", "--plot", "out.png", "--bins", "0"},
		{"repeats", "text", "-o", ""},
		{"plan", "sa", "text", "--all"},
		{"verify", "text"},
		{"verify", "text", "sa", "--lcp", ""},
		{"verify", "text", "-", "--lcp", "-"},
		{"verify", "text", "sa", "--primary", "3"},
		{"verify", "text", "sa", "--bwt", ""},
		{"verify", "text", "sa", "--bwt", "-"},
		{"verify", "text", "sa", "--bwt", "sa", "--primary", "-1"},
		{"verify", "-", "-"},
		{"plan", "text"},
		{"plan", "fly", "text"},
		{"plan", "sa", "text", "--bwt"},
		{"plan", "bwt", "text", "--lcp"},
		{"plan", "unbwt", "text", "--input", "fasta"},
		{"sa", "text", "-o", "out", "--input", "genbank"},
		{"plan", "verify", "text", "--sa"},
		{"bench", "papers", "--figure", "11"},
		{"bench", "papers", "--repeats", "0"},
		{"bench", "papers", "--sizes", "32"},
		{"bench", "papers", "sa"}, // empty
		{"bench", "sort", "--algorithm", "bogo"},
		{"bench", "sort", "--runs", "0"},
		{"bench", "sort", "--synthetic", "genome"},
		{"devices", "text"},
		{"version", "text"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			r := suffixclIn(t, dir, args...)
			assert.Equal(t, exitUsage, r.code)
			assert.Empty(t, r.out)
			assert.Equal(t, 1, strings.Count(r.errors, "\n"), r.errors)
			assert.True(t, strings.HasPrefix(r.errors, "suffixcl: "), r.errors)
			assert.Contains(t, r.errors, "--help)")
		})
	}
	assert.Equal(t, []string{"sa", "text"}, files(t, dir))
}

func TestNoDevice(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "text", []byte("banana"))
	put(t, dir, "sa", encode(suffixArray([]byte("banana")), 4))
	for _, args := range [][]string{
		{"sa", "text", "-o", "out"}, {"bwt", "text", "-o", "out"}, {"lcp", "text", "-o", "out"}, {"unbwt", "text", "-o", "out", "--primary", "1"}, {"verify", "text", "sa"}, {"plan", "sa", "text"}, {"devices"}, {"devices", "--json"},
	} {
		c := command(dir, args...)
		c.Env = append(os.Environ(), "SUFFIXCL_OPENCL_LIBRARY=/nonexistent")
		r := finish(t, c)
		assert.Equal(t, exitNoDevice, r.code, "%v", args)
		assert.Contains(t, r.errors, "/nonexistent")
		assert.Contains(t, r.errors, "install")
		if slices.Contains(args, "--json") {
			assert.JSONEq(t, `{"devices": []}`, r.out)
		} else {
			assert.Empty(t, r.out)
		}
	}
	assert.Equal(t, []string{"sa", "text"}, files(t, dir))

	needDevice(t)
	for _, selector := range []string{"9999", "no such device"} {
		r := suffixclIn(t, dir, "sa", "text", "-o", "out", "--device", selector)
		assert.Equal(t, exitNoDevice, r.code)
		assert.Contains(t, r.errors, selector)
		assert.Contains(t, r.errors, "0: ") // what there is
	}
}
