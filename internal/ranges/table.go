package ranges

import "sync"

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

func (p *place) Finished(_, _ int) error { return nil }

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
