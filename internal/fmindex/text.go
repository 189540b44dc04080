package fmindex

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"sort"
)

// ErrSymbols is the error of Text for an index of symbols of 16 or 32 bits.
var ErrSymbols = errors.New("fmindex: the text of an index of symbols is not read")

// Text returns the bytes [from, to) of the text, on the host: it goes from the next sampled position after them to the
// first one, a character a step. Without samples it goes from the end of the text. Characters that match nothing are
// those of the text, too. Errors: a range outside of the text; ErrSymbols; ErrFormat for an index that does not agree
// with itself; the context's.
func (f *File) Text(ctx context.Context, from, to int) ([]byte, error) {
	if from < 0 || from > to || to > f.Length {
		return nil, fmt.Errorf("fmindex: there are no bytes %d to %d: the text has %d", from, to, f.Length)
	}
	if f.Coding != nil {
		return nil, ErrSymbols
	}
	s, err := f.shape()
	if err != nil {
		return nil, wrong("%v", err)
	}
	w := walk{File: f, shape: s}
	at, row, err := w.sampled(to)
	if err != nil {
		return nil, err
	}
	text := make([]byte, to-from)
	for steps := 0; at > from; steps++ {
		if steps%(1<<12) == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if row == f.Primary || row > f.Length {
			return nil, wrong("its transform ends before the text does")
		}
		row = w.longer(row)
		if at--; at < to {
			text[at-from] = w.letter(row)
		}
	}
	return text, nil
}

// walk goes through an index, as the kernels of fmindex_search.cl do.
type walk struct {
	*File
	*shape
}

// sampled is a position at `to` or behind it, and the row of its suffix.
func (w walk) sampled(to int) (position, row int, err error) {
	if w.Rate == 0 {
		return w.Length, 0, nil
	}
	number := (to + w.Rate - 1) / w.Rate
	if number >= len(w.File.samples) {
		return w.Length, 0, nil
	}
	k := slices.Index(w.File.samples, uint32(number))
	if k < 0 {
		return 0, 0, wrong("position %d is not among its samples", number*w.Rate)
	}
	// The block of marks with as many before it, and the mark in it.
	block := sort.Search(w.markers, func(b int) bool { return int(w.marks[4*b]) > k }) - 1
	if block < 0 {
		return 0, 0, wrong("its marks do not begin at 0")
	}
	left := k - int(w.marks[4*block])
	for i := range 3 {
		for word := w.marks[4*block+1+i]; word != 0; word &= word - 1 {
			if left == 0 {
				return number * w.Rate, block*bitsBlock + 32*i + bits.TrailingZeros32(word) + 1, nil
			}
			left--
		}
	}
	return 0, 0, wrong("its marks are fewer than its samples")
}

// letter is the first character of the suffix of a row, which is not 0.
func (w walk) letter(row int) byte {
	c := sort.Search(256, func(c int) bool { return w.smaller[c] > uint64(row) }) - 1
	for c > 0 && w.Counts[c] == 0 {
		c--
	}
	return byte(max(c, 0))
}

// longer is the row of the suffix that is longer by a character than that of a row.
func (w walk) longer(row int) int {
	p := row
	if row > w.Primary {
		p--
	}
	if w.wavelet {
		return w.longerInLevels(p)
	}
	b := p / sector
	counts := w.counts(b)
	planes := w.blocks4(b)[4:]
	low, high := uint64(planes[0])|uint64(planes[1])<<32, uint64(planes[2])|uint64(planes[3])<<32
	c := low>>(p%sector)&1 | high>>(p%sector)&1<<1
	same := ^low
	if c&1 == 1 {
		same = low
	}
	if c&2 == 2 {
		same &= high
	} else {
		same &^= high
	}
	r := int(w.table[256+c]) + int(counts[c]) + bits.OnesCount64(same&(1<<(p%sector)-1))
	if c == 0 {
		before, escape := w.escapesAt(b, p)
		if escape >= 0 {
			return min(escape, w.Length)
		}
		r -= before
	}
	return min(max(r, 0), w.Length)
}

func (w walk) blocks4(b int) []uint32 { return w.File.blocks[8*b : 8*b+8] }
func (w walk) counts(b int) []uint32  { return w.blocks4(b)[:4] }

// escapesAt is how many escapes are before place p in its block, and the row that follows if it is one itself, or -1.
func (w walk) escapesAt(b, p int) (before, row int) {
	sum := 0
	for _, n := range w.counts(b) {
		sum += int(n)
	}
	after := sort.Search(w.Runs, func(i int) bool { return int(w.File.escapes[runWords*i]) > p })
	if after == 0 {
		return 0, -1
	}
	run := w.File.escapes[runWords*(after-1):]
	end := w.shape.escapes
	if after < w.Runs {
		end = int(run[runWords+2])
	}
	inside, length := p-int(run[0]), end-int(run[2])
	before = int(run[2]) + min(inside, length) - (b*sector - sum)
	if inside >= 0 && inside < length {
		return before, int(run[1]) + inside
	}
	return before, -1
}

// longerInLevels is longer in a wavelet matrix.
func (w walk) longerInLevels(p int) int {
	stride := w.Length/bitsBlock + 1
	i, c := p, 0
	for l := range w.levels {
		block := w.File.blocks[4*(l*stride+i/bitsBlock):]
		ones, bit := int(block[0]), i%bitsBlock
		for k := range 3 {
			if n := bit - 32*k; n >= 32 {
				ones += bits.OnesCount32(block[1+k])
			} else if n > 0 {
				ones += bits.OnesCount32(block[1+k] & (1<<n - 1))
			}
		}
		if block[1+bit/32]>>(bit%32)&1 == 1 {
			c = c<<1 | 1
			i = min(w.Length, int(w.table[512+l])+ones)
		} else {
			c <<= 1
			i = max(i-ones, 0)
		}
	}
	return min(int(w.table[256+c]+uint32(i)), w.Length) // modulo 2^32
}
