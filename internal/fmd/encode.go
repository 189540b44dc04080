package fmd

import (
	"encoding/binary"
	"io"
)

// Encoder makes the blocks of a file. The zero value is an empty one. Memory: the blocks, 2 to 2.4 bytes a run as a
// rule.
type Encoder struct {
	words []uint64
	next  Run // may still grow

	started bool
	at      int             // the word that is written
	left    int             // free bits in it
	tail    int             // last word of the block that may be
	block   [counts]uint64  // of the block: total, then letters
	total   [Letters]uint64 // before the block
	runs    uint64          // encoded
	err     error
}

// Add appends a run. One of the letter before lengthens the run before. A run of length 0 is none.
func (e *Encoder) Add(r Run) {
	switch {
	case r.Len == 0:
	case r.Letter == e.next.Letter && e.next.Len > 0 && e.next.Len <= MaxRun-r.Len:
		e.next.Len += r.Len
	default:
		e.flush()
		e.next = r
	}
}

// flush encodes the last run.
func (e *Encoder) flush() {
	if !e.started {
		e.begin()
	}
	if e.next.Len == 0 || e.err != nil {
		return
	}
	code, width := codeOf(e.next)
	if e.at == e.tail && width >= e.left {
		if e.begin(); e.err != nil {
			return
		}
	}
	if over := width - e.left; over > 0 {
		e.words[e.at] |= code >> over
		e.at++
		e.left = 64 - over
		e.words[e.at] = code << e.left
	} else {
		e.left -= width
		e.words[e.at] |= code << e.left
	}
	e.runs++
	e.block[0] += e.next.Len
	e.block[1+e.next.Letter] += e.next.Len
	e.next.Len = 0
}

// begin begins a block, with the counts of the one before.
func (e *Encoder) begin() {
	start := len(e.words)
	e.started = true
	e.words = append(e.words, make([]uint64, blockWords)...)
	kind := kindOf(e.block[0])
	head := e.words[start:]
	for i, n := range e.block {
		switch kind {
		case 0:
			head[i/4] |= n << (16 * (i % 4))
		case 1:
			head[i/2] |= n << (32 * (i % 2))
		case 2:
			head[i] = n
		}
	}
	head[0] |= uint64(kind) << 62
	for i := range e.total {
		e.total[i] += e.block[1+i]
	}
	e.block = [counts]uint64{}
	e.at, e.left = start+headWords[kind], 64
	if e.tail = start + tailOf(uint64(start)); e.at > e.tail {
		e.err = errTooDense
	}
}

// Runs is the number of maximal runs that were added.
func (e *Encoder) Runs() uint64 {
	if e.next.Len > 0 {
		return e.runs + 1
	}
	return e.runs
}

// WriteTo writes the file. Errors: those of w; a transform that the format has no room for. Nothing can be added
// afterwards.
func (e *Encoder) WriteTo(w io.Writer) (written int64, err error) {
	e.flush()
	last := len(e.words)
	e.begin() // of counts alone
	if e.err != nil {
		return 0, e.err
	}
	words := e.words[:e.at]
	rows := uint64(0)
	for _, n := range e.total {
		rows += n
	}
	frames := newFramer(rows, uint64(len(words)))
	for at := blockWords; at <= last; at += blockWords {
		frames.add(uint64(at), countsAt(e.words[at:]))
	}
	head := make([]byte, 0, headerBytes)
	head = append(head, magic[:]...)
	for _, n := range append([]uint64{8 * uint64(len(words)), frames.most}, e.total[:]...) {
		head = binary.LittleEndian.AppendUint64(head, n)
	}
	put := func(b []byte) error {
		n, err := w.Write(b)
		written += int64(n)
		return err
	}
	if err := put(head); err != nil {
		return written, err
	}
	if err := putWords(put, words); err != nil {
		return written, err
	}
	return written, putWords(put, frames.all())
}

// putWords writes words, a part at a time.
func putWords(put func([]byte) error, words []uint64) error {
	const most = 1 << 15
	b := make([]byte, 0, 8*min(most, len(words)))
	for len(words) > 0 {
		n := min(most, len(words))
		b = b[:0]
		for _, word := range words[:n] {
			b = binary.LittleEndian.AppendUint64(b, word)
		}
		if err := put(b); err != nil {
			return err
		}
		words = words[n:]
	}
	return nil
}
