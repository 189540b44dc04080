package kernels_test

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/kernels"
)

// A lint of the kernel sources as text: what compilers accept and some device
// punishes. It reads tokens, not C; where it cannot tell, it complains, and the
// kernel is to be written so that a reader can tell too.
//
// Both arms of every #if are read. Each should be balanced in itself.

// rules are run on every file; what they find is "file:line: message".
var rules = map[string]func(*source, *world) []string{
	"return before barrier":   returnsBeforeBarriers,
	"barrier in control flow": divergentBarriers,
	"KERNEL_WG":               bareKernels,
	"macros are demanded":     undemandedMacros,
	"header":                  incompleteHeader,
	"vendor conditions":       vendorConditions,
}

func TestLint(t *testing.T) {
	files, err := fs.Glob(kernels.FS, "*.cl")
	require.NoError(t, err)
	var all []*source
	for _, file := range files {
		text, err := fs.ReadFile(kernels.FS, file)
		require.NoError(t, err)
		all = append(all, lex(file, string(text)))
	}
	w := newWorld(prologueMacros(t), all...)
	require.Contains(t, w.barriers, "wg_scan", "common.cl was not understood")
	for _, s := range all {
		for _, rule := range rules {
			for _, problem := range rule(s, w) {
				t.Error(problem)
			}
		}
	}
}

// prologueMacros are those that package device generates from the capabilities.
func prologueMacros(t *testing.T) []string {
	text, err := device.Assemble(&device.Caps{}, device.Source{})
	require.NoError(t, err)
	prologue, _, ok := strings.Cut(text, `"defines"`)
	require.True(t, ok)
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^#define (\w+)`).FindAllStringSubmatch(prologue, -1) {
		names = append(names, m[1])
	}
	require.Contains(t, names, "IS_CPU")
	return names
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
					problems = append(problems, s.at(t.line, "%s returns before the barrier of line %d", u.name, later.line))
					break
				}
			}
		}
	}
	return problems
}

// ---- no barrier where work-items may part

// divergentBarriers walks the statements of every function. A barrier inside if,
// else, switch or behind &&, || and ?: is an error whatever the condition says;
// one inside a loop is an error if the loop's header, or the condition of a break
// or continue in it, depends on the work-item's number.
func divergentBarriers(s *source, w *world) (problems []string) {
	for _, u := range s.units() {
		f := &flow{s: s, w: w, varies: map[string]bool{}, shared: map[string]bool{}}
		for _, p := range slices.Concat(u.params, u.body) {
			if slices.Contains([]string{"lid", "tid", "lane"}, p.text) {
				f.varies[p.text] = true
			}
		}
		f.findShared(u.params)
		f.findShared(u.body)
		for before := -1; before != len(f.varies); {
			before = len(f.varies)
			f.walk(u.body)
		}
		f.report = true
		f.walk(u.body)
		problems = append(problems, f.problems...)
	}
	return problems
}

type flow struct {
	s        *source
	w        *world
	varies   map[string]bool // private variables that differ between work-items
	shared   map[string]bool // arrays in local and global memory
	words    []token         // what is left
	scopes   []*scope
	report   bool
	problems []string
}

// scope is a control statement around the current one.
type scope struct {
	kind      string // "if", "else", "switch", "loop"
	divergent bool   // its condition depends on the work-item
	exit      int    // line of a divergent break or continue
	barrier   bool
}

// findShared notes the names declared behind __local or __global: memory, which
// holds the same for all.
func (f *flow) findShared(words []token) {
	for i, t := range words {
		if t.text != "__local" && t.text != "__global" && t.text != "local" && t.text != "global" {
			continue
		}
		last := ""
		for _, n := range words[i+1:] {
			if namePattern.MatchString(n.text) {
				last = n.text
			} else if n.text != "*" {
				break
			}
		}
		f.shared[last] = true
	}
}

func (f *flow) walk(words []token) {
	f.words, f.scopes = words, nil
	for len(f.words) > 0 {
		f.statement()
	}
}

func (f *flow) next() string {
	if len(f.words) == 0 {
		return ""
	}
	return f.words[0].text
}

// parenthesis takes "( ... )", or nothing.
func (f *flow) parenthesis() (inside []token) {
	if f.next() == "(" {
		inside, f.words = group(f.words)
	}
	return inside
}

