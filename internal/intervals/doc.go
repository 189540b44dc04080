// Package intervals lists the intervals of LCP arrays on the device: the inner nodes of suffix trees. Intervals are
// those of Abouelhoda, Kurtz & Ohlebusch, Replacing suffix trees with enhanced suffix arrays (2004). Documents are
// counted as by Hui, Color set size problem with applications to string matching (1992).
//
// An interval [l, r] of depth d has a common prefix of d symbols that its suffixes have, and no others. Slot j stands
// for the interval whose second child begins there: the first slot after l whose lcp is d. l is the last slot before j
// whose lcp is not greater, and then less; r is the one before the next slot whose lcp is less. So every slot is
// treated on its own, and no interval is found twice. A tree of minima of 16 values bounds a search to O(log n).
// On CPUs a work-item goes through a tile with a stack, and searches only for bounds that lie outside of it.
//
// # Filters
//
//	filter               array             what it asks
//	LeftMaximal          changes           the last slot up to r before which another symbol stands is after l
//	Supermaximal         alone             no slot up to r where lcp changes, or a symbol is there twice, is after l+1
//	documents            sums              r-l+1 less the pairs of neighbouring slots of one document in [l, r]
//	MostEach k           sums              no pairs at distance k in one document
//	LeastEach k          sums, two         pairs at distance k-1 less those at k: documents with k slots or more
//
// Slots are sorted by document; neighbours in that order are a pair. A pair is in an interval if the place of its least
// lcp is: one counter goes up for each pair, and a sum of the counters answers for every interval with two reads. The
// same is done with the symbols before suffixes for Supermaximal.
//
// # Passes
//
// Bytes are those of each of n suffixes, or of each of m intervals that are listed. A random access counts as a sector
// of 32 bytes.
//
//	step                  kernels                 of   reads        writes   launches
//	Plan.Index
//	  minima, l levels    minima_level            n    4.3          0.3      l
//	  each colouring      radix sort, p passes    n    4 + 8 p      8 p      p + 1
//	    each distance     (fill), intervals_pairs n    8 + 32       4 + 32   2
//	                      package scan            n    4            4        1
//	  LeftMaximal         INTERVALS_CHANGES       n    8            4        1
//	  Supermaximal        INTERVALS_ALONE         n    8            4        1
//	Index.List
//	  bounds              intervals_bounds        n    4 + 64       8        1
//	  listing             INTERVALS_KEPT          n    8
//	                                              m    4 + 32       16       1
//	Best.Add              radix sort, gather      m    as the sort's         9
//	Limits.Run            intervals_limit         n    8 + 32       4            1
//
// l = ceil(log16 n) - 1. Bounds that are near count as one sector each. Elsewhere than with look-back scans and the
// compaction read twice, in 3 launches each.
//
// # Memory
//
//	what                          bytes of each suffix
//	arrays of the caller          8; 4 more with documents, 4 with symbols before
//	minima                        0.3
//	LeftMaximal, Supermaximal     4 each
//	documents                     4; LeastEach and MostEach up to 12 more
//	while colours are sorted      16
//	a part                        8 of each slot of it; 16 or 20 for the results
package intervals
