package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/testkit/needed"
)

const (
	tag  = "v9.8.7"
	date = "2026-01-02T03:04:05Z"
)

// TestRelease makes a release twice, in directories of different names, and compares all files. The commands are not
// optimised, and the laboratory is left out: to compile them takes minutes where nothing is built yet. The second run
// only links.
func TestRelease(t *testing.T) {
	switch {
	case os.Getenv("SUFFIXCL_RELEASE") != "1":
		t.Skip("SUFFIXCL_RELEASE is not 1: builds the commands and the library")
	case runtime.GOOS != "linux" || runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64":
		t.Skip("there are no archives for this system")
	}
	for _, program := range []string{"git", "tar", "gzip", "sha256sum"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("no " + program)
		}
	}
	needed.Program(t, "make")
	needed.Compiler(t, "cc")
	const packages = `import setuptools, pip, wheel; assert int(setuptools.__version__.split(".")[0]) >= 61`
	if exec.Command("/usr/bin/python3", "-c", packages).Run() != nil {
		needed.Missing(t, "REQUIRE_PYTHON", "what makes wheels", "python3-pip", "python3-setuptools", "python3-wheel")
	}
	one, other := checkout(t, "one"), checkout(t, "a directory of another name")

	out, err := release(one, "DIST=x").CombinedOutput()
	require.Error(t, err, "the changelog has no date of the tag")
	assert.Contains(t, string(out), "CHANGELOG.md has no line '## "+tag+" (DATE)'")
	for _, dir := range []string{one, other} {
		dated(t, dir)
	}

	outside := t.TempDir()
	for dir, dist := range map[string]string{one: "made", other: outside} {
		out, err := release(dir, "DIST="+dist).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	name := "suffixcl-" + tag + "-linux-" + runtime.GOARCH
	first, second := files(t, filepath.Join(one, "made")), files(t, outside)
	whl := wheelOf(t, first)
	require.Len(t, first, 4)
	for _, file := range []string{name + ".tar.gz", name + ".spdx.json", whl, "SHA256SUMS"} {
		require.Contains(t, first, file)
		assert.True(t, bytes.Equal(first[file], second[file]), "%s differs between two builds", file)
	}
	var sums strings.Builder
	for _, file := range []string{name + ".spdx.json", name + ".tar.gz", whl} {
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(first[file]), file)
	}
	assert.Equal(t, sums.String(), string(first["SHA256SUMS"]))

	members := unpack(t, first[name+".tar.gz"], outside)
	for _, member := range []string{
		"bin/suffixcl", "lib/libsuffixcl.so", "lib/libsuffixcl.so.0", "lib/pkgconfig/suffixcl.pc",
		"include/suffixcl.h", "include/suffixcl.f90", "share/man/man1/suffixcl.1",
		"share/bash-completion/completions/suffixcl", "share/zsh/site-functions/_suffixcl",
		"share/fish/vendor_completions.d/suffixcl.fish", "share/doc/suffixcl/LICENSE", "share/doc/suffixcl/README.md",
		"share/doc/suffixcl/CHANGELOG.md", "share/doc/suffixcl/licenses/go/LICENSE",
		"share/doc/suffixcl/licenses/github.com/ebitengine/purego/LICENSE",
	} {
		assert.Contains(t, members, name+"/"+member)
	}
	for member, data := range members {
		for _, dir := range []string{one, filepath.Dir(one)} {
			assert.False(t, bytes.Contains(data, []byte(dir)), "%s has the path of a directory", member)
		}
	}
	assert.Contains(t, string(members[name+"/lib/pkgconfig/suffixcl.pc"]), "Version: "+tag[1:]+"\n")

	program := filepath.Join(outside, name, "bin", "suffixcl")
	text, err := exec.Command(program, "version", "--json").Output()
	require.NoError(t, err)
	var v struct {
		Version, Revision, Time string
		Modified                bool
	}
	require.NoError(t, json.Unmarshal(text, &v))
	assert.Equal(t, tag, v.Version)
	assert.Equal(t, date, v.Time)
	assert.Equal(t, strings.TrimSpace(git(t, one, "rev-parse", "HEAD")), v.Revision)
	assert.False(t, v.Modified)
	assert.Contains(t, string(members[name+"/share/man/man1/suffixcl.1"]), `"2026-01-02" "suffixcl `+tag)

	assertWheel(t, first[whl], members, name, one)
	var document spdx
	require.NoError(t, json.Unmarshal(first[name+".spdx.json"], &document))
	assert.Equal(t, "libsuffixcl.so.0", document.Packages[1].Name)
	assert.Equal(t, "LIBRARY", document.Packages[1].Purpose)
	assert.Equal(t, date, document.CreationInfo.Created)
	assert.Equal(t, whl, document.Packages[2].Name)
	assert.Equal(t, []checksum{{"SHA256", fmt.Sprintf("%x", sha256.Sum256(first[whl]))}}, document.Packages[2].Checksums)
	modules := make(map[string]string)
	for _, p := range document.Packages {
		modules[p.Name] = p.SourceInfo
	}
	assert.Contains(t, modules, standard)
	assert.Regexp(t, "^go.sum has h1:", modules["github.com/spf13/cobra"])
	assert.NotContains(t, modules, ours)
}