// inside walks one statement in a scope.
func (f *flow) inside(sc *scope) {
	f.scopes = append(f.scopes, sc)
	f.statement()
	f.scopes = f.scopes[:len(f.scopes)-1]
}

func (f *flow) loop(header []token) {
	sc := &scope{kind: "loop", divergent: f.differs(header)}
	f.scopes = append(f.scopes, sc)
	f.expression(header)
	f.statement()
	f.scopes = f.scopes[:len(f.scopes)-1]
	if f.report && sc.barrier && sc.exit > 0 {
		f.complain(sc.exit, "leaves a loop with a barrier on a condition that depends on the work-item")
	}
}

func (f *flow) complain(line int, message string) {
	if p := f.s.at(line, "%s", message); f.report && !slices.Contains(f.problems, p) {
		f.problems = append(f.problems, p)
	}
}

func (f *flow) statement() {
	if len(f.words) == 0 {
		return
	}
	first := f.words[0]
	m := f.w.macros[first.text]
	switch {
	case first.text == "{":
		f.words = f.words[1:]
		for len(f.words) > 0 && f.next() != "}" {
			f.statement()
		}
		f.words = f.words[min(1, len(f.words)):]
	case first.text == "if":
		f.words = f.words[1:]
		condition := f.parenthesis()
		f.expression(condition)
		divergent := f.differs(condition)
		f.inside(&scope{kind: "if", divergent: divergent})
		if f.next() == "else" {
			f.words = f.words[1:]
			f.inside(&scope{kind: "else", divergent: divergent})
		}
	case first.text == "else": // behind an #if
		f.words = f.words[1:]
		f.inside(&scope{kind: "else", divergent: true})
	case first.text == "switch":
		f.words = f.words[1:]
		condition := f.parenthesis()
		f.expression(condition)
		f.inside(&scope{kind: "switch", divergent: f.differs(condition)})
	case first.text == "for", first.text == "while":
		f.words = f.words[1:]
		f.loop(f.parenthesis())
	case len(m.body) > 0 && (m.body[0].text == "for" || m.body[0].text == "while"): // FOR_TILE and its like
		f.words = f.words[1:]
		f.loop(slices.Concat(f.parenthesis(), m.body[1:]))
	case first.text == "do":
		f.words = f.words[1:]
		f.doWhile()
	case first.text == "case", first.text == "default":
		for len(f.words) > 0 && f.next() != ":" {
			f.words = f.words[1:]
		}
		f.words = f.words[min(1, len(f.words)):]
	case first.text == "break", first.text == "continue":
		f.leave(first)
		f.simple()
	default:
		f.simple()
	}
}

// doWhile finds the condition, which comes last, before it walks the body.
func (f *flow) doWhile() {
	body := f.words
	end := 1
	if f.next() == "{" {
		for depth := 1; depth > 0 && end < len(body); end++ {
			switch body[end].text {
			case "{":
				depth++
			case "}":
				depth--
			}
		}
	} else {
		for end < len(body) && body[end-1].text != ";" {
			end++
		}
	}
	var condition, rest []token
	if rest = body[min(end, len(body)):]; len(rest) > 1 && rest[0].text == "while" {
		condition, rest = group(rest[1:])
	}
	f.words = body[:min(end, len(body))]
	f.loop(condition)
	f.words = rest
}

// leave marks the loop that a divergent break or continue leaves.
func (f *flow) leave(t token) {
	divergent := false
	for i := len(f.scopes) - 1; i >= 0; i-- {
		sc := f.scopes[i]
		switch {
		case sc.kind == "loop":
			if divergent {
				sc.exit = t.line
			}
			return
		case sc.kind == "switch" && t.text == "break":
			return
		}
		divergent = divergent || sc.divergent
	}
}

// simple takes a statement up to its semicolon.
func (f *flow) simple() {
	depth := 0
	for i, t := range f.words {
		switch t.text {
		case "(", "[", "{":
			depth++
		case ")", "]":
			depth--
		case "}":
			if depth == 0 {
				f.expression(f.words[:i])
				f.words = f.words[max(i, 1):] // a stray brace must not stop the walk
				return
			}
			depth--
		case ";":
			if depth == 0 {
				f.expression(f.words[:i])
				f.words = f.words[i+1:]
				return
			}
		}
	}
	f.expression(f.words)
	f.words = nil
}

