package patterns

// complements are those of the nucleotide codes of IUPAC; other bytes stay.
var complements = func() (table [256]byte) {
	for c := range table {
		table[c] = byte(c)
	}
	for _, pair := range []string{"AT", "CG", "RY", "KM", "BV", "DH"} {
		for _, lower := range []byte{0, 0x20} {
			table[pair[0]|lower], table[pair[1]|lower] = pair[1]|lower, pair[0]|lower
		}
	}
	table['U'], table['u'] = 'A', 'a'
	return table
}()

// ReverseComplement fills c with the other strand of each pattern of b.
func (b *Batch) ReverseComplement(c *Batch) {
	c.Reset()
	c.Offsets = append(c.Offsets, b.Offsets...)
	for q := range b.Len() {
		p := b.Pattern(q)
		for i := len(p) - 1; i >= 0; i-- {
			c.Text = append(c.Text, complements[p[i]])
		}
	}
}
