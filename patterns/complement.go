package patterns

import (
	"slices"

	"github.com/suffixcl/suffixcl/internal/nucleotide"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// manyBytes of patterns are worth another processor.
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

// strandOf is what stands on the other strand.
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
