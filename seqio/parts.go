package seqio

import (
	"bytes"
	"io"
	"runtime"
	"slices"

	"github.com/suffixcl/suffixcl/internal/parallel"
)

// parser reads the records of an input block by block. A block is divided where it is known to be long: into parts,
// which several processors parse. Short ones, and all of them on one processor, are parsed one part after the other.
type parser struct {
	grammar
	blocks     *blocks
	processors int
	each       int // bytes of a part
	size, most int // bytes of the next block, and of any
	rounds     int // of goroutines, for tests
	left       []byte
	lines      int64 // that began in parts before
	err        error // that follows the last block
	parts      []part

	found      bool // FASTA: there was a header
	open       bool // FASTA: there was a part with one
	middle     byte // what the line is that a block or part begins in: letters, ';', or 0 at its begin
	column     int  // bytes of it that were before
	unfinished      // FASTQ: the record that a block begins in
}

// letters are the bytes of a line that may be divided.
const letters = 'A'

func newParser(r io.Reader, g grammar) *parser {
	processors := min(runtime.GOMAXPROCS(0), mostProcessors)
	most := partBytes
	if processors > 1 {
		most *= max(processors, partsOfBlock)
	}
	return &parser{grammar: g, blocks: newBlocks(r), processors: processors, each: partBytes, size: firstBlock, most: most}
}

// next parses the next block. want is how many bytes of text are needed at least. No text is longer than what it is
// parsed from, so the next block is needed, too, if this one is shorter: it is read at the same time.
func (r *parser) next(want int) ([]part, error) {
	if r.err != nil {
		return nil, r.err
	}
	r.parts = r.parts[:0]
	left := len(r.left)
	b := r.blocks.next(r.left, max(r.size, left))
	r.size = min(4*r.size, r.most)
	data := b.bytes()
	r.err = b.err
	if r.err == nil && r.processors > 1 && len(data) > r.each && want > len(data) && left < r.size {
		r.blocks.ahead(max(r.size, r.each))
		r.rounds++
	}
	end := 0
	if r.format == FASTQ {
		end = r.parseFASTQ(data)
	} else {
		end = r.parseLines(data)
	}
	r.left = data[end:]
	for i := range r.parts {
		p := &r.parts[i]
		p.before = r.lines
		r.lines += int64(p.lines)
		if p.wrong != nil {
			p.wrong.Line += p.before
			return r.parts[:i+1], nil
		}
	}
	return r.parts, nil
}

// add adds a part. It takes the memory of one that was there in a block before.
func (r *parser) add(from, to int) *part {
	n := len(r.parts)
	r.parts = slices.Grow(r.parts, 1)[:n+1]
	p := &r.parts[n]
	p.reset()
	p.from, p.to, p.open, p.ended = from, to, false, r.err == io.EOF
	return p
}

// parse calls f with all parts, on several processors if they are several.
func (r *parser) parse(f func(p *part)) {
	if r.processors > 1 && len(r.parts) > 1 {
		r.rounds++
	}
	parallel.Each(r.processors, len(r.parts), func(i int) { f(&r.parts[i]) })
}

// endOfPart is where a part ends, more or less. None is much shorter than the others.
func (r *parser) endOfPart(data []byte, from int) int {
	if to := from + r.each; len(data)-to > r.each/2 {
		return to
	}
	return len(data)
}

// parseFASTQ parses a block, and returns the place of the first line that is not whole and cannot be divided. Where a
// part begins is a guess, which is right if the part before it ends there. Else the part is parsed again.
func (r *parser) parseFASTQ(data []byte) (end int) {
	for from := 0; from < len(data); {
		from = r.add(from, r.endOfPart(data, from)).to
	}
	if len(data) == 0 && r.where != outside {
		r.add(0, 0) // which ends the last record
	}
	r.parse(func(p *part) {
		if p.from == 0 {
			p.unfinished, p.column = r.unfinished, r.column
			r.fastq(p, data, 0)
		} else {
			r.guessFASTQ(p, data)
		}
	})
	for i := range r.parts {
		p := &r.parts[i]
		if i > 0 && end >= p.to { // what came before has it
			p.reset()
			continue
		}
		if p.begin != end {
			p.reset()
			r.fastq(p, data, end)
		}
		end = p.end
		r.unfinished, r.column = p.unfinished, p.column
		if p.cut || p.wrong != nil || p.where != outside {
			r.parts = r.parts[:i+1]
			break
		}
	}
	if r.where != outside {
		r.began = bytes.Clone(r.began) // the block is not kept
	}
	return end
}

