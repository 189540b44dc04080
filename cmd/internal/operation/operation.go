// Package operation knows what verbs make of a text whose length is known, and plans it:
// in one piece, or in ranges.
package operation

import (
	"context"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
)

// steps is a job of any parts.
type steps interface {
	Plan(ctx context.Context) (device.MemoryPlan, error)
}

// Operation is what a verb makes of a text of which the length is known.
type Operation struct {
	// job is that of a text of n symbols of so many bytes.
	job func(e *suffixcl.Engine, width, n int) steps
	// Ranges is what is made where the text is sorted in ranges; nil: it is not.
	Ranges *InRanges
	// index: an index is made, whose memory depends on the text, and is at least that of the job.
	Index bool
	// checked are the arrays that are read part by part where they do not fit; nil: nothing is checked.
	checked *suffixcl.GivenArrays
	// given are bytes of host memory a character of a text of bytes that a check has in its last phase, besides the job's.
	given int64
}

// arrays are made of a text.
func arrays(want suffixcl.Want) func(e *suffixcl.Engine, width, n int) steps {
	return func(e *suffixcl.Engine, width, n int) steps { return e.Arrays(suffixcl.Length(width, n), want) }
}

// matcher searches a text, whose suffix array is known or not.
func matcher(sa []uint32) func(e *suffixcl.Engine, width, n int) steps {
	return func(e *suffixcl.Engine, width, n int) steps {
		return e.Matcher(suffixcl.Length(width, n), suffixcl.MatcherOptions{SuffixArray: sa})
	}
}

// leastIndex is an index of a text of bytes, or symbols, that takes no more than another of its length.
func leastIndex(e *suffixcl.Engine, width, n int) steps {
	if width > 1 {
		return e.Arrays(suffixcl.Length(width, 0), suffixcl.Want{SA: true})
	}
	return e.Index(suffixcl.Counts(&[256]uint64{'a': uint64(max(n, 0))}), suffixcl.IndexOptions{})
}

// inOneGo is a suffix array that a process makes: it keeps no memory for another.
type inOneGo struct{ steps }

func (p inOneGo) Plan(ctx context.Context) (device.MemoryPlan, error) {
	plan, err := p.steps.Plan(ctx)
	if last := len(plan) - 1; last > 0 && plan[last].Phase == "kept" {
		plan = plan[:last]
	}
	return plan, err
}

// known is a suffix array that is there.
var known = []uint32{}

// The operations.
var (
	SortedArray = Operation{job: arrays(suffixcl.Want{SA: true})}
	SortedLCP   = Operation{job: arrays(suffixcl.Want{LCP: true}), Ranges: inRangesOf(LCPInRanges(4))}
	SortedBWT   = Operation{job: arrays(suffixcl.Want{BWT: true}), Ranges: inRangesOf(TransformInRanges())}
	RangesArray = Operation{Ranges: inRangesOf(SuffixArrayInRanges(4)),
		job: func(e *suffixcl.Engine, width, n int) steps { return inOneGo{SortedArray.job(e, width, n)} }}
	KnownLCP     = Operation{job: arrays(suffixcl.Want{LCP: true, Known: known})}
	InvertedBWT  = Operation{job: invertedOf}
	MadeIndex    = Operation{job: leastIndex, Index: true}
	MadeMatcher  = Operation{job: matcher(nil)}
	KnownMatcher = Operation{job: matcher(known)}
	CheckedArray = Operation{job: arrays(suffixcl.Want{Known: known}), checked: &suffixcl.GivenArrays{}}
	CheckedBWT   = Operation{job: arrays(suffixcl.Want{BWT: true, Known: known}), given: 1,
		checked: &suffixcl.GivenArrays{}}
	CheckedLCP = Operation{job: arrays(suffixcl.Want{LCP: true, Known: known}), given: 4,
		checked: &suffixcl.GivenArrays{LCP: func([]uint64, int) error { return nil }}}
)

// OrderedArray is a suffix array in an order that ranges have, too. It takes at least the memory of the plain one, and
// more for what the text holds.
func OrderedArray(order suffixcl.Order, width int) Operation {
	r := SuffixArrayInRanges(width)
	r.Options.Order = order
	return Operation{job: SortedArray.job, Ranges: &r}
}

func inRangesOf(r InRanges) *InRanges { return &r }

// invertedOf is the text of a transform.
func invertedOf(e *suffixcl.Engine, width, n int) steps {
	return e.Invert(&suffixcl.Result{BWT: suffixcl.Length(width, n)})
}

// Plan is the memory of the operation for n symbols of so many bytes.
func (o Operation) Plan(ctx context.Context, e *suffixcl.Engine, width, n int) (device.MemoryPlan, error) {
	plan, err := o.job(e, width, n).Plan(ctx)
	if width == 1 && o.given > 0 && err == nil {
		plan[len(plan)-1].Host += o.given * int64(n)
	}
	return plan, err
}
