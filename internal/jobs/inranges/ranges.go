package inranges

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/ranges"
	"github.com/suffixcl/suffixcl/internal/sorter"
)

// MaxLen is suffixcl.MaxRangesLen.
const MaxLen = ranges.MaxLen

var (
	// errNotInRanges: of texts that Ranges does not sort.
	errNotInRanges = errors.New("suffixcl: sets and texts of symbols are not sorted in ranges")
)

// Ranged is a suffix array that is sorted in ranges, or a transform.
type Ranged[P uint32 | uint64] struct {
	Sorter *ranges.Sorter[P]
	Phases device.MemoryPlan
}

func New[P uint32 | uint64](e *call.Engine, n int, o ranges.Options) (*Ranged[P], error) {
	sorter, err := ranges.New[P](e.Session, n, o)
	if err != nil {
		return nil, err
	}
	return &Ranged[P]{sorter, sorter.Memory()}, nil
}

// Plan is suffixcl.RangePlan.
func (o *Ranged[P]) Plan() device.MemoryPlan { return o.Phases }

// ofRanges is the plan with its ranges.
func (o *Ranged[P]) ofRanges() Plan { return Plan{o.Phases, o.Sorter.Ranges(), o.Sorter.Period()} }

// Free does nothing: the sorter holds no memory after a run.
func (o *Ranged[P]) Free(*device.Session) {}

// Run sorts on the device of the call, and on others.
func (o *Ranged[P]) Run(c *call.Call, text *ranges.Text, from State, saved func(State) error,
	others []*ranges.Sorter[P], anywhere bool, yield func(Block) error) (state State, err error) {
	c.Stats.Algorithm = sorter.Ranges
	memory := sync.Pool{New: func() any { return new([2][]uint64) }}
	job := ranges.Job[P]{From: ranges.State(from), Others: others, Anywhere: anywhere, Progress: c.Progress}
	if saved != nil {
		job.Saved = func(s ranges.State) error { return saved(State(s)) }
	}
	job.Yield = func(b ranges.Block[P]) error {
		c.HandsOut(anywhere)
		wide := memory.Get().(*[2][]uint64)
		defer memory.Put(wide)
		return yield(Block{First: b.First, Len: b.Len, Positions: widened(&wide[0], b.Positions), Packed: b.Packed,
			Entries: b.Entries, Transform: b.Transform, LCP: widened(&wide[1], b.LCP), TransformFirst: b.TransformFirst,
			LCPFirst: b.LCPFirst})
	}
	err = c.Compute(func() error {
		ended, err := o.Sorter.RunText(c.Ctx, text, job)
		state, c.Stats.Ranges = State(ended), o.Sorter.Sorted()
		return err
	})
	return state, err
}

// State is suffixcl.RangeState.
type State struct {
	Bounds  []int `json:"bounds"`
	Done    int   `json:"done"`
	First   int   `json:"first"`
	Primary int   `json:"primary"`
	LCP     int   `json:"lcp"`
}

// TransformLen is that of suffixcl.RangeState.
func (s State) TransformLen() int { return ranges.State(s).TransformLen() }

// Options are suffixcl.RangeOptions.
type Options struct {
	Transform, LCP, NoPositions bool
	Packed                      bool
	Entries                     *ranges.Entries // as which positions are packed, or nil
	Order                       input.Order
	From                        State
	Saved                       func(State) error
	Yield                       func(Block) error
	Planned                     func(Plan) error
	Others                      []*call.Engine
	Anywhere                    bool
}

// wanted are the results that the options want, of so many devices.
func (o Options) wanted() ranges.Options {
	packed := o.Entries
	if packed == nil && o.Packed {
		packed = ranges.FiveBytes
	}
	return ranges.Options{Transform: o.Transform, LCP: o.LCP, NoPositions: o.NoPositions, Packed: packed,
		Devices: 1 + len(o.Others)}
}

