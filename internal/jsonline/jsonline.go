// Package jsonline finds and shortens the string of a field in a line that is an object of JSON.
package jsonline

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Space is the white space of JSON.
const Space = " \t\r\n"

// IsBlank reports whether a line has nothing but white space.
func IsBlank(line []byte) bool {
	for _, c := range line {
		if !isSpace(c) {
			return false
		}
	}
	return true
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// ByteOrderMark is the byte order mark of UTF-8. Some editors write it before the first line of a file, also before
// JSON, where it does not belong.
const ByteOrderMark = "\xef\xbb\xbf"

// Field is the string of a field of an object, and the place of its value in the line. Else why says what is wrong.
func Field(line []byte, name string) (text string, from, to int, why string) {
	if !utf8.Valid(line) {
		return "", 0, 0, "invalid UTF-8"
	}
	d := json.NewDecoder(bytes.NewReader(line))
	token, err := d.Token()
	if err != nil || token != json.Delim('{') {
		return "", 0, 0, "no JSON object" + because(err)
	}
	found := false
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return "", 0, 0, "no JSON object" + because(err)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return "", 0, 0, "no JSON object" + because(err)
		}
		if key != name {
			continue
		}
		if found {
			return "", 0, 0, fmt.Sprintf("the object has field %q twice", name)
		}
		var pointer *string
		if err := json.Unmarshal(value, &pointer); err != nil || pointer == nil {
			return "", 0, 0, fmt.Sprintf("field %q is no string", name)
		}
		found = true
		text, to = *pointer, int(d.InputOffset())
		from = to - len(value)
	}
	if _, err := d.Token(); err != nil {
		return "", 0, 0, "no JSON object" + because(err)
	}
	if len(bytes.Trim(line[d.InputOffset():], Space)) > 0 {
		return "", 0, 0, "no JSON object: more after it"
	}
	if !found {
		return "", 0, 0, fmt.Sprintf("the object has no field %q", name)
	}
	return text, from, to, ""
}

// because is an error after a colon.
func because(err error) string {
	if err == nil {
		return ""
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return ": " + err.Error()
}

// unit is a character of a string in quotes.
type unit struct {
	quoted, size int  // bytes in quotes, and of the string
	half         rune // a surrogate that is no pair, else 0
}

// next is the first unit of a string without its quotes.
func next(quoted []byte) unit {
	if quoted[0] != '\\' {
		_, n := utf8.DecodeRune(quoted)
		return unit{quoted: n, size: n}
	}
	if quoted[1] != 'u' {
		return unit{quoted: 2, size: 1}
	}
	r := escaped(quoted)
	if !utf16.IsSurrogate(r) {
		return unit{quoted: 6, size: utf8.RuneLen(r)}
	}
	if pair := utf16.DecodeRune(r, escaped(quoted[6:])); pair != utf8.RuneError {
		return unit{quoted: 12, size: utf8.RuneLen(pair)}
	}
	return unit{quoted: 6, size: utf8.RuneLen(utf8.RuneError), half: r}
}

// escaped is the number after \u, or 0.
func escaped(quoted []byte) rune {
	if len(quoted) < 6 || quoted[0] != '\\' || quoted[1] != 'u' {
		return 0
	}
	v, _ := strconv.ParseUint(string(quoted[2:6]), 16, 16)
	return rune(v)
}

// Cut appends a string in quotes without ranges [start, end) of its bytes, ascending, which begin and end at whole
// characters. All other characters stay as they are written, escapes too. why says what is wrong with the string.
func Cut(to, quoted []byte, ranges [][2]int) (rest []byte, why string) {
	rest = append(to, '"')
	body := quoted[1 : len(quoted)-1]
	place, cut := 0, false
	var before rune // half of a pair, which was kept
	for len(body) > 0 {
		u := next(body)
		for len(ranges) > 0 && ranges[0][1] <= place {
			ranges = ranges[1:]
		}
		if len(ranges) > 0 {
			for _, end := range ranges[0] {
				if end > place && end < place+u.size {
					return nil, "a range ends within a character"
				}
			}
		}
		switch {
		case len(ranges) > 0 && ranges[0][0] <= place:
			cut = true
		case cut && before != 0 && utf16.DecodeRune(before, u.half) != utf8.RuneError:
			return nil, "halves of a surrogate pair would meet"
		default:
			rest = append(rest, body[:u.quoted]...)
			before, cut = u.half, false
		}
		body, place = body[u.quoted:], place+u.size
	}
	return append(rest, '"'), ""
}
