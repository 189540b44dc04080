package patterns

import (
	"math"
	"slices"

	"github.com/suffixcl/suffixcl/internal/nucleotide"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// manyBytes is how many bytes of patterns are worth another processor.
const manyBytes = 1 << 18

// ReverseComplement fills c with the other strand of each pattern of b. Bytes that are no nucleotide code
// stay as they are.
func (b *Batch) ReverseComplement(c *Batch) {
	c.Reset()
	c.Offsets = append(c.Offsets, b.Offsets...)
	c.Text = slices.Grow(c.Text, len(b.Text))[:len(b.Text)]
	if b.Len() == 0 {
		return
	}
	perPattern := max(len(b.Text)/b.Len(), 1)
	parallel.Do(b.Len(), manyBytes/perPattern+1, func(lo, hi int) {
		for q := lo; q < hi; q++ {
			p := b.Pattern(q)
			other := c.Text[b.Offsets[q]:b.Offsets[q+1]]
			for i, base := range p {
				other[len(p)-1-i] = strandOf[base]
			}
		}
	})
}

// Pair fills to with patterns from to end-1 of b and of c, in turns: those of b are first. Patterns of the same number
// have the same length, as ReverseComplement makes them. Errors: as Add.
func (b *Batch) Pair(c, to *Batch, from, end int) error {
	text, others := b.Text[b.Offsets[from]:b.Offsets[end]], c.Text[c.Offsets[from]:c.Offsets[end]]
	if uint64(len(text))+uint64(len(others)) > math.MaxUint32 {
		return errTooLong()
	}
	to.Reset()
	to.SymbolBytes = b.SymbolBytes
	to.Text = slices.Grow(to.Text, len(text)+len(others))[:len(text)+len(others)]
	to.Offsets = slices.Grow(to.Offsets, 2*(end-from)+1)[:2*(end-from)+1]
	to.Offsets[0] = 0
	perPattern := max(len(text)/max(end-from, 1), 1)
	parallel.Do(end-from, manyBytes/perPattern+1, func(lo, hi int) {
		for q := lo; q < hi; q++ {
			here, other := b.Pattern(from+q), c.Pattern(from+q)
			start := 2 * (b.Offsets[from+q] - b.Offsets[from])
			middle := start + uint32(len(here))
			to.Offsets[2*q+1], to.Offsets[2*q+2] = middle, middle+uint32(len(other))
			copy(to.Text[start:], here)
			copy(to.Text[middle:], other)
		}
	})
	return nil
}

// strandOf has for each byte the one on the other strand.
var strandOf = func() (table [256]byte) {
	for c := range table {
		other, ok := nucleotide.Complement(byte(c))
		if !ok {
			other = byte(c)
		}
		table[c] = other
	}
	return table
}()
