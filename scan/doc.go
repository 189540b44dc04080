// Package scan computes prefix sums and maxima on the device, whole or by segments,
// and the stable compaction that stands on them.
//
// Every primitive is a plan. New… plans and sizes, and calls no driver. Workspace tells what
// the run needs. Run only enqueues: nothing is allocated and nothing waits in it, and its
// errors are sticky on the session. Programs are built at their first launch.
//
// [Plan] scans arrays, [Segmented] scans them anew from every head flag. [Template]
// scans whatever a kernel file computes for an element and hands the result to that
// file again, so that an algorithm needs no array between: skew's and prefix
// doubling's re-ranking are one Template each. [Selection] and [CompactTemplate]
// are the same for compaction.
//
// There are two methods. Where work-groups that wait for earlier ones make progress
// (device.Caps.ForwardProgress) it is the decoupled look-back (Merrill & Garland,
// Single-pass parallel prefix scan with decoupled look-back, 2016): one read and one
// write of each element, one launch and the reset of its status words. Elsewhere, and
// on devices of CPU shape, it is reduce-then-scan (Sengupta, Harris, Zhang & Owens
// 2007; Merrill & Grimshaw 2009): two reads and one write, three launches, no
// assumption about the order in which work-groups run. Workspace is one element, or
// its words, for each tile.
package scan
