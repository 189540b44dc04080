package tsv

import (
	"strconv"
	"strings"
)

// printable are the characters of ASCII that stand for themselves.
var printable = func() (is [256]bool) {
	for c := ' '; c <= '~'; c++ {
		is[c] = c != '\\'
	}
	return is
}()

// AppendEscaped appends a text in printable characters of ASCII.
func AppendEscaped(to, text []byte) []byte {
	for {
		plain := 0
		for plain < len(text) && printable[text[plain]] {
			plain++
		}
		if to = append(to, text[:plain]...); plain == len(text) {
			return to
		}
		switch c := text[plain]; c {
		case '\\':
			to = append(to, `\\`...)
		case '\t':
			to = append(to, `\t`...)
		case '\n':
			to = append(to, `\n`...)
		case '\r':
			to = append(to, `\r`...)
		default:
			const digits = "0123456789abcdef"
			to = append(to, '\\', 'x', digits[c>>4], digits[c&15])
		}
		text = text[plain+1:]
	}
}

var escapes = strings.NewReplacer("\\", `\\`, "\t", `\t`, "\n", `\n`, "\r", `\r`)

// Escape replaces what would end a cell.
func Escape(text string) string { return escapes.Replace(text) }

// Name is that of record number i, or its number from 1 if it has none.
func Name(name string, i int64) string { return string(AppendName(nil, name, i)) }

// AppendName appends that, without memory of its own.
func AppendName(to []byte, name string, i int64) []byte {
	if name == "" {
		return strconv.AppendInt(append(to, '#'), i+1, 10)
	}
	for k := range len(name) {
		if name[k] == '\\' || name[k] < ' ' {
			return append(to, escapes.Replace(name)...)
		}
	}
	return append(to, name...) // as a rule
}

// AppendSymbols appends little-endian symbols of so many bytes as numbers, with a space between two.
func AppendSymbols(to, data []byte, width int) []byte {
	for at := 0; at < len(data); at += width {
		symbol := uint64(0)
		for i := range width {
			symbol |= uint64(data[at+i]) << (8 * i)
		}
		if at > 0 {
			to = append(to, ' ')
		}
		to = AppendNumber(to, symbol)
	}
	return to
}
