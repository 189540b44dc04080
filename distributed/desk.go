package distributed

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sync/errgroup"

	"github.com/suffixcl/suffixcl/internal/ranges"
)

// Messages of ranks to the desk, and from it.
const (
	askRange  = iota // suffixes that the rank has handed out
	tellSize         // a range, its suffixes
	tellDone         // a range that is finished, the index of the transform or 0
	tellStop         // this rank has failed
	tellEnd          // the last message of a rank
	giveRange        // a range, or -1
	giveFirst        // a range, the index of its first suffix
	giveStop         // some rank has failed
	giveEnd          // the last message to a rank
)

// RangeState is how far ranks have come in ranges. A later run of the same text goes on from there, of another number
// of ranks, too.
type RangeState struct {
	Bounds  []int `json:"bounds"`  // suffixes that divide the suffix array into ranges, ascending
	Sizes   []int `json:"sizes"`   // suffixes of the ranges that are finished, -1 of the others
	Primary int   `json:"primary"` // index of the transform; 0 until the range of the whole text is finished
}

// Finished is how many ranges are finished.
func (s RangeState) Finished() (ranges int) {
	for _, size := range s.Sizes {
		if size >= 0 {
			ranges++
		}
	}
	return ranges
}

// check returns an error if this is not a state of a text of n characters.
func (s RangeState) check(n int) error {
	ok, all := len(s.Sizes) == 0 || len(s.Sizes) == len(s.Bounds)+1, 0
	for _, size := range s.Sizes {
		ok = ok && size >= -1 && size <= n
		all += max(size, 0)
	}
	if !ok || all > n || s.Primary < 0 || s.Primary > n {
		return fmt.Errorf("distributed: not a state of a text of %d characters: %d suffixes of %d ranges", n, all,
			len(s.Bounds)+1)
	}
	return nil
}

// desk hands out ranges, on rank 0. A rank that asks gets the next one. Sizes come when ranges are counted, and as soon
// as all before it are, a rank is told where its range begins.
type desk struct {
	mu      sync.Mutex
	send    func(to int, m Message) error
	failed  func(err error)        // ends the run of this rank
	saved   func(RangeState) error // or nil
	state   RangeState
	next    int   // range to hand out, unless it was finished before
	holders []int // of ranges: the rank that has taken it, or -1
	sizes   []int // of ranges, -1 where it is not known
	counted int   // ranges before the first of those
	first   int   // suffixes of these
	handed  []int // suffixes that ranks have handed out
	ended   []bool
	stopped bool
}

// open has the ranges between so many bounds to hand out, but for those that are finished.
func (d *desk) open(bounds []int) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	all := len(bounds) + 1
	d.state.Bounds = bounds
	for len(d.state.Sizes) < all {
		d.state.Sizes = append(d.state.Sizes, -1)
	}
	d.sizes, d.holders = slices.Clone(d.state.Sizes), make([]int, all)
	for i := range d.holders {
		d.holders[i] = -1
	}
	return d.count()
}

// count tells ranks where their ranges begin, as far as all before are counted.
func (d *desk) count() error {
	for ; d.counted < len(d.sizes) && d.sizes[d.counted] >= 0; d.counted++ {
		if to := d.holders[d.counted]; to >= 0 {
			if err := d.send(to, Message{giveFirst, int64(d.counted), int64(d.first)}); err != nil {
				return err
			}
		}
		d.first += d.sizes[d.counted]
	}
	return nil
}

// stop tells all ranks that one has failed.
func (d *desk) stop() error {
	d.stopped = true
	for q, ended := range d.ended {
		if ended {
			continue
		}
		if err := d.send(q, Message{giveStop}); err != nil {
			return err
		}
	}
	return nil
}

