// Package genometools writes and reads the enhanced suffix array of GenomeTools 1.6 (Abouelhoda, Kurtz and Ohlebusch
// 2004): the files .suf, .lcp, .llv, .bwt and .prj, byte for byte those of "gt suffixerator -dna -suf -lcp -bwt". The
// encoded sequence next to them (.esq, .des, .sds, .ssp, .md5) is made by "gt encseq encode", which takes little time.
//
//	.suf  suffix array
//	.lcp  LCP array in bytes; 255: the value is in .llv
//	.llv  pairs of rank and value, of values from 255 on
//	.bwt  the character before each suffix
//	.prj  text: sizes and statistics
//
// Suffixes are in the order in which N, the other codes of IUPAC and the separators of sequences are larger than all
// bases, different, and ordered by place (suffixcl.SpecialsLargest). docs/formats.md has the bytes.
package genometools
