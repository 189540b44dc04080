// Package match finds all occurrences of many patterns in a text, on the device and on the
// CPU. It searches the suffix array by bisection, or descends in the suffix tree. After
// Liao, Sun, Ma & Qin, GPU accelerated multiple deoxyribose nucleic acid sequence parallel
// matching.
//
//	paper                           here
//	Alg. 1, LB and RB               [Array.SearchPaper], kernel match_paper
//	suffix array                    [Array.Search], kernel match_array
//	flattened suffix tree           [Tree], kernel match_tree
//	OpenMP threads                  [Host], goroutines
//
// The faster search begins between two entries of a table of the intervals of all strings
// of k symbols, skips what both ends of the interval share with the pattern, and finds both
// boundaries in one search. Words of packed text that hold other characters, as N and
// separators, are compared as bytes.
//
//	text                                          packed into             compared at a time
//	DNA; four ASCII characters make up 15 in 16   two bits a character    32 characters
//	others                                        not packed              16 characters
//
// On
// CPUs many patterns are sorted first ([Order]); on GPUs that costs what it saves (docs/matching.md).
//
// The tree is the binary form of the suffix tree, built on the device from the LCP array: see
// match_tree.cl.
//
// Bytes are compared as they are: fold case before, as package seqio does. A byte that the
// text does not hold matches nothing, and so does the empty pattern. Texts of records have
// a separator between them that no pattern holds; so no occurrence crosses records.
//
// Memory in addition to text and suffix array:
//
//	table          at most 4 bytes a character, and at most 64 MiB
//	packed text    0.26 bytes a character
//	tree           16 bytes a character
//	to build it    0.27 bytes a character
package match
