package suffixcl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/ranges"
)

// MaxRangesLen is the longest text that EachSuffixRange sorts, in bytes.
const MaxRangesLen = ranges.MaxLen

// EachSuffixRange calls yield for parts of the suffix array, from its first entry to its last: a result need fit
// neither into the memory of the device nor into that of the host. first is the index of the first position. positions
// is valid until yield returns; meanwhile the next ones are sorted, by another goroutine. An error of yield ends the
// computation. yield may not call the engine: see ErrInCallback. Texts have up to MaxRangesLen bytes.
//
// Where the sorters in one piece fit, they sort the text; else, and with AlgorithmRanges, package ranges, which takes
// the memory that there is. Stats tell the number of ranges. Memory: Plan(OpEachSuffixRange).
//
// Errors: those of SuffixArray and yield; a *device.MemoryError if not even one range fits.
func (e *Engine) EachSuffixRange(ctx context.Context, text []byte,
	yield func(first int, positions []uint64) error) (err error) {
	if yield == nil {
		return ErrNoFunction
	}
	c, err := e.begin(ctx)
	if err != nil {
		return err
	}
	defer c.end()
	read := ranges.NewText(text)
	o, err := prepareAlone(c, func() (rangesOperation, error) { return newSuffixRanges(e, len(text), read.Width()) })
	if err != nil {
		return err
	}
	defer o.release(c.s)
	c.callsBack()
	return o.each(c, text, read, yield)
}

// rangesOperation is a suffix array that is handed out in ranges.
type rangesOperation interface {
	operation
	each(c *call, text []byte, read *ranges.Text, yield func(first int, positions []uint64) error) error
}

// newSuffixRanges plans sorting n characters of so many bits: in one piece where that fits, unless the engine's
// algorithm says what to do.
func newSuffixRanges(e *Engine, n, width int) (rangesOperation, error) {
	if err := limits.CheckLen("text", n, MaxRangesLen); err != nil {
		return nil, err
	}
	var whole *source
	if e.algorithm != AlgorithmRanges {
		var err error
		if whole, _, err = planned(e, n, newSuffixArray); err == nil {
			err = whole.plan.Fits(e.session)
		}
		if err == nil || e.algorithm != AlgorithmAuto && whole.plan != nil {
			return piece{whole}, nil
		}
		if e.algorithm != AlgorithmAuto || !device.IsTooLarge(err) {
			return nil, err
		}
	}
	var o rangesOperation
	var err error
	if options := (ranges.Options{Width: width}); n > MaxLen {
		o, err = newRanged[uint64](e, n, options)
	} else {
		o, err = newRanged[uint32](e, n, options)
	}
	if err != nil && whole != nil && whole.plan != nil {
		return piece{whole}, nil // whose numbers tell why
	}
	return o, err
}

// piece is a suffix array that is sorted in one piece.
type piece struct{ *source }

// pieceBlock is how many positions are handed out at a time.
const pieceBlock = 1 << 20

func (o piece) each(c *call, text []byte, _ *ranges.Text, yield func(first int, positions []uint64) error) error {
	if _, err := o.sort(c, text); err != nil {
		return err
	}
	o.sorter.Release()
	_, sa := o.arraysOf(c.s, len(text))
	block, positions := make([]uint32, min(len(text), pieceBlock)), make([]uint64, min(len(text), pieceBlock))
	for first := 0; first < len(text); first += pieceBlock {
		part := sa.View(first, min(pieceBlock, len(text)-first))
		if _, err := download(c, block[:part.Len()], part); err != nil {
			return err
		}
		if err := yield(first, widen(positions, block[:part.Len()])); err != nil {
			return err
		}
	}
	return nil
}

// ranged is a suffix array that is sorted in ranges, or a transform.
type ranged[P uint32 | uint64] struct {
	sorter *ranges.Sorter[P]
	plan   device.MemoryPlan
}

func newRanged[P uint32 | uint64](e *Engine, n int, o ranges.Options) (*ranged[P], error) {
	sorter, err := ranges.New[P](e.session, n, o)
	if err != nil {
		return nil, err
	}
	return &ranged[P]{sorter, sorter.Memory()}, nil
}

func (o *ranged[P]) memory() device.MemoryPlan { return o.plan }

func (o *ranged[P]) release(*device.Session) {} // the sorter holds none after a run

func (o *ranged[P]) each(c *call, _ []byte, read *ranges.Text, yield func(first int, positions []uint64) error) error {
	_, err := o.run(c, read, ranges.State{}, nil, nil, false,
		func(b SuffixBlock) error { return yield(b.First, b.Positions) })
	return err
}

