package seqio

// fasta parses lines of FASTA after the first mark of a header.
func (g *grammar) fasta(p *part, data []byte) {
	at := 0
	if p.column > 0 {
		at, _ = g.sequence(p, data, 0)
	}
	for at < len(data) && p.wrong == nil {
		switch data[at] {
		case ';':
			p.lines++
			_, at = lineAt(data, at, p.ended)
		case '>':
			if p.open || len(p.records) > 0 {
				p.text = append(p.text, g.separator...)
			}
			var ok bool
			if _, at, ok = g.header(p, data, at); !ok {
				p.closed = true
				return
			}
		default:
			at, _ = g.sequence(p, data, at)
		}
	}
	switch {
	case p.wrong != nil && len(p.records) > 0: // the ones before it are whole
		p.forget()
		p.closed = true
	case p.ended && p.wrong == nil:
		p.closed = true
		p.text = append(p.text, g.separator...)
	}
}

// beforeFASTA returns the place of the first header, or of what the next block is to begin with. Before it there are
// lines that are blank or comments; what else is there is the error of the part.
func (r *parser) beforeFASTA(p *part, data []byte, at int) int {
	for at < len(data) && p.wrong == nil {
		mark := data[at]
		line, next := lineAt(data, at, p.ended)
		whole := p.ended || data[next-1] == '\n'
		switch {
		case mark == '>':
			r.found = true
			return at
		case mark == ';':
			if p.lines++; !whole {
				r.middle = ';'
			}
		case mark != ' ' && mark != '\t' && mark != '\r' && mark != '\n':
			p.noMark(mark, '>')
		case !whole:
			return at
		default:
			p.blank(line)
		}
		at = next
	}
	return at
}

// blank passes over a line that must be blank.
func (p *part) blank(line []byte) bool {
	p.lines++
	for i, c := range line {
		if c != ' ' && c != '\t' {
			p.fail(i+1, "%s outside of a record", symbolName(c))
			return false
		}
	}
	return true
}

// noMark is the error of a line that does not begin with the mark of a record.
func (p *part) noMark(c, mark byte) {
	p.lines++
	p.fail(1, "%s where a record should begin with '%c'", symbolName(c), mark)
}
