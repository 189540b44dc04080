// Package smem finds super-maximal exact matches of queries in an index of DNA on the device: a match occurs often
// enough, is long enough, and no longer one with it occurs as often. The index has both strands, and so gives for each
// string the rows of its reverse complement, too: it grows at both ends (Li 2012). Searching for matches of a length
// skips what is shorter (Gagie 2024). kernels/smem.cl and its parts have the steps.
//
// A letter takes about a step, and a step two ranks, mostly in one block or in neighbours. A table has the intervals of
// all strings of some letters, and saves the steps of these.
//
//	index.go   Index: a transform of four letters, or a run-length transform
//	search.go  Search: batches of queries
package smem
