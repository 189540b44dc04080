package seqio

import (
	"github.com/suffixcl/suffixcl/internal/jsonline"
)

// plainLines parses lines, each of which is a record.
func (g *grammar) plainLines(p *part, data []byte) {
	at := 0
	if p.column > 0 {
		var line []byte
		line, at = lineAt(data, 0, p.ended)
		p.text = append(p.text, line...)
		if p.closed = at == len(data) && p.lineEnds(data); p.closed || at < len(data) {
			p.text = append(p.text, g.separator...)
		}
	}
	text, records := p.text, p.records
	for at < len(data) {
		var line []byte
		line, at = lineAt(data, at, p.ended)
		records = append(records, parsed{}) // its fields are set in place: to copy them takes longer
		records[len(records)-1].offset = len(text)
		text = append(text, line...)
		if p.closed = at < len(data) || p.lineEnds(data); p.closed {
			text = append(text, g.separator...)
		}
	}
	p.lines += len(records) - len(p.records)
	p.text, p.records = text, records
}

// lineEnds reports whether the last line of a part ends with it.
func (p *part) lineEnds(data []byte) bool { return p.ended || data[len(data)-1] == '\n' }

// jsonLines parses lines that are objects, of which the string of a field is the record.
func (g *grammar) jsonLines(p *part, data []byte) {
	p.closed = true
	for at := 0; at < len(data); {
		line, next := lineAt(data, at, p.ended)
		at = next
		p.lines++
		if jsonline.IsBlank(line) {
			continue
		}
		r := parsed{offset: len(p.text), name: uint32(p.lines)}
		text, why := jsonline.Append(grow(p.text, len(line)), line, g.field)
		if why != "" {
			p.fail(0, "%s", why)
			return
		}
		p.text = append(text, g.separator...)
		p.records = append(p.records, r)
	}
}
