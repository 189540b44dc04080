package nucleotide

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// meaning is what each code stands for.
var meaning = map[byte]string{
	'A': "A", 'C': "C", 'G': "G", 'T': "T", 'U': "T",
	'R': "AG", 'Y': "CT", 'S': "CG", 'W': "AT", 'K': "GT", 'M': "AC",
	'B': "CGT", 'D': "AGT", 'H': "ACT", 'V': "ACG", 'N': "ACGT",
}

// The complement of a code stands for the complements of its bases; nothing else has one.
func TestComplement(t *testing.T) {
	pair := map[rune]rune{'A': 'T', 'C': 'G', 'G': 'C', 'T': 'A'}
	for c := range 256 {
		upper := byte(c)
		if 'a' <= upper && upper <= 'z' {
			upper -= 'a' - 'A'
		}
		got, ok := Complement(byte(c))
		bases, code := meaning[upper]
		require.Equal(t, code, ok, "%q", c)
		if !code {
			require.Zero(t, got)
			continue
		}
		paired := strings.Map(func(b rune) rune { return pair[b] }, bases)
		require.ElementsMatch(t, []byte(paired), []byte(meaning[got&^0x20]), "%q", c)
		require.Equal(t, byte(c)&0x20, got&0x20, "case of %q", c)
	}
	require.Len(t, meaning, len(Bases)+1+len(Ambiguous))
}
