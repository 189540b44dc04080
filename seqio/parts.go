package seqio

import (
	"bytes"
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
	for _, mark := range []byte{'>', ';'} { // which no sequence has
		if at := bytes.IndexByte(buffered, mark); at >= 0 {
			buffered = buffered[:at]
		}
	}
	buffered = buffered[:bytes.LastIndexByte(buffered, '\n')+1]
	if len(buffered) < manyBytes || !d.append(b, buffered) {
		return false, nil
	}
	d.line += int64(bytes.Count(buffered, []byte{'\n'}))
	_, err = d.input.Discard(len(buffered))
	return true, err
}

// converted are symbols of a part of some lines, at the same place of the scratch memory.
type converted struct{ from, length int }

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
		length, ok := d.convert(d.scratch[lo:hi], lines, lo, hi)
		mutex.Lock()
		defer mutex.Unlock()
		parts = append(parts, converted{lo, length})
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
	}
	b.Text = slices.Grow(b.Text, at-len(b.Text))[:at]
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

// convert writes the symbols of a part of some lines, and returns their number; false if a byte is wrong.
func (d *Reader) convert(to, lines []byte, lo, hi int) (length int, ok bool) {
	for lo < hi {
		end := hi
		if i := bytes.IndexByte(lines[lo:hi], '\n'); i >= 0 {
			end = lo + i
		}
		line := lines[lo:end]
		if lo = end + 1; end < len(lines) && lines[end] == '\n' {
			line = bytes.TrimSuffix(line, []byte{'\r'})
		}
		all := int16(0)
		out := to[length:][:len(line)]
		for i, c := range line {
			s := d.symbols[c]
			out[i] = byte(s)
			all |= s
		}
		if all >= 0 {
			length += len(line)
			continue
		}
		for _, c := range line {
			switch s := d.symbols[c]; {
			case s == wrong:
				return 0, false
			case s >= 0:
				to[length] = byte(s)
				length++
			}
		}
	}
	return length, true
}
