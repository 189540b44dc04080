package seqio

import (
	"bytes"
	"fmt"
	"strconv"
)

// part is a part of a block, and what it is parsed to. Each is parsed alone, as if the one before it had no error.
type part struct {
	from, to int  // of the block. Records of FASTQ are those that begin there
	open     bool // a record that began before goes on
	column   int  // bytes of a line that were before; more than 0 within a line
	ended    bool // it is the last of the input

	text    []byte   // letters, with a separator after each record that ends here
	headers []byte   // names and descriptions
	records []parsed // that begin here
	closed  bool     // the last record ends here
	lines   int      // that begin here; up to the error, if there is one
	begin   int      // of the block, where it was parsed from and to
	end     int
	cut     bool // the block ends within the record that begins at end
	wrong   *Error
	unnamed bool // the name of the record is missing at the end of the error

	before int64  // lines of the input
	names  string // headers, once records are taken
	taken  int    // records
	at     int    // bytes of the text that are taken
}

// parsed is a record of a part.
type parsed struct {
	offset            int // in the text of the part
	name, description int // their ends in the headers; that of the number of the line, where it is the name
}

// reset makes the part as it was before it was parsed.
func (p *part) reset() {
	p.text, p.headers, p.records = p.text[:0], p.headers[:0], p.records[:0]
	p.closed, p.cut, p.unnamed, p.wrong, p.names = false, false, false, nil, ""
	p.lines, p.begin, p.end, p.taken, p.at = 0, 0, 0, 0, 0
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
func (p *part) endOfHeaders(record int) int {
	if record == 0 {
		return 0
	}
	return p.records[record-1].description
}

// name is the name of a record.
func (p *part) name(record int) string {
	return string(p.headers[p.endOfHeaders(record):p.records[record].name])
}

// header checks the line of a header, with its mark, and begins a record; false if it is wrong.
func (g *grammar) header(p *part, line []byte) bool {
	if !p.checkHeader(line) {
		return false
	}
	header := line[1:]
	name, description := header, []byte(nil)
	if !g.wholeHeaders {
		if i := firstBlank(header); i >= 0 {
			name, description = header[:i], bytes.TrimSpace(header[i:])
		}
	}
	p.headers = append(p.headers, name...)
	r := parsed{offset: len(p.text), name: len(p.headers)}
	p.headers = append(p.headers, description...)
	r.description = len(p.headers)
	p.records = append(p.records, r)
	return true
}

// firstBlank is the place of the first blank or tab, or -1.
func firstBlank(header []byte) int {
	for i, c := range header {
		if c == ' ' || c == '\t' {
			return i
		}
	}
	return -1
}

// checkHeader is false for a line that can be no header.
func (p *part) checkHeader(line []byte) bool {
	if len(line) > maxHeader {
		p.fail(0, "a header of more than %d bytes", maxHeader)
		return false
	}
	if at := wrongInHeader(line); at >= 0 {
		p.fail(at+1, "byte %#02x in a header", line[at])
		return false
	}
	return true
}

// sequence appends the letters of a line to the last record; false if one is wrong, with the error.
func (g *grammar) sequence(p *part, line []byte, column int) bool {
	text, at := g.alphabet.append(p.text, line)
	p.text = text
	if at < 0 {
		return true
	}
	p.fail(column+at+1, "%s in sequence ", symbolName(line[at]))
	if p.unnamed = len(p.records) == 0; !p.unnamed {
		p.wrong.Why += strconv.Quote(p.name(len(p.records) - 1))
	}
	return false
}
