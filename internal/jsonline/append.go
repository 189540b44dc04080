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
	s := scanner{line: line, name: name, text: to}
	if s.object() && s.found && (s.seen&highBits == 0 || utf8.Valid(line)) {
		return s.text, s.from, s.to, ""
	}
	text, from, end, why := Field(line, name) // which says what is wrong, and knows what is rare
	return append(to, text...), from, end, why
}

// Has tells whether an object has a field. It takes no memory of its own for valid lines that do not hold the name.
// Else why says what is wrong.
func Has(line []byte, name string) (has bool, why string) {
	if !bytes.Contains(line, []byte(name)) {
		if s := (scanner{line: line, name: name}); s.object() { // no key has escapes
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

// scanner goes through a line of JSON (RFC 8259). Lines that it takes are valid, if they are UTF-8; it leaves some
// valid lines to Field. Its methods take what begins at a place, and return the place after it; -1 if it is not there.
// Places are no fields: each step would wait for memory.
type scanner struct {
	line     []byte
	name     string // of the field
	text     []byte // the string of the field is appended to it
	from, to int    // its place, with quotes
	found    bool
	escaped  bool   // the last string has escapes
	seen     uint64 // all bits of the bytes of strings, eight together
}

// mostDepth is how deep objects and arrays may be within each other.
const mostDepth = 100

// object takes a line that is an object and finds the field.
func (s *scanner) object() bool {
	at := s.space(0)
	if !s.is(at, '{') {
		return false
	}
	at = s.members(at+1, 0, '}')
	return at >= 0 && s.space(at) == len(s.line)
}

// is reports whether a byte is at a place.
func (s *scanner) is(at int, c byte) bool { return at < len(s.line) && s.line[at] == c }

func (s *scanner) space(at int) int {
	for at < len(s.line) && s.line[at] <= ' ' && isSpace(s.line[at]) {
		at++
	}
	return at
}

// members takes the members of an object or an array between commas, up to its bracket.
func (s *scanner) members(at, depth int, bracket byte) int {
	if at = s.space(at); s.is(at, bracket) {
		return at + 1
	}
	for {
		if at = s.member(s.space(at), depth, bracket); at < 0 {
			return -1
		}
		at = s.space(at)
		if s.is(at, bracket) {
			return at + 1
		}
		if !s.is(at, ',') {
			return -1
		}
		at++
	}
}

func (s *scanner) member(at, depth int, bracket byte) int {
	if bracket == ']' {
		return s.value(at, depth+1)
	}
	end := s.string(at, false)
	if end < 0 || depth == 0 && s.escaped { // it may be the field
		return -1
	}
	key := s.line[at+1 : end-1]
	if at = s.space(end); !s.is(at, ':') {
		return -1
	}
	at = s.space(at + 1)
	if depth > 0 || string(key) != s.name {
		return s.value(at, depth+1)
	}
	if s.found {
		return -1
	}
	s.found, s.from = true, at
	s.to = s.string(at, true)
	return s.to
}

// value takes a value.
func (s *scanner) value(at, depth int) int {
	if at == len(s.line) || depth > mostDepth {
		return -1
	}
	switch s.line[at] {
	case '"':
		return s.string(at, false)
	case '{':
		return s.members(at+1, depth, '}')
	case '[':
		return s.members(at+1, depth, ']')
	case 't':
		return s.word(at, "true")
	case 'f':
		return s.word(at, "false")
	case 'n':
		return s.word(at, "null")
	}
	return s.number(at)
}

func (s *scanner) word(at int, word string) int {
	if !bytes.HasPrefix(s.line[at:], []byte(word)) {
		return -1
	}
	return at + len(word)
}

func (s *scanner) number(at int) int {
	if s.is(at, '-') {
		at++
	}
	if s.is(at, '0') {
		at++
	} else if at = s.digits(at); at < 0 {
		return -1
	}
	if s.is(at, '.') {
		if at = s.digits(at + 1); at < 0 {
			return -1
		}
	}
	if s.is(at, 'e') || s.is(at, 'E') {
		if at++; s.is(at, '+') || s.is(at, '-') {
			at++
		}
		return s.digits(at)
	}
	return at
}

func (s *scanner) digits(at int) int {
	end := at
	for end < len(s.line) && '0' <= s.line[end] && s.line[end] <= '9' {
		end++
	}
	if end == at {
		return -1
	}
	return end
}

// string takes a string with its quotes. It appends it to the text if that is wanted.
func (s *scanner) string(at int, wanted bool) int {
	s.escaped = false
	if !s.is(at, '"') {
		return -1
	}
	for at++; ; {
		end := s.plain(at)
		if wanted {
			s.text = append(s.text, s.line[at:end]...)
		}
		if at = end; at == len(s.line) {
			return -1
		}
		switch c := s.line[at]; {
		case c == '"':
			return at + 1
		case c == '\\':
			s.escaped = true
			if at = s.escape(at, wanted); at < 0 {
				return -1
			}
		case c < ' ':
			return -1
		}
	}
}

// Of eight bytes in a word: one in each of them, and their high bits.
const (
	eachByte = 0x0101010101010101
	highBits = 0x80 * eachByte
)

// atOnce is how much of a string is looked at before it is copied: it is still in the cache then.
const atOnce = 1 << 15

// plain goes to the first quote, backslash, or control character, but not over more than atOnce.
func (s *scanner) plain(at int) int {
	most, seen := min(len(s.line), at+atOnce), s.seen
	for ; most-at >= 8; at += 8 {
		word := binary.LittleEndian.Uint64(s.line[at:])
		seen |= word
		quote, slash := word^'"'*eachByte, word^'\\'*eachByte
		special := ((word-' '*eachByte)&^word | (quote-eachByte)&^quote | (slash-eachByte)&^slash) & highBits
		if special != 0 {
			s.seen = seen
			return at + bits.TrailingZeros64(special)/8
		}
	}
	for ; at < most && s.line[at] >= ' ' && s.line[at] != '"' && s.line[at] != '\\'; at++ {
		seen |= uint64(s.line[at])
	}
	s.seen = seen
	return at
}

// escape takes an escape sequence. Where it is wanted, the character is appended to the text, that of a pair whole.
func (s *scanner) escape(at int, wanted bool) int {
	quoted := s.line[at:]
	if len(quoted) < 2 {
		return -1
	}
	switch quoted[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		if wanted {
			s.text = append(s.text, unescaped(quoted[1]))
		}
		return at + 2
	case 'u':
		if len(quoted) < 6 || !isHex(quoted[2]) || !isHex(quoted[3]) || !isHex(quoted[4]) || !isHex(quoted[5]) {
			return -1
		}
		at += 6
		if !wanted {
			return at
		}
		r := escaped(quoted)
		if utf16.IsSurrogate(r) {
			if r = utf16.DecodeRune(r, escaped(quoted[6:])); r != utf8.RuneError {
				at += 6
			}
		}
		s.text = utf8.AppendRune(s.text, r)
		return at
	}
	return -1
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }

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
