package seqio

// fastq parses what begins in a part from a place on: the rest of a record, and records.
func (g *grammar) fastq(p *part, block []byte, at int) {
	p.begin = at
	for ok := true; ok; {
		if p.where == outside {
			if at = g.betweenFASTQ(p, block, at); at >= p.to || p.cut || p.wrong != nil {
				break
			}
		}
		at, ok = g.fastqRecord(p, block, at)
	}
	if p.wrong != nil && len(p.records) > 0 && p.where != outside {
		p.forget()
		p.where = outside
	}
	p.end, p.closed = at, p.where == outside
}

// guessFASTQ parses the records that seem to begin in a part: from the first line on that begins one that is right. If
// the part before does not end there, it was wrong.
func (g *grammar) guessFASTQ(p *part, block []byte) {
	for at := afterLine(block[:p.to], p.from-1); at < p.to; at = afterLine(block[:p.to], at) {
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

// fastqRecord parses a record, or the rest of one, and returns the place after it. ok is false if it is wrong, or the
// block ends in it. Then it goes on in the next block.
func (g *grammar) fastqRecord(p *part, block []byte, at int) (next int, ok bool) {
	if p.where == outside {
		if p.began, at, ok = g.header(p, block, at); !ok {
			return at, false
		}
		p.where, p.symbols = inSequence, 0
	}
	if p.where == inSequence {
		if at, ok = g.fastqSequence(p, block, at); !ok {
			return at, false
		}
		p.where, p.missing = inQualities, p.symbols
	}
	if at, ok = g.qualities(p, block, at); ok {
		p.text = append(p.text, g.separator...)
		p.where = outside
	}
	return at, ok
}

// fastqSequence parses the lines of a sequence, and the one after it: the header again, or nothing.
func (g *grammar) fastqSequence(p *part, block []byte, at int) (next int, ok bool) {
	from := len(p.text)
	for ok = true; ok && at < len(block) && (p.column > 0 || block[at] != '+'); {
		at, ok = g.sequence(p, block, at)
	}
	p.symbols += len(p.text) - from
	if !ok || at == len(block) {
		return at, ok && g.ends(p)
	}
	again, _, next, ok := p.headerLine(block, at)
	if ok && len(again) > 1 && string(again[1:]) != string(p.began[1:]) {
		p.fail(0, "the line with '+' names %q, the record is %q", again[1:], p.began[1:])
		return at, false
	}
	return next, ok
}

// ends is the error of an input that ends within a record. It is none where only the block ends.
func (g *grammar) ends(p *part) (ok bool) {
	if p.ended {
		p.fail(0, "the file ends inside of record %q", g.name(p.began))
	}
	return false
}

// qualities parses as many symbols of quality as the record has others.
func (g *grammar) qualities(p *part, block []byte, at int) (next int, ok bool) {
	for {
		if at == len(block) {
			return at, p.ended && p.missing == 0 || g.ends(p)
		}
		if p.column == 0 {
			p.lines++
		}
		n := min(p.missing, len(block)-at)
		if n < longLine || !areQualities(block[at:at+n]) {
			n = symbolsOfQuality(block[at:], n)
		}
		at, p.column, p.missing = at+n, p.column+n, p.missing-n
		next, ok = endOfLine(block, at, p.ended)
		switch {
		case ok:
			at, p.column = next, 0
			if p.missing == 0 {
				return at, true
			}
		case at == len(block) || block[at] == '\r' && at+1 == len(block): // it may belong to the end
			if p.column == 0 {
				p.lines-- // nothing is read of it
			}
			return at, false
		case p.missing == 0:
			p.fail(0, "record %q has more quality symbols than its sequence has symbols, which are %d",
				g.name(p.began), p.symbols)
			return at, false
		default:
			p.fail(p.column+1, "%s in the quality of %q", symbolName(block[at]), g.name(p.began))
			return at, false
		}
	}
}

// areQualities reports whether there are only symbols of quality. It takes several processors.
func areQualities(data []byte) bool {
	return all(len(data), func(from, to int) bool { return symbolsOfQuality(data[from:to], to-from) == to-from })
}
