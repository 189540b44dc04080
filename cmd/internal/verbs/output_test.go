package verbs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/suffixcl/suffixcl/cmd/internal/report"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

func TestStandardStreams(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	text := clitest.Prose(1000)
	want := encode(suffixArray(text), 4)

	c := clitest.Command(dir, "sa", "-", "-o", "-")
	c.Stdin = bytes.NewReader(text)
	r := clitest.Finish(t, c)
	assert.Equal(t, cli.ExitDone, r.Code, r.Errors)
	assert.True(t, string(want) == r.Out)

	// A file at standard input, begun already, gives its rest.
	clitest.Put(t, dir, "text", append([]byte("skipped"), text...))
	f, err := os.Open(filepath.Join(dir, "text"))
	require.NoError(t, err)
	defer f.Close()
	_, err = io.ReadFull(f, make([]byte, len("skipped")))
	require.NoError(t, err)
	c = clitest.Command(dir, "sa", "-", "-o", "-", "--json")
	c.Stdin = f
	r = clitest.Finish(t, c)
	assert.True(t, string(want) == r.Out)
	var report report.Report
	require.NoError(t, json.Unmarshal([]byte(r.Errors), &report)) // on standard error: the other is taken
	assert.Equal(t, len(text), report.Bytes)
	assert.Equal(t, "standard input", report.File)

	clitest.Put(t, dir, "text", text)
	clitest.Put(t, dir, "sa", want)
	c = clitest.Command(dir, "verify", "text", "-")
	c.Stdin = bytes.NewReader(want)
	r = clitest.Finish(t, c)
	assert.Equal(t, cli.ExitDone, r.Code, r.Errors)

	// bwt with standard output: the primary index moves to standard error.
	rows, primary := transform(text)
	r = clitest.Good(t, dir, "bwt", "text", "-o", "-", "--quiet")
	assert.True(t, string(rows) == r.Out)
	assert.Equal(t, fmt.Sprintf("suffixcl: primary index %d\n", primary), r.Errors)
	assert.Equal(t, []string{"sa", "text"}, clitest.Files(t, dir))
}

func TestOutputErrors(t *testing.T) {
	dir := t.TempDir()
	clitest.Put(t, dir, "text", []byte("banana"))
	for _, folder := range []string{"folder", "out.primary"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, folder), 0o755))
	}
	before := clitest.Files(t, dir)
	for _, out := range []string{"folder", "new/", "missing/out", "text/out"} {
		// Seen before a device is looked for.
		c := clitest.Command(dir, "sa", "text", "-o", out)
		c.Env = append(os.Environ(), "SUFFIXCL_OPENCL_LIBRARY=/nonexistent")
		r := clitest.Finish(t, c)
		assert.Equal(t, cli.ExitFailed, r.Code, out)
		assert.Contains(t, r.Errors, "cannot write "+out)
	}
	r := clitest.Run(t, dir, "bwt", "text", "-o", "out")
	assert.Equal(t, cli.ExitFailed, r.Code)
	assert.Contains(t, r.Errors, "cannot write out.primary: is a directory")
	assert.Equal(t, before, clitest.Files(t, dir))
}

func TestOutputReplaces(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	text := []byte("mississippi")
	want := encode(suffixArray(text), 4)

	// A file that is there, with its permissions.
	clitest.Put(t, dir, "text", text)
	clitest.Put(t, dir, "sa", bytes.Repeat([]byte("old"), 1000))
	require.NoError(t, os.Chmod(filepath.Join(dir, "sa"), 0o600))
	clitest.Good(t, dir, "sa", "text", "-o", "sa")
	assert.Equal(t, want, clitest.Get(t, dir, "sa"))
	if runtime.GOOS != "windows" {
		info, err := os.Stat(filepath.Join(dir, "sa"))
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode())

		// Through a link, which stays one.
		require.NoError(t, os.Mkdir(filepath.Join(dir, "folder"), 0o755))
		clitest.Put(t, dir, "folder/target", nil)
		require.NoError(t, os.Symlink("folder/target", filepath.Join(dir, "link")))
		clitest.Good(t, dir, "sa", "text", "-o", "link")
		assert.Equal(t, want, clitest.Get(t, dir, "folder/target"))
		assert.Equal(t, []string{"target"}, clitest.Files(t, filepath.Join(dir, "folder")))
	}

}

