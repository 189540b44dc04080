// Package bwt computes the Burrows-Wheeler transform on the device, and back.
//
// The convention is that of libdivsufsort and libsais: the transform is the last characters of the sorted rows of
// text$, without the row of the whole text (whose last character is the end marker). The number of that row is the
// primary index: 1 plus the slot of suffix 0 in the suffix array; 0 for the empty text.
//
// # Passes
//
// Bytes are those of each of n characters, or of each of w nodes. A random access counts as a sector of 32 bytes. No
// count depends on what the text is.
//
//	step                      kernels         of   reads      writes   launches
//	Forward.Run
//	  row of suffix 0         bwt_rows        n    4                   1
//	  characters before       bwt_emit        n    4 + 32     1        1
//	  sum                                     n    40         1        2
//	Forward.Sample            bwt_rows        n    4                   1
//
//	Inverse.Run
//	  sort the ranks          package
//	                          radixsort       n    2          8        3
//	  first rank of each
//	  character               unbwt_firsts                             1
//	  empty the nodes         (fill)          w               8        2
//	  walk                    unbwt_walk      n    32         1
//	                                          w               8        1
//	  jump, j rounds          unbwt_jump      w    8 + 96     8        j
//	  put together            unbwt_copy      n    1          1
//	                                          w    16                  1
//	  sum                                     n    35         10
//	                                          w    16 + 104 j 16 + 8 j 8 + j
//
// The sort has one pass, whose keys are the transform and whose values are computed. It takes 3 launches by Onesweep
// and 5 elsewhere. The walk starts at one splitter in each block of 2^b ranks. A node is a piece between two splitters,
// or a part of one that is longer than two blocks. So w is n/2^b + n/2^(b+1) at most. A block has 16 ranks or more on
// GPUs, 64 or more on CPUs; it has more where there would be more than 2^20 or 2^14 blocks. A round of jumps goes four
// times as far as the one before: j = ceil(log4 w). A jump that has reached the end reads no more, so 96 is the most.
//
// PoCL, a text of 1 MB: 2 launches and 41 bytes a character; back, 18 launches with b = 6, w = 23,437 and j = 8.
package bwt
