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
// Differences. A triplet of b-bit symbols is sorted in ceil(3b/8) passes of 32-bit keys,
// wherever its symbols begin, instead of three sorts: three passes for bytes, for which
// the end of the text needs no symbol of its own, and one for ranks of a text of one
// character. What decides a comparison in the merge is loaded once, as 16 bytes, before
// the merge. Where ranks of suffixes are too many for a GPU's caches, suffixes with their
// ranks first take one pass of the radix sort, by the top bits of the suffix
// (SK_PARTITION): stores in any order are several times as fast then. Deo & Keely's merge
// is ours, as in Wang, Baxter & Owens' implementation of it.
//
// Time O(n), whatever the text: a level takes one read of a word by the host, and log n /
// log 1.5 levels bound them. Memory: 4 bytes a character for the result, 1 for the text,
// 12 for the sorter: 2.67 for the ranks of the first level, 9.33 for what the levels share, in
// which the ranks of the others are, and in the result; see Sorter.Memory. Texts have up to
// 2^32-2 characters.
package skew
