// Package fmindex builds and searches FM-indexes on the device (Ferragina & Manzini,
// Opportunistic data structures with applications, FOCS 2000): the Burrows-Wheeler
// transform with counts, which tells how often a pattern occurs from its characters
// alone, last one first, and a sample of the suffix array, which tells where.
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
// Up to four symbols, or DNA: a block of 64 characters is 32 bytes, four counts and two
// planes of bits, so that a rank is one sector of memory: 0.5 bytes a character, and 12 for
// each run of characters that are no symbols, of which an unknown region makes few. Other
// texts: a wavelet matrix of one bit vector for each bit of a symbol, 16 bytes for 96 bits:
// 1/6 byte a character and bit. With samples of rate r: 1/6 + 4/r bytes a character more.
//
// # What matches
//
// With alphabet Auto every byte of the text is a symbol but the separator of records.
// With DNA the symbols are A, C, G and T; every other byte of the text, N and lower case
// included, is kept but matches no pattern, as no pattern with such a byte has
// occurrences; in patterns, lower case and U are read as A, C, G and T. Fold the text
// before, as package seqio does. The empty pattern has no occurrences. A separator between
// records never matches, so no occurrence crosses records.
package fmindex
