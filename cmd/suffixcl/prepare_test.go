package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/cli"
	"github.com/suffixcl/suffixcl/internal/cli/clitest"
)

func TestPrepare(t *testing.T) {
	clitest.NeedDevice(t)
	t.Setenv("SUFFIXCL_CACHE", filepath.Join(t.TempDir(), "programs"))
	var r prepareReport
	out := clitest.Good(t, t.TempDir(), "prepare", "--for", "verify,devices", "--json").Out
	require.NoError(t, json.Unmarshal([]byte(out), &r))
	assert.Equal(t, []string{"verify", "devices"}, r.Verbs)
	assert.Positive(t, r.Programs)
	require.NotEmpty(t, r.Caches)
	assert.Equal(t, os.Getenv("SUFFIXCL_CACHE"), r.Caches[0].Dir)
	assert.Positive(t, r.Caches[0].Files)
	assert.Positive(t, r.Caches[0].Bytes)
}

func TestPrepareForWhat(t *testing.T) {
	r := clitest.Run(t, t.TempDir(), "prepare", "--for", "sa,nothing")
	assert.Equal(t, cli.ExitUsage, r.Code)
	assert.Contains(t, r.Errors, `no verb "nothing"`)
}

// A helper that does not start, ends early, is another program or leaves nothing costs time, and no result.
func TestHelpers(t *testing.T) {
	clitest.NeedDevice(t)
	dir := t.TempDir()
	script := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\n"+text), mode))
		return path
	}
	helpers := map[string]string{"suffixcl": clitest.Program(), "missing": filepath.Join(dir, "missing")}
	if runtime.GOOS != "windows" {
		helpers["not executable"] = script("data", "", 0o644)
		helpers["ends at once"] = script("true", "exit 0\n", 0o755)
		helpers["another program"] = script("cat", "exec cat\n", 0o755)
		helpers["killed at work"] = script("killed",
			"read order; echo 'suffixcl helper 1'; read request; kill -9 $$\n", 0o755)
		helpers["builds nothing"] = script("idle", "read order; echo 'suffixcl helper 1'\n"+
			`while read r; do k=${r#*:\"}; echo "{\"key\":\"${k%%\"*}\",\"error\":\"no\"}"; done`+"\n", 0o755)
	}
	text := bytes.Repeat([]byte("a helper builds programs, "), 100)
	want := make([]uint32, len(text))
	sa := index(text)
	for j := 1; j < len(sa); j++ {
		for a, b := sa[j-1], sa[j]; max(a, b) < len(text) && text[a] == text[b]; a, b = a+1, b+1 {
			want[j]++
		}
	}
	for name := range helpers {
		t.Run(name, func(t *testing.T) {
			o := suffixcl.Options{Helper: helpers[name], Helpers: 2}
			if name == "suffixcl" {
				o.CacheDir = t.TempDir()
			} else {
				t.Setenv("XDG_CACHE_HOME", t.TempDir())
			}
			e, err := suffixcl.Open(o)
			require.NoError(t, err)
			defer e.Close()
			lcp, err := e.LCP(t.Context(), text)
			require.NoError(t, err)
			assert.Equal(t, want, lcp)
		})
	}
}

// index is the suffix array of a text.
func index(text []byte) []int {
	sa := make([]int, len(text))
	for i := range sa {
		sa[i] = i
	}
	slices.SortFunc(sa, func(a, b int) int { return bytes.Compare(text[a:], text[b:]) })
	return sa
}

// The verb of helpers is not for people: without a session it ends with an error.
func TestBuildPrograms(t *testing.T) {
	r := clitest.Run(t, t.TempDir(), "build-programs")
	assert.Equal(t, cli.ExitFailed, r.Code)
	assert.Contains(t, r.Errors, "started by a session")
}
