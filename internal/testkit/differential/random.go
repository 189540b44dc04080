package differential

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// generator draws cases.
type generator struct{ *rand.Rand }

func (g generator) one(of ...string) string { return of[g.IntN(len(of))] }

// sometimes is true in one of n cases.
func (g generator) sometimes(n int) bool { return g.IntN(n) == 0 }

// maybe adds a flag in one of n cases, with one of the values.
func (g generator) maybe(c *Case, n int, name string, of ...string) {
	if !g.sometimes(n) {
		return
	}
	if len(of) == 0 {
		c.Add(name)
	} else {
		c.Add(name, g.one(of...))
	}
}

// number is one of a flag.
func (g generator) number(least, most int) string { return strconv.Itoa(least + g.IntN(most-least+1)) }

// length is mostly short, and 0 at times.
func (g generator) length(most int) int {
	switch g.IntN(8) {
	case 0:
		return g.IntN(2)
	case 1:
		return g.IntN(most + 1)
	}
	return g.IntN(min(most, 40) + 1)
}

// Alphabets of texts.
const (
	bases      = "ACGT"
	nucleotide = "ACGTACGTACGTNacgtnUuRYSWKMBDHV"
	anyLetter  = "ACGTACGTACGTNacgtnXZxEe*-."
)

// only tells whether all characters of a text are among the letters.
func only(text, letters string) bool { return strings.Trim(text, letters) == "" }

var allBytes = func() string {
	b := make([]byte, 256)
	for i := range b {
		b[i] = byte(i)
	}
	return string(b)
}()

// text is one with repeats: letters, runs, periods, and copies of what was before, with changes.
func (g generator) text(n int, alphabet string) []byte {
	letter := func() byte { return alphabet[g.IntN(len(alphabet))] }
	text := make([]byte, 0, n)
	for len(text) < n {
		size := 1 + g.IntN(n-len(text))
		switch kind := g.IntN(5); {
		case kind == 0:
			text = append(text, bytes.Repeat([]byte{letter()}, size)...)
		case kind == 1:
			period := make([]byte, 1+g.IntN(4))
			for i := range period {
				period[i] = letter()
			}
			text = append(text, bytes.Repeat(period, size/len(period)+1)[:size]...)
		case kind <= 3 && len(text) > 0:
			from := g.IntN(len(text))
			piece := slices.Clone(text[from:min(len(text), from+size)])
			if g.sometimes(2) {
				piece[g.IntN(len(piece))] = letter()
			}
			text = append(text, piece...)
		default:
			for range min(size, 12) {
				text = append(text, letter())
			}
		}
	}
	return text
}

// texts are some that share passages.
func (g generator) texts(count, most int, alphabet string) [][]byte {
	whole := g.text(2*most, alphabet)
	texts := make([][]byte, count)
	for k := range texts {
		n := g.length(most)
		if g.sometimes(2) {
			from := g.IntN(len(whole) - n + 1)
			texts[k] = slices.Clone(whole[from : from+n])
			for range g.IntN(3) {
				if n > 0 {
					texts[k][g.IntN(n)] = alphabet[g.IntN(len(alphabet))]
				}
			}
			continue
		}
		texts[k] = g.text(n, alphabet)
	}
	return texts
}

// symbols is a text of symbols of so many bytes.
func (g generator) symbols(n, size int) []byte {
	values := make([][]byte, 1+g.IntN(6))
	for i := range values {
		values[i] = make([]byte, size)
		switch g.IntN(4) {
		case 0:
			values[i][0] = byte(g.IntN(3))
		case 1:
			values[i][size-1] = byte(g.IntN(3))
		default:
			for k := range size {
				values[i][k] = byte(g.IntN(256))
			}
		}
	}
	var text []byte
	for _, digit := range g.text(n, allBytes[:len(values)]) {
		text = append(text, values[digit]...)
	}
	return text
}

// records is an input of records, in one of these formats.
func (g generator) records(name string, count, most int, alphabet string, formats ...Format) Input {
	return Input{
		Name: name, Format: formats[g.IntN(len(formats))], CRLF: g.sometimes(4), Open: g.sometimes(4),
		Wrap: g.IntN(3) * 7, Nameless: g.sometimes(8), Texts: g.texts(count, most, alphabet),
	}
}

// other is the other strand, in which letters that are no nucleotides are others.
func other(text []byte, others byte) []byte {
	const from, to = "ACGTURYSWKMBDHVNacgturyswkmbdhvn", "TGCAAYRSWMKVHDBNtgcaayrswmkvhdbn"
	strand := make([]byte, len(text))
	for i, c := range text {
		strand[len(text)-1-i] = others
		if at := bytes.IndexByte([]byte(from), c); at >= 0 {
			strand[len(text)-1-i] = to[at]
		}
	}
	return strand
}
