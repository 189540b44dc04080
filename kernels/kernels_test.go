package kernels_test

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
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

// ---- reading

// token is a word or sign, with the arms of the #ifs it stands in.
type token struct {
	text string
	line int
	path []arm
}

type arm struct{ condition, number int }

// apart tells whether two tokens stand in different arms of one #if, so that no
// program has both.
func (t token) apart(u token) bool {
	for _, a := range t.path {
		for _, b := range u.path {
			if a.condition == b.condition && a.number != b.number {
				return true
			}
		}
	}
	return false
}

type directive struct {
	name  string // "if", "define", ...
	raw   string // with strings, without comments
	words []token
	line  int
	path  []arm // of an #if and its kin: outside of it
}

type macro struct {
	name   string
	line   int
	params []string
	body   []token
}

type source struct {
	name, raw  string
	code       []token // without directives
	directives []directive
	macros     []macro
	tested     map[arm][]string // macros known to be defined in an arm
}

var (
	wordPattern = regexp.MustCompile(`[A-Za-z_]\w*|\d[\w.]*|""|''|##|&&|\|\||<<=|>>=|==|!=|<=|>=|\+\+|--|->|[-+*/%&|^]=|[^\s\\]`)
	namePattern = regexp.MustCompile(`^[A-Za-z_]\w*$`)
	capsPattern = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)
)

func words(text string, line int, path []arm) []token {
	var list []token
	for _, w := range wordPattern.FindAllString(text, -1) {
		list = append(list, token{w, line, path})
	}
	return list
}

