package fmd

import (
	"encoding/binary"
	"io"
	"slices"

	"github.com/suffixcl/suffixcl/internal/parallel"
)

// Encoder makes the blocks of a file, on all processors. The zero value is an empty one. Memory: the blocks, 2 to 2.4
// bytes a run as a rule, and 17 bytes a run of 2^19 that are encoded together.
//
// One processor alone goes through the widths of codes, and finds where blocks begin: that depends on those before. All
// processors find the widths, and write the blocks.
type Encoder struct {
	parts [][]uint64 // whole blocks
	words uint64     // of them
	total [Letters]uint64
	runs  uint64         // in them
	last  [counts]uint64 // of the last one: total, then letters
	next  []Run          // of the next one, which may not be whole; maximal, but the last may grow
	err   error

	widths []uint8
	blocks []blockOf
}

// blockOf is a block that is about to be written.
type blockOf struct {
	first int // of its runs
	kind  int // of the counts that it begins with
}

// encodedTogether are the runs that Add gathers.
const encodedTogether = 1 << 18

// Add appends a run. One of the letter before lengthens the run before. A run of length 0 is none.
func (e *Encoder) Add(r Run) {
	if !e.lengthen(r) {
		e.next = append(e.next, r)
		e.encodeMany()
	}
}

// lengthen lengthens the last run, if the next is of the same letter; true too for one that is none.
func (e *Encoder) lengthen(r Run) bool {
	if r.Len == 0 {
		return true
	}
	end := len(e.next) - 1
	if end < 0 || e.next[end].Letter != r.Letter || e.next[end].Len > MaxRun-r.Len {
		return false
	}
	e.next[end].Len += r.Len
	return true
}

// AddAll appends runs, each of another letter than the one before, and none of length 0. The first may be of the letter
// of the last one that was added.
func (e *Encoder) AddAll(runs []Run) {
	if len(runs) > 0 && e.lengthen(runs[0]) {
		runs = runs[1:]
	}
	for len(runs) > 0 {
		n := min(len(runs), encodedTogether)
		e.next = append(e.next, runs[:n]...)
		e.encodeMany()
		runs = runs[n:]
	}
}

func (e *Encoder) encodeMany() {
	if len(e.next) > encodedTogether {
		e.encode(len(e.next)-1, false)
	}
}

// leastRuns are worth a processor.
const leastRuns = 1 << 14

// encode writes blocks of the next n runs. The last block stays, unless it is that of all that there is.
func (e *Encoder) encode(n int, all bool) {
	runs := e.next[:n]
	e.widths = slices.Grow(e.widths[:0], n)[:n]
	parallel.Do(n, leastRuns, func(lo, hi int) {
		for i, r := range runs[lo:hi] {
			_, width := codeOf(r)
			e.widths[lo+i] = uint8(width)
		}
	})
	if e.cut(runs); e.err != nil {
		e.next = e.next[:0]
		return
	}
	whole := n
	if last := len(e.blocks) - 1; !all {
		whole = e.blocks[last].first
		e.blocks = e.blocks[:last]
	}
	e.write(runs[:whole])
	e.runs += uint64(whole)
	e.next = e.next[:copy(e.next, e.next[whole:])]
}

// cut finds where blocks begin, the last one included.
func (e *Encoder) cut(runs []Run) {
	c, err := newCutter(e.words, kindOf(e.last[0]))
	e.blocks = append(e.blocks[:0], blockOf{0, c.kind})
	for i := 0; i < len(runs) && err == nil; i++ {
		var begins bool
		if begins, err = c.add(int(e.widths[i]), runs[i].Len); begins {
			e.blocks = append(e.blocks, blockOf{i, c.kind})
		}
	}
	e.err = err
}

// write writes the blocks that were cut, of these runs.
func (e *Encoder) write(runs []Run) {
	n := len(e.blocks)
	if n == 0 {
		return
	}
	words := make([]uint64, n*blockWords)
	putHead(words, e.blocks[0].kind, &e.last)
	const least = leastRuns / 64
	for _, part := range parallel.Collect(n, max(n/64, least), func(lo, hi int) (sum [counts]uint64) {
		for k := lo; k < hi; k++ {
			end := len(runs)
			if k+1 < n {
				end = e.blocks[k+1].first
			}
			block := words[k*blockWords:][:blockWords]
			has := putRuns(block, headWords[e.blocks[k].kind], runs[e.blocks[k].first:end])
			if k+1 < n {
				putHead(words[(k+1)*blockWords:], e.blocks[k+1].kind, &has)
			} else {
				e.last = has
			}
			for c, count := range has {
				sum[c] += count
			}
		}
		return sum
	}) {
		for c := range e.total {
			e.total[c] += part[1+c]
		}
	}
	e.parts = append(e.parts, words)
	e.words += uint64(len(words))
}

// putRuns encodes runs from a word of a block on, and returns their counts: the total, then letters.
func putRuns(block []uint64, at int, runs []Run) (has [counts]uint64) {
	left := 64 // free bits of the word
	for _, r := range runs {
		code, width := codeOf(r)
		if over := width - left; over > 0 {
			block[at] |= code >> over
			at++
			left = 64 - over
			block[at] = code << left
		} else {
			left -= width
			block[at] |= code << left
		}
		has[0] += r.Len
		has[1+r.Letter] += r.Len
	}
	return has
}

// putHead begins a block with counts.
func putHead(block []uint64, kind int, of *[counts]uint64) {
	for i, n := range of {
		switch kind {
		case 0:
			block[i/4] |= n << (16 * (i % 4))
		case 1:
			block[i/2] |= n << (32 * (i % 2))
		case 2:
			block[i] = n
		}
	}
	block[0] |= uint64(kind) << 62
}

// Runs is the number of maximal runs that were added.
func (e *Encoder) Runs() uint64 { return e.runs + uint64(len(e.next)) }

// WriteTo writes the file. Errors: those of w; a transform that the format has no room for. Nothing can be added
// afterwards.
func (e *Encoder) WriteTo(w io.Writer) (written int64, err error) {
	if e.err == nil {
		e.encode(len(e.next), true)
	}
	if e.err != nil {
		return 0, e.err
	}
	kind := kindOf(e.last[0]) // of a block of counts alone
	words, err := Words(e.words/blockWords, kind)
	if err != nil {
		return 0, err
	}
	last := make([]uint64, headWords[kind])
	putHead(last, kind, &e.last)
	f := NewWriter(w, e.total, words)
	for _, part := range append(e.parts, last) {
		if err == nil {
			err = f.Blocks(part)
		}
	}
	if err == nil {
		err = f.Frames()
	}
	return f.Written, err
}

// putWords writes words, a part at a time.
func putWords(put func([]byte) error, words []uint64) error {
	const most, least = 1 << 19, 1 << 15
	b := make([]byte, 8*min(most, len(words)))
	for len(words) > 0 {
		n := min(most, len(words))
		parallel.Do(n, least, func(lo, hi int) {
			for i, word := range words[lo:hi] {
				binary.LittleEndian.PutUint64(b[8*(lo+i):], word)
			}
		})
		if err := put(b[:8*n]); err != nil {
			return err
		}
		words = words[n:]
	}
	return nil
}
