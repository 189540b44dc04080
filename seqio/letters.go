package seqio

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"sync/atomic"

	"github.com/suffixcl/suffixcl/internal/nucleotide"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// Kinds of symbols, besides the byte that a symbol becomes.
const (
	wrong = -1
	blank = -2
)

// symbols tells for each byte of a sequence what it becomes.
func (o Options) symbols() *[256]int16 {
	var table [256]int16
	for c := range table {
		table[c] = wrong
	}
	table[' '], table['\t'] = blank, blank
	letter := func(upper byte, becomes byte) {
		lower := upper | 0x20
		table[upper], table[lower] = int16(becomes), int16(becomes|0x20)
		if o.Upper {
			table[lower] = int16(becomes)
		}
	}
	if o.DNA {
		for _, c := range []byte(nucleotide.Bases + nucleotide.Ambiguous) {
			letter(c, c)
		}
		letter('U', 'T')
		return &table
	}
	for c := byte('A'); c <= 'Z'; c++ {
		letter(c, c)
	}
	for _, c := range []byte("*-.") {
		table[c] = int16(c)
	}
	return &table
}

// noLetter stands in alphabet.letters for bytes that are no letters of the alphabet.
const noLetter = 0x80

// alphabet says what becomes of the bytes of a sequence.
type alphabet struct {
	symbols *[256]int16
	letters [256]byte // the same; noLetter for what is wrong or blank
	stay    bool      // A to Z and a to z are letters as they are
	bases   bool      // A, C, G and T are letters, in both cases
	upper   uint64    // the bits of eight bytes that folding takes away
}

func newAlphabet(o Options) *alphabet {
	a := &alphabet{symbols: o.symbols(), stay: !o.DNA && !o.Upper, bases: o.DNA}
	if o.Upper {
		a.upper = 0x20 * eachByte
	}
	for c, s := range a.symbols {
		if a.letters[c] = noLetter; s >= 0 {
			a.letters[c] = byte(s)
		}
	}
	return a
}

// Of eight bytes in a word: one in each of them, and their high bits.
const (
	eachByte = 0x0101010101010101
	highBits = 0x80 * eachByte
)

// areBases reports whether eight bytes are A, C, G and T, in either case: whether each is the one of these four with
// its second and third bit.
func areBases(word uint64) bool {
	c, t := word>>1&eachByte, word>>2&eachByte
	return word&^(0x20*eachByte) == 'A'*eachByte+c*('C'-'A')+t*('T'-'A')-(c&t)*('C'+'T'-'A'-'G')
}

// longLine is worth several processors.
const longLine = 4 * partBytes

// append appends the letters of a line. at is the place of the first byte that is wrong, or -1.
func (a *alphabet) append(to, line []byte) (all []byte, at int) {
	if cap(to)-len(to) < len(line) { // a call for each short line would take long
		to = grow(to, len(line))
	}
	out := to[len(to):][:len(line)]
	if len(line) >= longLine {
		if a.convertLong(out, line) {
			return to[:len(to)+len(line)], -1
		}
	} else if a.convert(out, line) {
		return to[:len(to)+len(line)], -1
	}
	return a.appendSome(to, line)
}

// convertLong is convert on several processors.
func (a *alphabet) convertLong(to, line []byte) bool {
	var other atomic.Bool
	parallel.Do(len(line), partBytes, func(lo, hi int) {
		if !a.convert(to[lo:hi], line[lo:hi]) {
			other.Store(true)
		}
	})
	return !other.Load()
}

// convert writes the letters of a line that has nothing else; false if it has.
func (a *alphabet) convert(to, line []byte) bool {
	if a.stay {
		same := copyLetters(to, line)
		to, line = to[same:], line[same:]
	}
	seen := byte(0)
	for ; len(line) >= 8 && len(to) >= 8; line, to = line[8:], to[8:] {
		word := binary.LittleEndian.Uint64(line)
		if a.bases && areBases(word) {
			binary.LittleEndian.PutUint64(to, word&^a.upper)
			continue
		}
		for i, c := range line[:8] {
			s := a.letters[c]
			to[i] = s
			seen |= s
		}
	}
	for i, c := range line {
		s := a.letters[c]
		to[i] = s
		seen |= s
	}
	return seen&noLetter == 0
}

