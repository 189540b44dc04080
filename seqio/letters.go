package seqio

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"sync/atomic"

	"github.com/suffixcl/suffixcl/internal/nucleotide"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// noLetter stands in alphabet.letters for bytes that are no letters of the alphabet.
const noLetter = 0x80

// alphabet says what becomes of the bytes of a sequence.
type alphabet struct {
	letters [256]byte // what each byte becomes
	bases   bool      // the usual letters are A, C, G and T, else A to Z; in both cases
	upper   uint64    // the bits of eight usual letters that folding takes away
}

func newAlphabet(o Options) *alphabet {
	a := &alphabet{bases: o.DNA}
	for c := range a.letters {
		a.letters[c] = noLetter
	}
	letter := func(upper, becomes byte) {
		lower := upper | 0x20
		a.letters[upper], a.letters[lower] = becomes, becomes|0x20
		if o.Upper {
			a.letters[lower] = becomes
		}
	}
	if o.Upper {
		a.upper = 0x20 * eachByte
	}
	if o.DNA {
		for _, c := range []byte(nucleotide.Bases + nucleotide.Ambiguous) {
			letter(c, c)
		}
		letter('U', 'T')
		return a
	}
	for c := byte('A'); c <= 'Z'; c++ {
		letter(c, c)
	}
	for _, c := range []byte("*-.") {
		a.letters[c] = c
	}
	return a
}

// Of eight bytes in a word: one in each of them, and their high bits.
const (
	eachByte = 0x0101010101010101
	highBits = 0x80 * eachByte
)

// eight is the first eight bytes, the first one lowest. Zeros stand for those that are not there.
func eight(data []byte) uint64 {
	if len(data) >= 8 {
		return binary.LittleEndian.Uint64(data)
	}
	return few(data)
}

func few(data []byte) (word uint64) {
	for i, c := range data {
		word |= uint64(c) << (8 * i)
	}
	return word
}

// first is the place of the first of eight bytes that a word marks; 8 if it marks none.
func first(marks uint64) int { return bits.TrailingZeros64(marks) / 8 }

// notBases marks the bytes of a word that are not A, C, G or T, in either case. These are 0x41, 0x43, 0x47 and 0x54: T
// is the one whose third bit is set and whose second is not.
func notBases(word uint64) uint64 {
	t := word >> 2 &^ (word >> 1) & eachByte
	return word&(0xd9*eachByte) ^ 'A'*eachByte ^ t*('A'^'T'&^0x04)
}

// notLetters marks the bytes of a word that are not A to Z, in either case.
func notLetters(word uint64) uint64 {
	small := (word | 0x20*eachByte) &^ highBits
	fromA := small + (0x80-'a')*eachByte // the high bits of bytes from 'a' on
	aboveZ := small + (0x7f-'z')*eachByte
	return ^(fromA &^ (aboveZ | word)) & highBits
}

// copy writes the letters that some bytes begin with, as many as there is room for, and returns their number. After
// them it may overwrite the room.
func (a *alphabet) copy(to, from []byte) int {
	n := 0
	for len(to)-n >= 8 {
		word := eight(from[n:])
		var others uint64
		if a.bases {
			others = notBases(word)
		} else {
			others = notLetters(word)
		}
		binary.LittleEndian.PutUint64(to[n:], word&^a.upper)
		if others == 0 { // a branch, as the next step need not wait for it
			n += 8
			continue
		}
		if n += first(others); n == len(from) || a.letters[from[n]] == noLetter {
			return n
		}
		n += a.copyFew(to[n:], from[n:])
	}
	return n + a.copyFew(to[n:], from[n:])
}

// copyFew is copy for at most eight letters, also for unusual ones.
func (a *alphabet) copyFew(to, from []byte) int {
	n := 0
	for ; n < min(len(to), len(from), 8); n++ {
		letter := a.letters[from[n]]
		if letter == noLetter {
			break
		}
		to[n] = letter
	}
	return n
}

// longLine is worth several processors.
const longLine = 4 * partBytes

// all calls f for pieces of a range that is worth it, on several processors, and reports whether all are right.
func all(n int, f func(from, to int) bool) bool {
	var wrong atomic.Bool
	parallel.Do(n, partBytes, func(from, to int) {
		if !f(from, to) {
			wrong.Store(true)
		}
	})
	return !wrong.Load()
}

// The symbols of qualities.
const (
	leastQuality = '!'
	mostQuality  = '~'
)

// symbolsOfQuality is how many of them some bytes begin with, up to a number.
func symbolsOfQuality(data []byte, most int) int {
	for n := 0; n < most; n += 8 {
		word := eight(data[n:])
		below := (word - leastQuality*eachByte) &^ word
		above := word + (0x7f-mostQuality)*eachByte | word
		if wrong := (below | above) & highBits; wrong != 0 {
			return min(n+first(wrong), most)
		}
	}
	return most
}

// headerBytes is how many bytes that a header may have some bytes begin with, and the place of the first blank or tab
// of them, or -1.
func headerBytes(data []byte) (n, blank int) {
	blank = -1
	for ; ; n += 8 {
		word := eight(data[n:])
		low := word &^ highBits
		marks := (^(low + (0x7f-' ')*eachByte) | (low + eachByte)) &^ word & highBits // bytes up to ' ', and 0x7f
		for ; marks != 0; marks &= marks - 1 {
			at := n + first(marks)
			if at >= len(data) || data[at] != ' ' && data[at] != '\t' {
				return min(at, len(data)), blank
			}
			if blank < 0 {
				blank = at
			}
		}
	}
}

// isVisible is false for blanks, and for bytes that may be of other spaces.
func isVisible(c byte) bool { return c > ' ' && c < 0x7f }

func symbolName(c byte) string {
	if isVisible(c) {
		return fmt.Sprintf("symbol %q", c)
	}
	return fmt.Sprintf("byte %#02x", c)
}

// endOfLine reports whether a line ends at a place, and returns the place after its end. ended is whether the bytes are
// the last ones.
func endOfLine(data []byte, at int, ended bool) (next int, ok bool) {
	if at < len(data) && data[at] == '\n' {
		return at + 1, true
	}
	if at < len(data) && data[at] == '\r' {
		if at++; at < len(data) && data[at] == '\n' {
			return at + 1, true
		}
	}
	return at, ended && at == len(data)
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
