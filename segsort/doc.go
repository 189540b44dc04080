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
// tile from the bitmap. The long ones are listed by a scan over the words of the bitmap
// (segsort.cl), whose counts are read back once. [Options] can promise a bound on the
// lengths that makes this unnecessary, and choose a strategy.
//
// [Auto] needs the counts alone to decide: the long segments are merged if their blocks
// take no more rounds on average than the tuning allows, else sorted globally, all of them.
// That is 7 rounds on GPUs, about 10^6 items a segment, and 12 with 64-bit keys; on an H200
// a round takes 5 ps an item. 2^26 pairs of 32 bits there, in segments of 2 to 60,511: 25
// G/s by [BlockMerge], 23.5 by Auto, which looks for short segments too, 12.7 by [Global]; in
// segments of 2^20 both ways 14.5, of 2^22 12.5 against 14.3. The global sort needs 24 bytes
// an item, 36 with 64-bit keys, which a plan reserves unless BlockMerge, Lean or
// Longest rules it out. CPU-shaped devices always sort globally: merging took 2.5 times as
// long on PoCL.
//
// Where Wang, Baxter & Owens cut the whole array into blocks, those here are counted from
// the start of each long segment: a segment of m blocks takes ceil(log2(m)) rounds wherever
// it lies, and a launch has those segments only that have as many rounds left. That is
// their early exit, before the rounds instead of after; nothing is copied that is not
// merged.
//
// On CPU-shaped devices a work-item sorts its segments one after the other, by insertion
// and merging, and only segments too long for that are sorted globally.
package segsort