// run sorts on the device of the call, and on others.
func (o *ranged[P]) run(c *call, text *ranges.Text, from RangeState, saved func(RangeState) error,
	others []*ranges.Sorter[P], anywhere bool, yield func(SuffixBlock) error) (state RangeState, err error) {
	c.stats.Algorithm = AlgorithmRanges
	memory := sync.Pool{New: func() any { return new([2][]uint64) }}
	job := ranges.Job[P]{From: from, Saved: saved, Others: others, Anywhere: anywhere, Progress: c.progress}
	job.Yield = func(b ranges.Block[P]) error {
		c.handsOut(anywhere)
		wide := memory.Get().(*[2][]uint64)
		defer memory.Put(wide)
		return yield(SuffixBlock{First: b.First, Len: b.Len, Positions: widened(&wide[0], b.Positions), Packed: b.Packed,
			Transform: b.Transform, LCP: widened(&wide[1], b.LCP), TransformFirst: b.TransformFirst, LCPFirst: b.LCPFirst})
	}
	err = c.compute(func() error {
		state, err = o.sorter.RunText(c.ctx, text, job)
		c.stats.Ranges = o.sorter.Sorted()
		return err
	})
	return state, err
}

// RangeState is how far SuffixRanges has come. It can be kept as JSON.
type RangeState = ranges.State

// RangeOptions of SuffixRanges.
type RangeOptions struct {
	// Transform asks for the Burrows-Wheeler transform, too, LCP for the LCP array, and NoPositions for these without the
	// suffix array.
	Transform, LCP, NoPositions bool
	// Packed asks for positions of 5 bytes each, little-endian, which the device packs: SuffixBlock.Packed instead of
	// Positions. That is the fastest form of results beyond 2^32.
	Packed bool
	// From is where an earlier run has ended: the same text, on any device. Blocks go on after it. The zero value begins
	// anew.
	From RangeState
	// Saved, if not nil, is told after each range how far the run has come. It is called as yield is.
	Saved func(RangeState) error
	// Others are engines of other devices, which sort ranges, too. Each takes the next range when it has sorted one, so
	// that the faster ones sort more.
	Others []*Engine
	// Anywhere has yield called by several goroutines at a time, with blocks in any order: each has its places, LCP arrays
	// as SuffixBlock.LCPFirst tells. So results of several devices do not wait for each other. Neither From nor Saved goes
	// with it, nor WriteBlocks.
	Anywhere bool
}

// wanted are the results that the options want, of so many devices.
func (o RangeOptions) wanted() ranges.Options {
	return ranges.Options{Transform: o.Transform, LCP: o.LCP, NoPositions: o.NoPositions, Packed: o.Packed,
		Devices: 1 + len(o.Others)}
}

// engines are those that sort: e, and Others.
func (o RangeOptions) engines(e *Engine) ([]*Engine, error) {
	all := append([]*Engine{e}, o.Others...)
	for i, of := range all {
		if !of.opened() {
			return nil, ErrNoEngine
		}
		if slices.Contains(all[:i], of) {
			return nil, errors.New("suffixcl: an engine is given twice")
		}
	}
	return all, nil
}

// RangePlan is what SuffixRanges takes.
type RangePlan struct {
	Memory device.MemoryPlan // phase by phase
	Ranges int               // about how many there are
	Period int               // of the difference cover that the sample has
}

// String is the table of the memory, with the number of ranges.
func (p RangePlan) String() string {
	return fmt.Sprintf("%sabout %s, a difference cover of period %d\n", p.Memory, bytesize.Count(p.Ranges, "range"),
		p.Period)
}

// PlanRanges returns the device and host memory of SuffixRanges on a text of n bytes, any of which may occur: fewer
// different ones take less, and make fewer ranges. Of the options only what is wanted counts, and each of Others plans
// for itself. Errors as Plan.
func (e *Engine) PlanRanges(ctx context.Context, n int, o RangeOptions) (plan RangePlan, err error) {
	if err := limits.CheckLen("text", n, MaxRangesLen); err != nil {
		return plan, err
	}
	if _, err := o.engines(e); err != nil {
		return plan, err
	}
	wanted := o.wanted()
	if n > MaxLen {
		return planRanges[uint64](ctx, e, n, wanted)
	}
	return planRanges[uint32](ctx, e, n, wanted)
}

func planRanges[P uint32 | uint64](ctx context.Context, e *Engine, n int, wanted ranges.Options) (
	p RangePlan, err error) {
	p.Memory, _, err = planAlone(ctx, e, func() (operation, error) {
		o, err := newRanged[P](e, n, wanted)
		if err == nil {
			p.Ranges, p.Period = o.sorter.Ranges(), o.sorter.Period()
		}
		return o, err
	}, nil)
	return p, err
}

