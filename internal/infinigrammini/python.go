package infinigrammini

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// line goes through a line of JSON as Python's json.loads takes it, and writes values as json.dumps does.
type line struct {
	text []byte
	at   int
	why  string
	unit []uint16 // of the string that was read last: UTF-16
}

// mostDepth is how deep objects and arrays may be within each other.
const mostDepth = 500

// fail notes the first thing that is wrong.
func (l *line) fail(format string, args ...any) bool {
	if l.why == "" {
		l.why = fmt.Sprintf("column %d: %s", l.at+1, fmt.Sprintf(format, args...))
	}
	return false
}

func (l *line) space() {
	for l.at < len(l.text) && bytes.IndexByte([]byte(" \t\n\r"), l.text[l.at]) >= 0 {
		l.at++
	}
}

// next is the next byte that is no space; 0 at the end.
func (l *line) next() byte {
	if l.space(); l.at < len(l.text) {
		return l.text[l.at]
	}
	return 0
}

// take takes a byte that must come.
func (l *line) take(c byte) bool {
	if l.next() != c {
		return l.fail("want %q", c)
	}
	l.at++
	return true
}

// string reads a string into unit.
func (l *line) string() bool {
	if !l.take('"') {
		return false
	}
	l.unit = l.unit[:0]
	for l.at < len(l.text) {
		c := l.text[l.at]
		switch {
		case c == '"':
			l.at++
			return true
		case c < ' ':
			return l.fail("a control character in a string")
		case c == '\\':
			if !l.escape() {
				return false
			}
		case c < utf8.RuneSelf:
			l.unit = append(l.unit, uint16(c))
			l.at++
		default:
			r, n := utf8.DecodeRune(l.text[l.at:])
			if r == utf8.RuneError && n == 1 {
				return l.fail("invalid UTF-8")
			}
			l.unit = utf16.AppendRune(l.unit, r)
			l.at += n
		}
	}
	return l.fail("a string does not end")
}

const escapes, meant = `"\/bfnrt`, "\"\\/\b\f\n\r\t"

func (l *line) escape() bool {
	rest := l.text[l.at+1:]
	switch {
	case len(rest) == 0:
		return l.fail("a string does not end")
	case rest[0] == 'u' && len(rest) >= 5:
		var b [2]byte
		if _, err := hex.Decode(b[:], rest[1:5]); err != nil {
			return l.fail("a wrong escape sequence")
		}
		l.unit = append(l.unit, uint16(b[0])<<8|uint16(b[1]))
		l.at += 6
		return true
	}
	k := bytes.IndexByte([]byte(escapes), rest[0])
	if k < 0 {
		return l.fail("a wrong escape sequence")
	}
	l.unit = append(l.unit, uint16(meant[k]))
	l.at += 2
	return true
}

// appendText appends the string that was read, as UTF-8, which has no lone surrogates.
func (l *line) appendText(to []byte) ([]byte, bool) {
	for k := 0; k < len(l.unit); k++ {
		r := rune(l.unit[k])
		if utf16.IsSurrogate(r) {
			if k+1 == len(l.unit) {
				return to, l.fail("a lone surrogate, \\u%04x, is no character", r)
			}
			whole := utf16.DecodeRune(r, rune(l.unit[k+1]))
			if whole == utf8.RuneError {
				return to, l.fail("a lone surrogate, \\u%04x, is no character", r)
			}
			r = whole
			k++
		}
		to = utf8.AppendRune(to, r)
	}
	return to, true
}

// appendQuoted appends the string that was read as json.dumps writes it: in ASCII.
func (l *line) appendQuoted(to []byte) []byte {
	const hexadecimal = "0123456789abcdef"
	to = append(to, '"')
	for _, u := range l.unit {
		switch {
		case u == '"' || u == '\\':
			to = append(to, '\\', byte(u))
		case u >= ' ' && u <= '~':
			to = append(to, byte(u))
		default:
			if k := bytes.IndexByte([]byte(meant), byte(u)); u < ' ' && k >= 0 {
				to = append(to, '\\', escapes[k])
				continue
			}
			to = append(to, '\\', 'u', hexadecimal[u>>12], hexadecimal[u>>8&15], hexadecimal[u>>4&15], hexadecimal[u&15])
		}
	}
	return append(to, '"')
}

// members goes through an object. member is called at each value, with the key in unit.
func (l *line) members(member func() bool) bool {
	if !l.take('{') {
		return false
	}
	if l.next() == '}' {
		l.at++
		return true
	}
	for {
		if l.next() != '"' {
			return l.fail("want a key in quotes")
		}
		if !l.string() || !l.take(':') || !member() {
			return false
		}
		if l.next() == '}' {
			l.at++
			return true
		}
		if !l.take(',') {
			return false
		}
	}
}

