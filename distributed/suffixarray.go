package distributed

import (
	"context"
	"time"

	"github.com/suffixcl/suffixcl/device"
)

// New makes a builder. It closes neither the communicator nor the session.
func New(c Communicator, s *device.Session, o Options) *Builder {
	if o.Algorithm == "" {
		o.Algorithm = PCSS
	}
	if s != nil { // for those who list programs
		for _, ranks := range []bool{false, true} {
			s.Program(mergeSource[uint32](s, ranks))
			s.Program(mergeSource[uint64](s, ranks))
		}
		newNamer(s, 1, 1)
	}
	return &Builder{comm: c, session: s, options: o}
}

// SuffixArray returns the block of the suffix array at the places of the block of the text: sa [len(block)]uint64. The
// block is that of [Bounds]; it may be empty. All ranks call it.
//
// Errors, on all ranks: suffixcl.ErrUsage for other blocks; a *RankError; on the rank itself what happened there: the
// context's, the device's, the communicator's.
func (b *Builder) SuffixArray(ctx context.Context, block []byte) (sa []uint64, err error) {
	sa = make([]uint64, len(block))
	if err := b.SuffixArrayInto(ctx, block, sa); err != nil {
		return nil, err
	}
	return sa, nil
}

// SuffixArrayInto is SuffixArray into memory of the caller: sa [len(block)]uint64. Memory that has been used before
// takes less time than fresh one. After an error its contents are of no use.
func (b *Builder) SuffixArrayInto(ctx context.Context, block []byte, sa []uint64) error {
	r, err := b.begin(ctx, "suffix array", len(block), len(sa))
	if err != nil || r.n == 0 {
		return err
	}
	defer r.end(time.Now())
	one, err := r.onOneDevice()
	if err != nil {
		return err
	}
	if one {
		return r.sortOnOneDevice(block, sa)
	}
	plan, err := b.Plan(r.n)
	if err == nil {
		err = plan.Fits(b.session)
	}
	switch err := r.agreed(err); {
	case err != nil:
		return err
	case b.options.Algorithm == PDC3:
		return r.pdc3(block, sa)
	}
	return r.pcss(block, sa)
}
