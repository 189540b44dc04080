package radixsort

import (
	"errors"
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cltype"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// maxPlaces is the largest number of passes of a series.
const maxPlaces = 8

// Series plans sorts by several ranges of bits, one after the other, of records that have a word in each of two arrays.
// Onesweep counts the digits of all ranges at once.
type Series struct {
	pairs, alone *Plan[uint32, uint32]
	histogram    *device.Kernel // nil: the method needs none
}

// Range is what a part of a series sorts by.
type Range struct {
	N      int           // records from the first one on
	Keys   *Pair[uint32] // the words that are sorted by
	Values *Pair[uint32] // the other words; nil: they are not moved
	Lo, Hi int           // bits of Keys
	Finish *Finish       // of the last pass of the range, or nil
	Args   []any         // of Finish
}

// NewSeries plans series of up to n records. alone: there are ranges whose Values are nil.
func NewSeries(s *device.Session, n int, alone bool) *Series {
	p := &Series{pairs: newPasses[uint32, uint32](s, n, true, device.Source{})}
	if alone {
		p.alone = newPasses[uint32, uint32](s, n, false, device.Source{})
	}
	if p.pairs.method == onesweep {
		h := tuned.Of(s).RadixSort.Histogram
		src := device.Source{Defines: device.Defines{"RADIX_SERIES": maxPlaces}}
		copies := max(1, h.Copies*cltype.Size[uint32]()/maxPlaces) // for the same local memory
		program := s.Program(typesOf[uint32, uint32](false).source(histogram, h.WG, h.Items, copies, 0, src))
		p.histogram = program.Kernel("radix_histogram_series", h.WG)
	}
	return p
}

// Finish is a last pass that writes something else than the pairs.
type Finish struct {
	plan *Plan[uint32, uint32]
}

// NewFinish plans it for ranges with Values, or for those without. The macros of the source are
//
//	RADIX_LAST_PARAMS             more parameters of the kernel, each after a comma: Range.Args
//	RADIX_STORE_KEY(to, key)      writes what comes of the word that is sorted by; keys_out is Keys.Alt
//	RADIX_STORE_VALUE(to, value)  the same of the other word; values_out is Values.Alt
func NewFinish(s *device.Session, n int, values bool, src device.Source) *Finish {
	return &Finish{newPasses[uint32, uint32](s, n, values, src)}
}

// Passes is the number of passes of a range: the number of times that Keys and Values are swapped.
func (p *Series) Passes(r Range) int { return p.pairs.Passes(r.Lo, r.Hi) }

// Workspace is what Prepare and Schedule.Run carve from their workspace.
func (p *Series) Workspace() device.Pieces {
	if p.histogram == nil {
		return p.pairs.Workspace()
	}
	pieces := p.pairs.onesweepPieces(maxPlaces)
	if p.alone != nil {
		pieces = pieces.Or(p.alone.onesweepPieces(maxPlaces))
	}
	return pieces
}

// Schedule is a series that has its workspace.
type Schedule struct {
	series  *Series
	ws      *device.Workspace
	mark    int
	jobs    []*job[uint32, uint32] // the ranges that have something to sort
	control *control               // nil: the method needs none
}

// Prepare carves the workspace of a series, which has at most 8 passes. What [Schedule.Cleared] tells has to be
// cleared before Run.
func (p *Series) Prepare(ws *device.Workspace, ranges ...Range) *Schedule {
	q := &Schedule{series: p, ws: ws, mark: ws.Mark()}
	places := 0
	for _, r := range ranges {
		if passes := p.Passes(r); r.N > 0 && passes > 0 {
			q.jobs = append(q.jobs, p.job(ws, r, passes))
			places += passes
		}
	}
	if places > maxPlaces {
		p.pairs.s.Fail(fmt.Errorf("radixsort: a series of %d passes, at most %d", places, maxPlaces))
		return q
	}
	if p.histogram != nil {
		launches, tiles := 0, 0
		for _, j := range q.jobs {
			launches += j.Passes(j.lo, j.hi) * j.portions()
			tiles = max(tiles, j.tiles(j.n))
		}
		q.control = newControl(ws, places, launches, tiles)
	}
	return q
}

// job is a range that has something to sort.
func (p *Series) job(ws *device.Workspace, r Range, passes int) *job[uint32, uint32] {
	plan := p.pairs
	if r.Values == nil {
		plan = p.alone
	}
	j := &job[uint32, uint32]{
		Plan: plan, ws: ws, keys: r.Keys, values: r.Values, n: r.N, lo: r.Lo, hi: r.Hi,
		width: intmath.CeilDiv(r.Hi-r.Lo, passes),
	}
	if r.Finish != nil {
		j.finish, j.last = r.Finish.plan, r.Args
	}
	return j
}

// Cleared are two arguments of the kernel that makes the records, and has to clear this: words, and their number. Both
// are 0 where there is nothing to clear.
func (q *Schedule) Cleared() []any {
	if q.control == nil {
		return []any{nil, uint32(0)}
	}
	return []any{q.control.words, uint32(q.control.words.Len() - (q.control.status[1] - q.control.status[0]))}
}

// Run enqueues the series, and gives the workspace back. Records with equal bits keep their order. The words are in Cur
// of their pairs.
//
// Errors, on the session: more records than planned, shorter buffers, bits that words do not have, more than two
// arrays or lengths.
func (q *Schedule) Run() {
	defer q.ws.Reset(q.mark)
	for _, j := range q.jobs {
		if err := j.check(j.keys, j.values, j.n, j.lo, j.hi, nil); err != nil {
			j.s.Fail(err)
			return
		}
	}
	if q.control == nil {
		if q.series.histogram != nil {
			return // Prepare has failed
		}
		for _, j := range q.jobs {
			j.reduce(j.Passes(j.lo, j.hi))
		}
		return
	}
	if len(q.jobs) == 0 {
		return
	}
	if err := q.count(); err != nil {
		q.series.pairs.s.Fail(err)
		return
	}
	place := 0
	for k, j := range q.jobs {
		passes := j.Passes(j.lo, j.hi)
		for p := range passes {
			next := j.tiles(j.n)
			if p == passes-1 && k+1 < len(q.jobs) {
				next = q.jobs[k+1].tiles(q.jobs[k+1].n)
			}
			j.sweep(q.control, p, place, next, p == passes-1)
			place++
		}
	}
}

// count enqueues the histogram of all passes.
func (q *Schedule) count() error {
	var arrays [2]*Pair[uint32]
	var counts [2]int // records whose word in each array is read
	var digits [2]uint64
	n, prefix, place := 0, 0, 0
	for _, j := range q.jobs {
		n = max(n, j.n)
	}
	for _, j := range q.jobs {
		at := 0
		for arrays[at] != nil && arrays[at] != j.keys {
			if at++; at == len(arrays) {
				return errors.New("radixsort: a series by more than two arrays")
			}
		}
		arrays[at], counts[at] = j.keys, max(counts[at], j.n)
		whole := uint64(1)
		if j.n < n {
			if whole = 0; prefix != 0 && prefix != j.n {
				return errors.New("radixsort: a series of more than two lengths")
			}
			prefix = j.n
		}
		for p := range j.Passes(j.lo, j.hi) {
			shift, bits := j.digit(p)
			digits[place/4] |= (uint64(shift) | uint64(bits)<<5 | uint64(at)<<9 | whole<<10) << (place % 4 * 16)
			place++
		}
	}
	second := arrays[0].Cur
	if arrays[1] != nil {
		second = arrays[1].Cur
	}
	piece := q.series.pairs.piece(n)
	q.series.histogram.Launch(intmath.CeilDiv(n, piece), 4*int64(counts[0]+counts[1]), q.control.words, uint64(piece),
		uint64(n), uint64(prefix), uint64(counts[0]), uint64(counts[1]), digits[0], digits[1], uint32(place),
		arrays[0].Cur, second)
	return nil
}
