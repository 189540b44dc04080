// Package mummer appends lines as mummer 3.23 writes them: one for each query, and one for each match. Positions count
// from 1.
package mummer

import (
	"slices"
	"strconv"
)

// PadNames are names of the reference's sequences as they stand before matches: of one length, after two blanks.
func PadNames(names []string) (padded []string) {
	longest := 0
	for _, name := range names {
		longest = max(longest, len(name))
	}
	for _, name := range names {
		cell := []byte("  " + name)
		for len(cell) < longest+2 {
			cell = append(cell, ' ')
		}
		padded = append(padded, string(cell))
	}
	return padded
}

// AppendQuery appends the line of a query. length is told unless it is negative.
func AppendQuery(to []byte, name string, reverse bool, length int) []byte {
	to = append(append(to, "> "...), name...)
	if reverse {
		to = append(to, " Reverse"...)
	}
	if length >= 0 {
		to = strconv.AppendInt(append(to, "  Len = "...), int64(length), 10)
	}
	return to
}

// AppendMatch appends the line of a match, with positions from 1 on. name is a padded one, or empty where the reference
// has one sequence.
func AppendMatch(to []byte, name string, reference, query, length uint64) []byte {
	to = append(to, name...)
	from := len(to)
	to = appendColumn(to, reference)
	if name == "" {
		to = slices.Delete(to, from, from+2) // the blanks before a column
	}
	return appendColumn(appendColumn(to, query), length)
}

// appendColumn appends a number of at least 8 characters after two blanks.
func appendColumn(to []byte, n uint64) []byte {
	const width = 10
	from := len(to)
	to = append(to, "          "...)
	at := from + width
	if n >= 100_000_000 {
		return strconv.AppendUint(to[:from+2], n, 10)
	}
	for {
		at--
		to[at] = byte('0' + n%10)
		if n /= 10; n == 0 {
			return to
		}
	}
}
