package ranges

import (
	"context"
	"math/bits"

	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// pieceOf is how many of n characters are copied to the device at a time: their codes are whole words.
func pieceOf(n int) int { return min(intmath.RoundUp(intmath.CeilDiv(n, 32), 64), 16<<20) }

// code has the number of each byte among those that occur. It keeps the order.
type code struct {
	table [256]uint32
	width int // bits of a character
}

// Width is the number of bits that the characters of a text take on the device: 1 for up to 2 different bytes, 2 for up
// to 4, 8 for more than 128.
func Width(text []byte) int { return newCode(text).width }

func newCode(text []byte) (c code) {
	const pieces = 64
	var present [pieces][256]bool
	step := max(intmath.CeilDiv(len(text), pieces), 1)
	parallel.Do(intmath.CeilDiv(len(text), step), 1, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			for _, b := range text[k*step : min(k*step+step, len(text))] {
				present[k][b] = true
			}
		}
	})
	sigma := uint32(0)
	for b := range c.table {
		c.table[b] = sigma
		for k := range present {
			if present[k][b] {
				sigma++
				break
			}
		}
	}
	c.width = widthOf(int(sigma))
	return c
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

// bits of a window.
func (w windows) bits() int { return w.chars*w.width + w.countBits }

// of is the window of the suffix at i.
func (w windows) of(text []byte, c *code, i int) (window uint64) {
	end := min(i+w.chars, len(text))
	for j := i; j < i+w.chars; j++ {
		window <<= w.width
		if j < end {
			window |= uint64(c.table[text[j]])
		}
	}
	return window<<w.countBits | uint64(end-i)
}

// packedWords is the number of words of n characters, with the zeros after them.
func packedWords(n, width int) int { return intmath.CeilDiv(n*width, 64) + 2 }

// load packs the text on the device, piece by piece.
func (r *run[P]) load(ctx context.Context) error {
	s, k := r.session, &r.kernels
	text, m := r.text, r.memory
	piece, packed, table := m.piece.Buffer(s), m.packed.Buffer(s), m.table.Buffer(s)
	if err := table.Write(r.code.table[:]); err != nil {
		return err
	}
	if err := m.cover.Buffer(s).Write(r.cover.table()); err != nil {
		return err
	}
	words, length := packedWords(len(text), r.shape.width), pieceOf(r.n)
	for at := 0; at < words; {
		from := min(at*64/r.shape.width, len(text))
		part := text[from:min(from+length, len(text))]
		if err := piece.Upload(ctx, part, nil); err != nil {
			return err
		}
		end := words
		if from+len(part) < len(text) {
			end = at + length/64*r.shape.width
		}
		k.pack.Launch(k.tiles(end-at), int64(len(part))+8*int64(end-at),
			piece, uint64(len(part)), table, uint32(r.shape.width), uint64(at), uint64(end-at), packed)
		at = end
	}
	return s.Check(ctx)
}
