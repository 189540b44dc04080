// Package nucleotide knows the one-letter codes of nucleic acids and their complements (IUPAC;
// Cornish-Bowden 1985).
package nucleotide

const (
	// Bases are the codes of one base each. U stands for T.
	Bases = "ACGT"
	// Ambiguous are the codes of several bases, N of any.
	Ambiguous = "RYSWKMBDHVN"
)

// Complement returns the code of the bases that pair with those of c, in the case of c. U pairs with A, A
// with T. ok is false for bytes that are no code.
func Complement(c byte) (complement byte, ok bool) {
	complement = complements[c]
	return complement, complement != 0
}

var complements = func() (table [256]byte) {
	const codes, paired = Bases + "U" + Ambiguous, "TGCA" + "A" + "YRSWMKVHDBN"
	for i := range codes {
		table[codes[i]], table[codes[i]|0x20] = paired[i], paired[i]|0x20
	}
	return table
}()
