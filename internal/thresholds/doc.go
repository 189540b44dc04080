// Package thresholds lists the runs of equal letters of a transform on the device, and the thresholds of MONI, SPUMONI
// and Movi (Rossi, Oliva, Langmead, Gagie & Boucher, MONI: a pangenomic index for finding maximal exact matches, 2022).
//
// The rows are those of text$, sorted, with that of the end: n + 1 of them. Row 0 is the end alone, row j+1 the suffix
// of slot j. The letter of a row is the one before its suffix, End before the whole text. LCP[j] is the length of the
// common prefix of rows j-1 and j.
//
// For a run of letter c that begins at row i, e is the last row of c before it. The threshold is the first row j from
// e+1 to i with the least LCP[j]; 0 for the first run of a letter. A tree of minima finds it.
//
// The runs of one part of the rows after the other are listed: those that begin there. They are sorted by letter, so
// that the run before one of the same letter is next to it. Of the parts before only the last row of each letter is
// kept.
//
// # Passes
//
// Bytes are those of each of n characters, or of each of r runs. A random access counts as a sector of 32 bytes. There
// are d parts.
//
//	step                     kernels               of   reads    writes   launches
//	minima, l levels         minima_level          n    4.3      0.3      l
//	letters before           thresholds_letters    n    4 + 32   1        d
//	runs                     package scan          n    2
//	                                               r             8        d
//	  by letter              package radixsort     r    4        8        3 d
//	  end of the open one    thresholds_close                             d
//	  thresholds             thresholds_find       r    8 + 64   4        d
//	  last of each letter    thresholds_last       r    4                 d
//	  sum                                          n    42       1
//	                                               r    80       20       l + 8 d
//
// The 64 are the starts of two runs. A search reads lcp between the two runs, and O(log n) of it where they are far
// from each other. The sort takes 3 launches by Onesweep and 5 elsewhere, the compaction 1 with look-back and 3
// elsewhere.
//
// # Memory
//
// In addition to text, suffix array and LCP array 0.3 bytes a character, and 21 for each row of a part, of them 4 for
// each column of the result.
package thresholds
