package jsonline

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

// Append appends the string of a field of an object, as Field finds it. It takes no memory of its own for valid lines.
func Append(to, line []byte, name string) (all []byte, why string) {
	all, _, _, why = AppendField(to, line, name)
	return all, why
}

// AppendField appends as Append does, and tells the place of the value in the line, too.
func AppendField(to, line []byte, name string) (all []byte, from, end int, why string) {
	s := scanner{line: line}
	if utf8.Valid(line) && s.object(name) && s.found {
		return appendUnquoted(to, line[s.from:s.to]), s.from - 1, s.to + 1, ""
	}
	text, from, end, why := Field(line, name) // which says what is wrong, and knows what is rare
	return append(to, text...), from, end, why
}

// Has tells whether an object has a field. It takes no memory of its own for valid lines that do not hold the name.
// Else why says what is wrong.
func Has(line []byte, name string) (has bool, why string) {
	if !bytes.Contains(line, []byte(name)) {
		if s := (scanner{line: line}); s.object(name) { // no key has escapes
			return false, ""
		}
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(line, &object); err != nil {
		return false, "no JSON object: " + err.Error()
	}
	_, has = object[name]
	return has, ""
}

// scanner goes through a line of JSON (RFC 8259). Lines that it takes are valid; it leaves some valid lines to Field.
type scanner struct {
	line     []byte
	at       int
	from, to int // place of the string of the field, without quotes
	found    bool
	escaped  bool // the last string has escapes
}

// mostDepth is how deep objects and arrays may be within each other.
const mostDepth = 100

// object takes a line that is an object and finds a field of it.
func (s *scanner) object(name string) bool {
	s.space()
	if !s.byte('{') {
		return false
	}
	ok := s.members(func() bool {
		from := s.at + 1
		if !s.string() || s.escaped {
			return false
		}
		wanted := string(s.line[from:s.at-1]) == name
		if !s.colon() {
			return false
		}
		if !wanted {
			return s.value(1)
		}
		if s.found || s.at == len(s.line) || s.line[s.at] != '"' {
			return false
		}
		s.found, s.from = true, s.at+1
		ok := s.string()
		s.to = s.at - 1
		return ok
	}, '}')
	s.space()
	return ok && s.at == len(s.line)
}

// byte takes a byte that must come.
func (s *scanner) byte(c byte) bool {
	if s.at < len(s.line) && s.line[s.at] == c {
		s.at++
		return true
	}
	return false
}

func (s *scanner) space() {
	for s.at < len(s.line) {
		switch s.line[s.at] {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return
		}
	}
}

func (s *scanner) colon() bool {
	s.space()
	if !s.byte(':') {
		return false
	}
	s.space()
	return true
}

// members takes the members between commas, up to a bracket.
func (s *scanner) members(member func() bool, bracket byte) bool {
	if s.space(); s.byte(bracket) {
		return true
	}
	for {
		s.space()
		if !member() {
			return false
		}
		if s.space(); s.byte(bracket) {
			return true
		}
		if !s.byte(',') {
			return false
		}
	}
}

// value takes a value.
func (s *scanner) value(depth int) bool {
	if s.at == len(s.line) || depth > mostDepth {
		return false
	}
	switch s.line[s.at] {
	case '"':
		return s.string()
	case '{':
		s.at++
		return s.members(func() bool { return s.string() && s.colon() && s.value(depth+1) }, '}')
	case '[':
		s.at++
		return s.members(func() bool { return s.value(depth + 1) }, ']')
	case 't':
		return s.word("true")
	case 'f':
		return s.word("false")
	case 'n':
		return s.word("null")
	}
	return s.number()
}

func (s *scanner) word(word string) bool {
	if !bytes.HasPrefix(s.line[s.at:], []byte(word)) {
		return false
	}
	s.at += len(word)
	return true
}

func (s *scanner) number() bool {
	s.byte('-')
	if !s.byte('0') && !s.digits() {
		return false
	}
	if s.byte('.') && !s.digits() {
		return false
	}
	if s.byte('e') || s.byte('E') {
		_ = s.byte('+') || s.byte('-')
		return s.digits()
	}
	return true
}

func (s *scanner) digits() bool {
	from := s.at
	for s.at < len(s.line) && '0' <= s.line[s.at] && s.line[s.at] <= '9' {
		s.at++
	}
	return s.at > from
}

// string takes a string with its quotes.
func (s *scanner) string() bool {
	s.escaped = false
	if !s.byte('"') {
		return false
	}
	for {
		s.at += plain(s.line[s.at:])
		if s.at == len(s.line) {
			return false
		}
		switch c := s.line[s.at]; {
		case c == '"':
			s.at++
			return true
		case c != '\\' || !s.escape():
			return false
		}
	}
}

// plain is the number of bytes before the first that is a quote, a backslash, or a control character.
func plain(text []byte) int {
	const each, high = 0x0101010101010101, 0x8080808080808080
	n := 0
	for ; len(text)-n >= 8; n += 8 {
		word := binary.LittleEndian.Uint64(text[n:])
		quote, slash := word^'"'*each, word^'\\'*each
		special := ((word-' '*each)&^word | (quote-each)&^quote | (slash-each)&^slash) & high
		if special != 0 {
			return n + bits.TrailingZeros64(special)/8
		}
	}
	for n < len(text) && text[n] >= ' ' && text[n] != '"' && text[n] != '\\' {
		n++
	}
	return n
}

// escape takes an escape sequence.
func (s *scanner) escape() bool {
	s.escaped = true
	rest := s.line[s.at:]
	if len(rest) < 2 {
		return false
	}
	switch rest[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.at += 2
		return true
	case 'u':
		if len(rest) >= 6 && isHex(rest[2]) && isHex(rest[3]) && isHex(rest[4]) && isHex(rest[5]) {
			s.at += 6
			return true
		}
	}
	return false
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }

// appendUnquoted appends a string that stands in quotes, without them.
func appendUnquoted(to, quoted []byte) []byte {
	for {
		n := bytes.IndexByte(quoted, '\\')
		if n < 0 {
			return append(to, quoted...)
		}
		to = append(to, quoted[:n]...)
		quoted = quoted[n:]
		if quoted[1] != 'u' {
			to = append(to, unescaped(quoted[1]))
			quoted = quoted[2:]
			continue
		}
		r := escaped(quoted)
		if quoted = quoted[6:]; utf16.IsSurrogate(r) {
			if r = utf16.DecodeRune(r, escaped(quoted)); r != utf8.RuneError {
				quoted = quoted[6:]
			}
		}
		to = utf8.AppendRune(to, r)
	}
}

// unescaped is the character that a letter after a backslash stands for.
func unescaped(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}
