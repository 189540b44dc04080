package seqio

import "sort"

// Record is a sequence in a text.
type Record struct {
	Name        string
	Description string // the rest of the header line
	Offset      int    // of its first symbol in the text, in bytes
	Length      int    // symbols
}

// End is the offset after the last symbol: Offset + Length.
func (r Record) End() int { return r.Offset + r.Length }

// Table is the records of a text, ascending by offset. They do not overlap.
type Table []Record

// Find returns the number of the record that holds the n symbols of the text from offset at on, and the place of the
// first of them in the record. ok is false if no record holds them all. Binary search.
func (t Table) Find(at, n int) (record, place int, ok bool) {
	// The last record that starts at or before: of empty ones at one place, the one
	// that is not.
	record = sort.Search(len(t), func(i int) bool { return t[i].Offset > at }) - 1
	if record < 0 || at < 0 || n < 0 || at >= t[record].End() || n > t[record].End()-at {
		return 0, 0, false
	}
	return record, at - t[record].Offset, true
}

// Batch is some consecutive records of an input. Reader.Next replaces them, in the same memory.
type Batch struct {
	Text    []byte // the sequences, a separator after each
	Records Table
	First   int64 // number in the input of the first of these, from 0
}
