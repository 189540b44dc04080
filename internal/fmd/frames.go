package fmd

import "math/bits"

// framer makes the frames.
type framer struct {
	shift  int    // a frame is for 2^shift rows
	most   uint64 // number of frames
	made   []uint64
	before [counts]uint64 // first word of the last block, and the letters before it
	rows   uint64         // before it
}

func newFramer(rows, words uint64) *framer {
	shift := bits.Len64(rows/(words/blockWords+1)) - 1 + frameBits
	return &framer{shift: shift, most: (rows+1<<shift-1)>>shift + 1, made: make([]uint64, counts)}
}

// add takes the next block but the first: its first word, and the counts that it begins with.
func (f *framer) add(word uint64, block [counts]uint64) {
	f.rows += block[0]
	f.close(func(bound uint64) bool { return f.rows >= bound })
	f.before[0] = word
	for i := 1; i < counts; i++ {
		f.before[i] += block[i]
	}
}

// close ends the frames whose first rows are no further than a block.
func (f *framer) close(reached func(bound uint64) bool) {
	for k := uint64(len(f.made) / counts); k < f.most && reached(k<<f.shift); k++ {
		f.made = append(f.made, f.before[:]...)
	}
}

// all are the frames.
func (f *framer) all() []uint64 {
	f.close(func(uint64) bool { return true })
	return f.made
}

// countsAt reads the counts that a block begins with.
func countsAt(block []uint64) (c [counts]uint64) {
	const mask = 1<<62 - 1
	kind := block[0] >> 62
	for i := range c {
		switch kind {
		case 0:
			c[i] = block[i/4] >> (16 * (i % 4)) & (1<<16 - 1)
		case 1:
			c[i] = block[i/2] >> (32 * (i % 2)) & (1<<32 - 1)
		default:
			c[i] = block[i]
		}
	}
	switch kind { // which is at the top of the first word
	case 0:
		c[3] &= 1<<14 - 1
	case 1:
		c[1] &= 1<<30 - 1
	default:
		c[0] &= mask
	}
	return c
}
