package ranges

import (
	"sync"

	"github.com/suffixcl/suffixcl/device"
)

// order hands out ranges one after the other, whichever device has sorted them.
type order[P uint32 | uint64] struct {
	yield    func(Block[P]) error
	saved    func(State) error // or nil
	progress func(phase string, done, total int64)
	last     byte // of the text
	n        int
	ranks    *Ranks // or nil
	whole    int    // the range that has the whole text; of ranks
	current  int    // the range that is handed out, -1 before the first; of ranks

	mu      sync.Mutex
	turn    *sync.Cond
	divided bool  // bounds are fixed
	state   State // after ranges that were handed out wholly
	first   int   // index of the next suffix
	primary int   // of the transform, once it is known
	shared  int   // characters of the next suffix and the one before
	handed  int   // suffixes
	taken   int   // ranges that devices have begun
	sorted  int   // ranges and parts of divided ones that were sorted
	failed  error // if not nil, nothing more is handed out
}

func newOrder[P uint32 | uint64](job Job[P], text *Text) *order[P] {
	o := &order[P]{yield: job.Yield, saved: job.Saved, progress: job.Progress, n: text.n, last: text.last,
		state: job.From, handed: job.From.First, first: job.From.First, primary: job.From.Primary, shared: job.From.LCP,
		taken: job.From.Done, ranks: job.Ranks, current: -1}
	o.turn = sync.NewCond(&o.mu)
	return o
}

// rangeOf is a range that is sorted, or a part of one that was divided.
type rangeOf[P uint32 | uint64] struct {
	number    int  // of the range
	ends      bool // it is the last part
	n         int
	entries   int // of packed positions
	positions *device.Buffer[P]
	packed    *device.Buffer[uint32] // nil if they are not wanted so
	transform *device.Buffer[uint8]  // nil if it is not wanted
	lcp       *device.Buffer[P]      // the same; each with the suffix after it
	whole     int                    // slot of the suffix that is the whole text, or -1
}

// divide takes over how the suffix array is divided, from the first device that tells. Others read it.
func (o *order[P]) divide(s Split) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.divided {
		o.divided, o.state.Bounds, o.whole = true, s.Bounds, s.Whole
	}
}

// ranges is the number of ranges.
func (o *order[P]) ranges() int { return len(o.state.Bounds) + 1 }

// take gives a device its next range, or the error that ends the run.
func (o *order[P]) take() (number int, ok bool, err error) {
	if o.ranks != nil {
		return o.ranks.Desk.Take()
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.failed != nil || o.taken >= o.ranges() {
		return 0, false, o.failed
	}
	o.taken++
	return o.taken - 1, true, nil
}

// counted is told how many suffixes a range has, before it is sorted.
func (o *order[P]) counted(number, suffixes int) error {
	if o.ranks == nil {
		return nil
	}
	return o.ranks.Desk.Counted(number, suffixes)
}

// stop has all devices end with this error, or an earlier one.
func (o *order[P]) stop(err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.failed == nil {
		o.failed = err
		if o.ranks != nil {
			o.ranks.Desk.Stop(err)
		}
	}
	o.turn.Broadcast()
}

// failure is the error that stop was first called with.
func (o *order[P]) failure() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.failed
}

// wait returns when it is the turn of a range, with the index of its first suffix.
func (o *order[P]) wait(number int) (first int, err error) {
	if o.ranks != nil {
		return o.place(number)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.failed == nil && o.state.Done != number {
		o.turn.Wait()
	}
	return o.first, o.failed
}

// place takes the place of wait for ranks: each hands out its ranges in its own time.
func (o *order[P]) place(number int) (first int, err error) {
	if !o.isCurrent(number) { // no other part of it was handed out
		if first, err = o.ranks.Desk.First(number); err != nil {
			return 0, err
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if number != o.current {
		o.current, o.first = number, first
	}
	return o.first, o.failed
}

// isCurrent tells whether a range is being handed out.
func (o *order[P]) isCurrent(number int) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return number == o.current
}

// beforeWhole tells whether the whole text comes in this range, or in one after it; of the range that is handed out.
func (o *order[P]) beforeWhole(number int) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ranks != nil && number != o.whole {
		return number < o.whole
	}
	return o.primary == 0
}

// cutLengths gives a block its entries, where it has those of the suffixes after its own.
func (o *order[P]) cutLengths(b *Block[P]) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if b.LCPFirst = b.First; o.ranks == nil || b.First == 0 {
		b.LCP[0] = P(o.shared)
	} else {
		b.LCP, b.LCPFirst = b.LCP[1:], b.First+1
	}
	if end := b.First + b.Len; o.ranks == nil || end == o.n {
		o.shared = int(b.LCP[end-b.LCPFirst])
		b.LCP = b.LCP[:end-b.LCPFirst]
	}
}

// hand hands out a block, in its turn.
func (o *order[P]) hand(b Block[P]) error {
	o.mu.Lock()
	err := o.failed
	o.mu.Unlock()
	if err != nil {
		return err
	}
	if err := o.yield(b); err != nil {
		return err
	}
	o.mu.Lock()
	o.handed += b.Len
	o.mu.Unlock()
	return nil
}

// advance ends a range that has been handed out, or a part of it.
func (o *order[P]) advance(r rangeOf[P]) error {
	o.mu.Lock()
	if r.whole >= 0 {
		o.primary = o.first + r.whole + 1
	}
	o.first += r.n
	if r.n > 0 {
		o.sorted++
	}
	if r.ends {
		o.state.First, o.state.Primary, o.state.LCP = o.first, o.primary, o.shared
		o.state.Done++
	}
	state := o.state
	o.mu.Unlock()
	var err error
	switch {
	case !r.ends:
	case o.ranks != nil:
		err = o.ranks.Desk.Finished(r.number, state.Primary)
	case o.saved != nil:
		err = o.saved(state)
	}
	if err != nil {
		return err
	}
	o.turn.Broadcast()
	return nil
}

// report tells the progress.
func (o *order[P]) report(phase string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.progress != nil {
		done := o.handed
		if o.ranks != nil {
			done = o.ranks.Desk.Handed(o.handed)
		}
		o.progress(phase, int64(done), int64(o.n))
	}
}
