package fmindex

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/suffixcl/suffixcl/internal/parallel"
)

// Parts collect what an index is made of while the suffix array passes: the transform, and marks and samples as the
// index has them.
type Parts struct {
	n, rate   int
	transform []byte
	marks     []uint32
	samples   []uint32
	kept      uint32
	next      int // slot
}

// NewParts takes the host memory: see PartsMemory.
func NewParts(h Header) *Parts {
	p := &Parts{n: h.Length, rate: h.Rate, transform: make([]byte, 0, h.Length)}
	if h.Rate > 0 {
		p.marks = make([]uint32, 4*(h.Length/bitsBlock+1))
		p.samples = make([]uint32, (h.Length+h.Rate-1)/h.Rate)
	}
	return p
}

// PartsMemory is the host memory of Parts.
func PartsMemory(h Header) int64 {
	bytes := int64(h.Length)
	if h.Rate > 0 {
		bytes += 16*int64(h.Length/bitsBlock+1) + 4*int64((h.Length+h.Rate-1)/h.Rate)
	}
	return bytes
}

// Add takes the next entries of the suffix array, and the next part of the transform. Both are copied.
func (p *Parts) Add(positions []uint32, transform []byte) error {
	if len(p.transform)+len(transform) > p.n || p.next+len(positions) > p.n {
		return fmt.Errorf("fmindex: a transform or suffix array of more than %d entries", p.n)
	}
	p.transform = append(p.transform, transform...)
	first := p.next
	p.next += len(positions)
	if p.rate == 0 || len(positions) == 0 {
		return nil
	}
	// Blocks of marks have goroutines of their own: first the bits, then, with the counts before them, the samples.
	from, end := first/bitsBlock, (p.next-1)/bitsBlock+1
	each := func(f func(block, lo, hi int)) {
		parallel.Do(end-from, 1<<10, func(lo, hi int) {
			for b := from + lo; b < from+hi; b++ {
				f(b, max(b*bitsBlock, first), min((b+1)*bitsBlock, p.next))
			}
		})
	}
	rate := uint32(p.rate)
	each(func(b, lo, hi int) {
		words := p.marks[4*b+1 : 4*b+4]
		for j := lo; j < hi; j++ {
			if positions[j-first]%rate == 0 {
				at := j - b*bitsBlock
				words[at/32] |= 1 << (at % 32)
			}
		}
	})
	for b := from; b < end; b++ {
		if b*bitsBlock >= first {
			p.marks[4*b] = p.kept
		}
		words := p.marks[4*b+1 : 4*b+4]
		p.kept = p.marks[4*b] + uint32(bits.OnesCount32(words[0])+bits.OnesCount32(words[1])+bits.OnesCount32(words[2]))
	}
	if int(p.kept) > len(p.samples) {
		return fmt.Errorf("fmindex: %d sampled positions of %d", p.kept, len(p.samples))
	}
	each(func(b, lo, hi int) {
		at, words := p.marks[4*b], p.marks[4*b+1:4*b+4]
		for j := b * bitsBlock; j < hi; j++ {
			if k := j - b*bitsBlock; words[k/32]>>(k%32)&1 == 0 {
				continue
			}
			if j >= lo {
				p.samples[at] = positions[j-first] / rate
			}
			at++
		}
	})
	return nil
}

// RunParts makes the index of what was collected, as Run does.
//
// Errors: parts of another text, or not all of them; the context's, the device's.
func (b *Builder) RunParts(ctx context.Context, p *Parts, primary int) (*Index, error) {
	x, s := b.index, b.s
	if p.n != x.Length || p.rate != x.Rate || p.next != p.n || len(p.transform) != p.n || int(p.kept) != len(p.samples) {
		return nil, fmt.Errorf("fmindex: parts of %d characters and %d samples, planned for %d", p.next, p.kept, x.Length)
	}
	transform := b.transforms[0].Buffer(s)
	s.Phase("index")
	if err := transform.Upload(ctx, p.transform, nil); err != nil {
		return nil, err
	}
	if x.Rate > 0 {
		if p.n%bitsBlock == 0 { // a block after the last entry
			p.marks[len(p.marks)-4] = p.kept
		}
		if err := x.marks.Buffer(s).Upload(ctx, p.marks, nil); err != nil {
			return nil, err
		}
		if err := x.samples.Buffer(s).Upload(ctx, p.samples, nil); err != nil {
			return nil, err
		}
	}
	return b.finish(transform, primary)
}
