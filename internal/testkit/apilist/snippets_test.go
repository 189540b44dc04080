package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The Go of each page compiles, all of it together: who follows a page from its beginning has declared every name, and
// none twice. That of the README is compiled, and run, by testdata/outside.
func TestSnippets(t *testing.T) {
	m, err := load()
	require.NoError(t, err)
	names, err := filepath.Glob(filepath.Join(m.dir, "docs", "*.md"))
	require.NoError(t, err)
	deeper, err := filepath.Glob(filepath.Join(m.dir, "docs", "design", "*.md"))
	require.NoError(t, err)
	found := 0
	for _, file := range append(names, deeper...) {
		page, err := os.ReadFile(file)
		require.NoError(t, err)
		found += len(snippets(string(page)))
		name, err := filepath.Rel(m.dir, file)
		require.NoError(t, err)
		for _, problem := range m.compile(filepath.ToSlash(name), string(page)) {
			t.Error(problem)
		}
	}
	assert.Greater(t, found, 30)
}

func TestSnippetsAreCompared(t *testing.T) {
	m, err := load()
	require.NoError(t, err)
	const open = "engine, err := suffixcl.Open(suffixcl.Options{})\nif err != nil {\n\treturn err\n}\n"
	for _, c := range []struct {
		blocks  []string
		problem string
	}{
		{nil, ""},
		{[]string{open}, ""}, // names that are not used are no problem
		{[]string{open, "fmt.Println(engine)\n"}, ""},
		{[]string{open, "fmt.Println(motor)\n"}, "page.md:11: undefined: motor"},
		{[]string{open, "engine.Nothing()\n"},
			"page.md:11: engine.Nothing undefined (type *suffixcl.Engine has no field or method Nothing)"},
		{[]string{open, "err := engine.Close()\n"}, "page.md:11: no new variables on left side of :="},
		{[]string{open, "engine, n := 1, 2\n"},
			"page.md:11: cannot use 1 (untyped int constant) as *suffixcl.Engine value in assignment"},
		{[]string{"package a\n\nvar A int\n", "func f() { A = g }\n\nvar g = len(os.Args)\n"}, ""},
		{[]string{"package a\n\nvar A int\n", "func f() { B = 1 }\n"}, "page.md:10: undefined: B"},
		{[]string{"if {\n"}, "page.md:4: missing condition in if statement (and 1 more errors)"},
	} {
		page := "# Page\n"
		for _, block := range c.blocks {
			page += "\n```go\n" + block + "```\n"
		}
		assert.Equal(t, c.problem, strings.Join(m.compile("page.md", page), "\n"), page)
	}
}
