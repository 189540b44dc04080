// Package radixsort sorts keys, with or without values, by any range of their bits: a stable least-significant-digit
// radix sort on the device, by digits of at most 8 bits. There are three methods; what the device can do decides:
//
//   - Onesweep (Adinets & Merrill 2022), where a work-group may wait for one that started before it: one histogram of
//     all passes, then one kernel a pass. In it tiles learn by decoupled look-back where their digits go.
//   - Reduce-then-scan on other GPUs (Satish, Harris & Garland 2009; Merrill & Grimshaw 2011): a pass counts the digits
//     of every tile, scans the counts and writes every pair to its place. It reads the keys twice.
//   - The same on CPUs, with one work-item a chunk, which writes whole cache lines.
//
// The first pass can sort keys and values that kernel code computes: see [NewTemplate]. [Segments] sorts inside long
// segments of an array, each by a radix sort of its own. A [Series] sorts by several ranges of bits of two arrays, with
// one histogram for all, and may end in a pass that writes something else than the pairs.
//
// # Passes
//
// Of n pairs of k bytes of key and v of value, sorted by b bits in p = ceil(b/8) passes. Bytes are those of a pair.
// No count depends on the keys.
//
//	step                   kernels            reads           writes      launches
//	Onesweep
//	  clear the counts     radix_clear                                    1
//	  count all digits     radix_histogram    k                           1
//	  pass                 radix_pass         k + v           k + v       p
//	  sum                                     k + p (k + v)   p (k + v)   2 + p
//	reduce-then-scan
//	  count digits         radix_count        k                           p
//	  scan the counts      package scan                                   3 p
//	  write                radix_scatter      k + v           k + v       p
//	  sum                                     p (2 k + v)     p (k + v)   5 p
//	Segments
//	  cut                  package scan                                   2 or 3
//	  pass                 as above           p (2 k + v)     p (k + v)   p (4 or 5)
//
// For example:
//
//	                                          Onesweep             reduce-then-scan
//	pairs                           passes    reads    writes      reads    writes
//	32-bit keys, 32-bit values      4          36       32          48       32
//	64-bit keys, 32-bit values      8         104       96         160       96
//	40 bits of 64-bit keys alone    5          48       40          80       40
//
// What tiles tell each other is not in the table. In a pass of Onesweep a tile writes three times 1 KiB: cleared,
// counted, summed up. It reads 1 KiB or more. With 9,216 pairs a tile that is 0.3 and 0.1 bytes a pair. Elsewhere the
// counts take 1 KiB a tile, which the scan reads twice and writes once. Beyond 2^30 pairs a pass of Onesweep takes a
// launch for each 2^30.
//
// A template replaces what the first pass reads. Its keys are computed twice: by the histogram or the count, and by the
// pass. Its values are computed once. [Plan.Reads] tells the profile what that reads.
package radixsort
