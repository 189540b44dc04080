package sentencepiece

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Normalization of sentences.
type Normalization int

// The normalisations, with the names that spm_train has for them. All but Normalized leave one space between words and
// none at the ends, and put a mark before the sentence.
const (
	NMTNFKC    Normalization = iota // nmt_nfkc: NFKC; control characters go, white space of any kind is a space
	NFKC                            // nfkc
	Identity                        // identity: characters stay as they are
	Normalized                      // sentences are taken as they are; a space is a mark
)

var normalizations = [...]string{"nmt_nfkc", "nfkc", "identity", "normalized"}

// String is nmt_nfkc, nfkc, identity or normalized.
func (n Normalization) String() string { return normalizations[n] }

// ParseNormalization finds a normalisation by its name.
func ParseNormalization(name string) (Normalization, error) {
	for i, known := range normalizations {
		if name == known {
			return Normalization(i), nil
		}
	}
	return 0, fmt.Errorf("sentencepiece: no normalisation is called %q; there are %v", name, normalizations)
}

// The characters with a meaning of their own.
const (
	Mark     = '▁'  // U+2581: a space, or the beginning of a sentence
	Unknown  = '▅'  // U+2585: a character that is too rare
	Boundary = 0    // after each sentence
	tab      = '\t' // is in no piece
	wide     = "～"  // U+FF5E, which nmt_nfkc keeps
)

// Results of nmt_nfkc for a character: the character itself, a space, or nothing.
const (
	keep = iota
	space
	drop
)

// nmt tells what nmt_nfkc does in addition to NFKC.
func nmt(r rune) int {
	switch {
	case r == '\t', r == '\n', r == '\f', r == '\r', r == 0x1680, r == 0x200B, r == 0x200C, r == 0x200E, r == 0x200F,
		r == 0x2028, r == 0x2029, r == Mark, r == 0xFEFF, r == 0xFFFD:
		return space
	case r > 0 && r < ' ', r == 0x7F, r == 0x8F, r == 0x9F:
		return drop
	}
	return keep
}

// nmtASCII has the result of nmt for bytes below 0x80.
var nmtASCII = func() (table [utf8.RuneSelf]uint8) {
	for c := range table {
		table[c] = uint8(nmt(rune(c)))
	}
	return table
}()

// normalizer appends normalised sentences. A space in the result stands for a mark.
type normalizer struct {
	rule    Normalization
	borders borders
	scratch []byte
}

// sentence appends a sentence, which is valid UTF-8. A tab is where a symbol was.
func (z *normalizer) sentence(to, text []byte) []byte {
	start := len(to)
	to = z.normalize(to, text)
	return to[:start+z.borders.replace(to[start:])]
}

// normalize appends a sentence.
func (z *normalizer) normalize(to, text []byte) []byte {
	if z.rule == Normalized {
		return append(to, text...)
	}
	ascii := isASCII(text)
	if !ascii && z.rule != Identity {
		z.scratch = z.nfkc(z.scratch[:0], text)
		text = z.scratch
	}
	pending := true // a space before what comes next: the mark of the sentence, to begin with
	for i := 0; i < len(text); {
		size, does := 1, keep
		if c := text[i]; c < utf8.RuneSelf {
			if z.rule == NMTNFKC {
				does = int(nmtASCII[c])
			}
			if c == ' ' {
				does = space
			}
		} else {
			var r rune
			r, size = utf8.DecodeRune(text[i:])
			if z.rule == NMTNFKC {
				does = nmt(r)
			}
		}
		switch does {
		case space:
			pending = true
		case keep:
			if pending {
				to, pending = append(to, ' '), false
			}
			to = append(to, text[i:i+size]...)
		}
		i += size
	}
	return to
}

// nfkc appends a text in NFKC, but for the characters that nmt_nfkc keeps.
func (z *normalizer) nfkc(to, text []byte) []byte {
	if z.rule != NMTNFKC {
		return norm.NFKC.Append(to, text...)
	}
	for {
		at := bytes.Index(text, []byte(wide))
		if at < 0 {
			return norm.NFKC.Append(to, text...)
		}
		to = append(norm.NFKC.Append(to, text[:at]...), wide...)
		text = text[at+len(wide):]
	}
}

func isASCII(text []byte) bool {
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
