// Package ranges sorts the suffixes of texts that are longer than 2^32 - 2 characters, or whose suffix array the device
// has no memory for: ranges of the suffix array, one after the other.
//
// The text is on the device, packed, and the ranks of a sample of its suffixes. A range lies between two suffixes. One
// scan of the text collects its suffixes. They are sorted by windows of the text, and those that agree in more than a
// period of the sample by ranks: any two of them have a distance, less than the period, at which both are in the
// sample. That is a difference cover (S. Burkhardt & J. Karkkainen, Fast lightweight suffix array construction and
// checking, CPM 2003; the covers are J. Singer's, 1938).
// So no text is slow, and ranges do not depend on each other.
//
// # Steps
//
// Of n characters, m samples, r suffixes of a range, t of these that a window has not told apart:
//
//	step         does                                                           of   kernels
//	load         packs the text, ceil(log2(sigma)) bits a character             n    ranges_pack, or the host
//	nameSample   the samples are sorted to the period, in ranges if need be:
//	             equal ones have the same name                                  m    as a range
//	sortNames    the names, class after class, are a text of 32-bit symbols:
//	             its suffix array has the ranks; not if all names differ        m    package suffixsort
//	             for LCP arrays: how many names neighbours share, and minima    m    package lcp, package minima
//	rank         ranks in the order of the text                                 m    ranges_ranks
//	split        bounds of the ranges: suffixes chosen at random are sorted          as a range
//
//	collect      the suffixes between two bounds: a bitmap, its counts, a list  n    ranges_choose, package scan,
//	                                                                                 ranges_list
//	listGroup    those of several ranges, and a bitmap of each                  n    the same, ranges_divide
//	sort         the first bits, as packed or coded; radix sort                  r    ranges_short_keys, ranges_keys
//	                                                                                  or ranges_coded, package radixsort
//	             heads of groups; small groups are sorted by windows and ranks   r    ranges_split, ranges_small
//	             large groups stay; the next window, segmented sort, heads,      t    RANGES_KEEP, ranges_windows,
//	             small groups, until the period is reached                            ranges_after_coded, package segsort
//	merge        in large groups, runs by ranks of one sample for each suffix    t    ranges_ranked, package segsort,
//	                                                                                  RANGES_RUNS
//	             runs in groups are merged by windows and ranks                  t    RANGES_STARTS, ranges_ends,
//	                                                                                  ranges_merge
//	results      the characters before the suffixes, if they are wanted         r    ranges_transform
//	             what each shares with the next: windows up to the period, then      ranges_lcp
//	             what samples share                                             r
//	             positions, packed; or some of them, which move together first  r    RANGES_ONLY, ranges_entries
//
// A suffix's window has the codes of as many characters as fit, and how many of these are in the text. So zeros after
// the end need no other care.
//
// If samples have the names of others, the text repeats itself, and suffixes tie for long. Then the sample is one of a
// smaller period, named anew. A text in memory that has a period as a whole is ordered by its last three periods.
//
// On GPUs, first windows of texts whose characters depend on each other have more characters: code words of an
// alphabetic code, one after the other. There is a code for each character before: how often pairs occur is counted in
// a part of the text. Samples are named so, too: equal names agree in a period or more. For LCP arrays they have to
// agree in equally many characters, and have no code.
//
// Where 32 bits tell most suffixes of a range apart, as of bases, keys are that short: how far the first 64 bits are
// between those of the bounds. Suffixes of equal keys are compared from their first characters on.
//
// A bound may be any suffix, since any two can be compared. So a range that turns out too large is divided by some of
// its own suffixes.
//
// Results leave block by block, in a goroutine, while the next range is sorted. With [Job].Others several devices take
// ranges by turns. Each of them ranks the sample.
//
// # Memory
//
// See [Sorter.Memory]. Bytes a character: width / 8 for the text; for the ranks 0.77 with period 31, 0.49 with 73, 0.36
// with 133, 0.25 with 273, 0.13 with 993 and 0.09 with 1893, and as much again for LCP arrays; what is left holds a
// range, of 48 to 92 bytes a suffix, and 8 or 16 more for LCP arrays. Where there are many ranges, it holds a list of
// the suffixes of five, too.
//
// # Files
//
//	ranges.go      Run, on texts that are there or read; job.go, options.go: what is asked for
//	sorter.go      the plan of a Sorter: memory.go, programs.go, sampling.go; capacity.go: how large ranges are
//	text.go        the text and its survey; coding.go: codes of bytes, and windows
//	load.go        the text on the device: parcels.go, delivery.go, receive.go
//	sample.go      ranks of the sample: cover.go, lcp.go
//	devices.go     the run of each device, or rank: run.go; ranks.go and table.go: who takes which range
//	bounds.go      the ends of ranges
//	collect.go     the suffixes of a range: interval.go, elements.go
//	sort.go        their order: firstkey.go, key.go, alphabetic.go; merge.go
//	results.go     what is made of them, and output.go, block.go, order.go: how it leaves; pinned.go: where to
//	packer.go      positions that are sorted in one piece, packed as those of ranges
//	periodic.go    texts with a period
package ranges
