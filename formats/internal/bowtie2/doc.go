// Package bowtie2 writes and reads the index of bowtie2 2.5 (Langmead and Salzberg 2012): six files, byte for byte
// those of "bowtie2-build".
//
//	.1.bt2, .rev.1.bt2  names and fragments; the transform with counts of bases; a table of all words of 10 bases
//	.2.bt2, .rev.2.bt2  every 16th entry of the suffix array
//	.3.bt2              the fragments: stretches without a letter that is no base
//	.4.bt2              their bases, 2 bits each, the first of a byte in its low bits
//
// Large indexes (.bt2l) have numbers of 64 bits.
//
// The text is all fragments one after the other; .rev is that text reversed. Suffixes are in the order in which the end
// of the text is larger than all letters (suffixcl.OrderEndLargest). docs/formats.md has the bytes.
package bowtie2
