package distributed

import "math/bits"

// countBits hold the number of characters of a window; the others the characters.
const countBits = 6

// maxWindow is the most characters of a window.
var maxWindow = 64 - countBits

// coding packs characters into windows of 64 bits.
type coding struct {
	code   [256]uint8 // of each byte of the text, in their order
	width  int        // bits of a code
	length int        // characters of a window, at least 7
}

// newCoding is that of a text whose blocks the ranks have: as few bits as its alphabet takes.
func (r *rank) newCoding(block []byte) (*coding, error) {
	var seen [256]bool
	for _, b := range block {
		seen[b] = true
	}
	all, err := gathered(r, seen)
	if err != nil {
		return nil, err
	}
	c, symbols := &coding{}, 0
	for b := range 256 {
		some := false
		for _, s := range all {
			some = some || s[b]
		}
		if some {
			c.code[b] = uint8(symbols)
			symbols++
		}
	}
	c.width = max(1, bits.Len(uint(max(symbols, 1)-1)))
	c.length = min((64-countBits)/c.width, maxWindow)
	return c, nil
}

// at is the window of the characters from i on: the first in the high bits, and in the low ones how many there are, so
// that a text that ends comes before one that goes on with the smallest symbol.
func (c *coding) at(text []byte, i uint64) uint64 {
	n := uint64(len(text))
	count := min(uint64(c.length), n-min(i, n))
	var w uint64
	for k, b := range text[min(i, n):][:count] {
		w |= uint64(c.code[b]) << (64 - (k+1)*c.width)
	}
	return w | count
}

// each calls f with the windows of the first n characters, from the last to the first.
func (c *coding) each(text []byte, n int, f func(i int, window uint64)) {
	mask := ^uint64(0) << (64 - c.length*c.width)
	var w uint64
	for i := len(text) - 1; i >= 0; i-- {
		w = (w>>c.width | uint64(c.code[text[i]])<<(64-c.width)) & mask
		if i < n {
			f(i, w|uint64(min(c.length, len(text)-i)))
		}
	}
}
