package suffixsort

import (
	"context"
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/dc3"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/symbols"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/skew"
)

// Symbols sorts the suffixes of texts of up to n symbols of 16 or 32 bits. Symbols are replaced by their ranks among
// the distinct ones. Up to 256 ranks are sorted as bytes. Others are packed, each in as many bits as the highest takes,
// and sorted as packed text is. It may be used again and again; it holds its device memory until Release. It is for one
// goroutine at a time.
type Symbols[T uint16 | uint32] struct {
	sorter *Sorter
	coder  *symbols.Coder[T]
	skew   *skew.Ranks[T] // for texts beyond the capacity, or nil
}

// NewSymbols plans the sorter and sizes its memory, which Allocate takes. Errors: n over suffixcl.MaxLen.
func NewSymbols[T uint16 | uint32](s *device.Session, n int) (*Symbols[T], error) {
	return newSymbols[T](s, n, options{})
}

func newSymbols[T uint16 | uint32](s *device.Session, n int, o options) (*Symbols[T], error) {
	if err := limits.CheckLen("text", n, limits.MaxLen); err != nil {
		return nil, err
	}
	coder := symbols.New[T](s, n)
	sorter, err := newSorter(s, arena{n: n, symbols: true}, o, coder.Workspace())
	if err != nil {
		return nil, err
	}
	coder.Reserve(sorter.memory.kept)
	p := &Symbols[T]{sorter: sorter, coder: coder}
	if !o.NoSkew {
		tuned.Rarely(s, func() { p.skew, err = skew.NewRanks[T](s, n) })
	}
	return p, err
}

// TextLen is the length in symbols of the buffer of a text of n symbols: at least n.
func (p *Symbols[T]) TextLen(n int) int { return symbols.TextLen[T](n) }

// Memory is the sorter's device memory, without text and result.
func (p *Symbols[T]) Memory() device.PhaseMemory {
	if p.skew == nil {
		return p.sorter.memoryWith()
	}
	return p.sorter.memoryWith(p.sorter.skew, p.skew)
}

// Allocate takes the device memory.
func (p *Symbols[T]) Allocate() error { return p.sorter.Allocate() }

// Release frees the device memory.
func (p *Symbols[T]) Release() { p.sorter.Release() }

// Run sorts the suffixes of text[:n] into sa [n]uint32, n being the length of sa. Both are on the device. Allocate must
// have been called. text has TextLen(n) symbols, and holds something else afterwards. progress is that of Sorter.Run.
// Run waits for the device at every round, and returns when the result is enqueued.
//
// Errors: a text longer than planned, one shorter than TextLen(n), the context's, the device's (with the phase).
func (p *Symbols[T]) Run(ctx context.Context, text *device.Buffer[T], sa *device.Buffer[uint32],
	progress func(phase string, done, total int64)) error {
	return p.run(ctx, text, 0, sa, progress)
}

// RunBelow is Run for symbols that are all below a bound. They are not replaced by ranks, which takes two passes of
// random access; so most values should occur.
func (p *Symbols[T]) RunBelow(ctx context.Context, text *device.Buffer[T], bound int, sa *device.Buffer[uint32],
	progress func(phase string, done, total int64)) error {
	return p.run(ctx, text, bound, sa, progress)
}

// run sorts symbols below a bound, or any if that is 0.
func (p *Symbols[T]) run(ctx context.Context, text *device.Buffer[T], bound int, sa *device.Buffer[uint32],
	progress progress) error {
	n, s := sa.Len(), p.sorter
	switch {
	case n > s.n || text.Len() < p.TextLen(n):
		return fmt.Errorf("suffixsort: suffix array of %d entries, text of %d symbols instead of %d, planned for %d",
			n, text.Len(), p.TextLen(n), s.n)
	case n == 0:
		return s.session.Check(ctx)
	}
	r, err := s.newRun(nil, n, sa, nil)
	if err != nil {
		return err
	}
	progress = monotone(progress)
	if err := r.begin(ctx, progress, phaseAlphabet); err != nil {
		return err
	}
	scratch := [2]*device.Buffer[uint32]{s.memory.words(tenantSymbols), s.memory.words(tenantSymbols2)}
	if bound == 0 {
		if bound, err = p.coder.Run(r.ws, text, n, scratch); err != nil {
			return err
		}
	}
	if bound <= symbols.ByteRanks {
		return s.Run(ctx, p.coder.Bytes(text, n, scratch[0]), sa, progress)
	}
	return p.sortPacked(ctx, r, text, bound, progress)
}

// sortPacked sorts a text of symbols below a bound.
func (p *Symbols[T]) sortPacked(ctx context.Context, r *run, text *device.Buffer[T], bound int,
	progress progress) error {
	m, width := p.sorter.memory, symbols.Width(bound)
	codes := m.table.Buffer(p.sorter.session) // which kernels copy, and do not use
	codes.Fill(0)
	r.coded = codedText{
		code:     &code{sigma: bound, width: width, bits: float64(width)},
		n:        r.n,
		suffixes: r.n,
		packed:   p.coder.Pack(text, r.n, width, m.words(tenantSymbols)),
		codes:    codes,
	}
	ok, err := r.sortCoded(ctx, progress)
	if err != nil || ok {
		return err
	}
	if err := p.sorter.giveMemory(p.skew); err != nil {
		return err
	}
	first := dc3.First[T]()
	p.coder.Unpack(text, r.n, width, first, r.all.suffixes)
	return p.skew.Run(ctx, text.View(0, r.n), symbols.Width(bound+first), r.all.suffixes, progress)
}
