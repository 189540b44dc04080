package gate

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
)

// bothStrands are the strings of codes of records of FASTA: each, and its reverse complement.
func bothStrands(records [][]uint64) (all [][]byte) {
	for _, symbols := range records {
		var forward, reverse []byte
		for _, c := range symbols {
			code := byte(5)
			if at := strings.IndexByte("ACGT", byte(c)&^0x20); at >= 0 {
				code = byte(at + 1)
			}
			forward = append(forward, code)
		}
		for _, code := range slices.Backward(forward) {
			reverse = append(reverse, []byte{0, 4, 3, 2, 1, 5}[code])
		}
		all = append(all, forward, reverse)
	}
	return all
}

// transformOf is the transform of strings by definition: $ of string i is before that of string j for i < j.
func transformOf(texts [][]byte) (transform []byte) {
	type suffix struct{ of, at int }
	var all []suffix
	for i, s := range texts {
		for at := range len(s) + 1 {
			all = append(all, suffix{i, at})
		}
	}
	slices.SortFunc(all, func(a, b suffix) int {
		return cmp.Or(bytes.Compare(texts[a.of][a.at:], texts[b.of][b.at:]), cmp.Compare(a.of, b.of))
	})
	for _, s := range all {
		transform = append(transform, append([]byte{0}, texts[s.of]...)[s.at])
	}
	return transform
}
