// Package prefixdoubling sorts suffixes by doubling the length of the prefix
// they are sorted by (Karp, Miller & Rosenberg 1972; Manber & Myers 1993), on the
// device.
//
// Osipov's algorithm: V. Osipov, Parallel suffix array construction for shared
// memory architectures, SPIRE 2012. In our words, after Figure 5 of Wang, Baxter
// & Owens, Fast parallel skew and prefix-doubling suffix array construction on
// the GPU, 2015:
//
//	sort the suffixes by their first 4 characters          2  sortByPrefix
//	ISA[i] = slot of the head of i's 4-group               3  rankPrefixes
//	for h = 4, 8, 16, ... while suffixes are unfinished:   5
//	    for s in h-order, if suffix s-h is unfinished:     6  tuples
//	        emit (s-h, ISA[s-h], ISA[s])
//	    sort the tuples stably by ISA[s-h]                 7  radixsort
//	    a 2h-group starts where (ISA[s-h], ISA[s]) changes 8  refine
//	    ISA[s-h] = slot of the head of its 2h-group        9  refine
//	    a suffix alone in its group is finished           10  refine
//
// A suffix array never moves a finished suffix, so SA_h is kept whole and only
// unfinished suffixes become tuples. Osipov compacts SA_h itself; here the scan
// of line 6 reads all of it, and a bit a suffix tells the finished ones: that
// reads n/8 bytes at random, which the caches hold, and spares a second list.
//
//	paper      here            kernel
//	SA_h       sa              (the caller's result)
//	ISA_h      isa
//	tuples     keys, tuples    PD_TUPLES in compact.cl
//	re-rank    refine          PD_REFINE in scan.cl
//
// Time O(n log n) sorted tuples in the worst case (all characters equal: log2(n)-2
// rounds of n tuples). Memory: 4 bytes a character for the result, 1 for the
// text, 28.1 for the sorter; see Memory.
package prefixdoubling
