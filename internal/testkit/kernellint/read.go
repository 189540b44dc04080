package kernellint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

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
	wordPattern = regexp.MustCompile(`[A-Za-z_]\w*|\d[\w.]*|""|''|##|` +
		`&&|\|\||<<=|>>=|==|!=|<=|>=|\+\+|--|->|[-+*/%&|^]=|[^\s\\]`)
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
			typed := before == ")" || before == "*" || namePattern.MatchString(before)
			if namePattern.MatchString(name.text) && !keyword && typed {
				return unit{name: name.text, line: name.line, params: words[i+1 : len(words)-1]}
			}
			return unit{}
		}
	}
	return unit{}
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