// SuffixBlock is a part of the results of SuffixRanges.
type SuffixBlock struct {
	First     int      // index in the suffix array
	Len       int      // entries
	Positions []uint64 // [Len], if they are wanted
	Packed    []byte   // [5*Len], if they are wanted so
	// LCP [Len] is how many bytes each suffix shares with the one before, if that is wanted; 0 for the first of all.
	LCP []uint64
	// Transform is what follows in the transform, if that is wanted. All of it has as many bytes as the text. Blocks may
	// have one more or less than Len.
	Transform []byte
	// TransformFirst and LCPFirst are the indices of the first of these. That of LCP is First, but with Anywhere, and for
	// ranks (package distributed): then a block has the entry after its last one instead of that of its first.
	TransformFirst, LCPFirst int
}

// SuffixRanges sorts in ranges, whatever would fit in one piece: package ranges. yield is called with each part of the
// results, in order, by another goroutine, while the next ones are sorted. A block is valid until yield returns. The
// state that is returned is the last one, after errors, too: its Primary is the primary index as BWT has it.
//
// Errors: those of SuffixArray, of yield and of Saved; a state of another text; a *device.MemoryError if not even one
// range fits.
func (e *Engine) SuffixRanges(ctx context.Context, text []byte, o RangeOptions, yield func(SuffixBlock) error) (
	RangeState, error) {
	if yield == nil {
		return o.From, ErrNoFunction
	}
	if err := limits.CheckLen("text", len(text), MaxRangesLen); err != nil {
		return o.From, err
	}
	read := ranges.Guess(text)
	state, err := suffixRangesOf(ctx, e, read, o, yield)
	if errors.Is(err, ranges.ErrGuess) { // nothing was handed out
		state, err = suffixRangesOf(ctx, e, read, o, yield)
	}
	return state, err
}

// ErrTextChanged is matched by the error of SuffixRangesAt for a text that was not the same when it was read again.
var ErrTextChanged = ranges.ErrTextChanged

// SuffixRangesAt is SuffixRanges for a text of n bytes that is read piece by piece, by several goroutines at a time: it
// is never wholly in host memory. It is read twice, and once more where the device has no memory for it while the
// sample is sorted; for each of Others once more if it has more than 16 different bytes.
//
// Errors: those of SuffixRanges and of the reader; one for a text that ends before n bytes; ErrTextChanged.
func (e *Engine) SuffixRangesAt(ctx context.Context, text io.ReaderAt, n int, o RangeOptions,
	yield func(SuffixBlock) error) (RangeState, error) {
	if yield == nil || text == nil {
		return o.From, ErrNoFunction
	}
	if err := limits.CheckLen("text", n, MaxRangesLen); err != nil {
		return o.From, err
	}
	if _, err := o.engines(e); err != nil { // before the text is read
		return o.From, err
	}
	read, err := ranges.ReadText(lasting(ctx), text, n)
	if err != nil {
		return o.From, err
	}
	return suffixRangesOf(ctx, e, read, o, yield)
}

func suffixRangesOf(ctx context.Context, e *Engine, text *ranges.Text, o RangeOptions, yield func(SuffixBlock) error) (
	RangeState, error) {
	if text.Len() > MaxLen {
		return suffixRanges[uint64](ctx, e, text, o, yield)
	}
	return suffixRanges[uint32](ctx, e, text, o, yield)
}

func suffixRanges[P uint32 | uint64](ctx context.Context, e *Engine, text *ranges.Text, o RangeOptions,
	yield func(SuffixBlock) error) (RangeState, error) {
	engines, err := o.engines(e)
	if err != nil {
		return o.From, err
	}
	calls, err := beginAll(ctx, engines)
	defer func() {
		for _, c := range calls {
			c.end()
		}
	}()
	if err != nil {
		return o.From, err
	}
	plan := o.wanted()
	plan.Width = text.Width()
	var sorters []*ranges.Sorter[P]
	var leader *ranged[P]
	for i, c := range calls {
		r, err := prepareAlone(c, func() (*ranged[P], error) { return newRanged[P](c.e, text.Len(), plan) })
		if err != nil {
			return o.From, err
		}
		c.callsBack()
		if i == 0 {
			leader = r
			plan.Period, plan.Dense = r.sorter.Period(), r.sorter.Dense()
			continue
		}
		c.stats.Algorithm = AlgorithmRanges
		sorters = append(sorters, r.sorter)
	}
	calls[0].others = calls[1:]
	return leader.run(calls[0], text, o.From, o.Saved, sorters, o.Anywhere, yield)
}

