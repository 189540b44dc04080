package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"unicode/utf8"
)

// columns is how long a line may be.
const columns = 120

// module is whose packages come last among the imports.
const module = "github.com/suffixcl/suffixcl"

// long finds lines that are too long.
func long(name, text string) (problems []string) {
	number := 0
	for line := range strings.Lines(text) {
		number++
		if n := utf8.RuneCountInString(strings.TrimRight(line, "\r\n")); n > columns {
			problems = append(problems, fmt.Sprintf("%s:%d: %d columns, more than %d", name, number, n, columns))
		}
	}
	return problems
}

// imported is an import with its place.
type imported struct {
	path string
	line int
}

func (i imported) standard() bool {
	host, _, _ := strings.Cut(i.path, "/")
	return !strings.Contains(host, ".")
}

func (i imported) own() bool { return i.path == module || strings.HasPrefix(i.path, module+"/") }

// others tells whether an import is neither.
func (i imported) others() bool { return !i.standard() && !i.own() }

// mixed finds the first import of a file that stands where it does not belong. The standard library has the first
// group, alone. What follows is one group, or two: other modules, then this module. A file that does not parse is left
// to vet.
func mixed(name string, text []byte) []string {
	list := groups(text)
	var kinds []func(imported) bool
	if len(list) > 0 && list[0][0].standard() {
		kinds = append(kinds, imported.standard)
	}
	switch len(list) - len(kinds) {
	case 1:
		kinds = append(kinds, func(i imported) bool { return !i.standard() })
	default:
		kinds = append(kinds, imported.others, imported.own)
	}
	for i, group := range list {
		for _, one := range group {
			if i < len(kinds) && kinds[i](one) {
				continue
			}
			return []string{fmt.Sprintf("%s:%d: import of %q in this group: the standard library stands first and alone, "+
				"then other modules, then this one", name, one.line, one.path)}
		}
	}
	return nil
}

// groups are the imports of a file, cut where lines are empty. That of C stands alone and does not count.
func groups(text []byte) (list [][]imported) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", text, parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		return nil
	}
	end := 0
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil || path == "C" {
			continue
		}
		if first := files.Position(begin(spec)).Line; len(list) == 0 || first > end+1 {
			list = append(list, nil)
		}
		end = files.Position(spec.End()).Line
		last := &list[len(list)-1]
		*last = append(*last, imported{path, files.Position(spec.Pos()).Line})
	}
	return list
}

// begin is where an import, or the comment above it, begins.
func begin(spec *ast.ImportSpec) token.Pos {
	if spec.Doc != nil {
		return spec.Doc.Pos()
	}
	return spec.Pos()
}
