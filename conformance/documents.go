package conformance

import (
	"cmp"
	"slices"
)

// ReferenceDocuments returns the suffix array, the LCP array and the document array of a set of texts, by definition:
// each text is followed by a terminator, smaller than all letters; terminators are ordered by the number of their text.
// Positions count letters and terminators of the texts one after the other. It sorts by comparing suffixes: for small
// sets.
func ReferenceDocuments(texts [][]byte) (sa, lcp, documents []uint32) {
	type suffix struct {
		position, text uint32
		letters        []byte // before the terminator
	}
	all := []suffix{}
	position := uint32(0)
	for k, text := range texts {
		for i := range len(text) + 1 {
			all = append(all, suffix{position, uint32(k), text[i:]})
			position++
		}
	}
	slices.SortFunc(all, func(a, b suffix) int {
		return cmp.Or(slices.Compare(a.letters, b.letters), cmp.Compare(a.text, b.text))
	})
	sa, lcp, documents = make([]uint32, len(all)), make([]uint32, len(all)), make([]uint32, len(all))
	for j, s := range all {
		sa[j], documents[j] = s.position, s.text
		if j == 0 {
			continue
		}
		before := all[j-1].letters
		for int(lcp[j]) < min(len(before), len(s.letters)) && before[lcp[j]] == s.letters[lcp[j]] {
			lcp[j]++
		}
	}
	return sa, lcp, documents
}
