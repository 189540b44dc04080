// Package bwa writes and reads the index of bwa 0.7 (Li and Durbin 2009): five files, byte for byte those of "bwa
// index".
//
//	.ann  text: names, comments, places and lengths of the sequences
//	.amb  text: runs of letters that are no bases; each of these letters is replaced by a random base, from seed 11
//	.pac  the bases, 2 bits each, the first of a byte in its high bits
//	.bwt  transform of both strands: the reference, then its reverse complement
//	.sa   every 32nd entry of their suffix array
//
// docs/formats.md has the bytes.
package bwa
