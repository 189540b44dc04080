// Package wiggle appends lines of tracks of values: of bedGraph, whose positions count from 0, and of wig, whose
// positions count from 1. The value comes after what is appended.
package wiggle

import "github.com/suffixcl/suffixcl/cmd/internal/formats/tsv"

// AppendSpan appends the line of wig that begins values for so many positions each of a sequence.
func AppendSpan(to, sequence []byte, span int) []byte {
	to = append(append(append(to, "variableStep chrom="...), sequence...), " span="...)
	return append(tsv.AppendNumber(to, uint64(span)), '\n')
}

// AppendStep appends the place of a value of wig, from a position that counts from 0.
func AppendStep(to []byte, start int) []byte {
	return append(tsv.AppendNumber(to, uint64(start+1)), ' ')
}

// AppendRange appends the place of a value of bedGraph: the positions from start to end-1 of a sequence.
func AppendRange(to, sequence []byte, start, end int) []byte {
	to = append(append(to, sequence...), '\t')
	to = append(tsv.AppendNumber(to, uint64(start)), '\t')
	return append(tsv.AppendNumber(to, uint64(end)), '\t')
}
