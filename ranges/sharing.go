package ranges

import (
	"context"
	"sync"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/async"
)

// lentAtOnce is how many entries of the sample are passed on at a time. Tests have fewer.
var lentAtOnce = 16 << 20

// sample is what the first device makes of the sample for the others of this process.
type sample struct {
	loaded chan struct{} // closed when it has the text
	ranked chan struct{} // closed when it has the ranks, and the ranges are known
	split  Split
	pieces []chan []uint32 // of ranks, and then of lengths, to each of the others
	taken  chan error      // what they say
}

func newSample(others int) *sample {
	m := &sample{loaded: make(chan struct{}), ranked: make(chan struct{}), taken: make(chan error)}
	for range others {
		m.pieces = append(m.pieces, make(chan []uint32))
	}
	return m
}

// arrays are the sample's on the device: ranks, and what LCP arrays are made of.
func (r *run[P]) arrays() []*device.Buffer[uint32] {
	all := []*device.Buffer[uint32]{r.ranks.View(0, r.Samples())}
	if r.lengths != nil {
		all = append(all, r.lengths.shared.Buffer(r.session).View(0, r.Samples()))
	}
	return all
}

// lender is what passing the sample on takes. It is opened and closed in the goroutine of the session.
type lender struct {
	reader *async.Reader
	host   [2]*device.Pinned[uint32]
}

func (r *run[P]) openLender() error {
	reader, err := async.OpenReader(r.session)
	if err != nil {
		return err
	}
	r.lender.reader = reader
	for k := range r.lender.host {
		if r.lender.host[k], err = device.AllocPinned[uint32](r.session, min(lentAtOnce, r.Samples())); err != nil {
			return err
		}
	}
	return nil
}

func (l *lender) close() {
	if l.reader != nil {
		l.reader.Close()
	}
	for _, p := range l.host {
		p.Release()
	}
	*l = lender{}
}

// lend passes the sample on to all others, while this device sorts ranges. While they copy a piece, the next one comes.
func (r *run[P]) lend(ctx context.Context, m *sample) error {
	reader := r.lender.reader
	type piece struct {
		of   *device.Buffer[uint32]
		host []uint32
	}
	var all []piece
	for _, array := range r.arrays() {
		for at := 0; at < array.Len(); at += lentAtOnce {
			n := min(lentAtOnce, array.Len()-at)
			all = append(all, piece{array.View(at, n), r.lender.host[len(all)%2].Slice()[:n]})
		}
	}
	var next async.Transfer
	for k, p := range all {
		if next == nil {
			next = async.Read(reader, p.of, p.host)
		}
		if err := next.Wait(); err != nil {
			return err
		}
		if k+1 < len(all) {
			next = async.Read(reader, all[k+1].of, all[k+1].host)
		}
		if err := m.pass(ctx, p.host); err != nil {
			return err
		}
	}
	return nil
}

// pass waits until all others have a piece.
func (m *sample) pass(ctx context.Context, piece []uint32) error {
	for _, to := range m.pieces {
		select {
		case to <- piece:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	for range m.pieces {
		select {
		case err := <-m.taken:
			if err != nil {
				return err
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

// wait waits for one of the sample's events.
func wait(ctx context.Context, event <-chan struct{}) error {
	select {
	case <-event:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// borrow has the text copied while the first device ranks the sample, and then takes the ranks.
func (r *run[P]) borrow(ctx context.Context, m *sample, number int) error {
	if err := wait(ctx, m.loaded); err != nil { // which has the memory of the host to itself
		return err
	}
	if err := r.loadText(ctx); err != nil {
		return err
	}
	if err := wait(ctx, m.ranked); err != nil {
		return err
	}
	s := r.session
	s.Phase(phaseRanks)
	r.ranks = r.memory.sample[0].Buffer(s)
	if r.lengths != nil {
		if err := r.lengths.ranked.Allocate(s); err != nil {
			return err
		}
	}
	for _, array := range r.arrays() {
		for at := 0; at < array.Len(); at += lentAtOnce {
			select {
			case piece := <-m.pieces[number]:
				err := array.View(at, len(piece)).Upload(ctx, piece, nil)
				select {
				case m.taken <- err:
				case <-ctx.Done():
				}
				if err != nil {
					return err
				}
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
	}
	return r.growMinima(ctx)
}

// table is where the devices of this process get their ranges, if each hands out its own: a [Desk] for each.
type table struct {
	mu      sync.Mutex
	told    *sync.Cond
	ranges  int   // in all
	taken   int   // by devices
	firsts  []int // the first suffixes of ranges, as far as all before are counted
	sizes   []int // of ranges, -1 where it is not known
	handed  int   // suffixes
	failure error
}

func newTable() *table {
	t := &table{firsts: []int{0}}
	t.told = sync.NewCond(&t.mu)
	return t
}

// open has so many ranges to hand out.
func (t *table) open(ranges int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ranges, t.sizes = ranges, make([]int, ranges)
	for i := range t.sizes {
		t.sizes[i] = -1
	}
}

// place is a device at the table.
type place struct {
	*table
	handed int
}

func (p *place) Take() (number int, ok bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failure != nil || p.taken == p.ranges {
		return 0, false, p.failure
	}
	p.taken++
	return p.taken - 1, true, nil
}

func (p *place) Counted(number, suffixes int) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sizes[number] = suffixes
	for k := len(p.firsts) - 1; k < p.ranges && p.sizes[k] >= 0; k++ {
		p.firsts = append(p.firsts, p.firsts[k]+p.sizes[k])
	}
	p.told.Broadcast()
	return p.failure
}

func (p *place) First(number int) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.failure == nil && number >= len(p.firsts) {
		p.told.Wait()
	}
	if p.failure != nil {
		return 0, p.failure
	}
	return p.firsts[number], nil
}

func (p *place) Handed(suffixes int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.table.handed += suffixes - p.handed
	p.handed = suffixes
	return p.table.handed
}

func (p *place) Stop(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failure == nil {
		p.failure = err
	}
	p.told.Broadcast()
}