// appendSome appends the letters of a line without blanks.
func (a *alphabet) appendSome(to, line []byte) (all []byte, at int) {
	for i, c := range line {
		switch s := a.symbols[c]; {
		case s >= 0:
			to = append(to, byte(s))
		case s == wrong:
			return to, i
		}
	}
	return to, -1
}

// copyLetters copies the letters that a line begins with, eight at a time, and returns their number.
func copyLetters(to, line []byte) int {
	n := 0
	for ; len(line)-n >= 8; n += 8 {
		word := binary.LittleEndian.Uint64(line[n:])
		small := word | 0x20*eachByte
		fromA := small&^highBits + (0x80-'a')*eachByte // the high bits of bytes from 'a' on
		aboveZ := small&^highBits + (0x7f-'z')*eachByte
		if fromA&^(aboveZ|word)&highBits != highBits {
			break
		}
		binary.LittleEndian.PutUint64(to[n:], word)
	}
	return n
}

// The symbols of qualities.
const (
	leastQuality = '!'
	mostQuality  = '~'
)

// wrongQuality is the place of the first byte that is no symbol of a quality, or -1.
func wrongQuality(line []byte) int {
	n := 0
	for ; len(line)-n >= 8; n += 8 {
		word := binary.LittleEndian.Uint64(line[n:])
		below := (word - leastQuality*eachByte) &^ word
		above := word + (0x7f-mostQuality)*eachByte | word
		if (below|above)&highBits != 0 {
			break
		}
	}
	for i, c := range line[n:] {
		if c < leastQuality || c > mostQuality {
			return n + i
		}
	}
	return -1
}

// zeros marks the high bits of the bytes of a word that are 0: of the first one surely, and of none before it.
func zeros(word uint64) uint64 { return (word - eachByte) &^ word & highBits }

// wrongInHeader is the place of the first byte that no header has, or -1.
func wrongInHeader(line []byte) int {
	n := 0
	for ; len(line)-n >= 8; n += 8 {
		word := binary.LittleEndian.Uint64(line[n:])
		if below := (word - ' '*eachByte) &^ word & highBits; below|zeros(word^0x7f*eachByte) == 0 {
			continue
		}
		if at := wrongOfFew(line[n : n+8]); at >= 0 {
			return n + at
		}
	}
	if at := wrongOfFew(line[n:]); at >= 0 {
		return n + at
	}
	return -1
}

func wrongOfFew(line []byte) int {
	for i, c := range line {
		if c < ' ' && c != '\t' || c == 0x7f {
			return i
		}
	}
	return -1
}

func symbolName(c byte) string {
	if c > ' ' && c < 0x7f {
		return fmt.Sprintf("symbol %q", c)
	}
	return fmt.Sprintf("byte %#02x", c)
}

// lineAt is the line of some bytes that begins at a place, without its end, and the place after it. Where no end is
// there, ended says whether the bytes are the last ones.
func lineAt(data []byte, at int, ended bool) (line []byte, next int) {
	if n := bytes.IndexByte(data[at:], '\n'); n >= 0 {
		line, next = data[at:at+n], at+n+1
	} else if line, next = data[at:], len(data); !ended {
		return line, next
	}
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return line, next
}

// lastLine is the place after the last end of a line, or -1. It is as fast as a search forwards.
func lastLine(data []byte) int {
	const step = 1 << 12
	for end := len(data); end > 0; end -= step {
		from := max(end-step, 0)
		at := bytes.IndexByte(data[from:end], '\n')
		if at < 0 {
			continue
		}
		return from + at + bytes.LastIndexByte(data[from+at:end], '\n') + 1
	}
	return -1
}
