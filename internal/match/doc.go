// Package match finds all occurrences of many patterns in a text, by binary search in its
// suffix array or by descent in its suffix tree, on the device and on the CPU: Liao, Sun,
// Ma & Qin, GPU accelerated multiple deoxyribose nucleic acid sequence parallel matching.
//
//	paper                           here
//	Alg. 1, LB and RB               [Array.SearchPaper], kernel match_paper
//	suffix array                    [Array.Search], kernel match_array
//	flattened suffix tree           [Tree], kernel match_tree
//	OpenMP threads                  [Host], goroutines
//
// The faster search begins between two entries of a table of the intervals of all strings
// of k symbols, skips what both ends of the interval share with the pattern, and finds both
// boundaries in one search. It compares 16 characters at a time, or 32 where the text is packed
// into two bits a character: DNA, and all else of which 15 in 16 characters are four ASCII ones.
// Words of the text that hold others, as N and separators, are compared as bytes. On
// CPUs many patterns are sorted first ([Order]); on GPUs that costs what it saves (docs/matching.md).
//
// The tree is the binary form of the suffix tree, built on the device from the LCP array: see
// match_tree.cl.
//
// Bytes are compared as they are: fold case before, as package seqio does. A byte that the
// text does not hold matches nothing, and so does the empty pattern. Texts of records have
// a separator between them that no pattern holds; so no occurrence crosses records.
//
// Memory besides text and suffix array: the table, at most 4 bytes a character and 64 MiB, and 0.26
// bytes a character for the packed text; the tree 16 bytes a character, and 0.27 to build it.
package match
