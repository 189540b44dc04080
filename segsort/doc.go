// Package segsort sorts pairs of a key and a value inside segments of an array, stably,
// on the device: what prefix doubling does with its groups of suffixes that share a
// prefix.
//
// Segments are contiguous and given by a bitmap of heads, which [Heads] makes of flags
// or offsets. How a segment is sorted depends on its length:
//
//	up to 64      counting rank: an item's place is the number of smaller items in      segsort_rank.cl
//	              its segment, and of equal ones before it. One barrier a tile
//	up to a tile  work-group sort: the segments that start in a tile are packed in      segsort_group.cl
//	              local memory and sorted by (segment, key) with a merge sort that
//	              leaves pairs of runs alone that are in order already: the block sort
//	              and segmented merge of L. Wang, S. Baxter & J. Owens, Fast parallel
//	              skew and prefix-doubling suffix array construction on the GPU, 2015,
//	              inside a work-group
//	longer        block merge, as they do: blocks of a tile are sorted in local memory, segsort_group.cl,
//	              then neighbours are merged in rounds, until each segment is one      segsort_merge.cl
//	very long     one global radix sort of all segments beyond a tile by (segment,     segsort_large.cl
//	              key), where their blocks would take too many rounds
//
// No list of the short segments is made: each work-group finds those that start in its
// tile from the bitmap. Where there are long ones, they are listed by a scan over the words of
// the bitmap (segsort_lists.cl). The host reads whether there are any, then their counts.
// [Options] can promise a bound on the lengths that makes this unnecessary, and choose a
// strategy.
//
// [Auto] needs the counts alone to decide: the long segments are merged if their blocks
// take no more rounds on average than the tuning allows, else sorted globally, all of them.
// That is 7 rounds on GPUs, about 10^6 items a segment, and 12 with 64-bit keys. On an H200
// a round takes 5 ps an item. 2^26 pairs of 32 bits there, in 10^9 a second:
//
//	segments       [BlockMerge]   [Auto]   [Global]
//	2 to 60,511    25             23.5     12.7        Auto looks for short segments too
//	2^20           14.5                    14.5
//	2^22           12.5                    14.3
//
// The global sort needs 24 bytes an item, 36 with 64-bit keys, which a plan reserves unless
// BlockMerge, Lean or Longest rules it out. CPU-shaped devices always sort globally:
// merging took 2.5 times as long on PoCL.
//
// Wang, Baxter & Owens cut the whole array into blocks. Those here are counted from the start
// of each long segment. So a segment of m blocks takes ceil(log2(m)) rounds wherever it lies,
// and a launch has those segments only that have as many rounds left. That is their early
// exit, before the rounds instead of after; nothing is copied that is not merged.
//
// On CPU-shaped devices a work-item sorts its segments one after the other, by insertion
// and merging, and only segments too long for that are sorted globally.
//
// # Passes
//
// Of n items of k bytes of key and v of value. Bytes are those of each item; of each of g items
// in segments between the counting rank and a tile; of each of l items in longer segments; or
// of each of s of these segments. A random access counts as a sector of 32 bytes.
//
//	step                         kernels             of   reads       writes     launches
//	Heads.FromFlags              segsort_flags       n    1           1/8        1
//	up to 64                     segsort_rank        n    k + v       k + v      1
//	look for the others          segsort_count       n    1/8         1/4        1
//	up to a tile                 segsort_group       g    k + v       k + v      1
//	list the longer ones         package scan        n    1/4         1/4        2
//	                             segsort_list        n    5/8
//	                                                 s                12         1
//	                             segsort_rounds      s    8                      1
//	merged: layout               segsort_blocks      s    8                      1
//	  sort blocks                segsort_block       l    k + v       k + v      1
//	  r rounds                   package merge       l    r (k + v)   r (k + v)  2 r
//	or globally, 32-bit keys     segsort_gather      l    4           12         1
//	                             package radixsort   l    8 + 12 p    12 p       2 + p
//	                             segsort_scatter     l    12 + 32     4 + v      1
//	or globally, 64-bit keys     segsort_gather      l    8           16         1
//	  by key                     package radixsort   l    104         96         10
//	  segment of each            segsort_segments    l    4 + 32      4          1
//	  by segment                 package radixsort   l    4 + 8 q     8 q        2 + q
//	                             segsort_scatter     l    8 + 64      8 + v      1
//
//	sum, none longer than 64                         n    k + v + 1/8 k + v + 1/4 2
//	sum, none longer than a tile                     n    k + v + 1/8 k + v + 1/4
//	                                                 g    k + v       k + v      3
//	sum, merged, without rank                        g    k + v       k + v
//	                                                 l    (r+1) (k+v) (r+1) (k+v)
//	                                                 n    1           1/2        8 + 2 r
//
// p = ceil((32 + log2 s) / 8) and q = ceil(log2(s) / 8). r is the number of rounds of the
// longest segment, ceil(log2(blocks)); a shorter segment takes fewer. Items of segments that a
// kernel leaves alone cost it their keys at most. Options.Longest and the strategies leave steps
// out: BlockMerge and WorkGroup have no counting rank. The rank reads the keys of neighbouring
// tiles again, 64 of each 1,024. Lists are made only if there is something to list. Launches are those with
// look-back and Onesweep: packages scan and radixsort tell the others.
//
// The host waits for what segsort_count finds, and where that is a long segment, for the counts
// of the lists. Before the first wait it enqueues the counting rank, or without it
// segsort_group; before the second segsort_group, if the rank was the first. So the device
// works meanwhile.
//
// PoCL, in a round of the hybrid of package prefixdoubling, by BlockMerge: 2 launches without
// long segments, and 7 + 2 r more with them (3 of them a scan).
package segsort
