package seqio

import (
	"fmt"
)

// part is a part of a block, and what it is parsed to. Each is parsed alone, as if the one before it had no error.
type part struct {
	from, to int  // of the block. Records of FASTQ are those that begin there
	open     bool // a record that began before goes on
	ended    bool // it is the last of the input
	column   int  // bytes of a line that were before; more than 0 within a line
	unfinished

	text    []byte   // letters, with a separator after each record that ends here
	headers []byte   // header lines without their marks
	records []parsed // that begin here
	closed  bool     // the last record ends here
	lines   int      // that begin here; up to the error, if there is one
	begin   int      // of the block, where it was parsed from and to
	end     int
	cut     bool // the block ends within the line that begins at end
	wrong   *Error
	unnamed bool // the name of the record is missing at the end of the error

	before int64  // lines of the input
	names  string // headers, once records are taken
	taken  int    // records
	at     int    // bytes of the text that are taken
}

// parsed is a record of a part.
type parsed struct {
	offset   int    // in the text of the part
	name     uint32 // its end in the headers; the number of the line, where that is the name
	from, to uint32 // of the description in the headers
	end      uint32 // of the header
}

// piece is what a batch takes of a part.
type piece struct {
	part       *part
	from, to   int // of its text
	first, end int // of its records
	at, record int // where these go in the batch
	closes     int // where the record ends that began before; -1 if none does
}

// Where a place lies in a record of FASTQ.
const (
	outside = iota
	inSequence
	inQualities
)

// unfinished is a record of FASTQ that goes on after a place.
type unfinished struct {
	where   int
	began   []byte // its header line
	symbols int    // of its sequence, so far
	missing int    // symbols of quality that are to come
}

// reset makes the part as it was before it was parsed.
func (p *part) reset() {
	p.text, p.headers, p.records = p.text[:0], p.headers[:0], p.records[:0]
	p.closed, p.cut, p.unnamed, p.wrong, p.names = false, false, false, nil, ""
	p.lines, p.begin, p.end, p.taken, p.at, p.column = 0, 0, 0, 0, 0, 0
	p.unfinished = unfinished{}
}

// fail ends the part by an error in the line that began last.
func (p *part) fail(column int, format string, args ...any) {
	p.wrong = &Error{Line: int64(p.lines), Column: int64(column), Why: fmt.Sprintf(format, args...)}
}

// forget takes the last record out again.
func (p *part) forget() {
	last := len(p.records) - 1
	p.text = p.text[:p.records[last].offset]
	p.headers = p.headers[:p.endOfHeaders(last)]
	p.records = p.records[:last]
}

// endOfHeaders is the end of the headers of the records before one.
func (p *part) endOfHeaders(record int) uint32 {
	if record == 0 {
		return 0
	}
	return p.records[record-1].end
}

// name is the name of a record.
func (p *part) name(record int) string {
	return string(p.headers[p.endOfHeaders(record):p.records[record].name])
}
