package ranges

import (
	"encoding/binary"
	"math/bits"

	"github.com/suffixcl/suffixcl/internal/bitpack"
)

// noCode is in the table for bytes that do not occur: see ranges_lists.cl.
const noCode = bitpack.NoCode

// code has the number of each byte among those that occur. It keeps the order.
type code struct {
	table   [256]uint32
	letters [256]byte // the bytes of the numbers
	width   int       // bits of a character
}

// WidthOf is the width of the characters of a text with these counts of its bytes.
func WidthOf(counts *[256]uint64) int {
	sigma := 0
	for _, count := range counts {
		if count > 0 {
			sigma++
		}
	}
	return widthOf(sigma)
}

// codeOf is the code of a text in which these bytes occur.
func codeOf(present *[256]bool) (c code) {
	sigma := uint32(0)
	for b, has := range present {
		c.table[b] = noCode
		if has {
			c.table[b] = sigma
			c.letters[sigma] = byte(b)
			sigma++
		}
	}
	c.width = widthOf(int(sigma))
	return c
}

// bytesOf tells which bytes occur.
func bytesOf(text []byte) (found [256]bool) {
	for ; len(text) >= 8; text = text[8:] {
		w := binary.LittleEndian.Uint64(text)
		found[byte(w)], found[byte(w>>8)], found[byte(w>>16)], found[byte(w>>24)] = true, true, true, true
		found[byte(w>>32)], found[byte(w>>40)], found[byte(w>>48)], found[byte(w>>56)] = true, true, true, true
	}
	for _, b := range text {
		found[b] = true
	}
	return found
}

func widthOf(sigma int) int { return max(bits.Len(uint(max(sigma, 1)-1)), 1) }

// windows are the shape of windows of characters of so many bits: ranges.cl.
type windows struct {
	width, chars, countBits int
}

func windowsOf(width int) windows {
	chars := 64 / width
	for chars*width+bits.Len(uint(chars)) > 64 {
		chars--
	}
	return windows{width, chars, bits.Len(uint(chars))}
}

// of is the window of the suffix at i of n characters, by its first 64 bits of packed text.
func (w windows) of(bits uint64, i, n int) uint64 {
	return bits>>(64-w.chars*w.width)<<w.countBits | uint64(min(n-i, w.chars))
}