// No result takes the place of a file that is read, whatever it is called, nor of another result.
func TestOutputIsInput(t *testing.T) {
	dir := t.TempDir()
	clitest.Put(t, dir, "text", []byte("mississippi"))
	clitest.Put(t, dir, "sa", encode(suffixArray([]byte("mississippi")), 4))
	clitest.Put(t, dir, "y.primary", []byte("banana"))
	clitest.Put(t, dir, "x.bwt", []byte("annbaa"))
	clitest.Put(t, dir, "x.bwt.primary", []byte("4\n"))
	clitest.Put(t, dir, "z", nil)
	clitest.Put(t, dir, "ref.sa", []byte(">a\nACGT\n"))
	clitest.Put(t, dir, "ref.thr_pos", []byte(">a\nACGT\n"))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "set", "below"), 0o755))
	clitest.Put(t, dir, "set/below/a.sa", []byte("banana"))
	require.NoError(t, os.Link(filepath.Join(dir, "text"), filepath.Join(dir, "hard")))
	runs := [][]string{
		{"sa", "text", "-o", "text"}, {"sa", "text", "-o", "./text"}, {"sa", "hard", "-o", "text"},
		{"bwt", "text", "-o", "text"}, {"bwt", "y.primary", "-o", "y"},
		{"lcp", "text", "-o", "text"}, {"lcp", "text", "--sa", "sa", "-o", "sa"},
		{"index", "text", "-o", "hard"}, {"repeats", "text", "-o", "text"},
		{"unbwt", "x.bwt", "-o", "x.bwt"}, {"unbwt", "x.bwt", "-o", "x.bwt.primary"},
		{"build", "bwa", "ref.sa", "ref", "--force"}, {"pangenome", "thresholds", "ref.thr_pos", "ref", "--force"},
		{"gsa", "set", "--sa", "-o", "set/below/a"},
		{"bwt", "--set", "set", "-o", "set/below/a.sa"}, {"dedup", "set", "-o", "set/below/a.sa"},
		{"dedup", "text", "--against", "set", "-o", "x", "--report", "set/below/a.sa"},
		{"tokens", "count", "set", "1", "-o", "set/below/a.sa"},
	}
	if os.Symlink("text", filepath.Join(dir, "soft")) == nil {
		require.NoError(t, os.Symlink("z", filepath.Join(dir, "z.primary")))
		runs = append(runs, []string{"sa", "soft", "-o", "text"}, []string{"sa", "text", "-o", "soft"},
			[]string{"bwt", "text", "-o", "z"})
	}
	before := clitest.Files(t, dir)
	refused := func(r clitest.Result, args []string) {
		assert.Equal(t, cli.ExitFailed, r.Code, "%v", args)
		assert.Regexp(t, "^suffixcl: cannot write .*: it is the same file as .*\n$", r.Errors, "%v", args)
	}
	for _, args := range runs {
		// Seen before a device is looked for.
		c := clitest.Command(dir, args...)
		c.Env = append(os.Environ(), "SUFFIXCL_OPENCL_LIBRARY=/nonexistent")
		refused(clitest.Finish(t, c), args)
	}

	// Standard input and output are files, too.
	text, err := os.OpenFile(filepath.Join(dir, "text"), os.O_RDWR|os.O_APPEND, 0)
	require.NoError(t, err)
	defer text.Close()
	c := clitest.Command(dir, "sa", "-", "-o", "text")
	c.Stdin = text
	refused(clitest.Finish(t, c), c.Args)
	c = clitest.Command(dir, "repeats", "text")
	c.Stdout = text
	refused(clitest.Finish(t, c), c.Args)

	assert.Equal(t, before, clitest.Files(t, dir))
	assert.Equal(t, "mississippi", string(clitest.Get(t, dir, "text")))
	assert.Equal(t, "banana", string(clitest.Get(t, dir, "y.primary")))
	assert.Equal(t, "banana", string(clitest.Get(t, dir, "set/below/a.sa")))
	assert.Equal(t, "annbaa", string(clitest.Get(t, dir, "x.bwt")))
}

// A read-only file says that it shall stay.
func TestOutputProtected(t *testing.T) {
	dir := t.TempDir()
	clitest.Put(t, dir, "text", []byte("mississippi"))
	clitest.Put(t, dir, "precious", []byte("old"))
	require.NoError(t, os.Chmod(filepath.Join(dir, "precious"), 0o444))
	for _, args := range [][]string{{"sa", "text", "-o", "precious"}, {"repeats", "text", "-o", "precious"}} {
		r := clitest.Run(t, dir, args...)
		assert.Equal(t, cli.ExitFailed, r.Code)
		assert.Equal(t, "suffixcl: cannot write precious: it is write-protected\n", r.Errors)
	}
	assert.Equal(t, "old", string(clitest.Get(t, dir, "precious")))
	assert.Equal(t, []string{"precious", "text"}, clitest.Files(t, dir))
}
