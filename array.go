package suffixcl

import (
	"cmp"
	"context"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/verify"
)

// SuffixArray returns sa [len(text)]uint32: the positions of text in the order of the suffixes that
// start there. The empty text has an empty suffix array. Texts have up to MaxLen bytes. It is Arrays of a text of bytes
// with Want{SA: true}, whose Plan tells the memory. Where no sorter in one piece fits, AlgorithmAuto sorts in ranges.
//
// Errors: a *LengthError, *device.MemoryError before anything is allocated; the context's; the
// device's, with the phase; ErrClosed, ErrInCallback.
func (e *Engine) SuffixArray(ctx context.Context, text []byte) ([]uint32, error) {
	r, err := e.Arrays(Bytes(text), Want{SA: true}).All(ctx)
	if err != nil {
		return nil, err
	}
	return r.SA, nil
}

// SuffixArrayInto is SuffixArray in memory of the caller: sa [len(text)]. Pinned memory (device.AllocPinned) is
// copied to directly. Errors as SuffixArray; where there is one, sa holds anything.
func (e *Engine) SuffixArrayInto(ctx context.Context, sa []uint32, text []byte) error {
	if err := exactly(suffixArrayName, len(sa), len(text)); err != nil {
		return err
	}
	_, err := e.Arrays(Bytes(text), Want{SA: true, Into: &Result{SA: sa}}).All(ctx)
	return err
}

// LCP returns lcp [len(text)]uint32: entry j is the length of the longest common prefix
// of the suffixes in slots j-1 and j of the suffix array, entry 0 is 0. It is Arrays with Want{LCP: true}, which takes
// a suffix array that is known, too. Where it does not fit in one piece, AlgorithmAuto sorts in ranges. Errors as
// SuffixArray.
func (e *Engine) LCP(ctx context.Context, text []byte) ([]uint32, error) {
	r, err := e.Arrays(Bytes(text), Want{LCP: true}).All(ctx)
	if err != nil {
		return nil, err
	}
	return r.LCP, nil
}

// LCPInto is LCP in memory of the caller: lcp [len(text)]. Where there is an error, lcp holds anything.
func (e *Engine) LCPInto(ctx context.Context, lcp []uint32, text []byte) error {
	if err := exactly(lcpName, len(lcp), len(text)); err != nil {
		return err
	}
	_, err := e.Arrays(Bytes(text), Want{LCP: true, Into: &Result{LCP: lcp}}).All(ctx)
	return err
}

// Verify returns nil if sa [len(text)] is the suffix array of text, and a *MismatchError with the first wrong entry
// if it is not. Linear time, on the device. It is VerifyArrays of a text of bytes. Other errors as SuffixArray.
func (e *Engine) Verify(ctx context.Context, text []byte, sa []uint32) error {
	return e.VerifyArrays(ctx, Bytes(text), &Result{SA: sa})
}

// GivenArrays are a suffix array and, if they are wanted, a transform and an LCP array, which are read part by part.
type GivenArrays = verify.Given

// VerifyBlocks is VerifyArrays for a text of bytes and arrays that are read part by part, at several places at a time:
// none of these needs be in memory. All has no result but its error. Texts have up to MaxRangesLen bytes. Memory: about
// a byte a character; a plan depends on whether GivenArrays.LCP is there. Errors as Verify; those of the functions that
// read; a text that is none of bytes.
func (e *Engine) VerifyBlocks(text Text, given GivenArrays) Job[struct{}, struct{}] {
	if wrong := cmp.Or(text.inMemory(), checkRanges(text)); wrong != nil {
		return refused[struct{}, struct{}](e, wrong)
	}
	j := newJob(e, func() (*verifyingBlocks, error) {
		if given.LCP != nil {
			return newVerifyBlocksLCP(e, text.Len())
		}
		return newVerifyBlocks(e, text.Len())
	}, func(c *call, o *verifyingBlocks, yield func(struct{}) error) error {
		if given.SuffixArray == nil {
			return ErrNoFunction
		}
		if err := o.Allocate(); err != nil {
			return err
		}
		err := c.compute(func() error {
			return o.Run(c.ctx, text.Bytes(), given, func(done, total int64) { c.progress("verify", done, total) })
		})
		if err != nil {
			return err
		}
		return yield(struct{}{})
	}, only[struct{}])
	return j.needsSymbols(text)
}

// verifyingBlocks is the operation of VerifyBlocks.
type verifyingBlocks struct {
	*verify.BucketChecker
	host int64
}

func newVerifyBlocks(e *Engine, n int) (*verifyingBlocks, error) {
	c, err := verify.NewBuckets(e.session, n)
	return &verifyingBlocks{c, int64(n)}, err
}

func newVerifyBlocksLCP(e *Engine, n int) (*verifyingBlocks, error) {
	c, err := verify.NewBucketsLCP(e.session, n)
	return &verifyingBlocks{c, int64(n)}, err
}

func (o *verifyingBlocks) memory() device.MemoryPlan {
	return device.MemoryPlan{phaseOf(o.Memory(), o.host)}
}

func (o *verifyingBlocks) release(*device.Session) { o.Release() }
