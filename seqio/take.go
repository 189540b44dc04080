package seqio

import (
	"sort"
	"strconv"

	"github.com/suffixcl/suffixcl/internal/parallel"
)

// records appends whole records, until these have at least `want` bytes, or there is an error.
func (d *Reader) records(b *Batch, want int) {
	before, had := len(b.Text), len(b.Records)
	enough := func() bool { return !d.open && len(b.Records) > had && len(b.Text)-before >= want }
	for d.err == nil && !enough() {
		if d.next < len(d.parts) {
			d.take(b, before, had, want)
			continue
		}
		var err error
		d.next = 0
		if d.parts, err = d.parser.next(want - (len(b.Text) - before)); err != nil {
			d.fail(err)
		}
	}
	if d.open { // by an error
		last := len(b.Records) - 1
		b.Text, b.Records = b.Text[:b.Records[last].Offset], b.Records[:last]
		d.open = false
	}
}

// take appends what there is of the parts, but not more records than are wanted.
func (d *Reader) take(b *Batch, before, had, want int) {
	d.pieces = d.pieces[:0]
	at, records := len(b.Text), len(b.Records)
	var wrong *part
	enough := func() bool { return !d.open && records > had && at-before >= want }
	for wrong == nil && d.next < len(d.parts) {
		p := &d.parts[d.next]
		c := d.piece(p, want-(at-before))
		c.at, c.record = at, records
		if c.closes >= 0 {
			c.closes += at - len(d.o.Separator)
		}
		d.pieces = append(d.pieces, c)
		at, records = at+c.to-c.from, records+c.end-c.first
		p.at, p.taken = c.to, c.end
		if p.taken < len(p.records) || p.at < len(p.text) || p.wrong != nil && enough() {
			break
		}
		if wrong = p; p.wrong == nil {
			wrong = nil
			if d.next++; enough() {
				break
			}
		}
	}
	b.Text = grow(b.Text, at-len(b.Text))[:at]
	b.Records = grow(b.Records, records-len(b.Records))[:records]
	d.copy(b)
	if wrong != nil {
		if wrong.unnamed {
			wrong.wrong.Why += strconv.Quote(b.Records[len(b.Records)-1].Name)
		}
		d.fail(wrong.wrong)
	}
}

// piece is what a batch that wants so many bytes takes of a part.
func (d *Reader) piece(p *part, want int) piece {
	c := piece{part: p, from: p.at, first: p.taken, closes: -1}
	least := p.taken + 1 // records before the one at which it may end
	if d.open {
		least--
	}
	c.end = least + sort.Search(max(len(p.records)-least, 0), func(i int) bool {
		return p.records[least+i].offset-p.at >= want
	})
	if c.end < len(p.records) {
		c.to = p.records[c.end].offset
	} else {
		c.end, c.to = len(p.records), len(p.text)
	}
	switch {
	case !d.open:
	case p.taken < len(p.records):
		c.closes = p.records[p.taken].offset - p.at
	case p.closed:
		c.closes = c.to - c.from
	}
	if c.end == len(p.records) && c.to == len(p.text) {
		d.open = !p.closed && (d.open || c.end > c.first)
	} else {
		d.open = false
	}
	return c
}

// copy copies the pieces, on several processors if they are long.
func (d *Reader) copy(b *Batch) {
	processors := d.parser.processors
	if len(d.pieces) < 2 {
		processors = 1
	} else if processors > 1 {
		d.parser.rounds++
	}
	parallel.Each(processors, len(d.pieces), func(i int) { d.copyPiece(b, &d.pieces[i]) })
	for _, c := range d.pieces {
		if c.closes >= 0 {
			r := &b.Records[c.record-1]
			r.Length = c.closes - r.Offset
		}
	}
}

func (d *Reader) copyPiece(b *Batch, c *piece) {
	p := c.part
	copy(b.Text[c.at:], p.text[c.from:c.to])
	if c.first == c.end {
		return
	}
	if p.names == "" && d.parser.format == jsonLines {
		d.parser.nameByLine(p)
	} else if p.names == "" {
		p.names = string(p.headers)
	}
	at, end := c.at-c.from, 0 // the end of a record: that of the text, or before the next one
	start := p.endOfHeaders(c.first)
	for i := c.first; i < c.end; i++ {
		r := p.records[i]
		if end = len(p.text); i+1 < len(p.records) {
			end = p.records[i+1].offset
		}
		length := end - len(d.o.Separator) - r.offset
		if i+1 == len(p.records) && !p.closed {
			length = 0 // which is not known
		}
		b.Records[c.record+i-c.first] = Record{Name: p.names[start:r.name], Description: p.names[r.from:r.to],
			Offset: at + r.offset, Length: length}
		start = r.end
	}
}

// nameByLine calls the records of a part by the numbers of their lines.
func (g *grammar) nameByLine(p *part) {
	p.headers = p.headers[:0]
	for i := range p.records {
		r := &p.records[i]
		p.headers = strconv.AppendInt(p.headers, p.before+int64(r.name), 10)
		end := uint32(len(p.headers))
		r.name, r.from, r.to, r.end = end, end, end, end
	}
	p.names = string(p.headers)
}
