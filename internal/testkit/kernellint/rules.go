package kernellint

import (
	"regexp"
	"slices"
	"strings"
)

// rule returns what it finds in a file as "file:line: message".
type rule struct {
	name string
	find func(*source, *world) []string
}

var rules = []rule{
	{"return before barrier", returnsBeforeBarriers},
	{"barrier in control flow", divergentBarriers},
	{"KERNEL_WG", bareKernels},
	{"macros are demanded", undemandedMacros},
	{"header", incompleteHeader},
	{"vendor conditions", vendorConditions},
}

// ---- no return before a barrier: the work-items that left are waited for

func returnsBeforeBarriers(s *source, w *world) (problems []string) {
	for _, u := range s.units() {
		for i, t := range u.body {
			if t.text != "return" && !w.returns[t.text] {
				continue
			}
			for _, later := range u.body[i+1:] {
				if w.barriers[later.text] && !later.apart(t) {
					problem := s.at(t.line, "%s returns before the barrier of line %d", u.name, later.line)
					problems = append(problems, problem)
					break
				}
			}
		}
	}
	return problems
}

// ---- kernels are declared through KERNEL_WG

func bareKernels(s *source, _ *world) (problems []string) {
	if s.name == "common.cl" {
		return nil
	}
	list := s.code
	for _, m := range s.macros {
		list = append(list[:len(list):len(list)], m.body...)
	}
	for _, t := range list {
		switch t.text {
		case "__kernel", "kernel", "reqd_work_group_size", "work_group_size_hint":
			problems = append(problems, s.at(t.line, "%s: declare kernels through KERNEL_WG", t.text))
		}
	}
	return problems
}

// ---- every macro is defined, or demanded with #error

// builtinConstants are capital names that OpenCL C defines.
var builtinConstants = regexp.MustCompile(`^(CLK_(LOCAL|GLOBAL)_MEM_FENCE|NULL|CHAR_BIT|` +
	`U?(CHAR|SHRT|INT|LONG)_(MAX|MIN)|SCHAR_(MAX|MIN)|INFINITY|NAN|(FLT|DBL)_[A-Z0-9_]+)$`)

func undemandedMacros(s *source, w *world) (problems []string) {
	known := map[string]bool{}
	for _, name := range w.prologue {
		known[name] = true
	}
	for name := range w.common {
		known[name] = true
	}
	if s.name != "common.cl" {
		known["WG"] = true // common.cl demands it
	}
	for _, m := range s.macros {
		known[m.name] = true
	}
	demands := s.demands()
	// The first part of a family, stem.cl of stem_part.cl, demands and defines for all of it.
	if stem, _, ok := strings.Cut(strings.TrimSuffix(s.name, ".cl"), "_"); ok {
		for name := range w.demanded[stem+".cl"] {
			known[name] = true
		}
		for _, name := range w.defined[stem+".cl"] {
			known[name] = true
		}
	}
	// One demand of what another file defines stands for all of it.
	for _, file := range s.demandedFrom() {
		for name := range w.demanded[file] {
			known[name] = true
		}
		for _, name := range w.defined[file] {
			known[name] = true
		}
	}
	reported := map[string]bool{}
	check := func(t token, params []string) {
		name := t.text
		if !capsPattern.MatchString(name) || known[name] || reported[name] ||
			slices.Contains(params, name) || builtinConstants.MatchString(name) {
			return
		}
		for _, a := range t.path { // inside #ifdef name
			if slices.Contains(s.tested[a], name) {
				return
			}
		}
		for _, outside := range demands[name] {
			if len(outside) <= len(t.path) && slices.Equal(outside, t.path[:len(outside)]) {
				return
			}
		}
		reported[name] = true
		problem := s.at(t.line, "%[1]s is used and not demanded: #ifndef %[1]s, #error \"%[1]s: what it is\"", name)
		problems = append(problems, problem)
	}
	for _, t := range s.code {
		check(t, nil)
	}
	for _, m := range s.macros {
		for _, t := range m.body {
			check(t, m.params)
		}
	}
	for _, d := range s.directives {
		if d.name != "if" && d.name != "elif" {
			continue
		}
		for i, t := range d.words {
			tested := i > 0 && d.words[i-1].text == "defined" || i > 1 && d.words[i-2].text == "defined"
			if !tested {
				check(t, nil)
			}
		}
	}
	return problems
}

