// Package clitest tests a command as people run it: built once, run as a child process. Of most of its runs the start
// of the driver is the longest part: the second and later runs of a verb are in the process of the tests.
package clitest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cli"
)

var (
	program  string // the command
	noDevice error  // why there is no device, if there is none
)

// Main is TestMain of the package of a command, or of its verbs: source is the directory of the command. within makes
// the command in the process of the tests. Verbs that stand apart start processes of the command, or leave something:
// their runs are always child processes. With SUFFIXCL_SOAK=1 all runs are.
func Main(m *testing.M, source string, within func() *cobra.Command, apart ...string) {
	os.Exit(run(m, source, within, apart))
}

func run(m *testing.M, source string, within func() *cobra.Command, apart []string) int {
	source, err := filepath.Abs(source)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	dir, err := os.MkdirTemp("", "suffixcl-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	os.Chmod(dir, 0o755) // some tests run the command as another user
	// A thousand runs share binaries: PoCL goes through a header of 60 ms for each program that its own cache has.
	if _, set := os.LookupEnv("SUFFIXCL_CACHE"); !set {
		os.Setenv("SUFFIXCL_CACHE", filepath.Join(dir, "programs"))
	}
	if os.Getenv("SUFFIXCL_SOAK") != "1" {
		command, environment, never = within, os.Environ(), apart
	}
	program = filepath.Join(dir, filepath.Base(source))
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	build := exec.Command("go", "build", "-o", program, source)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "building the command:", err)
		return 1
	}
	_, noDevice = device.List()
	return m.Run()
}

// Program is the path of the command.
func Program() string { return program }

// HasDevice reports whether there is an OpenCL device.
func HasDevice() bool { return noDevice == nil }

// NeedDevice skips a test without a device, or fails it if REQUIRE_OPENCL is 1.
func NeedDevice(t *testing.T) {
	t.Helper()
	if noDevice != nil {
		if os.Getenv("REQUIRE_OPENCL") == "1" {
			t.Fatal(noDevice)
		}
		t.Skip(noDevice)
	}
}

// Result is that of a run.
type Result struct {
	Code        int
	Out, Errors string
}

// Command makes a run in dir.
func Command(dir string, args ...string) *exec.Cmd {
	c := exec.Command(program, args...)
	c.Dir = dir
	return c
}

// Finish runs c. Standard error is kept, and standard output unless it goes elsewhere.
func Finish(t *testing.T, c *exec.Cmd) Result {
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
	return Result{c.ProcessState.ExitCode(), out.String(), errs.String()}
}

// Run runs the command in dir, in a process of its own or in this one.
func Run(t *testing.T, dir string, args ...string) Result {
	t.Helper()
	if isWithin(args) {
		return runWithin(t, dir, args)
	}
	return Finish(t, Command(dir, args...))
}

// Good runs the command, which must succeed.
func Good(t *testing.T, dir string, args ...string) Result {
	t.Helper()
	r := Run(t, dir, args...)
	require.Equal(t, cli.ExitDone, r.Code, "%v: %s", args, r.Errors)
	return r
}

// Put writes a file in dir and returns its name.
func Put(t *testing.T, dir, name string, data []byte) string {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o644))
	return name
}

// Get reads a file in dir.
func Get(t *testing.T, dir, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	require.NoError(t, err)
	return data
}

// Files lists dir.
func Files(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	names := []string{}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// Prose is a text of n bytes with repeats and all bytes.
func Prose(n int) []byte {
	var b []byte
	for i := 0; len(b) < n; i++ {
		b = fmt.Appendf(b, "line %d of %d, %c\n", i*i%97, i/50, byte(i))
	}
	return b[:n]
}

// CheckHelp checks the help of a command and of each verb, and its version.
func CheckHelp(t *testing.T, root *cobra.Command) {
	t.Helper()
	dir := t.TempDir()
	assert.Contains(t, Good(t, dir, "--help").Out, cli.ExitCodesHelp)
	assert.Equal(t, Good(t, dir, "--help"), Good(t, dir, "help"))
	for _, verb := range root.Commands() {
		r := Good(t, dir, verb.Name(), "--help")
		assert.Contains(t, r.Out, root.Name()+" "+verb.Name())
		assert.Empty(t, r.Errors)
		assert.Equal(t, r, Good(t, dir, "help", verb.Name()))
		for i, line := range strings.Split(verb.Long, "\n") {
			assert.LessOrEqual(t, len(line), 92, "line %d of %s", i+1, verb.Name())
		}
	}
	version := Good(t, dir, "version").Out
	assert.True(t, strings.HasPrefix(version, root.Name()+" "), version)
	assert.Contains(t, version, runtime.Version())
}

// CheckUsage expects one line and the exit code of wrong usage, and no new file.
func CheckUsage(t *testing.T, dir string, runs ...[]string) {
	t.Helper()
	before := Files(t, dir)
	for _, args := range runs {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			r := Run(t, dir, args...)
			assert.Equal(t, cli.ExitUsage, r.Code)
			assert.Empty(t, r.Out)
			assert.Equal(t, 1, strings.Count(r.Errors, "\n"), r.Errors)
			name := strings.TrimSuffix(filepath.Base(program), ".exe")
			assert.True(t, strings.HasPrefix(r.Errors, name+": "), r.Errors)
			assert.Contains(t, r.Errors, "--help)")
		})
	}
	assert.Equal(t, before, Files(t, dir))
}
