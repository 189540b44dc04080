package cli

import (
	"fmt"
	"io"
	"os"
	"unicode/utf8"

	"golang.org/x/term"
)

// Harmless is a text as a terminal may show it. Names of files and records may hold what terminals take for commands,
// or what turns the direction of the text around: such characters, and bytes that are no UTF-8, become escapes, as
// \x1b and \u009b. Ends of lines and tabs stay.
func Harmless(text string) string { return string(appendHarmless(nil, []byte(text))) }

// Tell writes a message for people on standard error.
func Tell(format string, args ...any) { fmt.Fprint(os.Stderr, Harmless(fmt.Sprintf(format, args...))) }

// ForPeople is a writer of what people read, harmless.
func ForPeople(w io.Writer) io.Writer { return &harmlessWriter{w: w} }

// terminalSafe is a file; where it is a terminal, what is written becomes harmless. flush writes the end.
func terminalSafe(f *os.File) (w io.Writer, flush func() error) {
	if !term.IsTerminal(int(f.Fd())) {
		return f, func() error { return nil }
	}
	h := &harmlessWriter{w: f}
	return h, h.flush
}

// harms tells whether a character is one that a terminal must not get: a control character, a mark or override of the
// direction of the text, a separator of lines.
func harms(r rune) bool {
	switch {
	case r == '\n' || r == '\t':
		return false
	case r < ' ' || r >= 0x7f && r < 0xa0:
		return true
	}
	return r == 0x61c || r == 0x200e || r == 0x200f || r >= 0x2028 && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// appendHarmless appends a text, harmless.
func appendHarmless(to, text []byte) []byte {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		switch {
		case r == utf8.RuneError && size == 1, harms(r) && r < utf8.RuneSelf:
			to = fmt.Appendf(to, `\x%02x`, text[i])
		case harms(r):
			to = fmt.Appendf(to, `\u%04x`, r)
		default:
			to = append(to, text[i:i+size]...)
		}
		i += size
	}
	return to
}

// harmlessWriter makes what is written harmless. A character may come in several writes.
type harmlessWriter struct {
	w    io.Writer
	rest []byte // of a character that is not complete
}

func (h *harmlessWriter) Write(p []byte) (int, error) {
	text := append(h.rest, p...)
	whole := len(text)
	for back := 1; back < utf8.UTFMax && back <= len(text); back++ {
		if at := len(text) - back; utf8.RuneStart(text[at]) {
			if !utf8.FullRune(text[at:]) {
				whole = at
			}
			break
		}
	}
	out := appendHarmless(nil, text[:whole])
	h.rest = append([]byte(nil), text[whole:]...)
	if _, err := h.w.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// flush writes the beginning of a character whose end has not come.
func (h *harmlessWriter) flush() error {
	_, err := h.w.Write(appendHarmless(nil, h.rest))
	h.rest = nil
	return err
}

// harmlessJSON are the bytes of JSON with such characters of its strings as escapes, which mean the same.
func harmlessJSON(data []byte) []byte {
	var out []byte
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r >= 0x7f && harms(r) {
			out = fmt.Appendf(out, `\u%04x`, r)
		} else {
			out = append(out, data[i:i+size]...)
		}
		i += size
	}
	return out
}
