package seqio

import (
	"bytes"
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

// headerLine is a line of a header, with its mark, and the place of its first blank, or -1. ok is false if it is wrong,
// or the block ends in it.
func (p *part) headerLine(data []byte, at int) (line []byte, blank, next int, ok bool) {
	n, blank := headerBytes(data[at:])
	next, ok = endOfLine(data, at+n, p.ended)
	if !ok || n > maxHeader {
		p.wrongHeader(data, at)
		return nil, 0, at, false
	}
	p.lines++
	return data[at : at+n], blank, next, true
}

// wrongHeader is the error of a line that is no header. It is none if the block ends in it.
func (p *part) wrongHeader(data []byte, at int) {
	line, next := lineAt(data, at, p.ended)
	if whole := p.ended || data[next-1] == '\n'; !whole {
		line = bytes.TrimSuffix(line, []byte("\r")) // which may belong to the end
		if p.cut = len(line) <= maxHeader; p.cut {
			return
		}
	}
	p.lines++
	if len(line) > maxHeader {
		p.fail(0, "a header of more than %d bytes", maxHeader)
		return
	}
	n, _ := headerBytes(line)
	p.fail(n+1, "byte %#02x in a header", line[n])
}

// header begins a record by the line of a header.
func (g *grammar) header(p *part, data []byte, at int) (line []byte, next int, ok bool) {
	line, blank, next, ok := p.headerLine(data, at)
	if !ok {
		return nil, at, false
	}
	name, from, to := g.split(line, blank)
	start := uint32(len(p.headers)) - 1 // of the line, whose mark is left out
	p.headers = append(p.headers, line[1:]...)
	p.records = append(p.records, parsed{}) // its fields are set in place: to copy them takes longer
	r := &p.records[len(p.records)-1]
	r.offset, r.name, r.end = len(p.text), start+uint32(name), start+uint32(len(line))
	r.from, r.to = start+uint32(from), start+uint32(to)
	return line, next, true
}

// split returns the end of the name of a header line, and the description's place. blank is that of the line's first
// blank, or -1.
func (g *grammar) split(line []byte, blank int) (name, from, to int) {
	if blank < 0 || g.wholeHeaders {
		return len(line), len(line), len(line)
	}
	from, to = blank+1, len(line)
	if from < to && isVisible(line[from]) && isVisible(line[to-1]) {
		return blank, from, to
	}
	description := bytes.TrimSpace(line[blank:])
	from = blank + bytes.Index(line[blank:], description)
	return blank, from, from + len(description)
}

// name is the name in a header line.
func (g *grammar) name(line []byte) []byte {
	_, blank := headerBytes(line)
	end, _, _ := g.split(line, blank)
	return line[1:end]
}

// sequence appends the letters of the line at a place, of which p.column bytes came before. next is the place after the
// line. ok is false if a letter is wrong, with the error, or the data end in the line.
func (g *grammar) sequence(p *part, data []byte, at int) (next int, ok bool) {
	start := at - p.column
	if p.column == 0 {
		p.lines++
	} else if len(data)-at >= longLine {
		at = g.longSequence(p, data, at)
	}
	for {
		if cap(p.text)-len(p.text) < 8 {
			p.text = grow(p.text, min(len(data)-at, partBytes)+8)
		}
		n := g.alphabet.copy(p.text[len(p.text):cap(p.text)], data[at:])
		p.text = p.text[:len(p.text)+n]
		at += n
		if next, ok = endOfLine(data, at, p.ended); ok {
			p.column = 0
			return next, true
		}
		switch {
		case at == len(data) || g.format == FASTQ && data[at] == '\r' && at+1 == len(data): // it may belong to the end
			if p.column = at - start; p.column == 0 {
				p.lines-- // nothing is read of it
			}
			return at, false
		case data[at] == ' ' || data[at] == '\t':
			at++
		case g.alphabet.letters[data[at]] == noLetter:
			p.fail(at-start+1, "%s in sequence ", symbolName(data[at]))
			if p.unnamed = len(p.records) == 0; !p.unnamed {
				p.wrong.Why += strconv.Quote(p.name(len(p.records) - 1))
			}
			return at, false
		} // else the text was full
	}
}

// longSequence is sequence for what is worth several processors. It appends the line without its end, or nothing.
func (g *grammar) longSequence(p *part, data []byte, at int) (next int) {
	line, _ := lineAt(data, at, p.ended)
	if len(line) < longLine {
		return at
	}
	p.text = grow(p.text, len(line))
	to := p.text[len(p.text):][:len(line)]
	if !all(len(line), func(from, end int) bool { return g.alphabet.copy(to[from:end], line[from:end]) == end-from }) {
		return at
	}
	p.text = p.text[:len(p.text)+len(line)]
	return at + len(line)
}
