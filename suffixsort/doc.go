// Package suffixsort sorts suffixes by windows of coded text, and uses what it learns of
// the text on the way. The parts are known: an optimal alphabetic code (A. Garsia & M.
// Wachs, A new algorithm for minimum cost binary trees, SIAM J. Comput. 6(4), 1977), radix
// and segmented sorts, prefix doubling inside groups that keep depths of their own (N.
// Larsson & K. Sadakane, Faster suffix sorting, 1999/2007), groups treated by their size
// (GPU-LS), difference covers (S. Burkhardt & J. Karkkainen, Fast lightweight suffix array
// construction and checking, CPM 2003), and skew for texts in which nearly everything repeats
// (package skew).
//
//	count the bytes; make an order-preserving code                      makeCode
//	if the text is periodic: sort its end alone, expand that (periodic)  sortPeriodic
//	sort the suffixes by the first 56 bits of their code                windows, sortPart
//	if they or a sample of them say that the text repeats: skew          repeats
//	groups, as a bitmap of the slots, and depths; lists of them          findUnsorted, eachList
//	while it helps: sort each group by the next 56 bits                 extendGroups
//	if most is unsorted, in small groups: the rest for 4 suffixes of 13  doubleCover
//	ISA[i] = slot of the first suffix of i's group                      invertSorted
//	while suffixes are unsorted: sort each group by ISA[i + depth of    doubleGroups
//	    the group], split it, update ISA; add the depth of the group
//	    that follows
//	of a cover: sort all groups by its ranks
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
// Only suffixes that share a group go on, as places: slot, depth, and whether it is the
// first of its group. Small groups, of up to tune.Groups.Limit suffixes, take a round in one
// kernel, which gathers the keys, sorts by counting in local memory, writes the suffixes to
// their slots, and lists the places that are left; their order in the list does not matter.
// Large groups stay in order in a list of their own, are sorted by package segsort, and join
// the small ones when they fall apart.
//
// RunBWT makes the Burrows-Wheeler transform, too; of packed text the first sort brings the symbols
// along, and most suffixes are not looked up again.
//
// docs/sorting.md has a figure of the data flow, what each phase moves, and what was
// measured.
//
// Options.Parts has the suffixes sorted in parts, by ranges of their first bits, one after the
// other up to the extension, and as long as the lists do not hold all that is unsorted in every
// round of doubling, too.
//
// Memory: 4 bytes a character for the result, 1 for the text. The sorter takes 4 for the ISA, 2 for
// depths, 0.25 for bitmaps, half a byte each for packed text and the suffix array of a period. For
// each suffix of a part it takes two words of 8 bytes for keys and places, 4 bytes for suffixes, 0.5
// for classes and about 0.6 for the sorts; for each that there is room for in large groups 37, of which
// 4 are packed text's. At once, a part is all, and large groups are half of it (of texts beyond 2^30 a
// fifth): 46 on devices of GPU shape, and 35 beyond 2^30. Skew works in the same memory. In 5 parts,
// with a fifth of one in large groups, it takes 13.8, 1 of which are the suffixes of a difference cover;
// skew gets the memory when it is needed.
package suffixsort
