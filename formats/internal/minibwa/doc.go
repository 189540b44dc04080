// Package minibwa writes and reads the index of minibwa, whose files begin with L2B 1 and MBW 2.
//
//	.l2b  names, lengths and bases of the sequences; stretches of letters that are no bases, and in lower case
//	.mbw  transform of both strands with counts, and every 16th entry of their suffix array
//
// Letters that are no bases are replaced by random ones, from seed 11. docs/formats.md has the bytes.
package minibwa
