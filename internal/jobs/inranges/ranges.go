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

// MaxLen is the longest text that Ranges sorts, in bytes.
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

func (o *Ranged[P]) Plan() device.MemoryPlan { return o.Phases }

func (o *Ranged[P]) Free(*device.Session) {} // the sorter holds none after a run

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
			Transform: b.Transform, LCP: widened(&wide[1], b.LCP), TransformFirst: b.TransformFirst, LCPFirst: b.LCPFirst})
	}
	err = c.Compute(func() error {
		ended, err := o.Sorter.RunText(c.Ctx, text, job)
		state, c.Stats.Ranges = State(ended), o.Sorter.Sorted()
		return err
	})
	return state, err
}

// State is how far Ranges has come. It can be kept as JSON, and gone on with on another device.
type State struct {
	Bounds  []int `json:"bounds"`  // suffixes that divide the suffix array into ranges, ascending
	Done    int   `json:"done"`    // ranges that were handed out
	First   int   `json:"first"`   // index of the first suffix of the next one
	Primary int   `json:"primary"` // index of the transform; 0 until its range is handed out
	LCP     int   `json:"lcp"`     // of the next suffix and the one before, if LCP arrays were wanted
}

// TransformLen is how many characters of the transform were handed out.
func (s State) TransformLen() int { return ranges.State(s).TransformLen() }

// Options of Ranges.
type Options struct {
	// Transform asks for the Burrows-Wheeler transform, too, LCP for the LCP array, and NoPositions for these without the
	// suffix array.
	Transform, LCP, NoPositions bool
	// Packed asks for positions of 5 bytes each, little-endian, which the device packs: SuffixBlock.Packed instead of
	// Positions. That is the fastest form of results beyond 2^32.
	Packed bool
	// From is where an earlier run has ended: the same text, on any device. Blocks go on after it. The zero value begins
	// anew.
	From State
	// Saved, if not nil, is told after each range how far the run has come. It is called as Yield is.
	Saved func(State) error
	// Yield gets each block where All runs the job: in order, by another goroutine, while the next ones are sorted. A
	// block is valid until it returns. It may not call the engines: see ErrInCallback. Each has blocks for a loop instead.
	Yield func(Block) error
	// Planned, if not nil, is told by Plan what the job takes, and may refuse it.
	Planned func(Plan) error
	// Others are engines of other devices, which sort ranges, too. Each takes the next range when it has sorted one, so
	// that the faster ones sort more.
	Others []*call.Engine
	// Anywhere has Yield called by several goroutines at a time, with blocks in any order: each has its places, LCP arrays
	// as SuffixBlock.LCPFirst tells. So results of several devices do not wait for each other. Neither From nor Saved goes
	// with it, nor WriteBlocks.
	Anywhere bool
}

// wanted are the results that the options want, of so many devices.
func (o Options) wanted() ranges.Options {
	return ranges.Options{Transform: o.Transform, LCP: o.LCP, NoPositions: o.NoPositions, Packed: o.Packed,
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

// Plan is what Ranges takes.
type Plan struct {
	Memory device.MemoryPlan // phase by phase
	Ranges int               // about how many there are
	Period int               // of the difference cover that the sample has
}

// Block is a part of the results of Ranges.
type Block struct {
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

// ErrTextChanged is matched by the error of Ranges for a text of a Reader that was not the same when it was read again.
var ErrTextChanged = ranges.ErrTextChanged

// Ranges sorts a text of up to MaxRangesLen bytes in ranges, whatever would fit in one piece: package ranges. Neither
// the memory of the device nor that of the host need hold the result, which comes in blocks.
//
// Each has them for a loop. A block is valid until the next one; meanwhile the next range is sorted. With Anywhere
// blocks come one by one, too, in any order. The body may not call the engines: see ErrInCallback. Saved is called by
// another goroutine, while the loop waits.
//
// All hands them to RangeOptions.Yield, and returns the last state, after errors, too: its Primary is the primary index
// as BWT has it.
//
// A text of a Reader is read twice, and once more where the device has no memory for it while the sample is sorted; for
// each of Others once more if it has more than 16 different bytes. The plan is for a text in which any byte may occur:
// fewer different ones take less, and make fewer ranges. Of the options only what is wanted counts there, and each of
// Others plans for itself.
//
// Errors: those of SuffixArray, of Yield, Saved and the reader; a text that is none of bytes; a state of another text;
// a *device.MemoryError if not even one range fits; one for a text that ends before n bytes; ErrTextChanged.
func Sort(e *call.Engine, text input.Text, o Options) call.Job[Block, State] {
	n := text.Len()
	if wrong := Check(text); wrong != nil {
		return call.Refused[Block, State](e, wrong)
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
	j := call.Job[Block, State]{Engine: e,
		Operation: func() (call.Operation, error) {
			if _, err := o.engines(e); err != nil {
				return nil, err
			}
			return call.AsOperation(New[P](e, n, o.wanted()))
		},
		Planned: func(of call.Operation) error {
			r, ok := of.(*Ranged[P])
			if !ok || o.Planned == nil {
				return nil
			}
			return o.Planned(Plan{r.Phases, r.Sorter.Ranges(), r.Sorter.Period()})
		},
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
