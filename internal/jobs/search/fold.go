package search

import (
	"slices"
	"sync/atomic"

	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/patternset"
)

// foldingOf is what each byte of a pattern becomes, or patternset.Refused for one that matches nothing; nil where every
// byte matches itself. An index needs none: it knows which symbols match.
func foldingOf(separator int, dna bool) *[256]uint32 {
	if !dna && separator < 0 {
		return nil
	}
	var table [256]uint32
	for c := range table {
		if table[c] = uint32(c); dna || c == separator {
			table[c] = patternset.Refused
		}
	}
	if dna {
		for from, to := range map[byte]uint32{'A': 'A', 'C': 'C', 'G': 'G', 'T': 'T', 'U': 'T'} {
			table[from], table[from|0x20] = to, to
		}
	}
	return &table
}

// foldedDNA is what each byte of a text of DNA is.
var foldedDNA = func() (table [256]byte) {
	for c := range table {
		table[c] = byte(c)
		if 'a' <= c && c <= 'z' {
			table[c] -= 'a' - 'A'
		}
		if table[c] == 'U' {
			table[c] = 'T'
		}
	}
	return table
}()

// foldDNA is a text of DNA in upper case, with T for U: the text itself where it is so, else a copy.
func foldDNA(text []byte) []byte {
	var folds atomic.Bool
	parallel.Do(len(text), 1<<20, func(lo, hi int) {
		if slices.ContainsFunc(text[lo:hi], func(c byte) bool { return foldedDNA[c] != c }) {
			folds.Store(true)
		}
	})
	if !folds.Load() {
		return text
	}
	folded := make([]byte, len(text))
	parallel.Do(len(text), 1<<20, func(lo, hi int) {
		for i, c := range text[lo:hi] {
			folded[lo+i] = foldedDNA[c]
		}
	})
	return folded
}
