// Package gsufsort writes the rows of files as gsufsort has them: one for the end of the texts, and then one a slot.
package gsufsort

import (
	"encoding/binary"
	"fmt"
	"io"
	"strings"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/table"
)

// Rows are rows of entries of several arrays of a set.
type Rows struct {
	Result *suffixcl.Result
	// Starts are those of the texts, and the end, for pairs of text and place in it; nil: without.
	Starts []uint32
	// DocumentWidth are the bytes of the number of a text, Width those of other entries: 4, 5 or 8.
	DocumentWidth, Width int
	// Common says that rows have entries of the LCP array, Letters that they have those of the transform.
	Common, Letters bool
}

// Suffix is that of a file of so many bytes for each entry of a row.
func Suffix(kind string, widths ...int) string {
	var b strings.Builder
	for _, w := range widths {
		fmt.Fprintf(&b, ".%d", w)
	}
	return b.String() + "." + kind
}

// Bytes are those of a row.
func (g *Rows) Bytes() (bytes int) {
	if g.Starts != nil {
		bytes += g.DocumentWidth + g.Width
	}
	if g.Common {
		bytes += g.Width
	}
	if g.Letters {
		bytes++
	}
	return bytes
}

// StartsOf are where the texts of a set begin, and its end.
func StartsOf(c *suffixcl.Collection) []uint32 {
	starts := make([]uint32, 1, c.Count()+1)
	for k := range c.Count() {
		starts = append(starts, starts[k]+uint32(len(c.Text(k))+1))
	}
	return starts
}

// Write writes the rows, and tells of them.
func (g *Rows) Write(w io.Writer, progress func(done, total int64)) error {
	n := len(g.Result.SA) + 1
	told := &toldWriter{w: w, each: int64(g.Bytes()), total: int64(n), progress: progress}
	return table.Write(told, n, g.Bytes(), g.fill)
}

// fill makes rows lo to hi-1, column by column.
func (g *Rows) fill(b []byte, lo, hi int) {
	at, each := 0, g.Bytes()
	column := func(width int, put func(to []byte, row int)) {
		for row := lo; row < hi; row++ {
			put(b[(row-lo)*each+at:], row)
		}
		at += width
	}
	if g.Starts != nil {
		column(g.DocumentWidth+g.Width, g.pair)
	}
	if g.Common {
		column(g.Width, func(to []byte, row int) {
			common := uint32(0)
			if row > 0 {
				common = g.Result.LCP[row-1]
			}
			PutEntry(to, common, g.Width)
		})
	}
	if g.Letters {
		g.lettersBefore(b[at:], each, lo, hi)
	}
}

// pair has the text of a suffix, and the place in it. Row 0 is that of the end.
func (g *Rows) pair(to []byte, row int) {
	text, place := uint32(len(g.Starts)-1), uint32(0)
	if row > 0 {
		text = g.Result.Documents[row-1]
		place = g.Result.SA[row-1] - g.Starts[text]
	}
	PutEntry(PutEntry(to, text, g.DocumentWidth), place, g.Width)
}

// lettersBefore has the bytes before suffixes as gsufsort has them: 1 for terminators, 0 before the first text.
func (g *Rows) lettersBefore(to []byte, each, lo, hi int) {
	first := max(lo, 1)
	sa, transform := g.Result.SA[first-1:hi-1], g.Result.BWT.Bytes()[first-1:hi-1]
	for i, letter := range transform {
		letter = max(letter, 1) // no letter is 0
		if sa[i] == 0 {
			letter = 0
		}
		to[(first-lo+i)*each] = letter
	}
	if lo == 0 { // before the end
		to[0] = uint8(min(len(g.Result.SA), 1))
	}
}

// PutEntry puts an entry of 4, 5 or 8 bytes, and returns what is after it.
func PutEntry(b []byte, v uint32, width int) []byte {
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
