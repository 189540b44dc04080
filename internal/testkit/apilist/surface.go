package main

import (
	"cmp"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// name is an exported name of a package.
type name struct {
	text string // its declaration, on one line
	typ  types.Type
}

// surface lists the exported names of all packages.
func (m *module) surface() string {
	var lines []string
	for _, p := range m.packages {
		path := strings.TrimPrefix(strings.TrimPrefix(p.Path(), m.path), "/")
		for _, n := range names(p) {
			lines = append(lines, cmp.Or(path, ".")+": "+n.text)
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// names are the exported names of a package: those of its scope, and the fields and methods of its types.
func names(p *types.Package) []name {
	l := lister{pkg: p}
	for _, id := range p.Scope().Names() {
		o := p.Scope().Lookup(id)
		if !o.Exported() {
			continue
		}
		if t, ok := o.(*types.TypeName); ok {
			l.typeName(t)
		} else {
			l.add(o.Type(), "%s", l.text(o))
		}
	}
	return l.names
}

type lister struct {
	pkg   *types.Package
	names []name
}

func (l *lister) add(typ types.Type, format string, args ...any) {
	l.names = append(l.names, name{fmt.Sprintf(format, args...), typ})
}

func (l *lister) qualify(p *types.Package) string {
	if p == l.pkg {
		return ""
	}
	return p.Name()
}

func (l *lister) text(o types.Object) string { return types.ObjectString(o, l.qualify) }

// typeName lists a type and what belongs to it.
func (l *lister) typeName(t *types.TypeName) {
	if t.IsAlias() {
		l.add(t.Type().(*types.Alias).Rhs(), "%s", l.text(t))
		return
	}
	named := t.Type().(*types.Named)
	switch u := named.Underlying().(type) {
	case *types.Struct:
		l.add(parameters(named), "%s", through(l.text(t), " struct"))
		l.fields(t.Name(), u)
	case *types.Interface:
		l.add(parameters(named), "%s", l.constraint(t, u))
		for m := range u.ExplicitMethods() {
			if m.Exported() {
				l.method(t.Name(), m)
			}
		}
	default:
		l.add(types.NewTuple(types.NewVar(0, nil, "", u), types.NewVar(0, nil, "", parameters(named))), "%s", l.text(t))
	}
	l.methods(t.Name(), named)
}

// methods lists the exported methods of a type under the name of a type that has them.
func (l *lister) methods(of string, t *types.Named) {
	all := slices.SortedFunc(t.Methods(), func(a, b *types.Func) int { return strings.Compare(a.Name(), b.Name()) })
	for _, m := range all {
		if !m.Exported() {
			continue
		}
		if _, pointer := m.Signature().Recv().Type().(*types.Pointer); pointer {
			l.method("(*"+of+")", m)
		} else {
			l.method(of, m)
		}
	}
}

func (l *lister) method(of string, m *types.Func) {
	signature := strings.TrimPrefix(types.TypeString(m.Type(), l.qualify), "func")
	l.add(m.Type(), "method %s.%s%s", of, m.Name(), signature)
}

// constraint is the line of an interface: its types, but not its methods.
func (l *lister) constraint(t *types.TypeName, u *types.Interface) string {
	if u.NumEmbeddeds() == 0 {
		return through(l.text(t), " interface")
	}
	return l.text(t)
}

// fields lists the fields of a struct, and what it has of embedded types that nobody else can name.
func (l *lister) fields(of string, s *types.Struct) {
	for f := range s.Fields() {
		if f.Exported() {
			l.add(f.Type(), "field %s.%s %s", of, f.Name(), types.TypeString(f.Type(), l.qualify))
			continue
		}
		if !f.Embedded() {
			continue
		}
		typ := f.Type()
		if p, ok := typ.(*types.Pointer); ok {
			typ = p.Elem()
		}
		named, ok := typ.(*types.Named)
		if !ok {
			continue
		}
		if inner, ok := named.Underlying().(*types.Struct); ok {
			l.fields(of, inner)
		}
		l.methods(of, named)
	}
}

// parameters are the constraints of a type's parameters.
func parameters(t *types.Named) types.Type {
	var vars []*types.Var
	for p := range t.TypeParams().TypeParams() {
		vars = append(vars, types.NewVar(0, nil, "", p.Constraint()))
	}
	return types.NewTuple(vars...)
}

// through returns the text up to the end of a mark.
func through(text, mark string) string {
	before, _, _ := strings.Cut(text, mark)
	return before + mark
}

// hidden returns the types of internal packages that a type mentions, by name.
func (m *module) hidden(t types.Type) []string {
	found := make(map[string]bool)
	seen := make(map[types.Type]bool)
	var look func(types.Type)
	look = func(t types.Type) {
		if t == nil || seen[t] {
			return
		}
		seen[t] = true
		switch t := t.(type) {
		case *types.Alias:
			m.see(t.Obj(), found)
			for a := range t.TypeArgs().Types() {
				look(a)
			}
			look(t.Rhs())
		case *types.Named:
			m.see(t.Obj(), found)
			for a := range t.TypeArgs().Types() {
				look(a)
			}
		case *types.TypeParam:
			look(t.Constraint())
		case *types.Pointer:
			look(t.Elem())
		case *types.Slice:
			look(t.Elem())
		case *types.Array:
			look(t.Elem())
		case *types.Chan:
			look(t.Elem())
		case *types.Map:
			look(t.Key())
			look(t.Elem())
		case *types.Tuple:
			for v := range t.Variables() {
				look(v.Type())
			}
		case *types.Signature:
			for p := range t.TypeParams().TypeParams() {
				look(p)
			}
			look(t.Params())
			look(t.Results())
		case *types.Struct: // unnamed: all of it is to be seen
			for f := range t.Fields() {
				look(f.Type())
			}
		case *types.Interface:
			for e := range t.EmbeddedTypes() {
				look(e)
			}
			for f := range t.ExplicitMethods() {
				look(f.Type())
			}
		case *types.Union:
			for term := range t.Terms() {
				look(term.Type())
			}
		}
	}
	look(t)
	return slices.Sorted(maps.Keys(found))
}

// see notes a type of an internal package of the module.
func (m *module) see(t *types.TypeName, found map[string]bool) {
	if p := t.Pkg(); p != nil && strings.HasPrefix(p.Path(), m.path) && internal(p.Path()) {
		found[p.Name()+"."+t.Name()] = true
	}
}
