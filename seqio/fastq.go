package seqio

import (
	"bytes"
	"strconv"
)

// fastq parses the records that begin in a part, from a place on where one can begin.
func (g *grammar) fastq(p *part, block []byte, at int) {
	p.begin, p.closed = at, true
	for !p.cut && p.wrong == nil {
		at = g.betweenFASTQ(p, block, at)
		if at >= p.to || p.cut || p.wrong != nil {
			break
		}
		if next, ok := g.fastqRecord(p, block, at); ok {
			at = next
		}
	}
	p.end = at
}

// guessFASTQ parses the records that seem to begin in a part: from the first line on that begins one that is right. If
// the part before does not end there, it was wrong.
func (g *grammar) guessFASTQ(p *part, block []byte) {
	for at := afterLine(block, p.from-1); at < p.to; at = afterLine(block, at) {
		if block[at] != '@' {
			continue
		}
		_, ok := g.fastqRecord(p, block, at)
		p.reset()
		if ok {
			g.fastq(p, block, at)
			return
		}
	}
	p.begin = -1
}

// afterLine is the place after the line that has a byte.
func afterLine(data []byte, at int) int {
	_, next := lineAt(data, at, false)
	return next
}

// betweenFASTQ passes over blank lines, and returns the place of the next mark. What is wrong after the part is left
// to the next one.
func (g *grammar) betweenFASTQ(p *part, block []byte, at int) int {
	for at < len(block) {
		switch block[at] {
		case '@':
			return at
		case ' ', '\t', '\r', '\n':
			line, next := lineAt(block, at, p.ended)
			if !p.ended && block[next-1] != '\n' {
				p.cut = true
				return at
			}
			if !p.blank(line) {
				return at
			}
			at = next
		default:
			if at < p.to {
				p.noMark(block[at], '@')
			}
			return at
		}
	}
	return at
}

// linesOfFASTQ are the least of a record.
const linesOfFASTQ = 4

// hasLines reports whether so many lines end in some bytes.
func hasLines(data []byte, n int) bool {
	for at := 0; n > 0; n-- {
		end := bytes.IndexByte(data[at:], '\n')
		if end < 0 {
			return false
		}
		at += end + 1
	}
	return true
}

// fastqRecord parses a record; false if it is wrong, or the block ends in it.
func (g *grammar) fastqRecord(p *part, block []byte, at int) (next int, ok bool) {
	had, before := len(p.records), p.lines
	if at == 0 && len(block) > partBytes && !p.ended && !hasLines(block, linesOfFASTQ) {
		p.cut = true // what there is of a long record is parsed once, when all of it is there
		return at, false
	}
	next, ok = g.fastqLines(p, block, at)
	if ok {
		p.text = append(p.text, g.separator...)
		return next, true
	}
	if len(p.records) > had {
		p.forget()
	}
	if p.cut = p.wrong == nil; p.cut {
		p.lines = before
	}
	return at, false
}

// line is the next line of a record that is not whole yet. whole is false where the block ends before it does, which
// is an error at the end of the input.
func (p *part) line(block []byte, at int) (line []byte, next int, whole bool) {
	if at >= len(block) {
		return nil, at, false
	}
	p.lines++
	line, next = lineAt(block, at, p.ended)
	if whole = p.ended || block[next-1] == '\n'; !whole && len(line) > 0 && line[len(line)-1] == '\r' {
		line = line[:len(line)-1] // it may belong to the end
	}
	return line, next, whole
}

// ends is the error of an input that ends within a record. It is none where only the block ends.
func (p *part) ends(record int) (next int, ok bool) {
	if p.ended {
		p.fail(0, "the file ends inside of record %q", p.name(record))
	}
	return 0, false
}

// fastqLines parses the lines of a record: header, sequence, the header again or nothing, and qualities.
func (g *grammar) fastqLines(p *part, block []byte, at int) (next int, ok bool) {
	header, at, whole := p.line(block, at)
	if !whole {
		if len(header) > maxHeader {
			p.checkHeader(header)
		}
		return 0, false
	}
	if !g.header(p, header) {
		return 0, false
	}
	record, from := len(p.records)-1, len(p.text)
	for at < len(block) && block[at] != '+' {
		var line []byte
		line, at, whole = p.line(block, at)
		if !g.sequence(p, line, 0) {
			return 0, false
		}
		if !whole {
			return 0, false
		}
	}
	again, at, whole := p.line(block, at)
	switch {
	case again == nil:
		return p.ends(record)
	case !whole:
		if len(again) > maxHeader {
			p.checkHeader(again)
		}
		return 0, false
	case !p.checkHeader(again):
		return 0, false
	case len(again) > 1 && string(again[1:]) != string(header[1:]):
		p.fail(0, "the line with '+' names %q, the record is %q", again[1:], header[1:])
		return 0, false
	}
	return g.qualities(p, block, at, record, len(p.text)-from)
}

// qualities parses as many symbols of quality as the record has others.
func (g *grammar) qualities(p *part, block []byte, at, record, want int) (next int, ok bool) {
	if at >= len(block) && want == 0 && p.ended {
		return at, true
	}
	for first := true; first || want > 0; first = false {
		line, after, whole := p.line(block, at)
		if line == nil && !whole {
			return p.ends(record)
		}
		if i := wrongQuality(line[:min(want, len(line))]); i >= 0 {
			p.fail(i+1, "%s in the quality of %s", symbolName(line[i]), strconv.Quote(p.name(record)))
			return 0, false
		}
		if len(line) > want {
			p.fail(0, "record %q has more quality symbols than its sequence has symbols, which are %d",
				p.name(record), len(p.text)-p.records[record].offset)
			return 0, false
		}
		if !whole {
			return 0, false
		}
		want -= len(line)
		at = after
	}
	return at, true
}
