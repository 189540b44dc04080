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
// Time: O(log n) rounds; in each the suffixes that are left are sorted. A text of one character, the worst case, takes
// log n / log (hops + 1) rounds of nearly all suffixes; hops is 1 to 8.
package smalltexts