// beginAll begins a call of several engines: in the order in which they were made, so that no two calls wait for each
// other. The calls are to be ended after errors, too.
func beginAll(ctx context.Context, engines []*Engine) (calls []*call, err error) {
	for _, e := range slices.SortedFunc(slices.Values(engines), func(a, b *Engine) int {
		return cmp.Compare(a.number, b.number)
	}) {
		c, err := e.begin(ctx)
		if err != nil {
			return calls, err
		}
		calls = append(calls, c)
	}
	place := func(c *call) int { return slices.Index(engines, c.e) }
	slices.SortFunc(calls, func(a, b *call) int { return cmp.Compare(place(a), place(b)) })
	return calls, nil
}

// transformInRanges is a transform that the sorters in one piece have no memory for.
func (c *call) transformInRanges(into, text []byte) ([]byte, int, error) {
	read := ranges.NewText(text)
	o, err := prepareAlone(c, func() (*ranged[uint32], error) {
		return newRanged[uint32](c.e, len(text), ranges.Options{Width: read.Width(), Transform: true, NoPositions: true})
	})
	if err != nil {
		return nil, 0, err
	}
	transform := make([]byte, 0, len(text)) // into may be text
	state, err := o.run(c, read, RangeState{}, nil, nil, false, func(b SuffixBlock) error {
		transform = append(transform, b.Transform...)
		return nil
	})
	if err != nil || into == nil {
		return transform, state.Primary, err
	}
	copy(into, transform)
	return into, state.Primary, nil
}

// widened are entries of 64 bits, in memory that is used again where they had 32.
func widened[P uint32 | uint64](memory *[]uint64, entries []P) []uint64 {
	narrow, ok := any(entries).([]uint32)
	if !ok || narrow == nil {
		wide, _ := any(entries).([]uint64)
		return wide
	}
	if len(*memory) < len(narrow) {
		*memory = make([]uint64, len(narrow))
	}
	return widen(*memory, narrow)
}

// widen copies positions of 32 bits.
func widen(to []uint64, from []uint32) []uint64 {
	parallel.Do(len(from), 1<<16, func(lo, hi int) {
		for i, p := range from[lo:hi] {
			to[lo+i] = uint64(p)
		}
	})
	return to[:len(from)]
}

// arrayInRanges is the suffix array of a text that the sorters in one piece have no memory for, or the LCP array alone.
// array may be nil. whole is the error of the plan in one piece.
func (c *call) arrayInRanges(array []uint32, text []byte, lcp bool, whole error) ([]uint32, error) {
	read := ranges.NewText(text)
	o, err := prepareAlone(c, func() (*ranged[uint32], error) {
		return newRanged[uint32](c.e, len(text), ranges.Options{Width: read.Width(), LCP: lcp, NoPositions: lcp})
	})
	if device.IsTooLarge(err) && device.IsTooLarge(whole) {
		err = whole // a sorter in one piece takes less, then
	}
	if err != nil {
		return nil, err
	}
	if array == nil {
		array = make([]uint32, len(text))
	}
	c.stats.Algorithm = AlgorithmRanges
	sorter := o.sorter
	return array, c.compute(func() error {
		yield := func(b ranges.Block[uint32]) error {
			entries := b.Positions
			if lcp {
				entries = b.LCP
			}
			parallel.Do(b.Len, 1<<16, func(lo, hi int) { copy(array[b.First+lo:], entries[lo:hi]) })
			return nil
		}
		_, err := sorter.RunText(c.ctx, read, ranges.Job[uint32]{Progress: c.progress, Yield: yield})
		c.stats.Ranges = sorter.Sorted()
		return err
	})
}

// inRanges tells whether a suffix array is sorted in ranges, given the error of a plan to sort it in one piece.
func (e *Engine) inRanges(err error) bool {
	var memory *device.MemoryError
	return e.algorithm == AlgorithmRanges || e.algorithm == AlgorithmAuto && errors.As(err, &memory)
}

// orInRanges is the plan of a suffix array in ranges, of a transform, an LCP array or what an index is made of, if the
// one in one piece, o, is not possible or does not fit.
func (e *Engine) orInRanges(wanted ranges.Options, n int, o operation, err error) (operation, error) {
	fits := err
	if err == nil {
		fits = o.memory().Fits(e.session)
	}
	if fits == nil || !e.inRanges(fits) {
		return o, err
	}
	if r, failed := newRanged[uint32](e, n, wanted); failed == nil || err != nil {
		return r, failed
	}
	return o, nil
}
