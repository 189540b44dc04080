package jobs

import (
	"cmp"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/verify"
)

// GivenArrays are a suffix array and, if they are wanted, a transform and an LCP array, which are read part by part.
type GivenArrays = verify.Given

// VerifyBlocks is VerifyArrays for a text of bytes and arrays that are read part by part, at several places at a time:
// none of these needs be in memory. All has no result but its error. Texts have up to MaxRangesLen bytes. Memory: about
// a byte a character; a plan depends on whether GivenArrays.LCP is there. Errors as Verify; those of the functions that
// read; a text that is none of bytes.
func VerifyBlocks(e *Engine, text input.Text, given GivenArrays) Job[struct{}, struct{}] {
	if wrong := cmp.Or(text.InMemory(), checkRanges(text)); wrong != nil {
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
