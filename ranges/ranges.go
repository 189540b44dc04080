package ranges

import (
	"context"
	"fmt"
	"sort"
	"unsafe"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/suffixsort"
)

// Options of a Sorter. The zero value takes the memory that there is.
type Options struct {
	// Width is the number of bits of a character: [Width] of the text. 0 means 8, enough for any.
	Width int
	// Capacity is the most suffixes that a range has; 0: as many as memory allows. What is given is not compared with the
	// memory that there is: see Memory.
	Capacity int
	// Period is that of the difference cover: 7, 31, 73, 133 or 273. 0: the smallest from 73 on whose sample can be sorted
	// in the memory that there is.
	Period int
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
	cover      cover
	shape      windows
	depth      int // characters that windows tell suffixes apart by
	kernels    kernels
	primitives primitives[P]
	memory     *memory[P]
	names      *suffixsort.Symbols[uint32]
}

// New plans sorting texts of n characters. P is the type of positions: uint32 for up to 2^32 - 2 characters, uint64 for
// MaxLen. The plan takes all memory that the session may allocate, unless the options say less.
//
// Errors: a *[device.LengthError]; a *[device.MemoryError] with the numbers if not even one range fits; options that do
// not exist.
func New[P uint32 | uint64](s *device.Session, n int, o Options) (*Sorter[P], error) {
	limit := MaxLen
	if unsafe.Sizeof(*new(P)) == 4 {
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
	choices := periods
	if o.Period != 0 {
		if _, ok := coverOf(o.Period); !ok {
			return nil, fmt.Errorf("ranges: no difference cover of period %d", o.Period)
		}
		choices = []int{o.Period}
	}
	var err error
	for _, period := range choices {
		var p *Sorter[P]
		if p, err = newSorter[P](s, n, period, o); err == nil {
			return p, nil
		}
	}
	return nil, err
}

// newSorter plans a sorter with that difference cover.
func newSorter[P uint32 | uint64](s *device.Session, n, period int, o Options) (*Sorter[P], error) {
	p := &Sorter[P]{session: s, n: n, shape: windowsOf(o.Width), kernels: newKernels[P](s)}
	p.cover, _ = coverOf(period)
	p.depth = intmath.RoundUp(period+1, p.shape.chars)
	samples := p.cover.samples(n)
	var err error
	if p.names, err = suffixsort.NewSymbols[uint32](s, samples); err != nil {
		return nil, err
	}
	p.memory = newMemory[P](n, o.Width, p.names.TextLen(samples), p.cover)
	plan := func(capacity int) error {
		if p.primitives, err = newPrimitives[P](s, n, capacity); err == nil {
			p.memory.plan(capacity, p.primitives.workspace())
		}
		return err
	}
	fits := func(capacity int) error {
		if err := plan(capacity); err != nil {
			return err
		}
		return p.Memory().Fits(s)
	}
	largest := max(min(n, 1<<31-1), leastCapacity)
	if o.Capacity > 0 {
		return p, plan(min(o.Capacity, largest))
	}
	// Capacities in steps of an eighth of themselves: few plans are made, and little memory is left.
	best := sort.Search(8*62, func(k int) bool { return stepOf(k) > largest || fits(stepOf(k)) != nil })
	if stepOf(best) > largest && fits(largest) == nil {
		return p, nil
	}
	return p, fits(stepOf(max(best-1, 0)))
}

// stepOf is capacity number k of those to choose from.
func stepOf(k int) int { return leastCapacity * (8 + k%8) << (k / 8) / 8 }

// Memory is the device and host memory of a run, phase by phase.
func (p *Sorter[P]) Memory() device.MemoryPlan {
	size := int64(unsafe.Sizeof(*new(P)))
	return p.memory.memoryPlan(int64(p.n)+2*size*int64(p.memory.lists.capacity), p.names, p.Ranges())
}

// Ranges is about how many ranges a run has.
func (p *Sorter[P]) Ranges() int { return rangesFor(p.n, p.memory.lists.capacity) }

// Period is that of the difference cover.
func (p *Sorter[P]) Period() int { return p.cover.period }

// rangesFor is how many ranges are made of n suffixes: fewer would overflow too often, as their sizes differ.
func rangesFor(n, capacity int) int {
	if n <= capacity {
		return 1
	}
	return intmath.CeilDiv(n, max(capacity-capacity/6, 1))
}

// Run sorts the suffixes of text [n]. yield is called with each range of the suffix array, in order: first is the index
// of its first entry. The block is valid until yield returns. progress, if not nil, is told how many suffixes are in
// their place.
//
// Errors: a text of another length, or with more different characters than its width allows; yield's; the context's;
// the device's (with the phase).
func (p *Sorter[P]) Run(ctx context.Context, text []byte, yield func(first int, block []P) error,
	progress func(phase string, done, total int64)) error {
	r := &run[P]{Sorter: p, text: text, code: newCode(text), yield: yield, progress: progress}
	switch {
	case len(text) != p.n:
		return fmt.Errorf("ranges: text of %d characters, planned for %d", len(text), p.n)
	case r.code.width > p.shape.width:
		return fmt.Errorf("ranges: the text's characters take %d bits, planned for %d", r.code.width, p.shape.width)
	case p.n == 0:
		return p.session.Check(ctx)
	}
	defer r.release()
	if err := r.rankSample(ctx); err != nil {
		return err
	}
	return r.sortRanges(ctx)
}
