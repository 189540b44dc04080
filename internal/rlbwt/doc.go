// Package rlbwt has run-length Burrows-Wheeler transforms of collections of DNA on the device, which grow: strings
// enter by merging (Li 2014, "Fast construction of FM-index for long sequence reads"; here by intervals, in pieces).
// The order is that of ropebwt3: each string ends with a $ of its own, and those of strings that were there before are
// less.
//
// Blocks of 64 bytes have counts, and runs in words of slots that are summed up whole; a directory finds the block of a
// row. So rank of any letter takes two accesses to memory. kernels/rlbwt.cl has the layout, docs/design/runlength.md
// others. Memory: 0.8 to 2.1 bytes a run, and 0.3 to 0.6 for the directory; 8 bytes for each string.
//
// The device makes files of ropebwt3, too: internal/fmd has the format, kernels/rlbwt_fmd.cl the steps. Tests compare
// them with those of fmd.Encoder.
package rlbwt