// wheelOf is the name of the wheel among the files of a release.
func wheelOf(t *testing.T, files map[string][]byte) string {
	for file := range files {
		if strings.HasSuffix(file, ".whl") {
			assert.Regexp(t, "^suffixcl-"+tag[1:]+`-py3-none-manylinux_2_\d+_(x86_64|aarch64)\.whl$`, file)
			return file
		}
	}
	require.Fail(t, "there is no wheel")
	return ""
}

// assertWheel has the wheel hold the command and the library of the archive, at its version.
func assertWheel(t *testing.T, data []byte, members map[string][]byte, name, dir string) {
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	held := make(map[string][]byte)
	for _, f := range r.File {
		assert.Equal(t, date[:len("2006-01-02")], f.Modified.UTC().Format("2006-01-02"), f.Name)
		file, err := f.Open()
		require.NoError(t, err)
		held[f.Name], err = io.ReadAll(file)
		require.NoError(t, err)
		assert.False(t, bytes.Contains(held[f.Name], []byte(dir)), "%s has the path of a directory", f.Name)
	}
	assert.True(t, bytes.Equal(members[name+"/bin/suffixcl"], held["suffixcl/_files/suffixcl"]))
	assert.True(t, bytes.Equal(members[name+"/lib/libsuffixcl.so.0"], held["suffixcl/_files/libsuffixcl.so.0"]))
	assert.Contains(t, string(held["suffixcl/_version.py"]), `"`+tag[1:]+`"`)
	assert.Contains(t, string(held["suffixcl-"+tag[1:]+".dist-info/METADATA"]), "\nVersion: "+tag[1:]+"\n")
	assert.Contains(t, held, "suffixcl/py.typed")
	assert.Contains(t, held, "suffixcl/_files/licenses/go.txt")
}

// release is a run of the script.
func release(dir string, environment ...string) *exec.Cmd {
	c := exec.Command("scripts/release", runtime.GOARCH)
	c.Dir = dir
	c.Env = append(os.Environ(), "LAB=no", "RELEASE_GOFLAGS='-gcflags=all=-N -l -dwarf=false'")
	c.Env = append(c.Env, environment...)
	return c
}

// checkout copies the files of this checkout, as they are, into a repository of their own, and tags its only commit.
func checkout(t *testing.T, name string) string {
	root, err := filepath.Abs("../../..")
	require.NoError(t, err)
	dir := filepath.Join(t.TempDir(), name)
	list := git(t, root, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	for _, file := range strings.Split(strings.TrimRight(list, "\x00"), "\x00") {
		from := filepath.Join(root, file)
		info, err := os.Lstat(from)
		if err != nil || !info.Mode().IsRegular() {
			continue // removed
		}
		data, err := os.ReadFile(from)
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), data, info.Mode().Perm()))
	}
	git(t, dir, "init", "--quiet")
	commit(t, dir)
	return dir
}

// dated has the changelog say when the tag was made.
func dated(t *testing.T, dir string) {
	name := filepath.Join(dir, "CHANGELOG.md")
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	line := "\n## " + tag + " (" + date[:len("2006-01-02")] + ")\n\n## v"
	require.NoError(t, os.WriteFile(name, bytes.Replace(data, []byte("\n## v"), []byte(line), 1), 0o644))
	commit(t, dir)
}

func commit(t *testing.T, dir string) {
	git(t, dir, "add", "--all")
	git(t, dir, "commit", "--quiet", "--message", "A release")
	git(t, dir, "tag", "--force", tag)
}

// git runs it with nothing of the user's settings, and always at the same time.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	c := exec.Command("git", args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		c.Env = append(c.Env, "GIT_"+who+"_NAME=Nobody", "GIT_"+who+"_EMAIL=nobody@example.org")
	}
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.Output()
	require.NoError(t, err, "git %s: %s", args, &errs)
	return string(out)
}

// files are those in a directory, by name.
func files(t *testing.T, dir string) map[string][]byte {
	list, err := os.ReadDir(dir)
	require.NoError(t, err)
	data := make(map[string][]byte)
	for _, entry := range list {
		data[entry.Name()], err = os.ReadFile(filepath.Join(dir, entry.Name()))
		require.NoError(t, err)
	}
	return data
}

// unpack puts the files of an archive into a directory, and returns them. All are the commit's, of nobody.
func unpack(t *testing.T, archive []byte, dir string) map[string][]byte {
	plain, err := gzip.NewReader(bytes.NewReader(archive))
	require.NoError(t, err)
	data := make(map[string][]byte)
	for r := tar.NewReader(plain); ; {
		h, err := r.Next()
		if err == io.EOF {
			return data
		}
		require.NoError(t, err)
		assert.Equal(t, date, h.ModTime.UTC().Format("2006-01-02T15:04:05Z"), h.Name)
		assert.Zero(t, h.Uid+h.Gid, h.Name)
		if h.Typeflag == tar.TypeDir {
			continue
		}
		want := int64(0o644)
		if strings.Contains(h.Name, "/bin/") || strings.HasSuffix(h.Name, ".so.0") {
			want = 0o755
		}
		data[h.Name], err = io.ReadAll(r)
		require.NoError(t, err)
		name := filepath.Join(dir, h.Name)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		if h.Typeflag == tar.TypeSymlink {
			require.NoError(t, os.Symlink(h.Linkname, name))
			continue
		}
		assert.Equal(t, want, h.Mode&0o777, h.Name)
		require.NoError(t, os.WriteFile(name, data[h.Name], os.FileMode(want)))
	}
}
