// Package scan computes prefix sums and maxima on the device, and the stable
// compaction that stands on them.
//
// Every primitive is a plan: New… compiles and sizes, WorkspaceBytes tells what
// the run needs, Run only enqueues. Nothing is allocated and nothing waits in
// Run, and its errors are sticky on the session.
//
// [Plan] scans arrays. [Template] scans whatever a kernel file computes for an
// element and hands the result to that file again, so that an algorithm needs no
// array between: skew's and prefix doubling's re-ranking are one Template each.
// [Selection] and [CompactTemplate] are the same pair for compaction.
//
// The method is reduce-then-scan (Sengupta, Harris, Zhang & Owens 2007; Merrill &
// Grimshaw 2009): two reads and one write of each element, three launches, no
// assumption about the order in which work-groups run. Workspace is one element
// for each tile of 1,024 to 16,384.
package scan