// blank empties comments, and strings if asked, and keeps every newline.
func blank(text string, stringsToo bool) string {
	pattern := regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`)
	return pattern.ReplaceAllStringFunc(text, func(s string) string {
		switch {
		case s[0] == '/':
			return " " + strings.Repeat("\n", strings.Count(s, "\n"))
		case stringsToo:
			return s[:1] + s[:1]
		}
		return s
	})
}

func lex(name, text string) *source {
	s := &source{name: name, raw: text, tested: map[arm][]string{}}
	bare, withStrings := strings.Split(blank(text, true), "\n"), strings.Split(blank(text, false), "\n")
	var path []arm
	conditions := 0
	for i := 0; i < len(bare); i++ {
		hash, isDirective := strings.CutPrefix(strings.TrimSpace(bare[i]), "#")
		if !isDirective {
			s.code = append(s.code, words(bare[i], i+1, path)...)
			continue
		}
		list := words(hash, i+1, path)
		raw, line := withStrings[i], i+1
		for strings.HasSuffix(strings.TrimRight(bare[i], " \t"), `\`) && i+1 < len(bare) {
			i++
			list = append(list, words(bare[i], i+1, path)...)
			raw += "\n" + withStrings[i]
		}
		if len(list) == 0 {
			continue
		}
		d := directive{name: list[0].text, raw: raw, words: list[1:], line: line, path: path}
		open := func() arm { return path[len(path)-1] }
		switch d.name {
		case "if", "ifdef", "ifndef":
			path = append(path[:len(path):len(path)], arm{conditions, 0})
			conditions++
		case "elif", "else":
			if len(path) > 0 {
				d.path = path[:len(path)-1]
				path = append(d.path[:len(d.path):len(d.path)], arm{open().condition, open().number + 1})
			}
		case "endif":
			if len(path) > 0 {
				path = path[:len(path)-1]
			}
		case "define":
			s.macros = append(s.macros, parseMacro(d))
		}
		switch d.name {
		case "ifdef":
			s.tested[open()] = []string{d.words[0].text}
		case "if", "elif":
			for k, w := range d.words {
				if w.text == "defined" && (k == 0 || d.words[k-1].text != "!") {
					s.tested[open()] = append(s.tested[open()], definedName(d.words[k:]))
				}
			}
		}
		s.directives = append(s.directives, d)
	}
	return s
}

// definedName is X of defined(X) or defined X.
func definedName(words []token) string {
	for _, w := range words[1:] {
		if w.text != "(" {
			return w.text
		}
	}
	return ""
}

func parseMacro(d directive) macro {
	if len(d.words) == 0 {
		return macro{}
	}
	m := macro{name: d.words[0].text, line: d.line, body: d.words[1:]}
	if strings.Contains(d.raw, m.name+"(") && len(m.body) > 0 && m.body[0].text == "(" {
		inside, rest := group(m.body)
		for _, w := range inside {
			if w.text != "," {
				m.params = append(m.params, w.text)
			}
		}
		m.body = rest
	}
	return m
}

// group splits words that start with "(" into what is between it and its partner,
// and what follows.
func group(words []token) (inside, rest []token) {
	depth := 0
	for i, w := range words {
		switch w.text {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return words[1:i], words[i+1:]
			}
		}
	}
	return words[min(1, len(words)):], nil
}

// unit is a function, or a macro that defines none.
type unit struct {
	name   string
	line   int
	body   []token
	params []token
}

func (s *source) units() []unit {
	units := functions(s.code)
	for _, m := range s.macros {
		if inner := functions(m.body); len(inner) > 0 {
			units = append(units, inner...)
		} else {
			units = append(units, unit{name: m.name, line: m.line, body: m.body})
		}
	}
	return units
}

// functions finds name ( params ) { body } outside of braces. The body of a macro
// that is a bare block or a loop is not one.
func functions(words []token) []unit {
	var list []unit
	depth, start := 0, 0
	var current *unit
	for i, w := range words {
		switch w.text {
		case "{":
			if depth == 0 && i > 0 && words[i-1].text == ")" {
				if u := declarator(words[:i]); u.name != "" {
					current, start = &u, i+1
				}
			}
			depth++
		case "}":
			depth--
			if depth == 0 && current != nil {
				current.body = words[start:i]
				list = append(list, *current)
				current = nil
			}
		}
	}
	return list
}

// declarator reads backwards from the end of "type name(params)".
func declarator(words []token) unit {
	depth := 0
	for i := len(words) - 1; i > 1; i-- {
		switch words[i].text {
		case ")":
			depth++
		case "(":
			depth--
			if depth > 0 {
				continue
			}
			name, before := words[i-1], words[i-2].text
			keyword := slices.Contains([]string{"if", "for", "while", "switch"}, name.text)
			if namePattern.MatchString(name.text) && !keyword && (before == ")" || before == "*" || namePattern.MatchString(before)) {
				return unit{name: name.text, line: name.line, params: words[i+1 : len(words)-1]}
			}
			return unit{}
		}
	}
	return unit{}
}

// world is what all files know of each other.
type world struct {
	prologue []string
	common   map[string]bool               // macros of common.cl
	macros   map[string]macro              // of every file
	demanded map[string]map[string][][]arm // by file
	barriers map[string]bool               // what contains a barrier
	ids      map[string]bool               // what differs between work-items
	returns  map[string]bool               // macros that return
}

func newWorld(prologue []string, files ...*source) *world {
	w := &world{
		demanded: map[string]map[string][][]arm{},
		prologue: prologue,
		common:   map[string]bool{},
		macros:   map[string]macro{},
		barriers: map[string]bool{"barrier": true, "work_group_barrier": true, "sub_group_barrier": true},
		ids:      map[string]bool{"get_local_id": true, "get_global_id": true, "get_sub_group_local_id": true, "get_sub_group_id": true},
		returns:  map[string]bool{},
	}
	for _, s := range files {
		w.demanded[s.name] = s.demands()
		for _, m := range s.macros {
			w.macros[m.name] = m
			if s.name == "common.cl" {
				w.common[m.name] = true
			}
			if len(functions(m.body)) == 0 && contains(m.body, map[string]bool{"return": true}) {
				w.returns[m.name] = true
			}
		}
	}
	for before := -1; before != len(w.barriers)+len(w.ids); {
		before = len(w.barriers) + len(w.ids)
		for _, s := range files {
			w.learn(s)
		}
	}
	return w
}

// learn adds what contains a barrier or an id by what is known already.
func (w *world) learn(s *source) {
	for _, u := range s.units() {
		switch {
		case contains(u.body, w.barriers):
			w.barriers[u.name] = true
			delete(w.ids, u.name)
		case contains(u.body, w.ids) && !w.barriers[u.name]:
			w.ids[u.name] = true
		}
	}
	// A macro that defines a function names it by a parameter: find what it was
	// called with.
	for i, t := range s.code {
		m, ok := w.macros[t.text]
		if !ok || i+1 >= len(s.code) || s.code[i+1].text != "(" {
			continue
		}
		inside, _ := group(s.code[i+1:])
		arguments := split(inside)
		for _, f := range functions(m.body) {
			k := slices.Index(m.params, f.name)
			if k >= 0 && k < len(arguments) && len(arguments[k]) == 1 && w.barriers[f.name] {
				w.barriers[arguments[k][0].text] = true
			}
		}
	}
}

// split cuts arguments at the commas outside of brackets.
func split(words []token) [][]token {
	var list [][]token
	depth, start := 0, 0
	for i, w := range words {
		switch w.text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case ",":
			if depth == 0 {
				list = append(list, words[start:i])
				start = i + 1
			}
		}
	}
	return append(list, words[start:])
}

func contains(words []token, names map[string]bool) bool {
	return slices.ContainsFunc(words, func(t token) bool { return names[t.text] })
}

func (s *source) at(line int, format string, args ...any) string {
	return fmt.Sprintf("%s:%d: %s", s.name, line, fmt.Sprintf(format, args...))
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
	// The first part of a family, stem.cl of stem_part.cl, demands for all of it.
	if stem, _, ok := strings.Cut(strings.TrimSuffix(s.name, ".cl"), "_"); ok {
		for name := range w.demanded[stem+".cl"] {
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

// ---- the rules themselves

func TestRulesCatch(t *testing.T) {
	text, err := fs.ReadFile(kernels.FS, "common.cl")
	require.NoError(t, err)
	common := lex("common.cl", string(text))
	for _, c := range []struct{ rule, name, text, want string }{ // want "" accepts
		{"return before barrier", "plain", "KERNEL_WG(WG) k(uint n) {\n if (n == 0)\n return;\n barrier(CLK_LOCAL_MEM_FENCE); }", "x.cl:3: k returns before the barrier of line 4"},
		{"return before barrier", "helper", "DEFINE_WG_SCAN(add, uint, OP_ADD, 0u)\nKERNEL_WG(WG) k(uint n) { if (n) return;\n add(n, 0, 0); }", "barrier of line 3"},
		{"return before barrier", "helper of helper", "void f(void) { barrier(0); }\nvoid g(void) { f(); }\nKERNEL_WG(WG) k(uint n) { if (n) return;\n g(); }", "barrier of line 4"},
		{"return before barrier", "in a macro", "#define M(x) \\\n void x(uint n) { if (n) return; \\\n barrier(0); }", "x.cl:2"},
		{"return before barrier", "by a macro", "#define LEAVE(n) if (n) return\nKERNEL_WG(WG) k(uint n) { LEAVE(n);\n barrier(0); }", "x.cl:2"},
		{"return before barrier", "after", "uint f(uint n) { barrier(0); return n; } void g(uint n) { if (n) return; f(1); }", "g returns before"},
		{"return before barrier", "last", "uint f(uint n) { barrier(0); return n; }", ""},
		{"return before barrier", "other arm", "void f(uint n) {\n#if IS_CPU\n if (n) return;\n#else\n barrier(0);\n#endif\n}", ""},
		{"return before barrier", "comment", "void f(uint n) { /* return */ // return\n barrier(0); }", ""},
		{"return before barrier", "other function", "void f(uint n) { return; }\nvoid g(uint n) { barrier(0); }", ""},

		{"barrier in control flow", "if", "void f(uint n) { if (n) {\n barrier(0); } }", "x.cl:2: barrier (barrier) inside if"},
		{"barrier in control flow", "else", "void f(uint n) { if (n) n = 1; else\n barrier(0); }", "inside else"},
		{"barrier in control flow", "else if", "void f(uint n) { if (n) { n = 1; } else if (n > 1) {\n barrier(0); } }", "x.cl:2: barrier (barrier) inside"},
		{"barrier in control flow", "switch", "void f(uint n) { switch (n) { case 1:\n barrier(0); break; default: n = 2; } }", "inside switch"},
		{"barrier in control flow", "else behind #if", "void f(uint n) { if (n) n = 1;\n#ifdef A\n else { barrier(0); }\n#endif\n}", "inside else"},
		{"barrier in control flow", "helper", "DEFINE_WG_SCAN(add, uint, OP_ADD, 0u)\nvoid f(uint n) { if (n)\n add(n, 0, 0); }", "barrier (add) inside if"},
		{"barrier in control flow", "conditional", "uint g(uint n) { barrier(0); return n; }\nuint f(uint n) { return n > 1 && g(n); }", "behind &&"},
		{"barrier in control flow", "ternary", "uint g(uint n) { barrier(0); return n; }\nuint f(uint n) { return n ? g(n) : 0; }", "behind &&"},
		{"barrier in control flow", "argument is a choice", "uint g(uint a, uint b) { barrier(0); return a; }\nuint f(uint n) { return g(n ? 1 : 2, n && n); }", ""},
		{"barrier in control flow", "for id", "void f(uint n) { for (uint i = get_local_id(0); i < n; i += WG)\n barrier(0); }", "header depends"},
		{"barrier in control flow", "while variable", "void f(uint n) { uint a = get_global_id(0), b = a * 2; while (b < n) { b++;\n barrier(0); } }", "header depends"},
		{"barrier in control flow", "variable from itself later", "void f(uint n) { uint a = 0; while (a < n) { barrier(0);\n a += get_local_id(0); } }", "header depends"},
		{"barrier in control flow", "variable set by some", "void f(uint n) { uint a = 0; if (get_local_id(0) == 0) a = 5; while (a < n) {\n barrier(0); } }", "header depends"},
		{"barrier in control flow", "id by a function", "uint me(void) { return get_local_id(0); }\nvoid f(uint n) { while (me() < n) barrier(0); }", "header depends"},
		{"barrier in control flow", "do", "void f(uint n) { uint a = get_local_id(0); do { barrier(0); } while (a++ < n); }", "header depends"},
		{"barrier in control flow", "tile", "KERNEL_WG(WG) k(uint n) { FOR_TILE(i, 4, n) {\n barrier(0); } }", "header depends"},
		{"barrier in control flow", "break", "void f(uint n) { uint lid = get_local_id(0); for (;;) { if (lid < n)\n break; barrier(0); } }", "x.cl:2: leaves a loop"},
		{"barrier in control flow", "uniform break", "void f(uint n) { for (;;) { if (n) break; barrier(0); } }", ""},
		{"barrier in control flow", "break without barrier", "void f(uint n) { for (uint i = get_local_id(0); ; i++) { if (i > n) break; } barrier(0); }", ""},
		{"barrier in control flow", "top level", "void f(uint n) { if (n) { n = 1; } barrier(0); for (uint i = 0; i < n; i++) n += i; barrier(0); }", ""},
		{"barrier in control flow", "uniform loops", "void f(uint n) { for (uint i = 0; i < n; i++) { barrier(0); } do barrier(0); while (n--); while (n) { n--; barrier(0); } }", ""},
		{"barrier in control flow", "uniform from local memory", "void f(uint n) { __local uint t[WG]; t[get_local_id(0)] = n; barrier(0); uint m = t[0]; while (m--) barrier(0); }", ""},
		{"barrier in control flow", "after tile loop", "KERNEL_WG(WG) k(uint n) { FOR_TILE(i, 4, n)\n n++;\n barrier(0); }", ""},

		{"KERNEL_WG", "bare", "\n__kernel void k(void) {}", "x.cl:2: __kernel"},
		{"KERNEL_WG", "attribute", "__attribute__((reqd_work_group_size(1, 1, 1))) KERNEL_WG(1) k(void) {}", "reqd_work_group_size"},
		{"KERNEL_WG", "in a macro", "#define K(name) kernel void name(void) {}", "kernel: declare"},
		{"KERNEL_WG", "good", "// a __kernel\nKERNEL_WG(WG) k(void) {}", ""},

		{"macros are demanded", "code", "uint f(void) { return\n ITEMS; }", "x.cl:2: ITEMS is used and not demanded"},
		{"macros are demanded", "in a macro", "#define TILE (WG * ITEMS)", "ITEMS is used"},
		{"macros are demanded", "in #if", "#if FAST\n#endif", "FAST is used"},
		{"macros are demanded", "no message", "#ifndef ITEMS\n#error \"missing\"\n#endif\nuint a = ITEMS;", "ITEMS is used"},
		{"macros are demanded", "other condition", "#ifndef OTHER\n#error \"ITEMS: elements\"\n#endif\nuint a = ITEMS;", "ITEMS is used"},
		{"macros are demanded", "demanded elsewhere", "#ifdef STEP\n#ifndef ITEMS\n#error \"ITEMS: elements\"\n#endif\n#endif\nuint a = ITEMS;", "ITEMS is used"},
		{"macros are demanded", "only a string", "#define A \"ITEMS\"\nuint f(void) { return 0; } // ITEMS", ""},
		{"macros are demanded", "demanded", "#ifndef ITEMS\n#error \"ITEMS: elements\"\n#endif\nuint a = ITEMS;", ""},
		{"macros are demanded", "operator", "#ifndef OP\n#error \"OP(a, b): operator\"\n#endif\nuint a = OP(1, 2);", ""},
		{"macros are demanded", "depending", "#ifndef HAS_VALUES\n#error \"HAS_VALUES: 1 or 0\"\n#endif\n#if HAS_VALUES && !defined(V)\n#error \"V: type\"\n#endif\n#if HAS_VALUES\nV a;\n#endif", ""},
		{"macros are demanded", "default", "#ifndef KEEP\n#define KEEP(i) 1\n#endif\nuint a = KEEP(1);", ""},
		{"macros are demanded", "optional", "#ifdef DROP\nuint a = DROP(1);\n#endif", ""},
		{"macros are demanded", "optional outside", "#ifdef DROP\n#else\nuint a = DROP(1);\n#endif", "DROP is used"},
		{"macros are demanded", "parameters", "#define M(T, OP) T f(T a) { return OP(a, WG); }", ""},
		{"macros are demanded", "built in", "uint a = CLK_LOCAL_MEM_FENCE | UINT_MAX; uint b = IS_CPU + OP_ADD(1, 2);", ""},

		{"header", "nameless", "// something\n", "starts with something else"},
		{"header", "no shape", "// x.cl: adds.\n\nKERNEL_WG(WG) k(void) {}", "x.cl:3: neither"},
		{"header", "one of two", "// x.cl: adds.\n\n// One work-group.\nKERNEL_WG(WG) k(void) {}\n\nKERNEL_WG(WG) l(void) {}", "x.cl:6: neither"},
		{"header", "in the header", "// x.cl: adds.\n//\n// Launch: one work-group.\n\nKERNEL_WG(WG) k(void) {}", ""},
		{"header", "at the kernel", "// x.cl: adds.\n\n// One work-group.\nKERNEL_WG(WG) k(void) {}", ""},

		{"vendor conditions", "PTX", "\n#if HAS_PTX\n#endif", "x.cl:2: #if HAS_PTX"},
		{"vendor conditions", "AMD", "#ifdef __AMDGCN__\n#endif", "__AMDGCN__"},
		{"vendor conditions", "defined", "#if 1\n#elif defined(cl_khr_subgroups)\n#endif", "cl_khr_subgroups"},
		{"vendor conditions", "width", "#if IS_CPU || SUBGROUP == 32\n#endif", "SUBGROUP"},
		{"vendor conditions", "assembly", "void f(void) { asm(\"nop\"); }", "asm: only"},
		{"vendor conditions", "builtin", "#define F(x) __builtin_amdgcn_readfirstlane(x)", "__builtin_amdgcn_readfirstlane"},
		{"vendor conditions", "capability", "#if IS_CPU || HAS_INT64_ATOMICS || FORWARD_PROGRESS\n#endif", ""},
	} {
		t.Run(c.rule+"/"+c.name, func(t *testing.T) {
			s := lex("x.cl", c.text)
			got := rules[c.rule](s, newWorld(prologueMacros(t), common, s))
			if c.want == "" {
				assert.Empty(t, got)
			} else {
				require.NotEmpty(t, got)
				assert.Contains(t, strings.Join(got, "\n"), c.want)
			}
		})
	}
}

// Vendor conditions and bare kernels are what common.cl is for.
func TestCommonIsExempt(t *testing.T) {
	s := lex("common.cl", "#if HAS_PTX\n#define KERNEL_WG(n) __kernel void\n#endif")
	w := newWorld(prologueMacros(t), s)
	assert.Empty(t, vendorConditions(s, w))
	assert.Empty(t, bareKernels(s, w))
}

// What the lint reads must survive comments, strings and continued lines.
func TestLex(t *testing.T) {
	s := lex("x.cl", "a /* b\n c */ \"d // e\" 'f' // g\n#define M(x, y) \\\n    x + \\\n    y // h\ni")
	var got []string
	for _, w := range s.code {
		got = append(got, fmt.Sprint(w.line, w.text))
	}
	assert.Equal(t, []string{"1a", "2\"\"", "2''", "6i"}, got)
	require.Len(t, s.macros, 1)
	assert.Equal(t, "M", s.macros[0].name)
	assert.Equal(t, []string{"x", "y"}, s.macros[0].params)
	assert.Len(t, s.macros[0].body, 3)
}
