// Package mappability counts on the device how often the k-mer at each position of a text occurs in it, and finds the
// shortest substring at each position that occurs once, from suffix array and LCP array: several k from the same.
//
// Suffixes with the same k-mer are an interval of the LCP array (Abouelhoda, Kurtz & Ohlebusch, Replacing suffix trees
// with enhanced suffix arrays, 2004). A tree of minima finds its bounds in O(log n), and most k-mers of a genome have
// none to look for. The shortest unique substring is one symbol longer than what a suffix shares with its neighbours
// (Pei, Wu & Yeh, On shortest unique substring queries, 2013).
//
// # Passes
//
// n symbols, p of them positions that are asked for; a random access counts as a sector of 32 bytes.
//
//	step                     kernels                    of   reads    writes   launches
//	minima, l levels         minima_level               n    4.3      0.3      l
//	counts, for each k       mappability_counts         n    8
//	                                                    p             32       1
//	  both strands, k even   mappability_palindromes    p    6        4        1
//	shortest unique          mappability_unique         n    8
//	                                                    p             32       1
//
// # Memory
//
// Text, suffix array and LCP array, 9 bytes a symbol, the minima, 0.3, and the result, 4 bytes a position.
package mappability
