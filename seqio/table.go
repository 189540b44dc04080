package seqio

import "sort"

// Record is a sequence of a batch.
type Record struct {
	Name        string
	Description string // what follows the name in its line
	Offset      int    // of its first symbol in the text of the batch
	Length      int    // symbols
	Line        int64  // of its header in the file, from 1
}

// End is the offset after its last symbol.
func (r Record) End() int { return r.Offset + r.Length }

// Table is the records of a text, in order.
type Table []Record

// Find returns the record that holds the n symbols from offset at of the text on, and
// the place of the first of them in the record. ok is false if no record has them all.
func (t Table) Find(at, n int) (record, place int, ok bool) {
	// The last record that starts at or before: of empty ones at one place, the one
	// that is not.
	record = sort.Search(len(t), func(i int) bool { return t[i].Offset > at }) - 1
	if record < 0 || at < 0 || n < 0 || at >= t[record].End() || n > t[record].End()-at {
		return 0, 0, false
	}
	return record, at - t[record].Offset, true
}

// Batch is some records of an input. Reader.Next fills it anew, in its memory.
type Batch struct {
	Text    []byte // the sequences, each with the separator after it
	Records Table
	Quality []byte // for each byte of Text its quality symbol, if Options.Quality; 0 for separators
	First   int64  // number of records of the input before these
}
