package pangenome

import (
	"bytes"

	"github.com/suffixcl/suffixcl/internal/fmd"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/nucleotide"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// codes has the letter of package fmd for each byte: those of bases in upper or lower case, N for all others.
var codes = func() (codes [256]byte) {
	for b := range codes {
		codes[b] = fmd.Letters - 1
	}
	for i, base := range []byte(nucleotide.Bases) {
		codes[base], codes[base|0x20] = byte(i+1), byte(i+1)
	}
	return codes
}()

// Letters are the bytes of the codes of package fmd.
const Letters = "$ACGTN"

// complement is that of a code.
func complement(code byte) byte {
	const n = fmd.Letters - 1
	if code == n {
		return n
	}
	return n - code
}

// strings are the texts of a set as strings of codes, each with a 0 after it: of both strands, or forward alone.
func strings(set *input.Collection, forward bool) []byte {
	strands := 2
	if forward {
		strands = 1
	}
	all := make([]byte, strands*set.Len())
	parallel.Do(set.Count(), max(set.Count()*partBytes/max(set.Len(), 1), 1), func(lo, hi int) {
		for k := lo; k < hi; k++ {
			text := set.Text(k)
			to := all[strands*set.Start(k):]
			for i, b := range text {
				to[i] = codes[b]
			}
			if !forward {
				other := to[len(text)+1:]
				for i := range text {
					other[len(text)-1-i] = complement(to[i])
				}
			}
		}
	})
	return all
}

// partBytes are worth a processor.
const partBytes = 1 << 18

// numbered is what a string takes beside its letters and its end where it is sorted: the digits of its number.
const numbered = 4

// sorted is how many symbols are sorted of strings of codes, or more.
func sorted(codes []byte) int { return len(codes) + numbered*bytes.Count(codes, []byte{0}) }

// Batches cuts strings of codes, each with a 0 after it, into batches of about the same length, each of which has at
// most so many symbols to sort: a longer string is one.
func Batches(codes []byte, most int) (batches [][]byte) {
	for len(codes) > 0 {
		n := len(codes)
		if parts := intmath.CeilDiv(sorted(codes), most); parts > 1 {
			n = batchOf(codes, n/parts, most)
		}
		batches = append(batches, codes[:n])
		codes = codes[n:]
	}
	return batches
}

// batchOf is the length of the first batch, which is about `near`.
func batchOf(codes []byte, near, most int) int {
	n := near + bytes.IndexByte(codes[near:], 0) + 1
	if before := bytes.LastIndexByte(codes[:near], 0) + 1; before > 0 && near-before < n-near {
		n = before
	}
	for sorted(codes[:n]) > most {
		shorter := bytes.LastIndexByte(codes[:n-n/8-1], 0) + 1
		if shorter == 0 {
			return bytes.IndexByte(codes, 0) + 1
		}
		n = shorter
	}
	return n
}

// BothStrands tells whether a collection may be one of both strands, by the numbers of its letters.
func BothStrands(counts [fmd.Letters]uint64) bool {
	return counts[0]%2 == 0 && counts[1] == counts[4] && counts[2] == counts[3]
}