// parseLines parses a block of a format whose parts begin with lines, or within long ones, and returns the place of
// what is left to the next block.
func (r *parser) parseLines(data []byte) (end int) {
	from := 0
	if r.middle == ';' {
		from = r.restOfComment(data)
	}
	if r.format == FASTA && !r.found {
		p := r.add(from, from)
		if from = r.beforeFASTA(p, data, from); !r.found {
			return from
		}
		r.lines += int64(p.lines)
		r.parts = r.parts[:0]
	}
	for from < len(data) {
		to := r.border(data, from, r.endOfPart(data, from))
		if to == from {
			break
		}
		from = to
	}
	if r.err == io.EOF && len(r.parts) == 0 && (r.open || r.column > 0) {
		r.addLines(from, from) // which ends the last record
	}
	r.parse(func(p *part) {
		p.text = grow(p.text, p.to-p.from+8) // the last letters may be written eight at a time
		switch r.format {
		case FASTA:
			r.fasta(p, data[p.from:p.to])
		case Lines:
			r.plainLines(p, data[p.from:p.to])
		default:
			r.jsonLines(p, data[p.from:p.to])
		}
	})
	return from
}

// restOfComment passes over a comment that began in the block before.
func (r *parser) restOfComment(data []byte) (end int) {
	at := bytes.IndexByte(data, '\n')
	if at < 0 {
		return len(data)
	}
	r.middle, r.column = 0, 0
	return at + 1
}

// addLines adds a part of lines, which begins where the one before ended.
func (r *parser) addLines(from, to int) {
	p := r.add(from, to)
	p.open, p.column = r.open, r.column
	p.ended = p.ended && to == len(r.blocks.now.bytes())
	r.open = r.format == FASTA
}

// line is what the line is in which a place of a block lies, and its bytes before that place. from is where the part
// begins that ends there.
func (r *parser) line(data []byte, from, at int) (kind byte, column int) {
	start := lastLine(data[from:at])
	switch {
	case start < 0 && r.middle != 0:
		return r.middle, r.column + at - from
	case start < 0:
		start = 0
	}
	if start += from; start == at {
		return 0, 0
	}
	kind = letters
	switch mark := data[start]; {
	case r.format == jsonLines:
		kind = '{' // also if it begins with another byte, which is wrong
	case r.format == FASTA && (mark == '>' || mark == ';'):
		kind = mark
	}
	return kind, at - start
}

// nearLine is the part of a part within which the end of a line is near.
const nearLine = 16

// border ends a part near a place and begins the next one: with a line, or within one that is long. Headers are not
// divided. If the block ends within one, the part ends before it.
func (r *parser) border(data []byte, from, at int) (to int) {
	if near := bytes.IndexByte(data[at-1:min(at+1+r.each/nearLine, len(data))], '\n'); near >= 0 {
		return r.end(from, at+near, 0, 0)
	}
	kind, column := r.line(data, from, at)
	if kind != letters && kind != 0 {
		rest := bytes.IndexByte(data[at:], '\n')
		if rest >= 0 {
			return r.end(from, at+rest+1, 0, 0)
		}
		column += len(data) - at
		at = len(data)
	}
	switch {
	case at < len(data) || r.err == io.EOF:
	case kind == letters && data[at-1] == '\r': // which may belong to the end of the line
		at, column = at-1, column-1
	case kind != letters && kind != ';' && kind != 0 && (r.format == jsonLines || column < maxHeader+2):
		at, kind, column = at-column, 0, 0
	}
	if column == 0 {
		kind = 0
	}
	return r.end(from, at, kind, column)
}

// end ends a part where the line has so many bytes before.
func (r *parser) end(from, to int, middle byte, column int) int {
	if to > from {
		r.addLines(from, to)
		r.middle, r.column = middle, column
	}
	return to
}
