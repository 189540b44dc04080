// Package mappability counts on the device how often the k-mer at each position of a text occurs in it, and finds the
// shortest substring at each position that occurs once.
//
// # By hashes
//
// [Kmers] counts k-mers of up to four letters without a suffix array. Their hashes of 64 bits are sorted, part by part:
// a second hash says which part a k-mer is in. A k-mer and its reverse complement have one hash, that of the lesser,
// where both strands count. Equal hashes count if their k-mers are equal, too; up to k = 32 they always are. If not,
// all begins anew with another hash.
//
// # By suffix array and LCP array
//
// [Plan] counts several k from the same arrays, and finds shortest unique substrings. Suffixes with the same k-mer are
// an interval of the LCP array (Abouelhoda, Kurtz & Ohlebusch, Replacing suffix trees with enhanced suffix arrays,
// 2004). A tree of minima finds its bounds in O(log n), and most k-mers of a genome have none to look for. The shortest
// unique substring is one symbol longer than what a suffix shares with its neighbours (Pei, Wu & Yeh, On shortest
// unique substring queries, 2013).
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
// By hashes there are d parts of m k-mers each, r of them repeated:
//
//	text                     kmers_pack                 n    1        0.4      1
//	hashes, for each k       kmers_collect, d times     n    0.4
//	                                                    m             12       d
//	sort                     package radixsort          m    96       96       10 d
//	counts                   kmers_counts               m    8
//	                                                    r    64       32       d
//
// # Memory
//
// By suffix array: text, suffix array and LCP array, 9 bytes a symbol, the minima, 0.3, and the result, 4 bytes a
// position. By hashes: 0.4 bytes a symbol, 24 for each k-mer of a part, and the result.
package mappability
