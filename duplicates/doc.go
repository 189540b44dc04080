// Package duplicates finds the windows of a text that occur several times, and what they cover: exact-substring
// deduplication.
//
// A window is T successive symbols of one document. A duplicate is a window that occurs at least MinCount times; with
// KeepFirst the first of its occurrences is none. The result are the ranges [p, p+T) of all duplicates p, those that
// touch or overlap joined. (K. Lee, D. Ippolito et al., Deduplicating training data makes language models better, 2022,
// has these from a suffix array.)
//
// The order of windows does not matter, so no suffixes are sorted. Anchors are chosen by content (S. Schleimer,
// D. Wilkerson & A. Aiken, Winnowing, 2003): equal windows have their anchors at the same place in them. So equal
// windows are found by sorting anchors, of which there are about 4 for T symbols. docs/design/dedup.md has the proof.
//
// # Steps
//
// Of n symbols, m items (an anchor with its windows), w windows that the items did not settle:
//
//	step       does                                                                 of   kernels
//	select     chooses anchors, and lists items with the fingerprint of a half      n    duplicates_select, package scan
//	           of a window
//	sort       classes of equal fingerprints                                        m    package radixsort
//	compare    items of a class with its first one, symbol by symbol: if all are    m    duplicates_compare,
//	           the same, their windows are settled at once                               duplicates_settle
//	windows    the windows of other classes, by fingerprints of their own,          w    DUPLICATES_WINDOWS, and as items
//	           likewise; where fingerprints of different ones are equal, again
//	           with another seed
//	ranges     of the bits of duplicates                                            n    DUPLICATES_RUNS
//
// Every class is compared with the text. So a collision of fingerprints costs time, and changes no result.
//
// Where items or windows are more than the lists have room for, they come in parts, by ranges of their fingerprints.
// Where the text has no room, it goes through the device in pieces, which lists the items; the contexts of those that
// are not alone then are a text of their own, or several.
//
// # Memory
//
// See [Finder.Memory]. Bytes a symbol of b bytes: b + 1/4 for text and bitmaps; 8 for a document; 32 and less than one
// for each entry of the lists, of which n/4 are the most that is taken, and few the least.
package duplicates
