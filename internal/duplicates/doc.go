// Package duplicates finds the windows of a text that occur several times, and what they cover: exact-substring
// deduplication.
//
// A window is T successive symbols of one document. A duplicate is a window that occurs at least MinCount times; with
// KeepFirst the first of its occurrences is none. The result is the ranges [p, p+T) of all duplicates p. Ranges that
// touch or overlap are joined. (K. Lee, D. Ippolito et al., Deduplicating training data makes language models better,
// 2022, find them by a suffix array.)
//
// The order of windows does not matter, so no suffixes are sorted. Anchors are chosen by content (S. Schleimer,
// D. Wilkerson & A. Aiken, Winnowing, 2003): equal windows have their anchors at the same place in them. So equal
// windows are found by sorting anchors, of which there are about 4 for T symbols. docs/design/dedup.md has the proof.
//
// # Steps
//
// The text has n symbols, m items (an anchor with its windows), and w windows that the items do not settle:
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
// If there are more items or windows than the lists have room for, they come in parts, by ranges of their fingerprints.
// If the device has no room for the text, the text goes through it in pieces, whose items are listed. The contexts of
// items that are not alone in their class become a text of their own, or several.
//
// # Memory
//
// See [Finder.Memory]. A symbol of b bytes takes b + 1/4 bytes for text and bitmaps, a document 8. An entry of the
// lists takes between 32 and 33 bytes; there are at most n/4 entries, and few at least.
package duplicates
