package search

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/internal/jobs/inranges"
	"github.com/suffixcl/suffixcl/internal/ranges"
	"github.com/suffixcl/suffixcl/internal/sorter"
)

// indexingInRanges builds an index of what a suffix array in ranges hands out. The ranges are gone when the index is
// made.
type indexingInRanges struct {
	*inranges.Ranged[uint32]
	builder *fmindex.Builder
}

func (o *indexingInRanges) Free(*device.Session) { o.builder.Release() }

// newIndexingInRanges plans an index with this header, whose Counts are those of the text.
func newIndexingInRanges(e *call.Engine, h fmindex.Header) (*indexingInRanges, error) {
	from, err := inranges.New[uint32](e, h.Length, ranges.Options{Width: ranges.WidthOf(&h.Counts), Transform: true})
	if err != nil {
		return nil, err
	}
	builder, err := fmindex.NewPartsBuilder(e.Session, h)
	if err != nil {
		return nil, err
	}
	parts := fmindex.PartsMemory(h)
	for i := range from.Phases {
		from.Phases[i].Host += parts
	}
	from.Phases = append(from.Phases, call.PhaseOf(builder.Memory(), int64(h.Length)+parts))
	addSymbols(from.Phases, h)
	return &indexingInRanges{from, builder}, nil
}

func (o *indexingInRanges) build(c *call.Call, text []byte, h fmindex.Header) (*fmindex.Index, error) {
	c.Stats.Algorithm = sorter.Ranges
	parts := fmindex.NewParts(h)
	job := ranges.Job[uint32]{Progress: c.Progress, Yield: func(b ranges.Block[uint32]) error {
		return parts.Add(b.Positions, b.Transform)
	}}
	var state ranges.State
	err := c.Compute(func() (err error) {
		state, err = o.Sorter.Run(c.Ctx, text, job)
		c.Stats.Ranges = o.Sorter.Sorted()
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := o.builder.Allocate(); err != nil {
		return nil, err
	}
	return builds(c, func() (*fmindex.Index, error) { return o.builder.RunParts(c.Ctx, parts, state.Primary) })
}