// engines are those that sort: e, and Others.
func (o Options) engines(e *call.Engine) ([]*call.Engine, error) {
	all := append([]*call.Engine{e}, o.Others...)
	for i, of := range all {
		if !of.Opened() {
			return nil, call.ErrNoEngine
		}
		if slices.Contains(all[:i], of) {
			return nil, errors.New("suffixcl: an engine is given twice")
		}
	}
	return all, nil
}

// Plan is suffixcl.RangePlan.
type Plan struct {
	Memory device.MemoryPlan
	Ranges int
	Period int
}

// Block is suffixcl.SuffixBlock.
type Block struct {
	First                    int
	Len                      int
	Positions                []uint64
	Packed                   []byte
	Entries                  int // of Packed, where Options.Entries leave some positions out: those that come next
	LCP                      []uint64
	Transform                []byte
	TransformFirst, LCPFirst int
}

// ErrTextChanged is matched by the error of Ranges for a text of a Reader that was not the same when it was read again.
var ErrTextChanged = ranges.ErrTextChanged

// Sort is suffixcl.Engine.Ranges.
func Sort(e *call.Engine, text input.Text, o Options) call.Job[Block, State] {
	n := text.Len()
	if wrong := Check(text); wrong != nil {
		return call.Refused[Block, State](e, wrong)
	}
	if o.Order != input.OrderPlain {
		return sortOrdered(e, text, o)
	}
	if n > limits.MaxLen {
		return rangesJob[uint64](e, text, n, o)
	}
	return rangesJob[uint32](e, text, n, o)
}

// Check returns an error for a text that is not sorted in ranges.
func Check(text input.Text) error {
	switch t := text.Symbols.(type) {
	case input.TooLong:
		return t.Err
	case input.ReadText:
		if t.From == nil {
			return call.ErrNoFunction
		}
	}
	if text.IsSet() || text.SymbolBytes() != 1 {
		return errNotInRanges
	}
	return limits.CheckLen("text", text.Len(), MaxLen)
}

func rangesJob[P uint32 | uint64](e *call.Engine, text input.Text, n int, o Options) call.Job[Block, State] {
	compute := func(ctx context.Context, yield func(Block) error) (State, error) {
		return rangesOf[P](ctx, e, text, o, yield)
	}
	return jobOf(e, text, o, func() (call.Operation, error) {
		if _, err := o.engines(e); err != nil {
			return nil, err
		}
		wanted := o.wanted()
		if of, ok := text.Symbols.(input.Shape); ok && of.Counts != nil {
			wanted.Width = ranges.WidthOf(of.Counts)
		}
		return call.AsOperation(New[P](e, n, wanted))
	}, compute)
}

// jobOf is the job that has an operation and computes blocks.
func jobOf(
	e *call.Engine, text input.Text, o Options, operation func() (call.Operation, error),
	compute func(ctx context.Context, yield func(Block) error) (State, error),
) call.Job[Block, State] {
	j := call.Job[Block, State]{Engine: e, Operation: operation, Planned: o.planned,
		Loop: func(ctx context.Context, yield func(Block) error) error {
			return call.HandOver(append([]*call.Engine{e}, o.Others...), func(yield func(Block) error) error {
				_, err := compute(ctx, yield)
				return err
			}, yield)
		},
		Whole: func(ctx context.Context) (State, error) {
			if o.Yield == nil {
				return o.From, call.ErrNoFunction
			}
			return compute(ctx, o.Yield)
		}}
	return j.NeedsSymbols(text)
}

// planned tells of the plan of a sort in ranges.
func (o Options) planned(of call.Operation) error {
	r, ok := of.(interface{ ofRanges() Plan })
	if !ok || o.Planned == nil {
		return nil
	}
	return o.Planned(r.ofRanges())
}