// take takes a message.
func (d *desk) take(from int, m Message) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch m[0] {
	case askRange:
		d.handed[from] = int(m[1])
		for d.next < len(d.sizes) && d.state.Sizes[d.next] >= 0 {
			d.next++
		}
		given := Message{giveRange, -1}
		if !d.stopped && d.next < len(d.sizes) {
			given[1] = int64(d.next)
			d.holders[d.next] = from
			d.next++
		}
		return d.send(from, given)
	case tellSize:
		d.sizes[m[1]] = int(m[2])
		return d.count()
	case tellDone:
		if d.saved == nil {
			return nil
		}
		d.state.Sizes[m[1]] = d.sizes[m[1]]
		d.state.Primary = max(d.state.Primary, int(m[2]))
		if err := d.saved(d.state); err != nil {
			d.failed(err)
			return d.stop()
		}
	case tellStop:
		return d.stop()
	case tellEnd:
		d.ended[from] = true
		return d.send(from, Message{giveEnd})
	}
	return nil
}

// errStopped says that another rank has failed, which tells why.
var errStopped = errors.New("distributed: another rank has failed")

// seat is a rank at the desk: a ranges.Desk.
type seat struct {
	r      *rank
	desk   *desk // on rank 0
	mail   Messages
	cancel context.CancelCauseFunc // of the run
	flush  func() error            // before a range counts as finished; or nil
	loop   errgroup.Group          // which takes messages
	sent   atomic.Int64            // messages
	taken  atomic.Int64            // the same, those that came
	handed atomic.Int64

	sending sync.Mutex
	mu      sync.Mutex
	told    *sync.Cond
	next    []int       // ranges that it was given
	firsts  map[int]int // of ranges
	stopped error
	shared  bool // Share was called
	agreed  bool // and all know its error
}

// newSeat opens the desk, on all ranks.
func newSeat(r *rank, cancel context.CancelCauseFunc, k RangeKeeper) (*seat, error) {
	s := &seat{r: r, cancel: cancel, flush: k.Flush, firsts: map[int]int{}}
	s.told = sync.NewCond(&s.mu)
	var err error
	s.mail, err = r.comm.Messages(r.ctx)
	if err := r.agreed(err); err != nil {
		return nil, err
	}
	p := r.comm.Size()
	if r.comm.Rank() > 0 {
		s.loop.Go(func() error {
			for {
				_, m, err := s.mail.Recv(r.ctx)
				if err != nil {
					return s.fail(err)
				}
				s.taken.Add(1)
				if s.receive(m); m[0] == giveEnd {
					return nil
				}
			}
		})
		return s, nil
	}
	s.desk = &desk{handed: make([]int, p), ended: make([]bool, p), saved: k.Saved, state: k.From}
	s.desk.state.Sizes = slices.Clone(k.From.Sizes)
	s.desk.failed = func(err error) { s.fail(err) }
	s.desk.send = func(to int, m Message) error {
		if to == 0 {
			s.receive(m)
			return nil
		}
		s.sent.Add(1)
		return s.mail.Send(r.ctx, to, m)
	}
	s.loop.Go(func() error {
		for others := p - 1; others > 0; {
			from, m, err := s.mail.Recv(r.ctx)
			if err == nil {
				s.taken.Add(1)
				err = s.desk.take(from, m)
			}
			if err != nil {
				return s.fail(err)
			}
			if m[0] == tellEnd {
				others--
			}
		}
		return nil
	})
	return s, nil
}

// receive takes a message of the desk.
func (s *seat) receive(m Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch m[0] {
	case giveRange:
		s.next = append(s.next, int(m[1]))
	case giveFirst:
		s.firsts[int(m[1])] = int(m[2])
	case giveStop:
		s.stop(errStopped)
	}
	s.told.Broadcast()
}

// stop ends the run; mu is held.
func (s *seat) stop(err error) {
	if s.stopped == nil {
		s.stopped = err
		s.cancel(err)
	}
	s.told.Broadcast()
}

// fail ends the run for messages that do not come, and returns why.
func (s *seat) fail(err error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stop(err)
	return err
}

