// Package movi makes the files from which Movi, SPUMONI and MONI make their indexes: the runs of a transform, and their
// thresholds.
//
// The text is each record, followed by its reverse complement, in capitals. Letters that are no bases are A, as Movi's
// own preparation has them. With separators there is a % after each strand. The text has one end, a byte 0, which is
// less than all letters. The rows are those of the sorted text, with the end's.
// Package internal/runfiles has the layout of the files, and reads them: letters are A, C, G, T, %, or 0 for the row
// before the whole text.
package movi
