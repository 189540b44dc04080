// Package fmd writes and reads the files of ropebwt3 (Li 2024): the Burrows-Wheeler transform of a collection of DNA as
// runs of letters, in variable-length codes, with counts that make it an FM-index.
//
//	0   "RLD\3", the version, the shape
//	16  bytes of the blocks, number of frames
//	32  numbers of $ A C G T N
//	80  blocks of 8 words of 64 bits, little-endian; then frames of 7 words
//
// A block begins with the counts of the one before: its total and those of the six letters, in 16, 32 or 64 bits each,
// by the total. Then come codes of runs: the length in Elias's delta code, and 3 bits of the letter. A code may lie in
// two words of a block, the first bit at the top of a word. The last block has counts alone. Frame k has the first word
// of the last block that begins before row k*2^i, and the counts before it.
//
// Letters are 0 ($) to 5 (N).
package fmd
