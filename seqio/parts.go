package seqio

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/bits"
	"slices"
	"sync"

	"github.com/suffixcl/suffixcl/internal/parallel"
)

const (
	manyBytes = 1 << 15 // of sequence, from which on several processors take them
	fewBytes  = 1 << 14 // for one of them
)

// lines appends whole lines of sequence to the last record, as many as the buffer of the input holds, if these are
// many. The next byte begins a line of sequence. Lines that it cannot take are left, as what is wrong in them.
func (d *Reader) lines(b *Batch) (taken bool, err error) {
	buffered, _ := d.input.Peek(d.input.Buffered())
	if len(buffered) < manyBytes && d.input.Size() > manyBytes && !d.ended {
		if buffered, err = d.input.Peek(d.input.Size()); err == io.EOF {
			d.ended = true
		} else if err != nil {
			return false, err
		}
	}
	buffered = buffered[:beforeMark(buffered)]
	buffered = buffered[:bytes.LastIndexByte(buffered, '\n')+1]
	if len(buffered) < manyBytes || !d.append(b, buffered) {
		return false, nil
	}
	_, err = d.input.Discard(len(buffered))
	return true, err
}

// beforeMark is the number of bytes before the first that no sequence has: the mark of a header or of a comment.
func beforeMark(lines []byte) int {
	var mutex sync.Mutex
	first := len(lines)
	parallel.Do(len(lines), fewBytes, func(lo, hi int) {
		found := len(lines)
		for _, mark := range []byte{'>', ';'} {
			if at := bytes.IndexByte(lines[lo:hi], mark); at >= 0 {
				found = lo + at
				hi = found
			}
		}
		mutex.Lock()
		defer mutex.Unlock()
		first = min(first, found)
	})
	return first
}

// grow makes room for n more bytes. append would copy on one processor, and write zeros into the room first.
func grow(text []byte, n int) []byte {
	if cap(text)-len(text) >= n {
		return text
	}
	larger := make([]byte, len(text), max(cap(text)+cap(text)/2, len(text)+n))
	parallel.Copy(larger, text)
	return larger
}

// converted are symbols of a part of some lines, at the same place of the scratch memory.
type converted struct {
	from, length int
	ends         int // of lines
}

// append appends lines of sequence to the last record, on several processors. It takes none if one has a byte that is
// wrong.
func (d *Reader) append(b *Batch, lines []byte) bool {
	if len(d.scratch) < len(lines) {
		d.scratch = make([]byte, 1<<bits.Len(uint(len(lines)-1)))
	}
	var mutex sync.Mutex
	var parts []converted
	whole := true
	parallel.Do(len(lines), fewBytes, func(lo, hi int) {
		part, ok := d.convert(d.scratch[lo:hi], lines, lo, hi)
		mutex.Lock()
		defer mutex.Unlock()
		parts = append(parts, part)
		whole = whole && ok
	})
	if !whole {
		return false
	}
	slices.SortFunc(parts, func(a, b converted) int { return a.from - b.from })
	at := len(b.Text)
	places := make([]int, len(parts))
	for i, p := range parts {
		places[i] = at
		at += p.length
		d.line += int64(p.ends)
	}
	b.Text = grow(b.Text, at-len(b.Text))[:at]
	parallel.Do(len(parts), 1, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			p := parts[i]
			copy(b.Text[places[i]:], d.scratch[p.from:p.from+p.length])
		}
	})
	r := &b.Records[len(b.Records)-1]
	r.Length = at - r.Offset
	return true
}

// convert writes the symbols of a part of some lines; false if a byte is wrong.
func (d *Reader) convert(to, lines []byte, lo, hi int) (part converted, ok bool) {
	length, symbols := 0, d.symbols
	part.from = lo
	for lo < hi {
		end := hi
		if i := bytes.IndexByte(lines[lo:hi], '\n'); i >= 0 {
			end = lo + i
			part.ends++
		}
		line := lines[lo:end]
		if lo = end + 1; end < len(lines) && lines[end] == '\n' {
			line = bytes.TrimSuffix(line, []byte{'\r'})
		}
		all := int16(0)
		out := to[length:][:len(line)]
		same := 0 // symbols that stay as they are
		if d.lettersStay {
			same = copyLetters(out, line)
		}
		out = out[same:]
		for i, c := range line[same:] {
			s := symbols[c]
			out[i] = byte(s)
			all |= s
		}
		if all >= 0 {
			length += len(line)
			continue
		}
		length += same
		for _, c := range line[same:] {
			switch s := symbols[c]; {
			case s == wrong:
				return converted{}, false
			case s >= 0:
				to[length] = byte(s)
				length++
			}
		}
	}
	part.length = length
	return part, true
}

// copyLetters copies the letters that a line begins with, eight at a time, and returns their number.
func copyLetters(to, line []byte) int {
	const each, high = 0x0101010101010101, 0x8080808080808080
	n := 0
	for ; len(line)-n >= 8; n += 8 {
		word := binary.LittleEndian.Uint64(line[n:])
		small := word | 0x20*each
		fromA := small&^high + (0x80-'a')*each // the high bits of bytes from 'a' on
		aboveZ := small&^high + (0x7f-'z')*each
		if fromA&^(aboveZ|word)&high != high {
			break
		}
		binary.LittleEndian.PutUint64(to[n:], word)
	}
	return n
}
