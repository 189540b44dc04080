package ranges

import (
	"context"
)

// Ranks are several runs on one text, as processes or goroutines, of sorters of the same plan. Each ranks the sample,
// sorts ranges, and hands them out with their places in the results.
type Ranks struct {
	Leads    bool // this one chooses the bounds
	Count    int
	Capacity int   // the least one of their sorters
	Bounds   []int // of an earlier run, for the one that leads; nil: it chooses them
	// Share passes the leader's bounds on to all. Every rank calls it once, also after an error, which then is one of all.
	Share func(ctx context.Context, s Split, err error) (Split, error)
	Desk  Desk
}

// Desk is where ranks get their ranges. Several goroutines of a rank use it.
type Desk interface {
	// Take returns the number of the next range. !ok: there is none, or an error.
	Take() (number int, ok bool, err error)
	// Counted tells how many suffixes a range has that was taken.
	Counted(number, suffixes int) error
	// First returns the index of the first suffix of a range that was taken. It waits until all ranges before are counted.
	First(number int) (int, error)
	// Finished tells that all of a range was handed out. primary is the index of the transform, if this rank has found it,
	// else 0.
	Finished(number, primary int) error
	// Handed tells how many suffixes this rank has handed out, and returns how many all have, as far as it is known here.
	Handed(suffixes int) int
	// Stop ends the runs of all ranks.
	Stop(err error)
}

// Split is how the suffix array is divided into ranges.
type Split struct {
	Bounds []int // suffixes, ascending
	Whole  int   // the range that has the whole text
}
