package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// No exported name of a public package mentions a type of an internal one, which importers could not name.
func TestNoInternalTypes(t *testing.T) {
	m, err := load()
	require.NoError(t, err)
	require.NotEmpty(t, m.packages)
	for _, p := range m.packages {
		for _, n := range names(p) {
			assert.Empty(t, m.hidden(n.typ), "%s: %s", p.Path(), n.text)
		}
	}
}

// api.txt has every exported name, so that one is added or lost on purpose: `go generate
// ./internal/testkit/apilist` writes it.
func TestSurface(t *testing.T) {
	m, err := load()
	require.NoError(t, err)
	listed, err := os.ReadFile(filepath.Join(m.dir, file))
	require.NoError(t, err)
	require.Equal(t, m.surface(), string(listed))
}

// check type-checks packages of a module "m", given by path, each of one file.
func check(t *testing.T, sources ...[2]string) (last *types.Package) {
	done := importers{}
	for _, source := range sources {
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, source[0]+".go", source[1], 0)
		require.NoError(t, err)
		conf := types.Config{Importer: done}
		last, err = conf.Check(source[0], files, []*ast.File{file}, nil)
		require.NoError(t, err)
		done[source[0]] = last
	}
	return last
}

type importers map[string]*types.Package

func (i importers) Import(path string) (*types.Package, error) { return i[path], nil }

func TestHiddenTypesAreFound(t *testing.T) {
	inside := [2]string{"m/internal/in", "package in; type T struct{ X int }; " +
		"type I interface{ uint8 | uint16 }; type U = []T"}
	m := &module{path: "m"}
	for text, want := range map[string][]string{
		"func F(in.T) {}":                                       {"in.T"},
		"func F() (int, map[string]*in.T)":                      {"in.T"},
		"func F(func(...in.T)) {}":                              {"in.T"},
		"func F[E in.I](E) {}":                                  {"in.I"},
		"type T[E in.I] struct{}":                               {"in.I"},
		"type T struct{ F [3]in.T }":                            {"in.T"},
		"type T struct{ in.T }":                                 {"in.T"},
		"type T struct{ hidden }; type hidden struct{ F in.T }": {"in.T"},
		"type T struct{ *hidden }; type hidden struct{}; func (*hidden) M(chan in.T) {}": {"in.T"},
		"type T int; func (T) M() in.T { return in.T{} }":                                {"in.T"},
		"type T interface{ M(in.T) }":                                                    {"in.T"},
		"type T func(in.T)":                                                              {"in.T"},
		"type T []in.T":                                                                  {"in.T"},
		"type T = in.T":                                                                  {"in.T"},
		"type T = in.U":                                                                  {"in.T", "in.U"},
		"var V struct{ f in.T }":                                                         {"in.T"},
		"var V G[in.T]; type G[E any] struct{}":                                          {"in.T"},
		"type T struct{ f in.T }":                                                        nil,
		"type t struct{ F in.T }; func (t) M(in.T) {}":                                   nil,
		"type T int; func (T) m(in.T) {}":                                                nil,
		"func f(in.T) {}":                                                                nil,
		"func F(T) {}; type T struct{ f in.T }":                                          nil,
	} {
		p := check(t, inside, [2]string{"m/p", "package p; import \"m/internal/in\"; var _ in.T\n" + text})
		found := make(map[string]bool)
		for _, n := range names(p) {
			for _, h := range m.hidden(n.typ) {
				found[h] = true
			}
		}
		assert.Len(t, found, len(want), text)
		for _, h := range want {
			assert.True(t, found[h], "%s: %s", text, h)
		}
	}
}

func TestNames(t *testing.T) {
	p := check(t, [2]string{"m/p", `package p
const C = 1
var V int
func F[E ~int](e E) (ok bool) { return }
func f()
type S[E any] struct { A, b int; embedded; Other }
type embedded struct { D int }
func (embedded) N()
func (S[E]) M()
func (S[E]) m()
type Other struct{}
type I interface{ M(int); m() }
type C2 interface{ int | string }
type A = []S[int]
type T int
const T0 T = 0
`})
	var got []string
	for _, n := range names(p) {
		got = append(got, n.text)
	}
	assert.Equal(t, []string{
		"type A = []S[int]",
		"const C untyped int",
		"type C2 interface{int | string}",
		"func F[E ~int](e E) (ok bool)",
		"type I interface",
		"method I.M(int)",
		"type Other struct",
		"type S[E any] struct",
		"field S.A int",
		"field S.D int",
		"method S.N()",
		"field S.Other Other",
		"method S.M()",
		"type T int",
		"const T0 T",
		"var V int",
	}, got)
}
