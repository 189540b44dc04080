// Package merge merges two sorted sequences stably on the device: where elements
// are equal, those of the first sequence come first.
//
// The method is the merge path (S. Odeh, O. Green, Z. Mwassi, O. Shmueli & Y. Birk,
// Merge Path – parallel merging made simple, 2012; O. Green, R. McColl & D. Bader,
// GPU Merge Path, 2012). In our words: write the merge as a path through the grid of
// A and B, a step right for each element of A, a step down for each of B. Output d
// starts where the path crosses diagonal d, and a binary search on the diagonal finds
// that place without merging what is before.
//
//	for every tile boundary d: split(d) = A's share of the first d outputs   merge_partition
//	for every tile: load its piece of A and of B into local memory;          merge_tiles
//	    each work-item finds its own diagonal there and merges sequentially;
//	    write the tile
//
// # Passes
//
// Bytes are those of one element, with k of key and v of value, or of one tile of t elements.
// A random access counts as a sector of 32 bytes. No count depends on the keys.
//
//	step         kernels           of        reads              writes   launches
//	partition    merge_partition   tile      64 log2(d)         8        1
//	merge        merge_tiles       element   k + v              k + v
//	                               tile      16                          1
//	sum                            element   k + v              k + v    2
//
// d is how many places the search of a tile chooses from: at most the length of the shorter
// sequence. A step of it reads one element of each. With 4,864 elements a tile and 2^20 in the
// shorter sequence the search reads 0.3 bytes an element. A batch of merges, as that of package
// segsort, takes two launches, too. Workspace is 8 bytes for each tile.
//
// [Plan] merges arrays of keys, or of keys and values. [Template] merges whatever a
// kernel file loads, by its own comparison: skew's merge of sample and non-sample
// suffixes is one.
package merge
