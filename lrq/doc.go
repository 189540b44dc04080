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
// that one, so one of the two LCP values that Lemma 1 takes the maximum of is irreducible
// (package lcp). Irreducible values sum up to at most n log2(n), so the lengths of all
// useful LLRs, and with them the steps of all walks over the compact array and the number
// of all longest repeats of all positions, sum up to at most 2 n log2(n): beta is never
// more than 2 log2(n). Walks over the raw array have no such bound: alpha is about n/2
// for a text of one character.
//
// One position may still be covered by many useful LLRs, and then one work-item walks
// long while the others wait. The default method walks a few steps and goes on by maxima of blocks
// of blocks of useful LLRs. A block knows how many of its LLRs are as long as its maximum,
// so all longest repeats of a position are counted by blocks, and any of them is found from
// its place among them: O(log n) for every position and for every repeat listed. The list
// of a position that has many is cut into pieces, each for a work-item of its own.
//
// # Memory
//
// A plan holds none. Its caller gives it the raw LLR array and the two arrays of the [Index], 4 bytes a character each;
// the results may take over the last two. The workspace is at most 0.3 bytes a character. Suffix array and LCP array
// are not needed once the raw array is made, and may become the arrays of the index. See docs/longest-repeats.md.
package lrq
