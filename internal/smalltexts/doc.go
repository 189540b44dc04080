// Package smalltexts sorts the suffixes of texts of up to 64 KiB, many of them in one launch. The host reads nothing
// meanwhile.
//
// The method is prefix doubling (Manber & Myers, Suffix arrays: a new method for on-line string searches, 1990) of the
// suffixes that are not sorted yet (Larsson & Sadakane, Faster suffix sorting, 2007). docs/design/smalltexts.md tells
// how it is fitted to a work-group.
//
// On GPU-shaped devices a work-group sorts a text. A text of up to a tile stays in local memory. A longer one is sorted
// tile by tile, and the tiles are merged in global memory. On CPU-shaped devices a work-item sorts a text.
//
// # Passes
//
// Bytes of device memory: of a character, or of a suffix that a round begins with. h is the ranks that a word has; k is
// log2 of the tiles of a text. A batch takes one launch; where words are in global memory, one for each as many texts as
// there is memory for.
//
//	step                     of         reads           writes
//	text in local memory
//	  all                    character  2               4
//	  all, of a transform    character  3               1
//	text in global memory
//	  numbers, first words   character  2 + 2           2 + 8
//	  merges (GPU)           suffix     8 k             8 k
//	  ranks, list            suffix     8               2 + 8
//	  later words            suffix     8 + 2 h         8
//	  suffix array           character  2               4
//	  transform              character  2 + 1           1
//
// Time: O(log n) rounds; in each the suffixes that are left are sorted. A text of one character, the worst case, takes
// log n / log (hops + 1) rounds of nearly all suffixes; hops is 1 to 8.
package smalltexts
