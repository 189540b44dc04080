package patterns

import "github.com/suffixcl/suffixcl/internal/nucleotide"

// ReverseComplement fills c with the other strand of each pattern of b. Bytes that are no nucleotide code
// stay as they are.
func (b *Batch) ReverseComplement(c *Batch) {
	c.Reset()
	c.Offsets = append(c.Offsets, b.Offsets...)
	for q := range b.Len() {
		p := b.Pattern(q)
		for i := len(p) - 1; i >= 0; i-- {
			other, ok := nucleotide.Complement(p[i])
			if !ok {
				other = p[i]
			}
			c.Text = append(c.Text, other)
		}
	}
}
