// Package prefixdoubling sorts suffixes by doubling the length of the prefix
// they are sorted by (Karp, Miller & Rosenberg 1972; Manber & Myers 1993), on the
// device, in four ways: [NewManberMyers] sorts all suffixes in every round, [NewOsipov] those
// that are not in their place yet, [NewGPULS] each group of equal prefixes by itself, [NewHybrid]
// two thirds of the suffixes. All need up to log2(n) rounds, the hybrid log3(n); a round
// waits for the device once to three times.
//
// The tables of passes count bytes: of each of n characters, or of what their columns say. A
// random access counts as a sector of 32 bytes. l is the longest repeat of the text, the largest
// LCP value. Launches are those with look-back and Onesweep. Elsewhere a scan or a compaction
// takes 3, and a radix sort 5 for each pass and none before them. A scan of a single tile takes one
// less, with look-back.
//
// # Manber-Myers
//
// U. Manber & G. Myers, Suffix arrays: a new method for on-line string searches, SIAM J.
// Comput. 22(5), 1993; on a GPU: W. Sun & Z. Ma, Parallel lexicographic names construction
// with CUDA, ICPADS 2009. In our words:
//
//	sort the suffixes by their first h0 characters        sortByCharacters
//	ISA[i] = slot of the head of i's h0-group             rank
//	for h = h0, 2 h0, ... while groups are fewer than n:  sorted
//	    sort the suffixes i by (ISA[i], ISA[i+h])         sortByRanks
//	    ISA[i] = slot of the head of i's 2h-group         rank
//
// The first pass of each sort computes what it sorts (PD_CHARACTERS and PD_PAIRS), so the
// pairs of ranks are read in the order of the text. Memory: 24.3 bytes a character.
//
//	step                kernels                    of   reads      writes     launches
//	sortByCharacters    radixsort, PD_CHARACTERS,
//	                    8 passes                   n    2 + 84     96         10
//	rank                PD_RANK in scan.cl         n    12         32         2
//	sum                                            n    98         128        12
//	a round
//	  sortByRanks       radixsort, PD_PAIRS,
//	                    p passes                   n    4 + 12 p   12 p       2 + p
//	  rank              PD_RANK in scan.cl         n    12         32         2
//	  sum                                          n    16 + 12 p  32 + 12 p  4 + p
//
// p = ceil(2 ceil(log2 n) / 8), 5 for 1 MB and 7 for 256 MB. Rounds depend on the text: they are
// ceil(log2((l+1) / 8)). PoCL, a text of 1 MB with l = 311: 6 rounds, 211 launches.
//
// # Osipov
//
// V. Osipov, Parallel suffix array construction for shared
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
// rounds of n tuples). Memory: 28.1 bytes a character. All figures are without the
// result, 4 bytes a character, and the text, 1; see Memory.
//
// Of u unfinished suffixes in a round:
//
//	line   kernels                            of   reads        writes        launches
//	2      radixsort, PD_PREFIX, 4 passes     n    2 + 24       32            6
//	3      (fill), PD_INITIAL in scan.cl      n    8            1/8 + 32      3
//	sum                                       n    34           64            9
//	a round
//	6      PD_TUPLES in compact.cl            n    4
//	                                          u    64           12            2
//	7      radixsort, p passes                u    4 + 12 p     12 p          2 + p
//	8-10   PD_REFINE in scan.cl               u    12           96            2
//	sum                                       n    4
//	                                          u    80 + 12 p    108 + 12 p    6 + p
//
// p = ceil(log2(n) / 8). The bits of finished suffixes are in the caches. Lines 3 and 10 also set
// the bit of each that is finished, at random. The 96 are slot, rank and bit, each at
// random. Ranks that stay and bits of what is unfinished are not written, and slots ascend: 96 is
// the most. Rounds and u depend on the text. Rounds are ceil(log2((l+1) / 4)), and a last line 6
// finds u = 0. PoCL, a text of 1 MB with l = 311: 7 rounds, 174 launches.
//
// # GPU-LS
//
// Fast In-Memory Suffix Sorting on the GPU, after N. J. Larsson & K. Sadakane, Faster
// suffix sorting, Theoretical Computer Science 387(3), 2007. In our words, by the lines of
// its Algorithm 1:
//
//	sort the suffixes by their first h0 characters          1-2  initial
//	ISA[i] = slot of the head of i's h0-group               3    initial
//	list the groups of more than one suffix                 4    deriveGroups
//	for h = h0, 2 h0, ... while there are such groups:      6    readCounts
//	    divide them by length: S up to R1, M up to R2, L    8    divideGroups
//	    sort the suffixes i inside each group by ISA[i+h]:
//	        S in local memory, by sub-types of 2, 4, 8, ... 9    sortSmall (Algorithm 2)
//	        all M together                                  10   sortMedium
//	        L one by one                                    11   sortLarge
//	    ISA[i] = slot of the head of i's 2h-group           12   updateISA
//	    list the groups that are left                       13   deriveGroups
//
// The initial sort by more than 8 characters is one by 8 and rounds of Manber-Myers.
//
//	paper       here                   kernel
//	SA, ISA     sa, isa
//	USIA, UGHF  usia, ughf             LS_SPLIT in scan.cl
//	UGHA, UGLA  ugha, ugta, byType     LS_SPLIT; LS_DIVIDE in radixsort.cl
//	USKA        uska                   ls_small, ls_copy_back
//	S_0, S_1    types, table           LS_TABLE in scan.cl
//	Rank_tmp    (the scan's element)   LS_UPDATE in scan.cl
//	M: 1        tune.MediumRadix       ls_copy_out, radixsort.Segments
//	M: 2        tune.MediumMerge       ls_copy_out, segsort.BlockMerge
//	            tune.MediumGlobal      ls_copy_out, radixsort by (group, key)
//
// What differs: a group's last slot is kept until division makes a length of it. All
// sub-types of S are one launch. The groups that are divided stay in the order of their
// slots inside a type. M groups can also be sorted by one radix sort of (group, key). All
// ways to sort M copy it out first. A suffix whose rank stays is not written to ISA. Past
// the end of the text there is no key: a suffix that ends within its h characters is alone
// in its group.
//
// Of u unsorted suffixes in g groups in a round; S, M and L are those of them in groups of the type:
//
//	lines   kernels                            of   reads        writes     launches
//	1-2     (fill), radixsort, PD_CHARACTERS,
//	        8 passes                           n    2 + 84       4 + 96     11
//	3       PD_RANK in scan.cl                 n    12           32 + 1     2
//	4       LS_SPLIT in scan.cl                n    1
//	                                           u                 5
//	                                           g                 8          2
//	sum                                        n    99           133
//	                                           u                 5
//	                                           g                 8          15
//	a round
//	8       radixsort, LS_DIVIDE, 1 pass       g    16           12         3
//	        LS_TABLE in scan.cl                g    12           0          2
//	9       ls_small                           S    4 + 32       8
//	                                           g    8                       1
//	10      ls_copy_out                        M    4 + 32       12         1
//	        radixsort, p passes                M    8 + 12 p     12 p       2 + p
//	        ls_copy_back                       M    12           8          1
//	11      ls_copy_out                        L    4 + 32       8          1
//	        radixsort, q passes                L    4 + 8 q      8 q        2 + q
//	        ls_copy_back                       L    8            8          1
//	12      LS_UPDATE in scan.cl               u    13           32 + 1     2
//	13      LS_SPLIT in scan.cl                u    5            5
//	                                           g                 8          2
//	sum, all of type S                         u    54           46
//	                                           g    36           20         10
//
// Line 11 runs for each group of type L. p = ceil((log2(n) + log2 of the M groups) / 8) and
// q = ceil(log2(n) / 8). Line 10 is that of tune.MediumGlobal. The lists of lines 4 and 13 are of what
// is still unsorted. A group has two suffixes or more, so that g is at most u/2. Rounds and types
// depend on the text: rounds are ceil(log2((l+1) / 8)). PoCL, a text of 1 MB with l = 311: 6 rounds, 3
// of them with M groups, none with L groups, 198 launches.
//
// Memory: 50.3 bytes a character, or 50.9 with tune.MediumMerge. tune.MediumRadix takes 1 KiB
// more for each M group there could be.
//
// # Hybrid
//
// L. Wang, S. Baxter & J. D. Owens, Fast parallel skew and prefix-doubling suffix array
// construction on the GPU, Concurrency and Computation 28(12), 2016, section 4.2. In our
// words, by the lines of its Figure 5, right, where S0 and S12 are the suffixes at
// positions that are multiples of 3 and that are not:
//
//	sort S12 by triplets of characters                2-3    dc3.Step
//	ISA_[12] = slot of the head of each 3-group       4      dc3.Step
//	for h = 3, 9, 27, ... while suffixes are left:    5, 6
//	    sort the suffixes i inside each group by
//	        (ISA[i+h], ISA[i+2h])                     7      sortSegments
//	    ISA[i] = slot of the head of i's new group,
//	    leave out those that are alone                8-10   updateISA, deriveGroups
//	sort S0 by first character and the order of S1    11-12  dc3.Step
//	merge S0 and S12                                  13     dc3.Step
//
// Suffixes of S12 go by their numbers in the text of triplets (dc3.Split), in which h/3
// symbols are h characters. A pair of ranks makes the sorted prefix three times as long;
// the paper's pseudo code doubles h.
//
//	paper          here          kernel
//	SA_[12]        sa12
//	ISA_[12]       ranks         hybrid_pairs, HY_UPDATE in scan.cl
//	SegmentedSort  segments      segsort.BlockMerge
//	Compact        usia, ughf    LS_SPLIT in scan.cl
//
// Of m = 2n/3 suffixes in S12, n/3 in S0, and u unsorted ones of S12 in a round:
//
//	lines   kernels                                of   reads        writes     launches
//	2-3     radixsort, SK_SAMPLE, 3 passes         m    3 + 16       24         5
//	4       (fill), skew_heads                     m    8            1          2
//	        SK_RANK in scan.cl                     m    5            32         2
//	5       LS_SPLIT in scan.cl                    m    1                       2
//	                                               u                 5
//	sum                                            m    33           57         11
//	a round
//	7       hybrid_pairs                           u    8 + 64       12         1
//	        segsort_flags                          u    1            1/8        1
//	        package segsort, 64-bit keys           u    1 + 12       1/2 + 12   7
//	        of long segments, r rounds             long 12 (r+1)     12 (r+1)   2 + 2 r
//	8       HY_UPDATE in scan.cl                   u    17           4 + 32 + 1 2
//	9-10    LS_SPLIT in scan.cl                    u    5            5          2
//	sum, no long segments                          u    108          67         13
//	11-12   SK_S0 in compact.cl                    m    4                       2
//	                                               S0   32           8
//	        radixsort, 1 pass                      S0   12           8          3
//	13      merge_partition, merge_tiles           n    83           4          2
//	sum                                            n    100          9          7
//
// The sums before and after the rounds are 122 and 47 of n. Rounds and u depend on the text: rounds are
// ceil(log3((l+1) / 3)). Long segments are those of over 1,152 suffixes on GPUs, 1,024 on CPUs. PoCL, a
// text of 1 MB with l = 311: 5 rounds, 2 of them with long segments and r = 2, 125 launches.
//
// Memory: 28.6 bytes a character.
package prefixdoubling
