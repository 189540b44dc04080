package arrays

import (
	"cmp"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/jobs/inranges"
	"github.com/suffixcl/suffixcl/internal/verify"
)

// VerifyBlocks is suffixcl.Engine.VerifyArrays of arrays that are read.
func VerifyBlocks(e *call.Engine, text input.Text, given verify.Given, order input.Order,
) call.Job[struct{}, struct{}] {
	wrong := cmp.Or(text.InMemory(), inranges.Check(text))
	switch {
	case order.Kind == input.SpecialsLargestKind:
		given.Letters = append([]byte{}, order.Letters()...)
	case order != input.OrderPlain:
		wrong = cmp.Or[error](wrong, input.NoOrder(order, "suffix array in blocks"))
	}
	if wrong != nil {
		return call.Refused[struct{}, struct{}](e, wrong)
	}
	j := call.NewJob(e, func() (*verifyingBlocks, error) {
		if given.LCP != nil {
			return newVerifyBlocksLCP(e, text.Len())
		}
		return newVerifyBlocks(e, text.Len())
	}, func(c *call.Call, o *verifyingBlocks, yield func(struct{}) error) error {
		if given.SuffixArray == nil {
			return call.ErrNoFunction
		}
		if err := o.Allocate(); err != nil {
			return err
		}
		err := c.Compute(func() error {
			return o.Run(c.Ctx, text.Bytes(), given, func(done, total int64) { c.Progress("verify", done, total) })
		})
		if err != nil {
			return err
		}
		return yield(struct{}{})
	}, call.Only[struct{}])
	return j.NeedsSymbols(text)
}

// verifyingBlocks is the operation of VerifyBlocks.
type verifyingBlocks struct {
	*verify.BucketChecker
	host int64
}

func newVerifyBlocks(e *call.Engine, n int) (*verifyingBlocks, error) {
	c, err := verify.NewBuckets(e.Session, n)
	return &verifyingBlocks{c, int64(n)}, err
}

func newVerifyBlocksLCP(e *call.Engine, n int) (*verifyingBlocks, error) {
	c, err := verify.NewBucketsLCP(e.Session, n)
	return &verifyingBlocks{c, int64(n)}, err
}

func (o *verifyingBlocks) Plan() device.MemoryPlan {
	return device.MemoryPlan{call.PhaseOf(o.Memory(), o.host)}
}

func (o *verifyingBlocks) Free(*device.Session) { o.Release() }
