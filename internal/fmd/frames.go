package fmd

import (
	"math/bits"
	"runtime"

	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/parallel"
)

// framer makes the frames.
type framer struct {
	shift int    // a frame is for 2^shift rows
	most  uint64 // number of frames
	made  []uint64
	last  border // the last block
}

// border is where a block begins.
type border struct {
	before [counts]uint64 // its first word, and the letters before it
	row    uint64         // its first one
}

func newFramer(rows, words uint64) *framer {
	shift := bits.Len64(rows/(words/blockWords+1)) - 1 + frameBits
	return &framer{shift: shift, most: (rows+1<<shift-1)>>shift + 1}
}

// room has memory for the frames.
func (f *framer) room() {
	if f.made == nil {
		f.made = make([]uint64, f.most*counts)
	}
}

// add goes from a block to the next: its first word, and the counts that it begins with. The frames of rows after the
// one block and up to the other are for the one.
func (f *framer) add(p *border, word uint64, block *[counts]uint64) {
	k := p.row>>f.shift + 1
	p.row += block[0]
	for ; k < f.most && k<<f.shift <= p.row; k++ {
		copy(f.made[k*counts:], p.before[:])
	}
	p.before[0] = word
	for i := 1; i < counts; i++ {
		p.before[i] += block[i]
	}
}

// leastFramed are blocks that are worth a processor.
const leastFramed = 1 << 12

// addAll takes the next blocks, on all processors: first the sums of parts of them, then the frames of each part. The
// first block of all has no counts before it.
func (f *framer) addAll(word uint64, blocks []uint64) {
	f.room()
	n := intmath.CeilDiv(len(blocks), blockWords)
	each := max(leastFramed, intmath.CeilDiv(n, runtime.GOMAXPROCS(0)))
	at := func(b int) []uint64 { return blocks[b*blockWords:] }
	begins := parallel.Collect(n, each, func(lo, hi int) (p border) {
		for b := lo; b < hi; b++ {
			told := countsAt(at(b))
			for i, count := range told[1:] {
				p.before[1+i] += count
			}
			p.row += told[0]
		}
		p.before[0] = word + uint64(hi-1)*blockWords
		return p
	})
	for k, part := range begins {
		begins[k] = f.last
		f.last.row += part.row
		f.last.before[0] = part.before[0]
		for i := 1; i < counts; i++ {
			f.last.before[i] += part.before[i]
		}
	}
	parallel.Do(len(begins), 1, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			p := begins[k]
			for b := k * each; b < min((k+1)*each, n); b++ {
				told := countsAt(at(b))
				f.add(&p, word+uint64(b)*blockWords, &told)
			}
		}
	})
}

// all are the frames.
func (f *framer) all() []uint64 {
	f.room()
	for k := f.last.row>>f.shift + 1; k < f.most; k++ {
		copy(f.made[k*counts:], f.last.before[:])
	}
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
