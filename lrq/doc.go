// Package lrq answers longest repeat queries: for every position of a text, the longest
// substring that covers it and occurs more than once, the leftmost such or all of them.
// After Tian & Xu, On longest repeat queries using GPU (2015).
//
// # Symbols
//
//	paper          here                       device
//	Rank, LCP      rank, lcp                  lcp.Plan
//	LLR_i, LLRr    raw                        lrq_raw (Lemma 1), or lrq_scatter
//	LLRc           starts, upto               LRQ_USEFUL (Flag, Prefix_Sum, copy in one)
//	LR_k           start, length              lrq_leftmost, lrq_count, lrq_emit, lrq_pieces
//	Algorithm 1, 3                            RawWalk
//	Algorithm 2, 4                            CompactWalk
//
// # Bounds
//
// A repeat that starts at i and is not the rest of the one at i-1 is at least as long as
// that one, so one of the two LCP values that Lemma 1 takes the maximum of is irreducible
// (package lcp). Irreducible values sum up to at most n log2(n), so the lengths of all
// useful LLRs, and with them the steps of all walks over the compact array and the number
// of all longest repeats of all positions, sum up to at most 2 n log2(n): beta is never
// more than 2 log2(n). Walks over the raw array have no such bound: alpha is about n/2
// for a text of one character.
//
// One position may still be covered by many useful LLRs, and then one work-item walks
// long while the others wait. [Bounded] walks a few steps and goes on by maxima of blocks
// of blocks of useful LLRs. A block knows how many of its LLRs are as long as its maximum,
// so all longest repeats of a position are counted by blocks, and any of them is found from
// its place among them: O(log n) for every position and for every repeat listed. The list
// of a position that has many is cut into pieces, each for a work-item of its own.
//
// # Memory
//
// A plan holds none. Its caller gives it the raw LLR array and, but for [RawWalk], the two
// arrays of the [Index], 4 bytes a character each, which the results may take over; the
// workspace is at most 0.3 bytes a character. Rank or suffix array and LCP array are not
// needed once the raw array is made, so that they may be the other two. See
// docs/longest-repeats.md.
package lrq
