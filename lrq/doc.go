// Package lrq answers longest repeat queries: for every position of a text, the longest
// substring that covers it and occurs more than once, the leftmost such or all of them.
// After Tian & Xu, On longest repeat queries using GPU (2015).
//
// # Symbols
//
//	paper          here                       device
//	Rank, LCP      sa, lcp                    lcp.Plan
//	LLR_i, LLRr    raw                        lrq_raw (Lemma 1)
//	LLRc           starts, upto               LRQ_USEFUL (Flag, Prefix_Sum, copy in one)
//	LR_k           start, length              lrq_leftmost, lrq_count, lrq_emit, lrq_pieces
//	Algorithm 1, 3                            METHOD 0, tune.LRQRaw
//	Algorithm 2, 4                            METHOD 1, tune.LRQCompact
//	                                          METHOD 2, tune.LRQBounded: the default, below
//
// The paper's methods are there for comparison: suffixcl-lab measures them. LLRs are scattered from the suffix array;
// the paper gathers them by rank.
//
// # Bounds
//
// A repeat that starts at i and is not the rest of the one at i-1 is at least as long as
// that one. So one of the two LCP values that Lemma 1 takes the maximum of is irreducible
// (package lcp). Irreducible values sum up to at most n log2(n), and the lengths of all
// useful LLRs to at most 2 n log2(n). That bounds the steps of all walks over the compact
// array, and the number of all longest repeats of all positions: beta is never more than
// 2 log2(n). Walks over the raw array have no such bound: alpha is about n/2 for a text of
// one character.
//
// One position may still be covered by many useful LLRs, and then one work-item walks
// long while the others wait. The default method walks a few steps and goes on by maxima of blocks
// of blocks of useful LLRs. A block knows how many of its LLRs are as long as its maximum,
// so all longest repeats of a position are counted by blocks, and any of them is found from
// its place among them: O(log n) for every position and for every repeat listed. The list
// of a position that has many is cut into pieces, each for a work-item of its own.
//
// # Passes
//
// Bytes are those of each of n positions, of each of u useful LLRs, or of each of r longest
// repeats that are listed. A random access counts as a sector of 32 bytes. Steps are those of
// the default method.
//
//	step                   kernels               of   reads       writes   launches
//	Plan.Raw               lrq_raw               n    4 + 4       32       1
//	Plan.Index
//	  useful LLRs          LRQ_USEFUL in
//	                       compact.cl            n    4           4
//	                                             u                4        2
//	  maxima, l levels     lrq_maxima            u    8           1/4      l
//	Index.Leftmost         lrq_leftmost          n    4 + 8       4        1
//	Index.Lengths          lrq_lengths           n    4 + 4       4        1
//	Rows.Count             (fill), lrq_count     n    16          8        2
//	  numbers              package scan          n    8           8        2
//	Rows.Emit              lrq_emit              n    12
//	                                             r    8           4        1
//	  long lists           lrq_pieces            r    8           4        1
//	sum of Raw, Index,
//	Leftmost, Lengths                            n    32          44
//	                                             u    8           4 1/4    5 + l
//
// l = ceil(log32 n) - 1. Emit lists a repeat in one of its two kernels. u depends on the text:
// it is n at most. Entries of an LLR that are read in ascending order, or by all neighbours,
// count once: 4 bytes of starts and 4 of raw. That is what walks cost where they are short.
// Positions that many LLRs cover take up to 64 steps in the caches, and then O(log n) random
// accesses to the maxima. With ends of records, Raw makes a binary search for each position.
// Elsewhere than with look-back the compaction reads 4 more, in 3 launches.
//
// PoCL, a text of 1 MB, l = 3: Raw, Index, Leftmost and Lengths take 9 launches.
//
// # Memory
//
// A plan holds no memory. Its caller gives it the raw LLR array and the two arrays of the [Index], 4 bytes a character
// each; the results may take over the last two. The workspace is at most 0.3 bytes a character. Suffix array and LCP
// array are not needed once the raw array is made, and may become the arrays of the index. See docs/longest-repeats.md.
package lrq
