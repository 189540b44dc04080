// Package scan computes prefix sums and maxima on the device, whole or by segments,
// and the stable compaction that stands on them.
//
// Every primitive is a plan. New… plans and sizes, and calls no driver. Workspace tells what
// the run needs. Run only enqueues: nothing is allocated and nothing waits in it, and its
// errors are sticky on the session. Programs are built at their first launch.
//
// [Plan] scans arrays. [Segmented] scans them anew from every head flag. [Template] scans the elements that kernel code
// computes, and hands the results to that code again, so that an algorithm needs no array between. Skew's re-ranking is
// one Template, and so is prefix doubling's. [Selection] and [CompactTemplate] are the same for compaction.
//
// There are two methods:
//
//	device                              method               traffic of an element      launches
//	device.Caps.ForwardProgress         decoupled look-back  one read, one write        1
//	others, and devices of CPU shape    reduce-then-scan     two reads, one write       3
//
// Decoupled look-back is that of Merrill & Garland, Single-pass parallel prefix scan with decoupled look-back, 2016. A
// work-group waits there for earlier ones. Reduce-then-scan (Sengupta, Harris, Zhang & Owens 2007; Merrill & Grimshaw
// 2009) assumes nothing about the order in which work-groups run. The workspace is one element, or its words, for each
// tile.
//
// Tiles of a look-back publish words. Up to 16,384 of them are in memory of the session, and carry the number of the
// launch. More, of 10^7 elements and so on, are in the workspace, and are cleared by a launch of their own.
//
// # Passes
//
// Bytes are those of one element, or of one tile of some thousand. e is the size of an element;
// l is what a template loads for one, and s what it stores; for arrays both are e. No count
// depends on the elements, but for f, the fraction of them that a compaction keeps.
//
//	step               kernels            of        reads   writes     launches
//	look-back
//	  clear the words  (fill)             tile              2 e        1, if there are many
//	  scan             scan_tiles         element   l       s
//	                                      tile      2 e     4 e        1
//	  sum                                 element   l       s          1 or 2
//	reduce-then-scan
//	  reduce           scan_reduce        element   l
//	                                      tile              e          1
//	  scan the sums    scan_partials      tile      e       e          1
//	  scan             scan_apply         element   l       s
//	                                      tile      e                  1
//	  sum                                 element   2 l     s          3
//
//	look-back
//	  clear the words  (fill)             tile              8          1, if there are many
//	  compact          compact_tiles      element   e + 1   f e
//	                                      tile      8       16         1
//	  sum                                 element   e + 1   f e        1 or 2
//	reduce-then-scan
//	  count            compact_count      element   1
//	                                      tile              8          1
//	  scan the counts  compact_partials   tile      8       8          1
//	  write            compact_write      element   e + 1   f e
//	                                      tile      8                  1
//	  sum                                 element   e + 2   f e        3
//
// The 1 is the flag of [Selection]. A partition is reduce-then-scan everywhere, and its f is 1.
// A template that has no flags judges what it loads: e, or 2 e, are read. [Segmented] loads a value and a flag, and its
// elements are twice as large as its values. A tile reads the words of one predecessor or more.
package scan
