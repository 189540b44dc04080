package suffixcl

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/jobs/inranges"
	"github.com/suffixcl/suffixcl/internal/ranges"
)

// MaxRangesLen is the longest text that Ranges sorts, in bytes.
const MaxRangesLen = ranges.MaxLen

// RangeState is how far Ranges has come. It can be kept as JSON, and gone on with on another device.
type RangeState struct {
	Bounds  []int `json:"bounds"`  // suffixes that divide the suffix array into ranges, ascending
	Done    int   `json:"done"`    // ranges that were handed out
	First   int   `json:"first"`   // index of the first suffix of the next one
	Primary int   `json:"primary"` // index of the transform; 0 until its range is handed out
	LCP     int   `json:"lcp"`     // of the next suffix and the one before, if LCP arrays were wanted
}

// TransformLen is how many characters of the transform were handed out.
func (s RangeState) TransformLen() int {
	return ranges.State(s).TransformLen()
}

// RangeOptions of Ranges.
type RangeOptions struct {
	// Transform asks for the Burrows-Wheeler transform, too, LCP for the LCP array, and NoPositions for these without the
	// suffix array.
	Transform, LCP, NoPositions bool
	// Packed asks for positions of 5 bytes each, little-endian, which the device packs: SuffixBlock.Packed instead of
	// Positions. That is the fastest form of results beyond 2^32.
	Packed bool
	// Order of suffixes: OrderPlain or SpecialsLargest, of a suffix array alone, without From and Saved. The text is read
	// once more, before all else. Each stretch of specials takes up to 60 bytes of host memory, and 16 of the device if
	// results are packed. The plan is that of a text without specials where it is not in memory.
	Order Order
	// From is where an earlier run has ended: the same text, on any device. Blocks go on after it. The zero value begins
	// anew.
	From RangeState
	// Saved, if not nil, is told after each range how far the run has come. It is called as Yield is.
	Saved func(RangeState) error
	// Yield gets each block where All runs the job: in order, by another goroutine, while the next ones are sorted. A
	// block is valid until it returns. It may not call the engines: see ErrInCallback. Each has blocks for a loop instead.
	Yield func(SuffixBlock) error
	// Planned, if not nil, is told by Plan what the job takes, and may refuse it.
	Planned func(RangePlan) error
	// Sample, if it is not empty, is some of the text: 16 MiB, say, in pieces from all over it, and more for a fast GPU.
	// Plan sorts pieces of it on each device, in as many ranges as the text, and tells Planned how long the job will
	// take. That takes some seconds, and more where programs have to be built.
	Sample []byte
	// Others are engines of other devices, which sort ranges, too. Each takes the next range when it has sorted one, so
	// that the faster ones sort more.
	Others []*Engine
	// Anywhere has Yield called by several goroutines at a time, with blocks in any order: each has its places, LCP arrays
	// as SuffixBlock.LCPFirst tells. So results of several devices do not wait for each other. Neither From nor Saved goes
	// with it, nor WriteBlocks.
	Anywhere bool
}

// RangePlan is what Ranges takes.
type RangePlan struct {
	Memory device.MemoryPlan // phase by phase
	Ranges int               // about how many there are
	Period int               // of the difference cover that the sample has

	// With RangeOptions.Sample: how many bytes of it were sorted, and the time that is expected, by the clock. Reading and
	// writing of files are left out. Ranges are those of texts like the sample. Least is for a text that repeats itself as
	// the sample does, Most for one in which all suffixes tie for long with seven others.
	Sorted      int
	Least, Most time.Duration
}

// String is the table of the memory, with the number of ranges.
func (p RangePlan) String() string {
	return fmt.Sprintf("%sabout %s, a difference cover of period %d\n", p.Memory, bytesize.Count(p.Ranges, "range"),
		p.Period)
}

// SuffixBlock is a part of the results of Ranges.
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
func (e *Engine) Ranges(text Text, o RangeOptions) Job[SuffixBlock, RangeState] {
	if len(o.Sample) > 0 {
		return Job[SuffixBlock, RangeState]{measuring{e.ranges(text, o), e, text, o}}
	}
	return Job[SuffixBlock, RangeState]{e.ranges(text, o)}
}

func (e *Engine) ranges(text Text, o RangeOptions) run[SuffixBlock, RangeState] {
	state := func(s inranges.State) RangeState { return RangeState(s) }
	return jobOf(inranges.Sort(e.inner(), text.in, o.inner()), blockOf, state).of
}

// blockOf is a block of a job.
func blockOf(b inranges.Block) SuffixBlock {
	return SuffixBlock{First: b.First, Len: b.Len, Positions: b.Positions, Packed: b.Packed, LCP: b.LCP,
		Transform: b.Transform, TransformFirst: b.TransformFirst, LCPFirst: b.LCPFirst}
}

// inner is the block of a job.
func (b SuffixBlock) inner() inranges.Block {
	return inranges.Block{First: b.First, Len: b.Len, Positions: b.Positions, Packed: b.Packed, LCP: b.LCP,
		Transform: b.Transform, TransformFirst: b.TransformFirst, LCPFirst: b.LCPFirst}
}

// WriteBlocks is a function for RangeOptions.Yield that writes the results to w: what options want, one
// thing alone. Positions and LCP arrays are little-endian integers of width bytes: 4, 5 or 8. The transform is as it
// is. What a job that goes on from a state writes follows what it has written before.
//
// Errors: options that want several results or none; another width. The function's: those of w; an entry that needs
// more bytes.
func (o RangeOptions) WriteBlocks(w io.Writer, width int) (yield func(SuffixBlock) error, err error) {
	write, err := o.inner().WriteBlocks(w, width)
	if err != nil {
		return nil, public(err)
	}
	return func(b SuffixBlock) error { return write(b.inner()) }, nil
}

// measuring is Ranges whose plan measures a sample.
type measuring struct {
	run[SuffixBlock, RangeState]
	engine *Engine
	text   Text
	o      RangeOptions
}

func (m measuring) plan(ctx context.Context) (device.MemoryPlan, error) {
	var found RangePlan
	o := m.o
	o.Planned = func(p RangePlan) error {
		found = p
		return nil
	}
	plan, err := m.engine.ranges(m.text, o).plan(ctx)
	if err != nil {
		return nil, err
	}
	expected, err := inranges.Estimate(ctx, m.engine.inner(), o.Sample, m.text.Len(), o.inner())
	if err != nil {
		return nil, public(err)
	}
	found.Ranges, found.Sorted, found.Least, found.Most = expected.Ranges, expected.Sorted, expected.Least, expected.Most
	if m.o.Planned != nil {
		if err := m.o.Planned(found); err != nil {
			return nil, err
		}
	}
	return plan, nil
}

// inner are the options of the jobs.
func (o RangeOptions) inner() inranges.Options {
	in := inranges.Options{Transform: o.Transform, LCP: o.LCP, NoPositions: o.NoPositions, Packed: o.Packed,
		Order: o.Order.in, From: inranges.State(o.From), Anywhere: o.Anywhere}
	for _, other := range o.Others {
		in.Others = append(in.Others, other.inner())
	}
	if o.Saved != nil {
		in.Saved = func(s inranges.State) error { return o.Saved(RangeState(s)) }
	}
	if o.Yield != nil {
		in.Yield = func(b inranges.Block) error { return o.Yield(blockOf(b)) }
	}
	if o.Planned != nil {
		in.Planned = func(p inranges.Plan) error {
			return o.Planned(RangePlan{Memory: p.Memory, Ranges: p.Ranges, Period: p.Period})
		}
	}
	return in
}