func (f *flow) differs(words []token) bool {
	return contains(words, f.w.ids) || contains(words, f.varies)
}

// expression looks at assignments and at calls with barriers.
func (f *flow) expression(words []token) {
	choice := []bool{false} // whether &&, || or ? came before, for each bracket
	for i, t := range words {
		top := len(choice) - 1
		switch t.text {
		case "(", "[", "{":
			choice = append(choice, choice[top])
		case ")", "]", "}":
			choice = choice[:max(top, 1)]
		case ",", ";":
			choice[top] = top > 0 && choice[top-1]
		case "&&", "||", "?":
			choice[top] = true
		case "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--":
			f.assignment(words, i)
		}
		if f.w.barriers[t.text] {
			f.barrier(t, choice[len(choice)-1])
		}
	}
}

func (f *flow) barrier(t token, chosen bool) {
	if chosen {
		f.complain(t.line, "barrier ("+t.text+") behind &&, || or ?:")
	}
	for _, sc := range f.scopes {
		sc.barrier = true
		switch {
		case sc.kind != "loop":
			f.complain(t.line, "barrier ("+t.text+") inside "+sc.kind)
		case sc.divergent:
			f.complain(t.line, "barrier ("+t.text+") inside a loop whose header depends on the work-item")
		}
	}
}

// assignment notes that the variable left of words[i], or right of a prefix ++,
// varies.
func (f *flow) assignment(words []token, i int) {
	value := words[i+1:]
	depth := 0
	for k, t := range value {
		switch t.text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		}
		if depth < 0 || depth == 0 && (t.text == "," || t.text == ";") {
			value = value[:k]
			break
		}
	}
	varies := f.differs(value)
	for _, sc := range f.scopes {
		varies = varies || sc.divergent
	}
	name := base(words[:i])
	if name == "" && len(value) > 0 {
		name = value[0].text
	}
	if varies && !f.shared[name] && namePattern.MatchString(name) {
		f.varies[name] = true
	}
}

// base is the variable at the end of words: a of "a", "a.x" and "a[i]".
func base(words []token) string {
	for i := len(words) - 1; i >= 0; i-- {
		switch {
		case words[i].text == "]":
			for depth := 0; i >= 0; i-- {
				if words[i].text == "]" {
					depth++
				} else if words[i].text == "[" {
					if depth--; depth == 0 {
						break
					}
				}
			}
		case namePattern.MatchString(words[i].text):
			if i > 0 && words[i-1].text == "." {
				i--
				continue
			}
			return words[i].text
		default:
			return ""
		}
	}
	return ""
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
var builtinConstants = regexp.MustCompile(`^(CLK_(LOCAL|GLOBAL)_MEM_FENCE|NULL|CHAR_BIT|U?(CHAR|SHRT|INT|LONG)_(MAX|MIN)|SCHAR_(MAX|MIN)|INFINITY|NAN|(FLT|DBL)_[A-Z0-9_]+)$`)

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
	reported := map[string]bool{}
	check := func(t token, params []string) {
		name := t.text
		if !capsPattern.MatchString(name) || known[name] || reported[name] || slices.Contains(params, name) || builtinConstants.MatchString(name) {
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
		problems = append(problems, s.at(t.line, "%s is used and not demanded: #ifndef %s, #error \"%s: what it is\"", name, name, name))
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
			problems = append(problems, s.at(t.line, "neither the header nor the kernel's comment says the launch shape (work-group, work-item)"))
		}
	}
	return problems
}

// ---- differences between vendors stay in common.cl

var (
	vendorMacro = regexp.MustCompile(`^(HAS_PTX|HAS_SHUFFLE|SUBGROUP|__\w+|cl_(khr|ext|nv|amd|intel|arm|qcom|img|apple)_\w+)$`)
	vendorCode  = regexp.MustCompile(`^(asm|__asm|__asm__|__builtin_\w+|__nv\w*|__amdgcn\w*|intel_sub_group_\w+)$`)
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
					problems = append(problems, s.at(t.line, "#%s %s: only common.cl tells vendors apart", d.name, t.text))
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
