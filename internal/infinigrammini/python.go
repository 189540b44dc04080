package infinigrammini

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// line goes through a line of JSON as Python's json.loads takes it, and writes values as json.dumps does.
type line struct {
	text  []byte
	at    int
	why   string
	raw   []byte // the string that was read last, between its quotes
	plain bool
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

// string takes a string. raw is what stands between its quotes, and plain tells that it means itself: it has no escape
// sequences.
func (l *line) string() bool {
	if !l.take('"') {
		return false
	}
	from := l.at
	l.plain = true
	for l.at < len(l.text) {
		switch c := l.text[l.at]; {
		case c == '"':
			l.raw = l.text[from:l.at]
			if wrong, _ := invalid(l.raw); wrong >= 0 {
				l.at = from + wrong
				return l.fail("invalid UTF-8")
			}
			l.at++
			return true
		case c < ' ':
			return l.fail("a control character in a string")
		case c == '\\':
			if l.plain = false; !l.escape() {
				return false
			}
		default:
			l.at++
		}
	}
	return l.fail("a string does not end")
}

const escapes, meant = `"\/bfnrt`, "\"\\/\b\f\n\r\t"

// escape takes an escape sequence.
func (l *line) escape() bool {
	rest := l.text[l.at+1:]
	switch {
	case len(rest) == 0:
		return l.fail("a string does not end")
	case rest[0] == 'u':
		if _, ok := hexadecimal(rest[1:]); !ok {
			return l.fail("a wrong escape sequence")
		}
		l.at += 6
		return true
	case strings.IndexByte(escapes, rest[0]) < 0:
		return l.fail("a wrong escape sequence")
	}
	l.at += 2
	return true
}

// hexadecimal is the number of the first four digits.
func hexadecimal(digits []byte) (unit uint16, ok bool) {
	var b [2]byte
	if len(digits) < 4 {
		return 0, false
	}
	_, err := hex.Decode(b[:], digits[:4])
	return uint16(b[0])<<8 | uint16(b[1]), err == nil
}

// each goes through the string: what is between escape sequences, and the units of UTF-16 that these stand for.
func (l *line) each(span func(text []byte), unit func(u uint16)) {
	raw := l.raw
	for !l.plain {
		n := bytes.IndexByte(raw, '\\')
		if n < 0 {
			break
		}
		span(raw[:n])
		if raw = raw[n+1:]; raw[0] == 'u' {
			u, _ := hexadecimal(raw[1:])
			unit(u)
			raw = raw[5:]
			continue
		}
		unit(uint16(meant[strings.IndexByte(escapes, raw[0])]))
		raw = raw[1:]
	}
	span(raw)
}

// appendText appends the string that was read, as UTF-8, which has no lone surrogates.
func (l *line) appendText(to []byte) ([]byte, bool) {
	high := rune(0) // a surrogate that waits for the second one
	alone := rune(0)
	end := func() {
		if high != 0 && alone == 0 {
			alone = high
		}
		high = 0
	}
	l.each(func(text []byte) {
		if len(text) > 0 {
			end()
			to = append(to, text...)
		}
	}, func(u uint16) {
		switch r := rune(u); {
		case high != 0 && utf16.DecodeRune(high, r) != utf8.RuneError:
			to = utf8.AppendRune(to, utf16.DecodeRune(high, r))
			high = 0
		case utf16.IsSurrogate(r):
			end()
			high = r
		default:
			end()
			to = utf8.AppendRune(to, r)
		}
	})
	if end(); alone != 0 {
		return to, l.fail("a lone surrogate, \\u%04x, is no character", alone)
	}
	return to, true
}

// appendQuoted appends the string that was read as json.dumps writes it: in ASCII.
func (l *line) appendQuoted(to []byte) []byte {
	to = append(to, '"')
	l.each(func(text []byte) { to = appendASCII(to, string(text)) }, func(u uint16) { to = appendUnit(to, u) })
	return append(to, '"')
}

// quoted is a string as json.dumps writes it. Bytes that are not UTF-8 become U+FFFD.
func quoted(s string) []byte { return append(appendASCII([]byte{'"'}, s), '"') }

func appendASCII(to []byte, text string) []byte {
	for _, r := range text {
		if r < utf8.RuneSelf {
			to = appendUnit(to, uint16(r))
			continue
		}
		if high, low := utf16.EncodeRune(r); high != utf8.RuneError {
			to = appendUnit(appendUnit(to, uint16(high)), uint16(low))
		} else {
			to = appendUnit(to, uint16(r))
		}
	}
	return to
}

func appendUnit(to []byte, u uint16) []byte {
	const digits = "0123456789abcdef"
	switch {
	case u == '"' || u == '\\':
		return append(to, '\\', byte(u))
	case u >= ' ' && u <= '~':
		return append(to, byte(u))
	}
	if k := strings.IndexByte(meant, byte(u)); u < ' ' && k >= 0 {
		return append(to, '\\', escapes[k])
	}
	return append(to, '\\', 'u', digits[u>>12], digits[u>>8&15], digits[u>>4&15], digits[u&15])
}

// members goes through an object. member is called at each value, with the key in raw.
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
