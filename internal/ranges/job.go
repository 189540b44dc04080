package ranges

import (
	"fmt"
)

// Job is what a run is to do.
type Job[P uint32 | uint64] struct {
	// Yield is called with each part of the results, in order, by another goroutine. The block is valid until it returns.
	Yield func(Block[P]) error
	// Saved, if not nil, is told after each range how far the run has come, in the same goroutine as Yield.
	Saved func(State) error
	// From is where an earlier run of the same text has ended; the zero value begins anew.
	From State
	// Others are sorters of the same plan on other devices. Each device takes the next range when it has sorted one.
	Others []*Sorter[P]
	// Anywhere has each device hand out its ranges in its own time: Yield is called by several goroutines at a time, and
	// each block has its places, as those of Ranks have. Neither From nor Saved goes with it.
	Anywhere bool
	// Ranks, if not nil, are those that this run is one of: neither From, Saved nor Others go with them. Blocks are those
	// of the ranges that this one has sorted, ascending.
	Ranks *Ranks
	// Progress, if not nil, is told how many suffixes are handed out, by one goroutine at a time.
	Progress func(phase string, done, total int64)
}

// State is how far a run has come. A later run goes on from there, on another device, too.
type State struct {
	Bounds  []int `json:"bounds"`  // suffixes that divide the suffix array into ranges, ascending
	Done    int   `json:"done"`    // ranges that were handed out
	First   int   `json:"first"`   // index of the first suffix of the next one
	Primary int   `json:"primary"` // index of the transform; 0 until its range is handed out
	LCP     int   `json:"lcp"`     // of the next suffix and the one before, if LCP arrays were wanted
}

// TransformLen is how many characters of the transform were handed out.
func (s State) TransformLen() int {
	if s.First > 0 && s.Primary == 0 {
		return s.First + 1 // the last character of the text is in front
	}
	return s.First
}

// check returns an error if this is not a state of a text of n characters.
func (s State) check(n int) error {
	ok := s.Done >= 0 && s.Done <= len(s.Bounds)+1 && s.First >= 0 && s.First <= n && s.Primary >= 0 && s.Primary <= n &&
		s.LCP >= 0 && s.LCP <= n
	for _, b := range s.Bounds {
		ok = ok && b >= 0 && b < n
	}
	if !ok {
		return fmt.Errorf("ranges: not a state of a text of %d characters: %d ranges and %d suffixes of %d ranges are done",
			n, s.Done, s.First, len(s.Bounds)+1)
	}
	return nil
}
