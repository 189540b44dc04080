package suffixcl

import (
	"context"
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/verify"
)

// SuffixArray returns sa [len(text)]uint32: the positions of text in the order of the suffixes that
// start there. The empty text has an empty suffix array. Texts have up to MaxLen bytes. Memory: Plan(OpSuffixArray).
// Where no sorter in one piece fits, AlgorithmAuto sorts in ranges: see EachSuffixRange.
//
// Errors: a *LengthError, *device.MemoryError before anything is allocated; the context's; the
// device's, with the phase; ErrClosed, ErrInCallback.
func (e *Engine) SuffixArray(ctx context.Context, text []byte) ([]uint32, error) {
	return e.suffixArray(ctx, nil, text)
}

// SuffixArrayInto is SuffixArray in memory of the caller: sa [len(text)]. Pinned memory (device.AllocPinned) is
// copied to directly. Errors as SuffixArray; where there is one, sa holds anything.
func (e *Engine) SuffixArrayInto(ctx context.Context, sa []uint32, text []byte) error {
	if err := exactly(suffixArrayName, len(sa), len(text)); err != nil {
		return err
	}
	_, err := e.suffixArray(ctx, sa, text)
	return err
}

func (e *Engine) suffixArray(ctx context.Context, sa []uint32, text []byte) (_ []uint32, err error) {
	c, err := e.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer c.end()
	o, err := prepare(c, OpSuffixArray, len(text), newSuffixArray)
	if c.e.inRanges(err) {
		return c.arrayInRanges(sa, text, false, err)
	}
	if err != nil {
		return nil, err
	}
	defer c.done(OpSuffixArray, o, &err)
	sa = placedOf(c, o, o.sa, len(text), sa)
	if _, err := o.sort(c, text); err != nil {
		return nil, err
	}
	_, array := o.arraysOf(c.s, len(text))
	return download(c, sa, array)
}

// LCP returns lcp [len(text)]uint32: entry j is the length of the longest common prefix
// of the suffixes in slots j-1 and j of the suffix array, entry 0 is 0. Memory: Plan(OpLCP). Where
// it does not fit in one piece, AlgorithmAuto sorts in ranges: see SuffixRanges. Errors as SuffixArray.
func (e *Engine) LCP(ctx context.Context, text []byte) ([]uint32, error) {
	return e.lcp(ctx, OpLCP, newLCP, nil, text, nil)
}

// LCPInto is LCP in memory of the caller: lcp [len(text)]. Where there is an error, lcp holds anything.
func (e *Engine) LCPInto(ctx context.Context, lcp []uint32, text []byte) error {
	if err := exactly(lcpName, len(lcp), len(text)); err != nil {
		return err
	}
	_, err := e.lcp(ctx, OpLCP, newLCP, lcp, text, nil)
	return err
}

// LCPOf is LCP for a suffix array that is known: sa [len(text)], which is verified first. Memory: Plan(OpLCPOf). Errors
// as Verify.
func (e *Engine) LCPOf(ctx context.Context, text []byte, sa []uint32) ([]uint32, error) {
	return e.lcp(ctx, OpLCPOf, newLCPOf, nil, text, sa)
}

// LCPOfInto is LCPOf in memory of the caller: lcp [len(text)], which may not be sa. Where there is an error, lcp holds
// anything. Errors as LCPOf; a *LengthError for an lcp of another length.
func (e *Engine) LCPOfInto(ctx context.Context, lcp []uint32, text []byte, sa []uint32) error {
	if err := exactly(lcpName, len(lcp), len(text)); err != nil {
		return err
	}
	_, err := e.lcp(ctx, OpLCPOf, newLCPOf, lcp, text, sa)
	return err
}

func (e *Engine) lcp(ctx context.Context, op Op, plan func(*Engine, int) (*comparing, error),
	lcp []uint32, text []byte, sa []uint32) (_ []uint32, err error) {
	c, err := e.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer c.end()
	o, err := prepare(c, op, len(text), plan)
	if op == OpLCP && c.e.inRanges(err) {
		return c.arrayInRanges(lcp, text, true, err)
	}
	if err != nil {
		return nil, err
	}
	defer c.done(op, o, &err)
	lcp = placedOf(c, o, o.lcp, len(text), lcp)
	lengths, err := o.compare(c, text, sa)
	if err != nil {
		return nil, err
	}
	return download(c, lcp, lengths)
}

// Verify returns nil if sa [len(text)] is the suffix array of text, and a *MismatchError with the first wrong entry
// if it is not. Linear time, on the device. Memory: Plan(OpVerify). Other errors as SuffixArray.
func (e *Engine) Verify(ctx context.Context, text []byte, sa []uint32) (err error) {
	c, err := e.begin(ctx)
	if err != nil {
		return err
	}
	defer c.end()
	o, err := prepare(c, OpVerify, len(text), newVerify)
	if err != nil {
		return err
	}
	defer c.done(OpVerify, o, &err)
	return o.verify(c, text, sa)
}

// GivenArrays are a suffix array and, if they are wanted, a transform and an LCP array, which are read part by part.
type GivenArrays = verify.Given

// VerifyBlocks is Verify, VerifyBWT and VerifyLCP for arrays that are read part by part, at several places at a time:
// none needs be in memory. Texts have up to MaxRangesLen bytes. Memory: Plan(OpVerifyBlocks), or OpVerifyBlocksLCP,
// about a byte a character. Errors as Verify; those of the functions that read.
func (e *Engine) VerifyBlocks(ctx context.Context, text []byte, given GivenArrays) error {
	if given.SuffixArray == nil {
		return ErrNoFunction
	}
	c, err := e.begin(ctx)
	if err != nil {
		return err
	}
	defer c.end()
	o, err := prepareAlone(c, func() (*verifyingBlocks, error) {
		if given.LCP != nil {
			return newVerifyBlocksLCP(e, len(text))
		}
		return newVerifyBlocks(e, len(text))
	})
	if err != nil {
		return err
	}
	defer o.release(c.s)
	c.callsBack()
	if err := o.Allocate(); err != nil {
		return err
	}
	return c.compute(func() error {
		return o.Run(c.ctx, text, given, func(done, total int64) { c.progress("verify", done, total) })
	})
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

// VerifyLCP checks sa [len(text)] as Verify does, and that lcp [len(text)] is the LCP array of text. Memory:
// Plan(OpVerifyLCP). Errors as Verify.
func (e *Engine) VerifyLCP(ctx context.Context, text []byte, sa, lcp []uint32) error {
	want, err := e.lcp(ctx, OpVerifyLCP, newVerifyLCP, nil, text, sa)
	if err != nil {
		return err
	}
	if err := sameLength(lcpName, len(lcp), len(want)); err != nil {
		return err
	}
	for j := range want {
		if lcp[j] != want[j] {
			return &MismatchError{What: lcpName, At: j, Why: fmt.Sprintf("holds %d instead of %d", lcp[j], want[j])}
		}
	}
	return nil
}
