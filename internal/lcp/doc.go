// Package lcp computes longest common prefixes on the device, from text and suffix
// array: the LCP array in the order of the suffixes, and PLCP, the same in the order of
// the text.
//
// A value is irreducible where the characters before both suffixes differ; only those are
// compared, 16 characters at a time, and the others follow (Kärkkäinen, Manzini & Puglisi,
// Permuted longest-common-prefix array, CPM 2009):
//
//	for slots j with T[SA[j]-1] != T[SA[j-1]-1]:    irreducible
//	    H[SA[j]] = SA[j] + lcp(SA[j-1], SA[j])      irreducible, pieces
//	PLCP[i] = max(H[0..i]) - i                      scan.Template
//	LCP[j] = PLCP[SA[j]]                            gather
//
// Irreducible values sum up to at most n log2(n) (Kärkkäinen, Kempa & Piątkowski, Tighter
// bounds for the sum of irreducible LCP values, TCS 2016), but one may be as long as the
// text. So a work-item compares a few dozen characters; what agrees longer is compared by
// the whole device in rounds, each four times as long as those before, which bounds the
// work to four times that sum.
//
// # Passes
//
// Bytes are those of each of n characters, of each of q irreducible values, of each of c
// characters that rounds compare, or of each of g values that a round still has to compare. A
// random access counts as a sector of 32 bytes.
//
//	step                     kernels           of   reads          writes   launches
//	empty PLCP and counts    (fill)            n                   4        2
//	compare neighbours       lcp_irreducible   n    4 + 64
//	                                           q                   32       1
//	r rounds: compare        lcp_pieces        c    2                       r
//	  list what is left      lcp_next          g    4 + 32 + 32    4        r - 1
//	maximum scan             package scan      n    4              4        2
//	gather                   lcp_gather        n    4 + 32         4        1
//	sum                                        n    108            12
//	                                           q                   32       5 + 2 r
//
// The 64 are the characters before both suffixes, at random. The first 16 or so of a comparison
// are in the same sectors; 32 more characters are two sectors more. q depends on the text: of
// DNA it is most of n, of repetitive text a small part. Launches depend on n alone:
// r = ceil(log4(n / Limit)), Limit being 128 characters on GPUs and 512 on CPUs. Where no
// irreducible value is that long, all rounds are empty: c = g = 0. Else c is at most four times
// the sum of those that are. Elsewhere than with look-back the scan reads 4 more, in 3 launches.
//
// PoCL, a text of 1 MB, r = 6: 18 launches.
//
// # Memory
//
// The two results, 4 bytes a character each, and the scan's workspace.
package lcp
