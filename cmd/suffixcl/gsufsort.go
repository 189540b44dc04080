package main

import (
	"encoding/binary"
	"io"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/formats"
)

// gsufsortRows are rows of entries of several arrays, as gsufsort has them: one for the end, and then one a slot.
type gsufsortRows struct {
	r              *suffixcl.Result
	starts         []uint32 // of the texts, and the end, for pairs of text and place in it; nil: without
	transform      []byte
	each           int // bytes
	daWidth, width int
	common         bool // with entries of the LCP array
	letters        bool // with those of the transform
}

// startsOf are where the texts of a set begin, and its end.
func startsOf(c *suffixcl.Collection) []uint32 {
	starts := make([]uint32, 1, c.Count()+1)
	for k := range c.Count() {
		starts = append(starts, starts[k]+uint32(len(c.Text(k))+1))
	}
	return starts
}

// write writes the rows.
func (g *gsufsortRows) write(w io.Writer, progress func(done, total int64)) error {
	n := len(g.r.SA) + 1
	told := &toldWriter{w: w, each: int64(g.each), total: int64(n), progress: progress}
	return formats.WriteRows(told, n, g.each, g.fill)
}

// fill makes rows lo to hi-1, column by column.
func (g *gsufsortRows) fill(b []byte, lo, hi int) {
	at := 0
	column := func(width int, put func(to []byte, row int)) {
		for row := lo; row < hi; row++ {
			put(b[(row-lo)*g.each+at:], row)
		}
		at += width
	}
	if g.starts != nil {
		column(g.daWidth+g.width, g.pair)
	}
	if g.common {
		column(g.width, func(to []byte, row int) {
			common := uint32(0)
			if row > 0 {
				common = g.r.LCP[row-1]
			}
			putEntry(to, common, g.width)
		})
	}
	if g.letters {
		g.lettersBefore(b[at:], lo, hi)
	}
}

// pair has the text of a suffix, and the place in it. Row 0 is that of the end.
func (g *gsufsortRows) pair(to []byte, row int) {
	text, place := uint32(len(g.starts)-1), uint32(0)
	if row > 0 {
		text = g.r.Documents[row-1]
		place = g.r.SA[row-1] - g.starts[text]
	}
	putEntry(putEntry(to, text, g.daWidth), place, g.width)
}

// lettersBefore has the bytes before suffixes as gsufsort has them: 1 for terminators, 0 before the first text.
func (g *gsufsortRows) lettersBefore(to []byte, lo, hi int) {
	first := max(lo, 1)
	sa, transform := g.r.SA[first-1:hi-1], g.transform[first-1:hi-1]
	for i, letter := range transform {
		letter = max(letter, 1) // no letter is 0
		if sa[i] == 0 {
			letter = 0
		}
		to[(first-lo+i)*g.each] = letter
	}
	if lo == 0 { // before the end
		to[0] = uint8(min(len(g.r.SA), 1))
	}
}

// putEntry puts an entry of 4, 5 or 8 bytes, and returns what is after it.
func putEntry(b []byte, v uint32, width int) []byte {
	if width == 8 {
		binary.LittleEndian.PutUint64(b, uint64(v))
		return b[8:]
	}
	binary.LittleEndian.PutUint32(b, v)
	if width > 4 {
		b[4] = 0
	}
	return b[width:]
}

// toldWriter tells of the rows that it has written.
type toldWriter struct {
	w           io.Writer
	each, total int64 // bytes of a row, rows
	done        int64 // bytes
	progress    func(done, total int64)
}

func (t *toldWriter) Write(p []byte) (int, error) {
	n, err := t.w.Write(p)
	t.done += int64(n)
	t.progress(t.done/t.each, t.total)
	return n, err
}
