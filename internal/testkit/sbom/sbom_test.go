package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// This test is a program of Go, too, with the version of Go and no modules. TestRelease has a document with modules.
func TestRead(t *testing.T) {
	name, err := os.Executable()
	require.NoError(t, err)
	p, err := read(name)
	require.NoError(t, err)
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	sum := sha256.Sum256(data)
	assert.Equal(t, hex.EncodeToString(sum[:]), p.sum)
	assert.Equal(t, filepath.Base(name), p.file)
	assert.False(t, p.library)
	assert.Contains(t, p.modules, module{path: standard, version: strings.TrimPrefix(runtime.Version(), "go")})
}

func TestNotGo(t *testing.T) {
	name := filepath.Join(t.TempDir(), "text")
	require.NoError(t, os.WriteFile(name, []byte("a text"), 0o644))
	_, err := read(name)
	assert.Error(t, err)
	assert.ErrorContains(t, run(&document{}, []string{name}), "text: ")
	_, err = buildinfo.ReadFile(name)
	assert.Error(t, err)
}

func TestDocument(t *testing.T) {
	cobra := module{"github.com/spf13/cobra", "v1.10.2", "h1:x"}
	font := module{"git.sr.ht/~sbinet/gg", "v0.7.0+incompatible", ""}
	d := document{name: "suffixcl-v0.2.0-linux-amd64", version: "v0.2.0", created: "2026-11-29T22:40:00Z"}
	d.programs = []program{
		{"suffixcl", strings.Repeat("ab", 32), false, []module{cobra, {standard, "1.26.0", ""}}, []string{"libc.so.6"}},
		{"libsuffixcl.so.0", strings.Repeat("cd", 32), true, []module{cobra, font}, []string{"libc.so.6"}},
	}
	s := d.spdx()
	first, err := json.Marshal(s)
	require.NoError(t, err)
	again, err := json.Marshal(d.spdx())
	require.NoError(t, err)
	assert.Equal(t, string(first), string(again))

	packages := map[string]spdxPackage{itself: {}}
	for _, p := range s.Packages {
		assert.NotContains(t, packages, p.SPDXID, "two packages of one name")
		assert.Regexp(t, regexp.MustCompile(`^SPDXRef-[A-Za-z0-9.-]+$`), p.SPDXID)
		packages[p.SPDXID] = p
	}
	assert.Len(t, packages, 7, "itself, two programs, three modules, one library")
	related := make(map[string]bool)
	for _, r := range s.Relationships {
		assert.Contains(t, packages, r.Element)
		assert.Contains(t, packages, r.Related)
		related[r.Related] = true
	}
	assert.Len(t, related, 6, "each package is related to another")

	program, library := s.Packages[0], s.Packages[1]
	assert.Equal(t, "APPLICATION", program.Purpose)
	assert.Equal(t, "LIBRARY", library.Purpose)
	assert.Equal(t, "Apache-2.0", program.LicenseDeclared)
	assert.Equal(t, []checksum{{"SHA256", strings.Repeat("ab", 32)}}, program.Checksums)
	assert.Equal(t, "pkg:golang/github.com/suffixcl/suffixcl@v0.2.0", program.ExternalRefs[0].Locator)
	other := packages[font.id()]
	assert.Equal(t, "pkg:golang/git.sr.ht/~sbinet/gg@v0.7.0%2Bincompatible", other.ExternalRefs[0].Locator)
	assert.Equal(t, unknown, other.LicenseDeclared)

	// A wheel has the command and the library.
	d.wheel = wheel{"suffixcl-0.2.0-py3-none-manylinux_2_34_x86_64.whl", strings.Repeat("12", 32)}
	with := d.spdx()
	require.Len(t, with.Packages, 7, "those above but itself, and the wheel")
	whl := with.Packages[2]
	assert.Equal(t, d.wheel.file, whl.Name)
	assert.Equal(t, []checksum{{"SHA256", d.wheel.sum}}, whl.Checksums)
	var contained []string
	for _, r := range with.Relationships {
		if r.Element == whl.SPDXID {
			assert.Equal(t, "CONTAINS", r.Type)
			contained = append(contained, r.Related)
		}
	}
	assert.Equal(t, []string{program.SPDXID, library.SPDXID}, contained)
	assert.NotEqual(t, s.DocumentNamespace, with.DocumentNamespace)
	d.wheel = wheel{}

	// Another file is another document.
	d.programs[0].sum = strings.Repeat("ef", 32)
	assert.NotEqual(t, s.DocumentNamespace, d.spdx().DocumentNamespace)
}