// tell sends a message to the desk.
func (s *seat) tell(m Message) error {
	if s.desk != nil {
		return s.desk.take(0, m)
	}
	s.sending.Lock()
	defer s.sending.Unlock()
	s.sent.Add(1)
	return s.mail.Send(s.r.ctx, 0, m)
}

// wait waits until ok tells so, which is called with mu held.
func (s *seat) wait(ok func() bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.stopped == nil && !ok() {
		s.told.Wait()
	}
	return s.stopped
}

func (s *seat) Take() (number int, ok bool, err error) {
	defer s.r.communicates(time.Now())
	if err := s.tell(Message{askRange, s.handed.Load()}); err != nil {
		return 0, false, err
	}
	err = s.wait(func() bool {
		if len(s.next) > 0 {
			number, s.next = s.next[0], s.next[1:]
			return true
		}
		return false
	})
	return number, err == nil && number >= 0, err
}

func (s *seat) Counted(number, suffixes int) error {
	return s.tell(Message{tellSize, int64(number), int64(suffixes)})
}

func (s *seat) First(number int) (first int, err error) {
	err = s.wait(func() (ok bool) {
		first, ok = s.firsts[number]
		return ok
	})
	return first, err
}

func (s *seat) Finished(number, primary int) error {
	if s.flush != nil {
		if err := s.flush(); err != nil {
			return err
		}
	}
	return s.tell(Message{tellDone, int64(number), int64(primary)})
}

func (s *seat) Handed(suffixes int) (all int) {
	s.handed.Store(int64(suffixes))
	if s.desk == nil {
		return suffixes
	}
	s.desk.mu.Lock()
	defer s.desk.mu.Unlock()
	for _, n := range s.desk.handed[1:] {
		all += n
	}
	return all + suffixes
}

func (s *seat) Stop(err error) {
	s.mu.Lock()
	known := s.stopped != nil
	s.stop(err)
	s.mu.Unlock()
	if !known { // a failure to tell is one that the others see
		s.tell(Message{tellStop})
	}
}

// Share brings the bounds to the ranks.
func (s *seat) Share(_ context.Context, split ranges.Split, err error) (ranges.Split, error) {
	r := s.r
	s.shared = true
	if err := r.agreed(err); err != nil {
		s.agreed = true
		return split, err
	}
	if s.desk != nil {
		err = s.desk.open(split.Bounds)
	}
	if err := r.agreed(err); err != nil {
		s.agreed = true
		return split, err
	}
	sizes, err := gathered(r, uint64(len(split.Bounds)), uint64(split.Whole))
	if err != nil {
		return split, err
	}
	counts := make([]int, r.comm.Size())
	counts[0] = int(sizes[0])
	list := make([]uint64, len(split.Bounds))
	for i, v := range split.Bounds {
		list[i] = uint64(v)
	}
	if list, err = gatheredv(r, list, counts); err != nil {
		return split, err
	}
	split = ranges.Split{Bounds: make([]int, len(list)), Whole: int(sizes[1])}
	for i, v := range list {
		split.Bounds[i] = int(v)
	}
	return split, nil
}

// end waits until no rank has anything to say. It returns what has kept messages from coming.
func (s *seat) end() error {
	err := s.tell(Message{tellEnd})
	if err == nil {
		err = s.loop.Wait()
	}
	const bytes = int64(unsafe.Sizeof(Message{}))
	s.r.stats.BytesSent += bytes * s.sent.Load()
	s.r.stats.BytesReceived += bytes * s.taken.Load()
	if err != nil {
		return err
	}
	return s.mail.Free()
}

// failure is the error that has stopped the run, unless it is another rank's.
func (s *seat) failure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if errors.Is(s.stopped, errStopped) {
		return nil
	}
	return s.stopped
}

// complete returns an error if the ranges do not have all suffixes.
func (s *seat) complete() error {
	if s.desk != nil && s.desk.first != int(s.r.n) {
		return fmt.Errorf("distributed: the ranges have %d suffixes of %d", s.desk.first, s.r.n)
	}
	return nil
}
