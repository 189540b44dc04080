package corpus

import (
	"encoding/binary"
	"unicode/utf8"
)

// stride is the number of characters from one place that is noted to the next.
const stride = 1 << 10

// Characters are those of the text of a set.
type Characters struct {
	// Text has 4 bytes a character: its code point, little-endian.
	Text   []byte
	set    *Set
	places []int // bytes of the set's text before every stride-th character
}

// Characters decodes the text: 4 bytes of memory a character. Errors: an *[Error] with the place of the first byte that
// is no UTF-8.
func (s *Set) Characters() (*Characters, error) {
	c := &Characters{set: s, Text: make([]byte, 0, 4*utf8.RuneCount(s.Text))}
	for _, f := range s.Files {
		for at := f.Start; at < f.End; {
			r, size := utf8.DecodeRune(s.Text[at:f.End])
			if r == utf8.RuneError && size <= 1 {
				return nil, s.invalid(at)
			}
			if len(c.Text)%(4*stride) == 0 {
				c.places = append(c.places, at)
			}
			c.Text = binary.LittleEndian.AppendUint32(c.Text, uint32(r))
			at += size
		}
	}
	return c, nil
}

// Place is the byte at which a character begins, or the end of the text.
func (c *Characters) Place(character int) int {
	if 4*character >= len(c.Text) {
		return len(c.set.Text)
	}
	at := c.places[character/stride]
	for range character % stride {
		_, size := utf8.DecodeRune(c.set.Text[at:])
		at += size
	}
	return at
}

// Bounds turns bounds in bytes, which ascend, into bounds in characters.
func (c *Characters) Bounds(bytes []uint64) []uint64 {
	bounds := make([]uint64, len(bytes))
	at, character := 0, uint64(0)
	for i, b := range bytes {
		for at < int(b) {
			_, size := utf8.DecodeRune(c.set.Text[at:])
			at += size
			character++
		}
		bounds[i] = character
	}
	return bounds
}
