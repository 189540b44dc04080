package ranges

import (
	"fmt"
	"sort"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Sorter sorts the suffixes of texts of n characters. It holds no device memory between runs. It is for one goroutine
// at a time.
type Sorter[P uint32 | uint64] struct {
	session    *device.Session
	n          int
	shape      windows
	kernels    kernels
	primitives primitives[P]
	memory     *memory[P]
	sparse     *sampling[P]
	dense      *sampling[P] // nil: none
	options    Options
	sorted     int          // ranges of the last run
	used       *sampling[P] // by it
}

// New plans sorting texts of n characters. P is the type of positions: uint32 for up to 2^32 - 2 characters, uint64 for
// MaxLen. The plan takes all memory that the session may allocate, unless the options say less.
//
// Errors: a *[device.LengthError]; a *[device.MemoryError] with the numbers if not even one range fits; options that do
// not exist.
func New[P uint32 | uint64](s *device.Session, n int, o Options) (*Sorter[P], error) {
	if o.Packed != nil {
		if err := o.Packed.check(); err != nil {
			return nil, err
		}
	}
	limit := MaxLen
	if wide[P]() == 4 {
		limit = limits.MaxLen
	}
	if err := limits.CheckLen("text", n, limit); err != nil {
		return nil, err
	}
	if o.Width == 0 {
		o.Width = 8
	}
	if o.Width < 1 || o.Width > 8 || o.Capacity < 0 || o.Capacity > 0 && o.Capacity < leastCapacity {
		return nil, fmt.Errorf("ranges: characters of %d bits in ranges of %d; wanted: 1 to 8 bits, %d suffixes or more",
			o.Width, o.Capacity, leastCapacity)
	}
	choices := periodsOf(s.Caps(), o.Width, o.Devices)
	if o.Period != 0 {
		if _, ok := coverOf(o.Period); !ok {
			return nil, fmt.Errorf("ranges: no difference cover of period %d", o.Period)
		}
		choices = []int{o.Period}
	}
	var best *Sorter[P]
	var err error
	for _, period := range choices {
		var p *Sorter[P]
		if p, err = newSorter[P](s, n, period, o); err == nil && (best == nil || p.Ranges() < best.Ranges()) {
			best = p
		}
		if best != nil && best.Ranges() <= manyScans {
			break
		}
	}
	if best == nil {
		return nil, err
	}
	best.keep(best.sparse)
	if o.Period != 0 && o.Dense == 0 {
		return best, nil
	}
	tuned.Rarely(s, func() { err = best.densify() })
	return best, err
}

// keep plans what stays on the device while names are sorted, if memory allows: the text need not be copied again then,
// and the memory of a range need not be made again, which takes as long as a part of a range. !ok: without that it does
// not fit either.
func (p *Sorter[P]) keep(d *sampling[P]) (ok bool) {
	for _, keeps := range [][2]bool{{true, true}, {true, false}, {false, false}} {
		d.keepsText, d.keepsList = keeps[0], keeps[1]
		if plan, most := p.plan(d), p.options.Memory; plan.Fits(p.session) == nil && (most == 0 || plan.Device() <= most) {
			return true
		}
	}
	return false
}

// densify plans a sample for texts that repeat themselves.
func (p *Sorter[P]) densify() error {
	choices := []int{31, 73, 133}
	if p.options.Dense != 0 {
		choices = []int{p.options.Dense}
	}
	for _, period := range choices {
		if _, ok := coverOf(period); !ok {
			return fmt.Errorf("ranges: no difference cover of period %d", period)
		}
		if period >= p.sparse.cover.period {
			break
		}
		d, err := newSampling[P](p.session, p.n, period, p.shape, p.options)
		if err == nil && p.keep(d) { // else there may be too many samples
			d.note = ", of a text that repeats itself"
			p.dense = d
			break
		}
	}
	return nil
}

// newSorter plans a sorter with that difference cover.
func newSorter[P uint32 | uint64](s *device.Session, n, period int, o Options) (*Sorter[P], error) {
	p := &Sorter[P]{session: s, n: n, options: o, shape: windowsOf(o.Width), kernels: newKernels[P](s, n, o.Width)}
	var err error
	if p.sparse, err = newSampling[P](s, n, period, p.shape, o); err != nil {
		return nil, err
	}
	p.used = p.sparse
	p.memory = newMemory[P](n, p.sparse.cover.tableLen(), &p.kernels, o)
	err = p.fit(0)
	if err == nil && p.Ranges() > manyScans && p.fit(rangesOfGroup) != nil {
		err = p.fit(0)
	}
	return p, err
}

// fit plans the largest ranges that the memory has room for, and a list of so many of them.
func (p *Sorter[P]) fit(grouped int) (err error) {
	s, o := p.session, p.options
	plan := func(capacity int) error {
		tiles := max(p.kernels.collecting(min(p.n, partLen)), grouped*p.kernels.collecting(grouped*capacity))
		if p.primitives, err = newPrimitives[P](s, o, tiles, capacity); err == nil {
			p.memory.plan(capacity, grouped, &p.kernels, o, p.primitives.workspace())
		}
		return err
	}
	fits := func(capacity int) error {
		if err := plan(capacity); err != nil {
			return err
		}
		plan := p.Memory()
		if need := plan.Device(); o.Memory > 0 && need > o.Memory {
			return &device.MemoryError{What: "a range", Need: need, Have: o.Memory, Limit: "share of the device"}
		}
		return plan.Fits(s)
	}
	largest := max(min(p.n, 1<<31-1), leastCapacity)
	if ownMemory(s, p.n) {
		largest = min(largest, CapacityOf(p.n, manyRanges(p.n)))
	}
	if o.Capacity > 0 {
		return plan(min(o.Capacity, largest))
	}
	// Capacities in steps of an eighth of themselves: few plans are made, and little memory is left.
	best := sort.Search(8*62, func(k int) bool { return stepOf(k) > largest || fits(stepOf(k)) != nil })
	if stepOf(best) > largest && fits(largest) == nil {
		return nil
	}
	return fits(stepOf(max(best-1, 0)))
}

// Memory is the device and host memory of a run, phase by phase: the host's with the whole text, as if it were there,
// and for all devices.
func (p *Sorter[P]) Memory() device.MemoryPlan {
	plan := p.plan(p.sparse)
	if p.dense != nil {
		plan = append(plan, p.plan(p.dense)...)
	}
	return plan
}

// plan is the memory of a run with that sample.
func (p *Sorter[P]) plan(d *sampling[P]) device.MemoryPlan {
	devices := int64(max(p.options.Devices, 1))
	blocks := blocksAtOnce * int64(p.blockLen()) * entryBytes[P](p.options)
	host := int64(p.n) + devices*max(blocks, p.parcels(int(devices)).bytes())
	return d.plan(p.memory, host, p.Ranges())
}

// parcels is how the text gets to so many devices.
func (p *Sorter[P]) parcels(devices int) parcels {
	return parcels{p.n, p.shape.width, devices, hostPacks(p.session, devices, p.shape.width)}
}

// blockLen is the most suffixes of a block.
func (p *Sorter[P]) blockLen() int { return min(p.memory.lists.capacity, p.n, blockLen) }

// Ranges is about how many ranges a run has.
func (p *Sorter[P]) Ranges() int { return rangesFor(p.n, p.memory.lists.capacity) }

// Sorted is how many ranges the last run has sorted.
func (p *Sorter[P]) Sorted() int { return p.sorted }

// Capacity is the most suffixes that a range has.
func (p *Sorter[P]) Capacity() int { return p.memory.lists.capacity }

// Samples is the number of positions that the difference cover has in the text.
func (p *Sorter[P]) Samples() int { return p.used.samples }

// Period is that of the difference cover: of the last run, or that it begins with.
func (p *Sorter[P]) Period() int { return p.used.cover.period }

// Dense is the period that runs change to if the text repeats itself; 0: none.
func (p *Sorter[P]) Dense() int {
	if p.dense == nil {
		return 0
	}
	return p.dense.cover.period
}