// demands are the macros of #error "NAME: ..." that stands in an #if about NAME,
// each with the arms around that #if, where the demand holds.
func (s *source) demands() map[string][][]arm {
	demands := map[string][][]arm{}
	message := regexp.MustCompile(`#\s*error\s+"([A-Z][A-Z0-9_]*)(?:\([^)]*\))?: .`)
	for i, d := range s.directives {
		if d.name != "error" || len(d.path) == 0 {
			continue
		}
		found := message.FindStringSubmatch(d.raw)
		if found == nil {
			continue
		}
		name, opened := found[1], s.directives[i-1]
		about := slices.ContainsFunc(opened.words, func(t token) bool { return t.text == name })
		if about && (opened.name == "ifndef" || opened.name == "if" || opened.name == "elif") {
			demands[name] = append(demands[name], d.path[:len(d.path)-1])
		}
	}
	return demands
}

// demandedFrom are the files that demands name: #error "NAME: what it is, from file.cl".
func (s *source) demandedFrom() (files []string) {
	from := regexp.MustCompile(`#\s*error\s+"([A-Z][A-Z0-9_]*)[:(].*, from (\w+\.cl)`)
	demands := s.demands()
	for _, d := range s.directives {
		if found := from.FindStringSubmatch(d.raw); d.name == "error" && found != nil && len(demands[found[1]]) > 0 {
			files = append(files, found[2])
		}
	}
	return files
}

// ---- the header comment

func incompleteHeader(s *source, _ *world) (problems []string) {
	if !strings.HasPrefix(s.raw, "// "+s.name+": ") {
		problems = append(problems, s.at(1, "starts with something else than \"// %s: \"", s.name))
	}
	lines := strings.Split(s.raw, "\n")
	shape := regexp.MustCompile(`work-group|work-item`)
	header := 0
	for header < len(lines) && strings.HasPrefix(lines[header], "//") {
		header++
	}
	if shape.MatchString(strings.Join(lines[:header], "\n")) {
		return problems
	}
	for _, t := range s.code { // else each kernel says it
		if t.text != "KERNEL_WG" {
			continue
		}
		first := t.line - 1
		for first > 0 && strings.HasPrefix(lines[first-1], "//") {
			first--
		}
		if !shape.MatchString(strings.Join(lines[first:t.line-1], "\n")) {
			const problem = "neither the header nor the kernel's comment says the launch shape (work-group, work-item)"
			problems = append(problems, s.at(t.line, problem))
		}
	}
	return problems
}

// ---- differences between vendors stay in common.cl

var (
	vendorMacro = regexp.MustCompile(`^(HAS_PTX|HAS_SHUFFLE|SUBGROUP|__\w+|` +
		`cl_(khr|ext|nv|amd|intel|arm|qcom|img|apple)_\w+)$`)
	vendorCode = regexp.MustCompile(`^(asm|__asm|__asm__|__builtin_\w+|__nv\w*|__amdgcn\w*|intel_sub_group_\w+)$`)
)

func vendorConditions(s *source, _ *world) (problems []string) {
	if s.name == "common.cl" || s.name == "probe.cl" {
		return nil
	}
	for _, d := range s.directives {
		switch d.name {
		case "if", "ifdef", "ifndef", "elif":
			for _, t := range d.words {
				if vendorMacro.MatchString(t.text) && !strings.HasPrefix(t.text, "__OPENCL") {
					problem := s.at(t.line, "#%s %s: only common.cl tells vendors apart", d.name, t.text)
					problems = append(problems, problem)
				}
			}
		}
	}
	list := s.code
	for _, m := range s.macros {
		list = append(list[:len(list):len(list)], m.body...)
	}
	for _, t := range list {
		if vendorCode.MatchString(t.text) {
			problems = append(problems, s.at(t.line, "%s: only common.cl has a vendor's code", t.text))
		}
	}
	return problems
}
