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
//	sort the suffixes by the first windows of their code                windows, sortWindows
//	if they or a sample of them say that the text repeats: skew          repeats
//	groups, as a bitmap of the slots, and depths                        findUnsorted
//	while it helps: sort each group by the next 56 bits                 extendAll
//	if most is unsorted, in small groups: the rest for 4 suffixes of 13  doubleCover
//	ISA[i] = slot of the first suffix of i's group                      invertSorted
//	while suffixes are unsorted: sort each group by ISA[i + depth of    doubleAll
//	    the group], split it, update ISA; add the depth of the group
//	    that follows
//	of a cover: sort all groups by its ranks
//
// A window has up to 56 bits of code, which determine how many whole symbols are in it: so the depth of a
// group, how many symbols it is sorted by, is known. Symbols of equal length, as the 2 bits of DNA, are
// packed beforehand, and fewer bits sorted: 8 more than the length of the text has. Where memory is short, or the
// text packed, the first sort is by 8 bytes a suffix, which hold it and as many bits as there is room for beside it.
//
// There is no symbol for the end of the text; zeros are behind it. All sorts are stable and
// the first one starts from the last suffix, so of suffixes that agree the shorter one is in
// front, as it should, and one whose depth reaches the end is in its place.
//
// Only suffixes that share a group go on. Small groups, of up to tune.Groups.Limit suffixes, take a round in one
// kernel, which gathers the keys, sorts by counting in local memory, and writes the suffixes to
// their slots: either work-groups look for them in the bitmap, or there is a list of their places, slot, depth, and
// whether it is the first of its group; it lists the places that are left, in any order. Lists need room, and
// are faster where little is left. Large groups stay in order in a list of their own, as many at a time as there
// is room for, are sorted by package segsort, and join
// the small ones when they fall apart.
//
// RunBWT makes the Burrows-Wheeler transform, too; of packed text the first sort brings the symbols
// along, and most suffixes are not looked up again.
//
// docs/sorting.md has a figure of the data flow, what each phase moves, and what was
// measured.
//
// Memory, in bytes a character: 4 for the result, 1 for the text. Lean, the sorter takes 12.2 for what the first sort
// needs beside the result, which later is the ISA (4), ranks behind and lists (4.2 + 2) and depths (2); half a byte each for
// packed text and classes, 0.3 for bitmaps, 0.4 for suffixes of large groups, 0.1 for the end of a
// periodic text, 0.2 for the radix sort: 14.3 on devices of GPU shape. Skew gets that memory when it is needed (12.2). Else
// lists have room for all, 20 bytes for each suffix, or 40 in large groups, of which there is room for half as many, and the
// first sort is by longer keys: 48, where skew works, too.
package suffixsort
