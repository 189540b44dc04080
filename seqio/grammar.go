package seqio

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strconv"
)

// grammar tells what a format and its options make of bytes. Several processors use it at once.
type grammar struct {
	format       Format
	alphabet     *alphabet
	separator    []byte
	wholeHeaders bool   // they are names
	field        string // of lines of JSON
}

// jsonLines is the format of ReadJSONLines, whose field no option has.
const jsonLines = Lines + 1

// maxHeader is the most bytes of a header line.
const maxHeader = 1 << 20

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
	n := 0
	for ; len(header)-n >= 8; n += 8 {
		word := binary.LittleEndian.Uint64(header[n:])
		if marks := zeros(word^' '*eachByte) | zeros(word^'\t'*eachByte); marks != 0 {
			return n + bits.TrailingZeros64(marks)/8
		}
	}
	for i, c := range header[n:] {
		if c == ' ' || c == '\t' {
			return n + i
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
