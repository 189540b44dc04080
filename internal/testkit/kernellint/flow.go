package kernellint

import "slices"

// divergentBarriers walks the statements of every function. A barrier inside if,
// else, switch or after &&, || and ?: is an error whatever the condition says;
// one inside a loop is an error if the loop's header, or the condition of a break
// in it, depends on the work-item's number, and where there is a continue.
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
	goes      int    // line of a continue
	barrier   bool
}

// findShared notes the names declared after __local or __global: memory, which
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
	if f.report && sc.barrier && sc.goes > 0 {
		f.complain(sc.goes, "continues a loop with a barrier, which PoCL compiles wrongly")
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
	case first.text == "else": // after an #if
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
			if t.text == "continue" {
				sc.goes = t.line
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
		f.complain(t.line, "barrier ("+t.text+") after &&, || or ?:")
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
