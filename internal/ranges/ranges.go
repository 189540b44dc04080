package ranges

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sort"
	"sync"
	"unsafe"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Options of a Sorter. The zero value takes the memory that there is.
type Options struct {
	// Width is the number of bits of a character: [Width] of the text. 0 means 8, enough for any.
	Width int
	// Capacity is the most suffixes that a range has; 0: as many as memory allows. A given number is not compared with the
	// memory that there is: see Memory.
	Capacity int
	// Memory is the most device memory that is planned for, of what the session may allocate; 0: all of it.
	Memory int64
	// Period is that of the difference cover: 7, 31, 73, 133, 273, 553, 993 or 1893. 0: the smallest from 133 on, of
	// several devices from 273 on, on CPUs from 31 on, whose sample can be sorted in the memory that there is; for
	// characters of up to 2 bits 993, on CPUs 273. If memory is left for few suffixes only, it is the period with the
	// fewest ranges.
	Period int
	// Dense is the period that is changed to if the text repeats itself: one in 64 samples or more agrees with another
	// in a period. 0: if Period is 0, the smallest from 31 on that fits besides ranges of that size, else none.
	Dense int
	// Transform asks for the Burrows-Wheeler transform, too, LCP for the LCP array, and NoPositions for these without the
	// suffix array.
	Transform, LCP, NoPositions bool
	// Packed asks for positions of PackedBytes each, which the device packs: Block.Packed instead of Block.Positions. So
	// fewer bytes leave it, and the host copies them.
	Packed bool
	// Devices is how many will sort the text together, for the plan of host memory. 0 means 1.
	Devices int
}

// PackedBytes are those of a packed position.
const PackedBytes = 5

// wide is the number of bytes of a position.
func wide[P uint32 | uint64]() int64 { return int64(unsafe.Sizeof(*new(P))) }

// entryBytes are those of what leaves for each suffix.
func entryBytes[P uint32 | uint64](o Options) (bytes int64) {
	switch {
	case o.NoPositions:
	case o.Packed:
		bytes += PackedBytes
	default:
		bytes += wide[P]()
	}
	if o.LCP {
		bytes += wide[P]()
	}
	if o.Transform {
		bytes++
	}
	return bytes
}

// results are what is wanted, without the rest of the options.
func (o Options) results() Options {
	return Options{Transform: o.Transform, LCP: o.LCP, NoPositions: o.NoPositions, Packed: o.Packed}
}

// leastCapacity is the least number of suffixes of a range.
const leastCapacity = 4

