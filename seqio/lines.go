package seqio

import (
	"bytes"

	"github.com/suffixcl/suffixcl/internal/jsonline"
)

// plainLines parses lines, each of which is a record.
func (g *grammar) plainLines(p *part, data []byte) {
	at := 0
	if p.column > 0 {
		var line []byte
		line, at = lineAt(data, 0, p.ended)
		p.text = append(grow(p.text, len(line)), line...)
		if p.closed = at == len(data) && p.lineEnds(data); p.closed || at < len(data) {
			p.text = append(p.text, g.separator...)
		}
	}
	for at < len(data) {
		var line []byte
		line, at = lineAt(data, at, p.ended)
		p.lines++
		p.records = append(p.records, parsed{offset: len(p.text)})
		p.text = append(grow(p.text, len(line)), line...)
		if p.closed = at < len(data) || p.lineEnds(data); p.closed {
			p.text = append(p.text, g.separator...)
		}
	}
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
		if len(bytes.TrimLeft(line, jsonline.Space)) == 0 {
			continue
		}
		r := parsed{offset: len(p.text), name: p.lines, description: p.lines}
		text, why := jsonline.Append(grow(p.text, len(line)), line, g.field)
		if why != "" {
			p.fail(0, "%s", why)
			return
		}
		p.text = append(text, g.separator...)
		p.records = append(p.records, r)
	}
}
