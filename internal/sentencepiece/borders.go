package sentencepiece

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// metaSymbols are the symbols that every model has.
var metaSymbols = []string{"<unk>", "<s>", "</s>"}

// borders are symbols over which no piece goes.
type borders struct {
	symbols []string // the longest first; spaces stand for marks
	first   [256]bool
}

// newBorders returns the symbols of every model, and others. A symbol with a space is in no normalised sentence.
func newBorders(others []string) (b borders) {
	for _, symbol := range slices.Concat(metaSymbols, others) {
		if symbol != "" && !strings.Contains(symbol, " ") {
			b.symbols = append(b.symbols, symbol)
		}
	}
	slices.SortStableFunc(b.symbols, func(x, y string) int { return cmp.Compare(len(y), len(x)) })
	for i, symbol := range b.symbols {
		symbol = strings.ReplaceAll(symbol, string(Mark), " ")
		if b.symbols[i] = symbol; symbol[0] == ' ' {
			b.first[string(Mark)[0]] = true
		}
		b.first[symbol[0]] = true
	}
	return b
}

// replace makes tabs of the symbols in a normalised sentence, in place, and returns its length. Of several symbols at
// one place it takes the longest.
func (b *borders) replace(text []byte) int {
	kept := 0
	for at := 0; at < len(text); {
		if b.first[text[at]] {
			if n := b.at(text[at:]); n > 0 {
				text[kept] = tab
				kept, at = kept+1, at+n
				continue
			}
		}
		text[kept] = text[at]
		kept, at = kept+1, at+1
	}
	return kept
}

// at is the length of the symbol with which a text begins, or 0.
func (b *borders) at(text []byte) int {
	for _, symbol := range b.symbols {
		if n := lengthOf(symbol, text); n > 0 {
			return n
		}
	}
	return 0
}

// lengthOf is how long a symbol is at the beginning of a text, or 0. A mark of the text is a space, or U+2581.
func lengthOf(symbol string, text []byte) int {
	at := 0
	for i := range len(symbol) {
		rest := text[at:]
		switch {
		case symbol[i] == ' ' && bytes.HasPrefix(rest, []byte(string(Mark))):
			at += utf8.RuneLen(Mark)
		case len(rest) > 0 && rest[0] == symbol[i]:
			at++
		default:
			return 0
		}
	}
	return at
}
