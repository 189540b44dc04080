package verbs

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
	"golang.org/x/sys/unix"
)

// terminal opens a terminal, and returns the side that a person would look at.
func terminal(t *testing.T) (screen, program *os.File) {
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { screen.Close() })
	fd := int(screen.Fd())
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		t.Skip(err)
	}
	require.NoError(t, unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: 80}))
	return screen, program
}

// folder returns a new folder. A driver in a process that prepares kernels may still write to a cache in it when the
// test ends: t.TempDir would fail then.
func folder(t *testing.T) string {
	dir, err := os.MkdirTemp("", t.Name())
	require.NoError(t, err)
	t.Cleanup(func() {
		assert.Eventually(t, func() bool { return os.RemoveAll(dir) == nil }, 20*time.Second, 100*time.Millisecond)
	})
	return dir
}

// seen is what a run in a folder shows on a terminal. The folder holds the caches, too.
func seen(t *testing.T, dir string, args ...string) string {
	screen, program := terminal(t)
	c := clitest.Command(dir, args...)
	c.Env = append(os.Environ(), "TERM=vt100", "XDG_CACHE_HOME="+dir, "POCL_CACHE_DIR="+dir) // nothing is compiled yet
	c.Stderr = program
	require.NoError(t, c.Start())
	program.Close()
	text, _ := io.ReadAll(screen) // ends with an error, when nobody holds the other side
	require.NoError(t, c.Wait())
	return string(text)
}

// The first run on a device says that it compiles.
func TestProgress(t *testing.T) {
	clitest.NeedDevice(t)
	dir := folder(t)
	clitest.Put(t, dir, "text", []byte("banana"))
	began := time.Now()
	text := seen(t, dir, "sa", "text", "-o", "sa", "--algorithm", "skew")
	if time.Since(began) < 2*time.Second {
		t.Skip("it was over too soon")
	}
	assert.Regexp(t, `preparing kernels .*\ds`, text)
	assert.Contains(t, text, "suffixcl: sa text (plain)")
	assert.Empty(t, seen(t, dir, "sa", "text", "-o", "sa", "-q"))
}

// A search shows how far it is in the file of patterns.
func TestSearchProgress(t *testing.T) {
	clitest.NeedDevice(t)
	dir := folder(t)
	clitest.Put(t, dir, "text", append(bytes.Repeat([]byte("b"), 999), 'a'))
	clitest.Put(t, dir, "q", bytes.Repeat([]byte("a\n"), 2_000_000))
	clitest.Good(t, dir, "index", "text", "-o", "fmi", "-q")
	for _, args := range [][]string{{"locate", "fmi", "--patterns", "q"}, {"match", "text", "q"}} {
		args = append(args, "-o", "/dev/null")
		seen(t, dir, args...) // compiles, which is not to count below
		began := time.Now()
		text := seen(t, dir, args...)
		took := time.Since(began)
		t.Log(args[0], took)
		if took < time.Second {
			t.Skip("it was over too soon")
		}
		assert.Regexp(t, `search .*[1-9]\d? ?%`, text)
	}
}

// Names of files and records do nothing to a terminal, and are as they are for programs.
func TestNamesOnTerminal(t *testing.T) {
	dir := folder(t)
	const file, record, shown = "a\x1b[31m\u009b\u202e", "r\u009b2J", `a\x1b[31m\u009b\u202e`
	r := clitest.Run(t, dir, "tokens", file, "-o", "out")
	assert.Contains(t, r.Errors, "cannot read "+shown+": no such file")
	r = clitest.Run(t, dir, "sa", "none", "-o", file+"/out")
	assert.NotContains(t, r.Errors, "\u009b")
	clitest.NeedDevice(t)
	clitest.Put(t, dir, file, []byte(">"+record+"\nGATTACA\n"))
	clitest.Put(t, dir, "q", []byte(">q\nATTA\n"))
	planned := clitest.Good(t, dir, "plan", "match", file, "q")
	assert.Contains(t, planned.Out, "match of "+shown+":")
	r = clitest.Good(t, dir, "match", file, "q", "--format", "bed")
	assert.Equal(t, record+"\t1\t5\tq\t0\t+\n", r.Out)
	assert.Contains(t, r.Errors, "suffixcl: match "+shown)
	assert.NotContains(t, r.Errors, "\x1b")

	screen, program := terminal(t)
	c := clitest.Command(dir, "match", file, "q", "--format", "bed", "-q")
	c.Stdout, c.Stderr = program, program
	require.NoError(t, c.Start())
	program.Close()
	text, _ := io.ReadAll(screen)
	require.NoError(t, c.Wait())
	assert.Contains(t, string(text), `r\u009b2J`)
	assert.NotContains(t, string(text), "\u009b")
}
