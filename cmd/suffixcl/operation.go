package main

import (
	"context"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/device"
)

// planned is a job of any parts.
type planned interface {
	Plan(ctx context.Context) (device.MemoryPlan, error)
}

// operation is what a verb makes of a text of which the length is known.
type operation struct {
	// job is that of a text of n symbols of so many bytes.
	job func(e *suffixcl.Engine, width, n int) planned
	// ranges is what is made where the text is sorted in ranges; nil: it is not.
	ranges *rangesResult
	// index: an index is made, whose memory depends on the text, and is at least that of the job.
	index bool
	// checked are the arrays that are read part by part where they do not fit; nil: nothing is checked.
	checked *suffixcl.GivenArrays
	// given are bytes of host memory a character of a text of bytes that a check has in its last phase, besides the job's.
	given int64
}

// arrays are made of a text.
func arrays(want suffixcl.Want) func(e *suffixcl.Engine, width, n int) planned {
	return func(e *suffixcl.Engine, width, n int) planned { return e.Arrays(suffixcl.Length(width, n), want) }
}

// matcher searches a text, whose suffix array is known or not.
func matcher(sa []uint32) func(e *suffixcl.Engine, width, n int) planned {
	return func(e *suffixcl.Engine, width, n int) planned {
		return e.Matcher(suffixcl.Length(width, n), suffixcl.MatcherOptions{SuffixArray: sa})
	}
}

// leastIndex is an index of a text of bytes, or symbols, that takes no more than another of its length.
func leastIndex(e *suffixcl.Engine, width, n int) planned {
	if width > 1 {
		return e.Arrays(suffixcl.Length(width, 0), suffixcl.Want{SA: true})
	}
	return e.Index(suffixcl.Counts(&[256]uint64{'a': uint64(max(n, 0))}), suffixcl.IndexOptions{})
}

// inOneGo is a suffix array that a process makes: it keeps no memory for another.
type inOneGo struct{ planned }

func (p inOneGo) Plan(ctx context.Context) (device.MemoryPlan, error) {
	plan, err := p.planned.Plan(ctx)
	if last := len(plan) - 1; last > 0 && plan[last].Phase == "kept" {
		plan = plan[:last]
	}
	return plan, err
}

// known is a suffix array that is there.
var known = []uint32{}

// The operations.
var (
	sortedArray = operation{job: arrays(suffixcl.Want{SA: true})}
	sortedLCP   = operation{job: arrays(suffixcl.Want{LCP: true}), ranges: inRangesOf(lcpInRanges(4))}
	sortedBWT   = operation{job: arrays(suffixcl.Want{BWT: true}), ranges: inRangesOf(transformInRanges())}
	rangesArray = operation{ranges: inRangesOf(suffixArrayInRanges(4)),
		job: func(e *suffixcl.Engine, width, n int) planned { return inOneGo{sortedArray.job(e, width, n)} }}
	knownLCP     = operation{job: arrays(suffixcl.Want{LCP: true, Known: known})}
	invertedBWT  = operation{job: invertedOf}
	madeIndex    = operation{job: leastIndex, index: true}
	madeMatcher  = operation{job: matcher(nil)}
	knownMatcher = operation{job: matcher(known)}
	checkedArray = operation{job: arrays(suffixcl.Want{Known: known}), checked: &suffixcl.GivenArrays{}}
	checkedBWT   = operation{job: arrays(suffixcl.Want{BWT: true, Known: known}), given: 1,
		checked: &suffixcl.GivenArrays{}}
	checkedLCP = operation{job: arrays(suffixcl.Want{LCP: true, Known: known}), given: 4,
		checked: &suffixcl.GivenArrays{LCP: func([]uint64, int) error { return nil }}}
)

func inRangesOf(r rangesResult) *rangesResult { return &r }

// invertedOf is the text of a transform.
func invertedOf(e *suffixcl.Engine, width, n int) planned {
	return e.Invert(&suffixcl.Result{BWT: suffixcl.Length(width, n)})
}

// plan is the memory of the operation for n symbols of so many bytes.
func (o operation) plan(ctx context.Context, e *suffixcl.Engine, width, n int) (device.MemoryPlan, error) {
	plan, err := o.job(e, width, n).Plan(ctx)
	if width == 1 && o.given > 0 && err == nil {
		plan[len(plan)-1].Host += o.given * int64(n)
	}
	return plan, err
}
