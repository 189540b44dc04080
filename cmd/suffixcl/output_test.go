package main

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
)

func TestStandardStreams(t *testing.T) {
	needDevice(t)
	dir := t.TempDir()
	text := prose(1000)
	want := encode(suffixArray(text), 4)

	c := command(dir, "sa", "-", "-o", "-")
	c.Stdin = bytes.NewReader(text)
	r := finish(t, c)
	assert.Equal(t, exitDone, r.code, r.errors)
	assert.True(t, string(want) == r.out)

	// A file at standard input, begun already, gives its rest.
	put(t, dir, "text", append([]byte("skipped"), text...))
	f, err := os.Open(filepath.Join(dir, "text"))
	require.NoError(t, err)
	defer f.Close()
	_, err = io.ReadFull(f, make([]byte, len("skipped")))
	require.NoError(t, err)
	c = command(dir, "sa", "-", "-o", "-", "--json")
	c.Stdin = f
	r = finish(t, c)
	assert.True(t, string(want) == r.out)
	var report report
	require.NoError(t, json.Unmarshal([]byte(r.errors), &report)) // on standard error: the other is taken
	assert.Equal(t, len(text), report.Bytes)
	assert.Equal(t, "standard input", report.File)

	put(t, dir, "text", text)
	put(t, dir, "sa", want)
	c = command(dir, "verify", "text", "-")
	c.Stdin = bytes.NewReader(want)
	r = finish(t, c)
	assert.Equal(t, exitDone, r.code, r.errors)

	// bwt with standard output: the primary index moves to standard error.
	rows, primary := transform(text)
	r = good(t, dir, "bwt", "text", "-o", "-", "--quiet")
	assert.True(t, string(rows) == r.out)
	assert.Equal(t, fmt.Sprintf("suffixcl: primary index %d\n", primary), r.errors)
	assert.Equal(t, []string{"sa", "text"}, files(t, dir))
}

func TestOutputErrors(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "text", []byte("banana"))
	for _, folder := range []string{"folder", "out.primary"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, folder), 0o755))
	}
	before := files(t, dir)
	for _, out := range []string{"folder", "new/", "missing/out", "text/out"} {
		// Seen before a device is looked for.
		c := command(dir, "sa", "text", "-o", out)
		c.Env = append(os.Environ(), "SUFFIXCL_OPENCL_LIBRARY=/nonexistent")
		r := finish(t, c)
		assert.Equal(t, exitFailed, r.code, out)
		assert.Contains(t, r.errors, "cannot write "+out)
	}
	r := suffixclIn(t, dir, "bwt", "text", "-o", "out")
	assert.Equal(t, exitFailed, r.code)
	assert.Contains(t, r.errors, "cannot write out.primary: it is a directory")
	assert.Equal(t, before, files(t, dir))
}

func TestOutputReplaces(t *testing.T) {
	needDevice(t)
	dir := t.TempDir()
	text := []byte("mississippi")
	want := encode(suffixArray(text), 4)

	// A file that is there, with its permissions.
	put(t, dir, "text", text)
	put(t, dir, "sa", bytes.Repeat([]byte("old"), 1000))
	require.NoError(t, os.Chmod(filepath.Join(dir, "sa"), 0o600))
	good(t, dir, "sa", "text", "-o", "sa")
	assert.Equal(t, want, get(t, dir, "sa"))
	if runtime.GOOS != "windows" {
		info, err := os.Stat(filepath.Join(dir, "sa"))
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode())

		// Through a link, which stays one.
		require.NoError(t, os.Mkdir(filepath.Join(dir, "folder"), 0o755))
		put(t, dir, "folder/target", nil)
		require.NoError(t, os.Symlink("folder/target", filepath.Join(dir, "link")))
		good(t, dir, "sa", "text", "-o", "link")
		assert.Equal(t, want, get(t, dir, "folder/target"))
		assert.Equal(t, []string{"target"}, files(t, filepath.Join(dir, "folder")))
	}

	// The text itself.
	good(t, dir, "sa", "text", "-o", "text")
	assert.Equal(t, want, get(t, dir, "text"))
}
