// Package suffixsort sorts suffixes by windows of coded text, and uses what it learns of
// the text on the way. The parts are known: an optimal alphabetic code (A. Garsia & M.
// Wachs, A new algorithm for minimum cost binary trees, SIAM J. Comput. 6(4), 1977), radix
// and segmented sorts, prefix doubling inside groups that keep depths of their own (N.
// Larsson & K. Sadakane, Faster suffix sorting, 1999/2007), and skew for texts in which
// nearly everything repeats (package skew).
//
//	count the bytes; make an order-preserving code                      makeCode
//	sort the suffixes by the first 56 bits of their code                sortWindows
//	if 9 of 10 are still not alone with their key: skew                 Run
//	while it helps: sort each group by the next 56 bits                 extendUnsorted
//	ISA[i] = slot of the first suffix of i's group                      invertSorted
//	while suffixes are unsorted:                                        double
//	    sort each group by ISA[i + depth of the group]
//	    split it where that differs; update ISA
//	    depth += depth of the group that follows
//
// A key has 56 bits of code, and below them the number of whole symbols in it, which the
// code determines: so the depth of a group, how many symbols it is sorted by, is known
// without decoding. Symbols of equal length, as the 2 bits of DNA, are packed beforehand,
// and fewer bits sorted: 8 more than the length of the text has.
//
// There is no symbol for the end of the text; zeros are behind it. All sorts are stable and
// the first one starts from the last suffix, so of suffixes that agree the shorter one is in
// front, as it should, and one whose depth reaches the end is in its place.
//
// Only suffixes that share a group go on: a compaction drops those that are alone, and
// writes them to their slots of the result. What goes on is a suffix and its place: slot,
// depth, and whether it is the first of its group. Groups of any size are sorted by package
// segsort.
//
// docs/sorting.md has a figure of the data flow, and what each phase moves.
//
// Memory: 4 bytes a character for the result, 1 for the text. The sorter takes three
// buffers of 8 bytes a character for keys and places, two of 4 for suffixes, 4 for the ISA,
// half a byte for packed text, an eighth for heads, and about one for the sorts: 38. On
// devices of CPU shape segsort takes 36 more. Skew takes 18 beside that, unless Options
// rule it out.
package suffixsort
