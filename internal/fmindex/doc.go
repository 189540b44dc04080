// Package fmindex builds and searches FM-indexes on the device (Ferragina & Manzini,
// Opportunistic data structures with applications, FOCS 2000). An index is the
// Burrows-Wheeler transform with counts, and a sample of the suffix array. The counts tell
// how often a pattern occurs, from its characters alone, the last one first. The sample
// tells where.
//
//	paper                        here
//	C[c]                         1 + the characters smaller than c; table of fmindex_search.cl
//	Occ(c, r)                    rank of fmindex_search.cl
//	backward_search(P)           fm_count: low, high = C[c]+Occ(c,low), C[c]+Occ(c,high)
//	LF(r) = C[L[r]]+Occ(L[r],r)  longer of fmindex_search.cl
//
// Wang, Baxter & Owens (section 3.3) make it of a histogram and a multiscan and search
// many patterns at once, as here: a work-item a pattern.
//
// # Layouts
//
//	part                            layout                                     bytes
//	up to four symbols, or DNA      blocks of 64 characters in 32 bytes        0.5 a character
//	runs of other bytes in these    an unknown region makes a small number     12 a run
//	other texts: wavelet matrix     96 bits in 16 bytes, a bit vector for      1/6 a character and bit
//	                                each bit of a symbol
//	samples of rate r               marks, and a position for each             1/6 + 4/r a character
//
// A block has four counts and two planes of bits. So a rank in it is one sector of memory.
//
// # What matches
//
// With alphabet Auto every byte of the text is a symbol, but not the separator of records. With DNA the symbols are A,
// C, G and T. Every other byte of the text, N and lower case included, is kept but matches no pattern. A pattern with
// such a byte has no occurrences, but lower case and U in patterns are read as A, C, G and T. Fold the text before, as
// package seqio does. The empty pattern has no occurrences. A separator between records never matches, so no occurrence
// crosses records.
package fmindex