// rangesOf sorts a text in ranges.
func rangesOf[P uint32 | uint64](ctx context.Context, e *call.Engine, text input.Text, o Options,
	yield func(Block) error) (State, error) {
	if _, err := o.engines(e); err != nil { // before the text is read
		return o.From, err
	}
	if t, ok := text.Symbols.(input.ReadText); ok {
		read, err := ranges.ReadText(call.Lasting(ctx), t.From, t.N)
		if err != nil {
			return o.From, err
		}
		return suffixRanges[P](ctx, e, read, o, yield)
	}
	read := ranges.Guess(text.Bytes())
	state, err := suffixRanges[P](ctx, e, read, o, yield)
	if errors.Is(err, ranges.ErrGuess) { // nothing was handed out
		state, err = suffixRanges[P](ctx, e, read, o, yield)
	}
	return state, err
}

func suffixRanges[P uint32 | uint64](ctx context.Context, e *call.Engine, text *ranges.Text, o Options,
	yield func(Block) error) (State, error) {
	engines, err := o.engines(e)
	if err != nil {
		return o.From, err
	}
	calls, err := call.BeginAll(ctx, engines)
	defer func() {
		for _, c := range calls {
			c.End()
		}
	}()
	if err != nil {
		return o.From, err
	}
	plan := o.wanted()
	plan.Width = text.Width()
	var sorters []*ranges.Sorter[P]
	var leader *Ranged[P]
	for i, c := range calls {
		r, err := call.PrepareAlone(c, func() (*Ranged[P], error) { return New[P](c.Engine, text.Len(), plan) })
		if err != nil {
			return o.From, err
		}
		c.CallsBack()
		if i == 0 {
			leader = r
			plan.Period, plan.Dense = r.Sorter.Period(), r.Sorter.Dense()
			continue
		}
		c.Stats.Algorithm = sorter.Ranges
		sorters = append(sorters, r.Sorter)
	}
	calls[0].Others = calls[1:]
	return leader.Run(calls[0], text, o.From, o.Saved, sorters, o.Anywhere, yield)
}

// Transform is a transform that the sorters in one piece have no memory for.
func Transform(c *call.Call, into, text []byte) ([]byte, int, error) {
	read := ranges.NewText(text)
	o, err := call.PrepareAlone(c, func() (*Ranged[uint32], error) {
		return New[uint32](c.Engine, len(text), ranges.Options{Width: read.Width(), Transform: true, NoPositions: true})
	})
	if err != nil {
		return nil, 0, err
	}
	transform := make([]byte, 0, len(text)) // into may be text
	state, err := o.Run(c, read, State{}, nil, nil, false, func(b Block) error {
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

// Array is the suffix array of a text that the sorters in one piece have no memory for, or the LCP array alone.
// array may be nil. whole is the error of the plan in one piece.
func Array(c *call.Call, array []uint32, text []byte, lcp bool, whole error) ([]uint32, error) {
	read := ranges.NewText(text)
	o, err := call.PrepareAlone(c, func() (*Ranged[uint32], error) {
		return New[uint32](c.Engine, len(text), ranges.Options{Width: read.Width(), LCP: lcp, NoPositions: lcp})
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
	c.Stats.Algorithm = sorter.Ranges
	sorter := o.Sorter
	return array, c.Compute(func() error {
		yield := func(b ranges.Block[uint32]) error {
			entries := b.Positions
			if lcp {
				entries = b.LCP
			}
			parallel.Do(b.Len, 1<<16, func(lo, hi int) { copy(array[b.First+lo:], entries[lo:hi]) })
			return nil
		}
		_, err := sorter.RunText(c.Ctx, read, ranges.Job[uint32]{Progress: c.Progress, Yield: yield})
		c.Stats.Ranges = sorter.Sorted()
		return err
	})
}

// Or is the plan of a suffix array in ranges, of a transform, an LCP array or what an index is made of, if the
// one in one piece, o, is not possible or does not fit.
func Or(e *call.Engine, wanted ranges.Options, n int, o call.Operation, err error) (call.Operation, error) {
	fits := err
	if err == nil {
		fits = o.Plan().Fits(e.Session)
	}
	if fits == nil || !e.InRanges(fits) {
		return o, err
	}
	if r, failed := New[uint32](e, n, wanted); failed == nil || err != nil {
		return r, failed
	}
	return o, nil
}