// MaxLen is the longest text: there are fewer than 2^32 samples.
const MaxLen = 1 << 36

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
	p.memory = newMemory[P](n, o.Width, p.sparse.cover.tableLen(), &p.kernels)
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
		if p.primitives, err = newPrimitives[P](s, o.Width, tiles, capacity); err == nil {
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

// manyRanges is how many ranges of n suffixes are enough of a device with memory of its own, where all are sorted while
// others leave. Larger ones take longer to allocate, and longer until the last one has left. Small ones are launches.
func manyRanges(n int) int { return min(max(n>>24, 4), 12) }

// stepOf is capacity number k of those to choose from.
func stepOf(k int) int { return leastCapacity * (8 + k%8) << (k / 8) / 8 }

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

// slack is the part of the capacity, an inverse, that is left free for what ranges differ by: 4 standard deviations.
const slack = 16

// rangesFor is how many ranges are made of n suffixes: fewer would overflow too often, as their sizes differ.
func rangesFor(n, capacity int) int {
	if n <= capacity {
		return 1
	}
	return intmath.CeilDiv(n, max(capacity-capacity/slack, 1))
}

// CapacityOf is the capacity by which n suffixes are sorted in so many ranges, or one more.
func CapacityOf(n, ranges int) int {
	if ranges <= 1 {
		return max(n, leastCapacity)
	}
	each := intmath.CeilDiv(n, ranges)
	return max(each+intmath.CeilDiv(each, slack-1)+1, leastCapacity)
}

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

// Run sorts the suffixes of text [n]. The state that it returns is the last one. Errors: see RunText.
func (p *Sorter[P]) Run(ctx context.Context, text []byte, job Job[P]) (State, error) {
	return p.RunText(ctx, NewText(text), job)
}

// RunText is Run for a text that has been read once, or whose code is guessed.
//
// Errors: a text of another length, or with more different characters than its width allows; ErrGuess; a state of
// another text; those of Yield and Saved; those of ReadText, and ErrTextChanged; the context's; the devices' (with the
// phase).
func (p *Sorter[P]) RunText(ctx context.Context, text *Text, job Job[P]) (state State, err error) {
	p.sorted = 0
	p.used = p.sparse
	sorters := append([]*Sorter[P]{p}, job.Others...)
	if err := p.check(text, sorters, job); err != nil || p.n == 0 {
		return job.From, cmp.Or(err, p.session.Check(ctx))
	}
	if job.Ranks == nil && job.From.Done == 0 && text.memory != nil && p.n >= periodicFrom {
		if period := periodOf(text.memory); period > 0 {
			p.sorted = 1
			return newPeriodic[P](text.memory, period).run(ctx, p.options, job)
		}
	}
	runs := newRuns(text, sorters, job)
	defer func() {
		for _, r := range runs {
			r.used = r.sampling
			r.release()
			err = withFailure(err, r.session) // memory that cannot be given back is one, too
		}
	}()
	if job.Ranks != nil {
		err = runs[0].runAsRank(ctx)
	} else {
		err = runAll(ctx, runs)
	}
	state = runs[0].order.state
	if p.sorted = runs[0].order.sorted; job.Anywhere {
		state = p.together(runs)
	}
	if err == nil && job.Ranks == nil && state.First != p.n {
		err = fmt.Errorf("ranges: %d suffixes of %d are in the ranges", state.First, p.n)
	}
	return state, err
}

// check returns an error for a text, sorters or a job that do not go together.
func (p *Sorter[P]) check(text *Text, sorters []*Sorter[P], job Job[P]) error {
	resumed, width := job.From.Bounds != nil || job.From.Done > 0 || job.Saved != nil, text.Width()
	switch {
	case slices.Contains(job.Others, nil):
		return errors.New("ranges: a sorter of Job.Others is nil")
	case job.Ranks != nil && (job.Ranks.Share == nil || job.Ranks.Desk == nil):
		return errors.New("ranges: Ranks without Share or Desk")
	case job.Ranks != nil && (resumed || len(job.Others) > 0):
		return errors.New("ranges: neither a state nor other devices go with ranks")
	case job.Anywhere && (resumed || job.Ranks != nil):
		return errors.New("ranges: neither a state nor ranks go with blocks in any order")
	}
	for _, q := range sorters {
		switch {
		case text.n != q.n:
			return fmt.Errorf("ranges: text of %d characters, planned for %d", text.n, q.n)
		case width > q.shape.width:
			return fmt.Errorf("ranges: the text's characters take %d bits, planned for %d", width, q.shape.width)
		case q.shape != p.shape || q.sparse.cover.period != p.sparse.cover.period ||
			q.options.results() != p.options.results():
			return errors.New("ranges: sorters of different plans")
		}
	}
	state := job.From
	if job.Ranks != nil {
		state = State{Bounds: job.Ranks.Bounds}
	}
	if err := state.check(p.n); err != nil || job.Yield != nil {
		return err
	}
	return errors.New("ranges: Job.Yield is nil")
}

// newRuns are the runs of a job, a device each. They hand out their ranges in one order, or each in its own.
func newRuns[P uint32 | uint64](text *Text, sorters []*Sorter[P], job Job[P]) (runs []*run[P]) {
	var shared *table
	if job.Anywhere {
		shared, job.Progress = newTable(), oneAtATime(job.Progress)
	}
	o := newOrder(job, text)
	delivery := newDelivery(text, sorters[0].parcels(len(sorters)))
	for _, p := range sorters {
		if job.Anywhere {
			job.Ranks = &Ranks{Desk: &place{table: shared}}
			o = newOrder(job, text)
		}
		runs = append(runs, &run[P]{Sorter: p, sampling: p.sparse, text: text, order: o, table: shared, number: len(runs),
			delivery: delivery})
	}
	return runs
}

// oneAtATime is a function that several goroutines call.
func oneAtATime(progress func(phase string, done, total int64)) func(phase string, done, total int64) {
	if progress == nil {
		return nil
	}
	var mu sync.Mutex
	return func(phase string, done, total int64) {
		mu.Lock()
		defer mu.Unlock()
		progress(phase, done, total)
	}
}

// together is the state of runs each of which has handed out its own ranges.
func (p *Sorter[P]) together(runs []*run[P]) (state State) {
	p.sorted, state.Bounds = 0, runs[0].order.state.Bounds // others may have come too late
	for _, r := range runs {
		p.sorted += r.order.sorted
		state.Done += r.order.state.Done
		state.Primary = max(state.Primary, r.order.state.Primary)
		state.First += r.order.handed
	}
	return state
}
