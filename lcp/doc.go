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
// Memory: the two results, 4 bytes a character each, and the scan's workspace.
package lcp
