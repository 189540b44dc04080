// Package sais sorts suffixes by induced sorting, for CPUs with few cores: G. Nong, S. Zhang &
// W. H. Chan, Two efficient algorithms for linear time suffix array construction, IEEE
// Transactions on Computers 60(10), 2011.
//
// A suffix is of type S if it is less than the next one in the text, else of type L, and LMS
// if it is of type S after one of type L: at most half of all. Each level, of kernels in
// sais.cl:
//
//	paper                                here
//	1  types, LMS substrings             sais_types, sais_marks
//	2  sort LMS substrings by inducing   sais_sample, sais_left, sais_right
//	3  name them in that order           sais_differ, a scan, sais_name
//	4  if names are not unique, sort     the next level, in place in the suffix array;
//	   the text of the names             sais_positions, sais_order
//	5  induce the suffix array           sais_spread, sais_left, sais_right
//
// What one entry induces decides the next, so sais_left and sais_right are each one work-item.
// It asks for the text of the next entries (as I. Grebnov's libsais does), and takes symbol and
// type of what it induces from one place in the text: an entry has a mark that tells whether it
// will induce in the next pass. Types and LMS suffixes are bits, 64 to a word, with counts
// before each word, so that everything between the passes is parallel.
//
// Of a periodic text only the end is sorted, and expanded: package periodic.
//
// Time O(n), whatever the text. Memory: 4 bytes a character for the result, 1 for the text, 4.9
// for the sorter: 4 for the buckets of the levels below the top, half of one for a periodic text,
// the rest for the marks. Texts have up to 2^31-1 characters.
//
// It is for CPUs. On a GPU it is right and slow: a work-item there does a few million steps a
// second.
package sais
