package corpus

import (
	"slices"
)

// Cut is bytes Start to End-1 of a document.
type Cut struct{ Start, End int }

// Len is the number of bytes.
func (c Cut) Len() int { return c.End - c.Start }

// Cuts are parts of documents, in their order.
type Cuts struct {
	// DropEmptied has [Set.Write] leave out documents of which nothing stays: their lines of JSON, or the documents and
	// the separator after each. With the last document goes the separator before it. Documents that were empty in the
	// input stay.
	DropEmptied bool

	documents []int32 // documents that have cuts, ascending
	firsts    []int   // number of the first cut of each, and the number of all
	cuts      []Cut
}

// Of returns the cuts of a document.
func (c *Cuts) Of(document int) []Cut {
	k, found := slices.BinarySearch(c.documents, int32(document))
	if !found {
		return nil
	}
	end := len(c.cuts)
	if k+1 < len(c.firsts) {
		end = c.firsts[k+1]
	}
	return c.cuts[c.firsts[k]:end]
}

// Emptied tells whether nothing stays of a document, which is not empty.
func (s *Set) Emptied(document int, cuts *Cuts) bool {
	rest := s.Documents[document].Len()
	if rest == 0 {
		return false
	}
	for _, c := range cuts.Of(document) {
		rest -= c.Len()
	}
	return rest == 0
}

// Len is the number of cuts.
func (c *Cuts) Len() int { return len(c.cuts) }

// Documents is the number of documents that have cuts.
func (c *Cuts) Documents() int { return len(c.documents) }

// Splitter makes cuts of ranges of the text, which are added in its order.
type Splitter struct {
	// WholeCharacters shrinks cuts to whole characters of UTF-8: the start goes forward, and the end back, over bytes
	// that continue one.
	WholeCharacters bool

	set  *Set
	next int // document
	cuts Cuts
}

// Split begins to make cuts of ranges.
func (s *Set) Split(wholeCharacters bool) *Splitter {
	return &Splitter{WholeCharacters: wholeCharacters, set: s}
}

// continues tells whether a byte continues a character of UTF-8.
func continues(b byte) bool { return b&0xc0 == 0x80 }

// Add takes a range of the text, bytes start to end-1. It must not begin before the end of the range before it. Bytes
// that are in no document are left out.
func (p *Splitter) Add(start, end int) {
	documents := p.set.Documents
	if p.next < len(documents) && documents[p.next].End <= start {
		p.next = p.set.endingAfter(p.next, start)
	}
	for k := p.next; k < len(documents) && documents[k].Start < end; k++ {
		d := documents[k]
		from, to := max(start, d.Start), min(end, d.End)
		if p.WholeCharacters {
			for from < to && continues(p.set.Text[from]) {
				from++
			}
			for to > from && to < d.End && continues(p.set.Text[to]) {
				to--
			}
		}
		if from >= to {
			continue
		}
		c := &p.cuts
		if last := len(c.documents) - 1; last < 0 || c.documents[last] != int32(k) {
			c.documents, c.firsts = append(c.documents, int32(k)), append(c.firsts, len(c.cuts))
		}
		c.cuts = append(c.cuts, Cut{from - d.Start, to - d.Start})
	}
}

// Cuts returns the cuts of all ranges that were added.
func (p *Splitter) Cuts() *Cuts { return &p.cuts }
