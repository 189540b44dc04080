package search

import (
	"context"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/intervals"
	"github.com/suffixcl/suffixcl/patterns"
	"github.com/suffixcl/suffixcl/seqio"
)

// MatcherOptions are suffixcl.MatcherOptions.
type MatcherOptions struct {
	SuffixArray []uint32
	Records     seqio.Table
	DNA         bool
	Documents   bool
}

// Matcher is suffixcl.Matcher.
type Matcher struct {
	Searcher
	set     *input.Collection
	counts  bool
	counter *intervals.Counter
	sums    *device.Buffer[uint32]

	documents call.Gatherer[patterns.Batch, []uint32]
}

// matcherJob is the job of an operation that a Matcher keeps, unless building it is an error.
func matcherJob[O call.Operation](
	e *call.Engine, plan func() (O, error), build func(c *call.Call, o O) (*Matcher, error),
) call.Job[*Matcher, *Matcher] {
	return call.Job[*Matcher, *Matcher]{Engine: e, Collect: call.Only[*Matcher],
		Operation: func() (call.Operation, error) { return call.AsOperation(plan()) },
		Run: func(ctx context.Context, yield func(*Matcher) error) error {
			c, err := e.Begin(ctx)
			if err != nil {
				return err
			}
			defer c.End()
			o, err := call.PrepareAlone(c, plan)
			if err != nil {
				return err
			}
			m, err := build(c, o)
			if err != nil {
				o.Free(c.Session)
				return err
			}
			return yield(m)
		}}
}
