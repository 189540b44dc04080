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
//	device.Caps.ForwardProgress         decoupled look-back  one read, one write        1, and a fill
//	others, and devices of CPU shape    reduce-then-scan     two reads, one write       3
//
// Decoupled look-back is that of Merrill & Garland, Single-pass parallel prefix scan with decoupled look-back, 2016. A
// work-group waits there for earlier ones. Reduce-then-scan (Sengupta, Harris, Zhang & Owens 2007; Merrill & Grimshaw
// 2009) assumes nothing about the order in which work-groups run. The workspace is one element, or its words, for each
// tile.
package scan