// pair is a key and its value, as they are written.
type pair struct{ key, value []byte }

// appendObject appends the object of pairs: of equal keys the last value, where the first stands.
func appendObject(to []byte, pairs []pair) []byte {
	to = append(to, '{')
	for i, p := range pairs {
		if i > 0 {
			to = append(to, ", "...)
		}
		to = append(append(append(to, p.key...), ": "...), p.value...)
	}
	return append(to, '}')
}

func put(pairs []pair, p pair) []pair {
	if k := slices.IndexFunc(pairs, func(of pair) bool { return bytes.Equal(of.key, p.key) }); k >= 0 {
		pairs[k].value = p.value
		return pairs
	}
	return append(pairs, p)
}

// value appends the value that comes.
func (l *line) value(to []byte, depth int) ([]byte, bool) {
	if depth > mostDepth {
		return to, l.fail("more than %d objects and arrays within each other", mostDepth)
	}
	switch c := l.next(); c {
	case '"':
		if !l.string() {
			return to, false
		}
		return l.appendQuoted(to), true
	case '{':
		var pairs []pair
		ok := l.members(func() bool {
			key := l.appendQuoted(nil)
			value, ok := l.value(nil, depth+1)
			pairs = put(pairs, pair{key, value})
			return ok
		})
		return appendObject(to, pairs), ok
	case '[':
		l.at++
		to = append(to, '[')
		for first := true; ; first = false {
			if l.next() == ']' && first {
				break
			}
			if !first {
				to = append(to, ", "...)
			}
			var ok bool
			if to, ok = l.value(to, depth+1); !ok {
				return to, false
			}
			if l.next() == ']' {
				break
			}
			if !l.take(',') {
				return to, false
			}
		}
		l.at++
		return append(to, ']'), true
	}
	for _, word := range []string{"true", "false", "null", "NaN", "Infinity", "-Infinity"} {
		if bytes.HasPrefix(l.text[l.at:], []byte(word)) {
			l.at += len(word)
			return append(to, word...), true
		}
	}
	return l.number(to)
}

func (l *line) digits() bool {
	from := l.at
	for l.at < len(l.text) && l.text[l.at] >= '0' && l.text[l.at] <= '9' {
		l.at++
	}
	return l.at > from
}

// is takes one of some bytes, if it comes.
func (l *line) is(of string) bool {
	if l.at < len(l.text) && bytes.IndexByte([]byte(of), l.text[l.at]) >= 0 {
		l.at++
		return true
	}
	return false
}

// number appends a number: whole ones with their digits, others as Python's repr.
func (l *line) number(to []byte) ([]byte, bool) {
	from := l.at
	l.is("-")
	if !l.is("0") && !l.digits() {
		return to, l.fail("want a value")
	}
	whole := true
	if end := l.at; l.is(".") {
		if whole = false; !l.digits() {
			l.at = end
			return to, l.fail("want a digit after the point")
		}
	}
	if l.is("eE") {
		whole = false
		if l.is("+-"); !l.digits() {
			return to, l.fail("want an exponent")
		}
	}
	text := string(l.text[from:l.at])
	if whole {
		if text == "-0" {
			text = "0"
		}
		return append(to, text...), true
	}
	f, _ := strconv.ParseFloat(text, 64) // out of range: infinite, as in Python
	return appendFloat(to, f), true
}

// appendFloat appends a number as Python's repr does.
func appendFloat(to []byte, f float64) []byte {
	switch {
	case math.IsInf(f, 1):
		return append(to, "Infinity"...)
	case math.IsInf(f, -1):
		return append(to, "-Infinity"...)
	case f != 0 && (math.Abs(f) < 1e-4 || math.Abs(f) >= 1e16):
		return strconv.AppendFloat(to, f, 'e', -1, 64)
	}
	from := len(to)
	to = strconv.AppendFloat(to, f, 'f', -1, 64)
	if bytes.IndexByte(to[from:], '.') < 0 {
		to = append(to, ".0"...)
	}
	return to
}

// units are those of a string; bytes that are not UTF-8 become U+FFFD.
func units(s string) []uint16 { return utf16.Encode([]rune(s)) }

// invalid is the first byte that is not UTF-8, and its line; -1 if all are.
func invalid(text []byte) (at int, line int64) {
	if utf8.Valid(text) {
		return -1, 0
	}
	for {
		r, n := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && n <= 1 {
			return at, int64(bytes.Count(text[:at], []byte{'\n'})) + 1
		}
		at += n
	}
}
