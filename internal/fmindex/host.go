package fmindex

import "math/bits"

// Host is an index in host memory, which is searched there: for searches each of whose steps depends on the one before.
// It does what fmindex_search.cl does. Whatever a file holds, nothing outside of its memory is touched, and a search
// ends. Several goroutines may use it.
type Host struct {
	*File
	shape *shape
}

// Host makes the index ready to be searched on the host. The memory is that of the file. Errors: a header that does not
// agree with itself.
func (f *File) Host() (*Host, error) {
	shape, err := f.shape()
	return &Host{f, shape}, err
}

// Rows is the number of rows: one for each suffix, and one for the empty one.
func (x *Host) Rows() uint64 { return uint64(x.Length) + 1 }

// Longer is the rows of what is longer by a byte before it than what the rows [from, to) begin with; the same row twice
// if there are none. The first rows of a search are [0, Rows). A byte that matches nothing has no rows.
func (x *Host) Longer(from, to uint64, letter byte) (longerFrom, longerTo uint64) {
	c := x.shape.table[letter]
	if c == none || from >= to || to > x.Rows() {
		return 0, 0
	}
	low, high := x.place(uint32(from)), x.place(uint32(to))
	base := x.shape.table[256+c]
	if x.shape.wavelet {
		low, high = x.ranks(c, low, high)
	} else {
		low, high = x.rank(c, low), x.rank(c, high)
	}
	rows := uint32(x.Length + 1)
	return uint64(min(rows, base+low)), uint64(min(rows, base+high))
}

// place is where a row of the text with its end is in the transform, which lacks the row of the end.
func (x *Host) place(row uint32) uint32 {
	if row > uint32(x.Primary) {
		row--
	}
	return row
}

// bitsOf is a block of 96 bits after the number of ones before it.
type bitsOf []uint32

func (x *Host) level(l int, place uint32) bitsOf {
	at := 4 * (l*(x.Length/bitsBlock+1) + int(place/bitsBlock))
	return x.blocks[at : at+4]
}

// ones is how many there are before a place.
func (b bitsOf) ones(place uint32) uint32 {
	r := place % bitsBlock
	first := uint64(b[1]) | uint64(b[2])<<32
	if r <= 64 {
		return b[0] + uint32(bits.OnesCount64(first&(1<<r-1)))
	}
	return b[0] + uint32(bits.OnesCount64(first)) + uint32(bits.OnesCount32(b[3]&(1<<(r-64)-1)))
}

func (b bitsOf) bit(place uint32) bool {
	r := place % bitsBlock
	return b[1+r/32]>>(r%32)&1 == 1
}

// ranks is the rank of a symbol at two places of the wavelet matrix, but for what is added to it.
func (x *Host) ranks(c, low, high uint32) (ofLow, ofHigh uint32) {
	n := uint32(x.Length)
	for l := range x.shape.levels {
		a, b := x.level(l, low).ones(low), x.level(l, high).ones(high)
		if c>>(x.shape.levels-1-l)&1 == 1 {
			zeros := x.shape.table[512+l]
			low, high = min(n, zeros+a), min(n, zeros+b)
		} else {
			low, high = min(n, low-a), min(n, high-b)
		}
	}
	return low, high
}

// quarter is the block of 64 places that has a place: its counts, and its two planes of bits.
func (x *Host) quarter(place uint32) (counts []uint32, low, high uint64) {
	w := x.blocks[8*(place/sector):][:8]
	return w[:4], uint64(w[4]) | uint64(w[5])<<32, uint64(w[6]) | uint64(w[7])<<32
}

// rank is how often a symbol of four is before a place, but for what is added to it.
func (x *Host) rank(c, place uint32) uint32 {
	counts, low, high := x.quarter(place)
	r := rankIn(counts, low, high, c, place)
	if c == 0 {
		escapes, _, _ := x.escapesAt(counts, place)
		r -= escapes
	}
	return r
}

func rankIn(counts []uint32, low, high uint64, c, place uint32) uint32 {
	if c&1 == 0 {
		low = ^low
	}
	if c&2 == 0 {
		high = ^high
	}
	return counts[c] + uint32(bits.OnesCount64(low&high&(1<<(place%sector)-1)))
}

// escapesAt is how many escapes are before a place in its block; and if one is there, the row that LF leads to.
func (x *Host) escapesAt(counts []uint32, place uint32) (before, row uint32, is bool) {
	b := place / sector
	sum := counts[0] + counts[1] + counts[2] + counts[3]
	if x.Runs == 0 {
		return 0, 0, false
	}
	if int(b) < x.Length/sector {
		next := x.blocks[8*(b+1):][:4]
		if next[0]+next[1]+next[2]+next[3]-sum == sector {
			return 0, 0, false
		}
	}
	low, high := 0, x.Runs // the runs that begin at the place or before
	for low < high {
		middle := low + (high-low)/2
		if x.escapes[runWords*middle] <= place {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low == 0 {
		return 0, 0, false
	}
	run := x.escapes[runWords*(low-1):]
	end := uint32(x.shape.escapes)
	if low < x.Runs {
		end = run[runWords+2]
	}
	inside, length := place-run[0], end-run[2]
	before = run[2] + min(inside, length) - (b*sector - sum)
	return before, run[1] + inside, inside < length
}

// longer is the row of the suffix that is longer by the character at a place of the transform.
func (x *Host) longer(place uint32) uint32 {
	if !x.shape.wavelet {
		counts, low, high := x.quarter(place)
		c := uint32(low>>(place%sector)&1) | uint32(high>>(place%sector)&1)<<1
		r := x.shape.table[256+c] + rankIn(counts, low, high, c, place)
		if c != 0 {
			return r
		}
		escapes, row, is := x.escapesAt(counts, place)
		if is {
			return row
		}
		return r - escapes
	}
	i, c := place, uint32(0)
	for l := range x.shape.levels {
		block := x.level(l, i)
		ones := block.ones(i)
		if c <<= 1; block.bit(i) {
			c |= 1
			i = min(uint32(x.Length), x.shape.table[512+l]+ones)
		} else {
			i = min(uint32(x.Length), i-ones)
		}
	}
	return x.shape.table[256+c] + i
}

// Position is where the suffix of a row begins: Rate steps at most. Errors: [ErrNoSamples]; a row that is none.
func (x *Host) Position(row uint64) (int, error) {
	switch {
	case row >= x.Rows():
		return 0, wrong("there is no row %d", row)
	case x.Rate == 0:
		return 0, ErrNoSamples
	}
	r := uint32(row)
	for steps := 0; steps < x.Rate && r > 0 && int(r) <= x.Length; steps++ {
		slot := r - 1
		if block := bitsOf(x.marks[4*(slot/bitsBlock):][:4]); block.bit(slot) {
			sample := x.samples[min(uint32(len(x.samples)-1), block.ones(slot))]
			return min(int(sample*uint32(x.Rate)+uint32(steps)), x.Length), nil
		}
		r = x.longer(min(uint32(x.Length-1), x.place(r)))
	}
	return x.Length, nil // of the empty suffix, or a damaged index
}
