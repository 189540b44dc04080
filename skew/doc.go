// Package skew sorts suffixes on the device in linear time, by the skew algorithm (J.
// Kärkkäinen & P. Sanders, Simple linear work suffix array construction, ICALP 2003):
//
//   - [NewDeoKeely]: M. Deo & S. Keely, Parallel suffix array and least common prefix for
//     the GPU, PPoPP 2013;
//   - [New]: L. Wang, S. Baxter & J. D. Owens, Fast parallel skew and prefix-doubling
//     suffix array construction on the GPU, Concurrency and Computation 28(12), 2016,
//     section 4.1.
//
// In our words, after Figure 4 of the latter, where S0, S1 and S2 are the suffixes at
// positions that leave 0, 1 and 2 when divided by 3, and S12 the last two together:
//
//	dk-SA                                   skew-SA
//	2  divide the suffixes                  2   the same
//	3-5  sort S12 by first triplets         3-5  the same
//	6  compare neighbours, rank triplets    6   compare neighbours
//	7  if some triplets are equal:          6   if some triplets are equal:
//	                                        7       rank triplets
//	8      sort the text of the ranks       8       the same
//	9      store the ranks in that order    9       the same
//	10 else:
//	11     store the order of the ranks
//	12 sort S0 by the ranks of S1           10  select S1 from the order of S12
//	13 sort S0 by first symbols             11  sort S0, in that order, by first symbols
//	14 merge S0 and S12                     12  the same
//
// The text of the ranks has that of every suffix in S1, then of every one in S2: 2/3 as
// many symbols. If the text ends so that the two parts could not be told apart, the empty
// suffix is in S1 too (dc3.Split). The last levels are left to one work-group, by
// prefix doubling.
//
// Steps are those of internal/dc3.
//
//	paper               here              kernel
//	S12, S0             Split             (implicit)
//	Initialize Mod12,
//	RadixSort(s12)      Step.SortSample   SK_SAMPLE in radixsort.cl, skew_keys
//	allUniqueRanks      Step.Heads        skew_heads
//	lexicRankOfTriplets Step.Rank         SK_RANK in scan.cl, skew_store_ranks
//	ISA_[12]            ranks
//	SA_[12], SA_[0]     sa12, s0
//	storeUniqueRanks    Step.StoreRanks   skew_store_ranks
//	computeSAFrom-
//	UniqueRank          Step.FromRanks    skew_from_ranks
//	Compact(ISA_[12]),
//	RadixSort(s0)       Step.InduceS0     SK_S0 in compact.cl, radixsort.cl
//	RadixSort(ISA_[1]),
//	RadixSort(s0)       Step.InduceS0     SK_SECOND in radixsort.cl, skew_first
//	Merge(s0, s12)      Step.Merge        SK_MERGE in merge.cl
//
// Differences:
//
//   - A triplet of b-bit symbols is sorted in ceil(3b/8) passes of 32-bit keys, wherever its
//     symbols begin, instead of three sorts. That is three passes for bytes, for which the end
//     of the text needs no symbol of its own, and one for ranks of a text of one character.
//   - What decides a comparison in the merge is loaded once, as 16 bytes, before the merge.
//   - Ranks of suffixes may be too many for a GPU's caches. Then suffixes with their ranks first
//     take one pass of the radix sort, by the top bits of the suffix (SK_PARTITION). Stores in
//     any order are several times as fast then.
//   - Deo & Keely's merge is ours, as in Wang, Baxter & Owens' implementation of it.
//
// # Passes
//
// A level sorts n symbols of x bytes, each below 2^b: x = 1 and b = 8 at the top; below it x = 4
// and b = log2 of the distinct triplets above. It has m = 2n/3 suffixes in S12 and n/3 in S0. Bytes
// are those of each suffix that the step is of. A random access counts as a sector of 32 bytes.
//
//	lines   kernels                   of   reads          writes         launches
//	3-5     radixsort, SK_SAMPLE,
//	        p passes                  m    3x + 8 (p-1)   8 p            p + 2 c
//	        skew_keys                 m    40 (c-1)       4 (c-1)        c - 1
//	6       (fill), skew_heads        m    8              1              2
//	7       SK_RANK in scan.cl        m    5              32             2
//	8       the next level
//	9       skew_store_ranks          m    4              32             1
//	10      SK_S0 in compact.cl       m    4                             2
//	                                  S0   32             8
//	11      radixsort, s passes       S0   4 + 8 s        8 s            2 + s
//	12      merge_partition,
//	        merge_tiles               n    8 + 32         4
//	                                  S12  32
//	                                  S0   64                            2
//	sum at the top                    n    124            69             17
//	sum below, b = 20, p = 8, c = 2,
//	s = 3                             n    189            103            27
//
// p = ceil(3b/8) and s = ceil(b/8). c = ceil(3b/32) sorts take these passes, each with a histogram,
// which is the 4 of the 40. Where c > 1, line 6 also reads the triplets of neighbours with equal
// keys, 64 bytes. Line 7 is left out where all triplets differ, and no level follows then.
//
// Above tune.Skew.Window ranks, 2^23 on GPUs, SK_PARTITION makes line 7 of m read 21 and write 16
// bytes, and line 9 read 16 and write 12. No sector is random then. Line 7 takes four launches more,
// line 9 three.
//
// Deo & Keely's lines:
//
//	lines   kernels                   of   reads          writes         launches
//	11      skew_from_ranks           m    4              32             1
//	12      radixsort, SK_SECOND,
//	        q passes                  S0   8 + 8 (q-1)    8 q            2 + q
//	13      skew_first                S0   4 + 32         4              1
//	        radixsort, s passes       S0   4 + 8 s        8 s            2 + s
//
// q = ceil(log2(m) / 8). Line 7 is never left out. Line 11 takes the place of line 9.
//
// How many levels there are depends on the text: there is a next one while triplets are equal and
// more than tune.Skew.Small symbols are left. Each has 2/3 of the symbols of the one before, so
// that all levels below the top move at most twice what one of n symbols would. The last of at most
// Small symbols is one launch of skew_small.
//
// Launches are those with look-back and Onesweep. Elsewhere a scan or a compaction takes 3, and a
// radix sort 5 for each pass and none before them. PoCL, a text of 1 MB of 6 levels,
// the last one with different triplets: 53 passes of radix sorts and 333 launches; Deo & Keely 71
// and 414.
//
// Time O(n), whatever the text: a level takes one read of a word by the host, and log n /
// log 1.5 levels bound them. Texts have up to 2^32-2 characters.
//
// Memory in bytes a character: 4 for the result, 1 for the text, 12 for the sorter. Of these 2.67
// are for the ranks of the first level, and 9.33 for what the levels share. The ranks of the other
// levels are in these, and in the result; see Sorter.Memory.
package skew
