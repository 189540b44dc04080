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
//	3  name them in that order           sais_differ, sais_sum, sais_name
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
// # Passes
//
// Of a level of n symbols of x bytes, 1 at the top and 4 below, and m LMS suffixes. Bytes are those
// of each; random accesses, in the last column but one, are counted apart, as a line of the caches
// each.
//
//	step                kernels             of   reads     writes      random   launches
//	top: look for a
//	period              (fill),
//	                    periodic_recurs     n    1/3                            2
//	  symbols           (fill), sais_count  n    1                              2
//	types               sais_types          n    x         4 + 1/8              1
//	LMS suffixes        sais_marks          n    1/4       1/4 + 1/16           1
//	to their buckets    sais_sample         n    1/8
//	                                        m    x         4           1        1
//	induce, type L      sais_left           n    4
//	                                        L              4 + 4       2        1
//	induce, type S      sais_right          n    4
//	                                        S              4           2
//	                                        m              4                    1
//	compare substrings  sais_differ         n    2 x
//	                                        m    4         4 + 3/16    2        1
//	names               sais_sum            m    1/16      1/16                 1
//	text of names       sais_name           m    4 + 3/16  4           3        1
//	the next level
//	positions           sais_positions      n    3/16
//	                                        m              4                    1
//	in order            sais_order          m    4         4           1        1
//	spread              (fill)              n-m            4                    1
//	                    sais_spread         m    4         4 + 4       2        1
//	induce, type L      sais_left           n    4
//	                                        L              4           2        1
//	induce, type S      sais_right          n    4
//	                                        S              4           2        1
//	sum of a level                          n    16.6 + 3x 16.4        4
//	                                        L              4
//	                                        m    16.3 + x  28.3        9        14
//	  the top besides                       n    1 1/3                          4
//	  levels below besides                  n    3/4
//	                                        k              24
//
// Lines of the levels below are pointers into k buckets: six kernels make them anew, of a bit for
// each suffix. The 256 of bytes cost nothing.
//
// L and S are the suffixes of the types, n together. What is induced takes two random accesses: to the
// text before an entry, and to its bucket. Bytes have 256 buckets, whose ends stay in the caches.
// The comparison of substrings reads 2x at most: LMS substrings share only their ends, and one is
// compared where it has the length of the one before.
//
// m and the levels depend on the text. m is at most n/2, and about a third of ordinary text. So all
// levels together have less than twice the symbols of the top. A level whose names all differ
// leaves out text, positions and order; one of one LMS suffix or none leaves out all from the
// comparison to the spread, and the induction before it. Above 2^24 symbols an induction takes a launch
// for each 2^24. A text that recurs within its first third is read twice more.
//
// PoCL, a text of 1 MB, 5 levels, different names in the last: 5 14 + 4 - 3 = 71 launches.
//
// # Limits
//
// Of a periodic text only the end is sorted, and expanded: package periodic.
//
// Time O(n), whatever the text. Memory: 4 bytes a character for the result, 1 for the text, 2.06
// for the sorter: 1.56 for pointers into the buckets of a level below the top, one eighth for where
// these start, the rest for the marks. Texts of less than 33 MB take up to 0.44 more. 16-bit symbols
// take 8.5 in all, 32-bit symbols 12.6. Texts have up to 2^31-1 characters.
//
// It is for CPUs. On a GPU it is right and slow: a work-item there does a few million steps a
// second.
package sais
