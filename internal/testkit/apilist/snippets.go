package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// snippet is a block of Go in a page.
type snippet struct {
	text string
	line int // of the page, on which the text begins
}

var fence = regexp.MustCompile("(?ms)^```go\n(.*?)^```$")

// snippets are the blocks of Go of a page, in their order.
func snippets(page string) (list []snippet) {
	for _, at := range fence.FindAllStringSubmatchIndex(page, -1) {
		list = append(list, snippet{page[at[2]:at[3]], 1 + strings.Count(page[:at[2]], "\n")})
	}
	return list
}

var clause = regexp.MustCompile(`(?m)^package (\w+)$`)

// declares tells whether a snippet is a file, or declarations, and not statements.
func (s snippet) declares() bool {
	text := s.text
	if !clause.MatchString(text) {
		text = "package p\n" + text
	}
	_, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	return err == nil
}

// source is a snippet whose errors are at its lines of the page.
func (s snippet) source(page string) string {
	return fmt.Sprintf("//line %s:%d\n%s", page, s.line, s.text)
}

// sources are files of a page. Its statements, in their order, are one function. A snippet of declarations is a file;
// all of them are a package, that which one of them names.
func sources(name, page string) (statements string, declarations []string) {
	pack := "page"
	for _, s := range snippets(page) {
		if !s.declares() {
			statements += s.source(name)
			continue
		}
		text := s.source(name)
		if found := clause.FindStringSubmatch(s.text); found != nil {
			pack = found[1]
		} else {
			text = "package " + pack + "\n" + text
		}
		declarations = append(declarations, text)
	}
	if statements != "" {
		statements = "package page\nfunc _() error {\n" + statements + "return nil\n}\n"
	}
	return statements, declarations
}

// known are packages that snippets use without an import, by their names.
func (m *module) known() map[string]string {
	names := make(map[string]string)
	for _, standard := range []string{"bytes", "context", "errors", "fmt", "io", "log", "os", "slices", "testing"} {
		names[standard] = standard
	}
	for _, p := range m.packages {
		names[p.Name()] = p.Path()
	}
	return names
}

// compile returns what a compiler would say of the snippets of a page, but for names that are not used.
func (m *module) compile(name, page string) (problems []string) {
	statements, declarations := sources(name, page)
	for _, texts := range [][]string{{statements}, declarations} {
		files := token.NewFileSet()
		var parsed []*ast.File
		for _, text := range texts {
			if text == "" {
				continue
			}
			file, err := m.parse(files, text)
			if err != nil {
				return append(problems, err.Error())
			}
			parsed = append(parsed, file)
		}
		config := types.Config{Importer: m.importer, Error: func(err error) {
			if !strings.Contains(err.Error(), "declared and not used: ") {
				problems = append(problems, err.Error())
			}
		}}
		config.Check("page", files, parsed, nil) // the errors have been noted
	}
	return problems
}

// parse adds the imports that a text lacks.
func (m *module) parse(files *token.FileSet, text string) (*ast.File, error) {
	file, err := parser.ParseFile(files, "", text, 0)
	if err != nil || len(file.Imports) > 0 {
		return file, err
	}
	known, used := m.known(), map[string]bool{}
	for _, name := range file.Unresolved {
		used[name.Name] = true
	}
	var imports strings.Builder
	for _, name := range slices.Sorted(maps.Keys(used)) {
		if known[name] != "" {
			fmt.Fprintf(&imports, "import %q;", known[name])
		}
	}
	head, rest, _ := strings.Cut(text, "\n")
	return parser.ParseFile(files, "", head+"\n"+imports.String()+"\n"+rest, 0)
}
