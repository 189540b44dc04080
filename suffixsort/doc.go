// Package suffixsort sorts suffixes by windows of coded text, and uses what it learns of
// the text on the way. The parts are known: an optimal alphabetic code (A. Garsia & M.
// Wachs, A new algorithm for minimum cost binary trees, SIAM J. Comput. 6(4), 1977), radix
// and segmented sorts, prefix doubling inside groups that keep depths of their own (N.
// Larsson & K. Sadakane, Faster suffix sorting, 1999/2007), and groups treated by their size
// (GPU-LS). That only groups at the ends of chains have to be sorted is for suffixes what irreducible values are for
// LCP arrays (J. Karkkainen, G. Manzini & S. Puglisi, Permuted longest-common-prefix array, CPM 2009).
//
//	count the bytes; make an order-preserving code                      makeCode
//	if the text is periodic: sort its end alone, expand that (periodic)  sortPeriodic
//	sort the suffixes by the first windows of their code                sortFirst
//	groups, as a bitmap of the slots, and depths                        findUnsorted
//	sort each group by the next 56 bits, where that pays                extend
//	ISA[i] = slot of the first suffix of i's group                      invert
//	groups that end a chain; their suffixes, in order                   findRepresentatives
//	    if there is no room for these: extend again; at last skew
//	while they are unsorted: sort each group by the rank of where the   doubling.sort
//	    chain of what is behind it ends, and of where that goes on
//	give each group the order of the end of its chain                   sortRepresentatives
//
// A window has up to 56 bits of code, which determine how many whole symbols are in it: so the depth of a
// group, how many symbols it is sorted by, is known. Symbols of equal length, as the 2 bits of DNA, are
// packed beforehand, and fewer bits sorted: 8 more than the length of the text has. The first sort is by 8 bytes a suffix, which
// hold it and up to 40 bits.
//
// There is no symbol for the end of the text; zeros are behind it. All sorts are stable and
// the first one starts from the last suffix, so of suffixes that agree the shorter one is in
// front, as it should, and one whose depth reaches the end is in its place.
//
// Only suffixes that share a group go on, and of these only those in groups whose order does not follow from another's: if the
// suffixes one character behind those of a group are a whole group, the two have the same order.
// Small groups, of up to tune.Groups.Limit suffixes, take a round in one
// kernel, which looks for them in the bitmap, gathers the keys, sorts by counting in local memory, and writes the suffixes to
// their slots. Large groups are listed, as many at a time as there
// is room for, and sorted by package segsort.
//
// RunBWT makes the Burrows-Wheeler transform, too; of packed text the first sort brings the symbols
// along, and most suffixes are not looked up again.
//
// docs/sorting.md has a figure of the data flow, what each phase moves, and what was
// measured.
//
// Memory, in bytes a character: 4 for the result, 1 for the text, 12 for what the first sort
// needs beside the result, which later are lists, the ISA (4), what is known of representatives (7 words for each of a fourth of the suffixes)
// and depths (2); 0.5 for packed text, 0.9 for groups, of all and of representatives, 0.1 for the end of a periodic text, 0.4 for scans
// and sorts: 13.9 on devices of GPU shape. Skew gets that memory when it is needed (12.2).
package suffixsort
