package distributed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/ranges"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// RangeOptions of SuffixRangesAt, the same on all ranks.
type RangeOptions struct {
	// Transform asks for the Burrows-Wheeler transform, too, LCP for the LCP array, and NoPositions for these without the
	// suffix array.
	Transform, LCP, NoPositions bool
}

// RangeKeeper keeps what ranks finish, so that a later run goes on from there. On other ranks than 0 only Flush counts.
type RangeKeeper struct {
	// From is the state of an earlier run with the same text and options. Its finished ranges are not sorted.
	From RangeState
	// Flush, if not nil, keeps what yield was given on this rank. A range counts as finished when it has returned.
	Flush func() error
	// Saved, if not nil, keeps a state. It is called after each range, one call at a time; the state is valid until it
	// returns.
	Saved func(RangeState) error
}

// SuffixRangesAt sorts a text of n bytes in ranges: package ranges. Each rank calls yield with what it has sorted, in
// ascending blocks that tell their places; together they have all. A block of the LCP array has the entry of the slot
// after each suffix. yield is called by another goroutine; a block is valid until it returns. primary is the primary
// index as BWT has it.
//
// Every rank has the same file, of which the ranks of a node read a part each, once: the node has the text in memory.
// Every rank ranks the sample. Ranges are handed out: a rank that has sorted one gets the next. All ranks call it. The
// options of the builder count, but for Algorithm and Distributed. Memory: PlanRanges. With a keeper, whose zero value
// keeps nothing, primary is that of the whole result, also where an earlier run has found it.
//
// Errors: a *RankError; on the rank itself those of Engine.Ranges, of the keeper, and for a state of another text;
// ErrDiffer.
func (b *Builder) SuffixRangesAt(ctx context.Context, text io.ReaderAt, n int, o RangeOptions, k RangeKeeper,
	yield func(suffixcl.SuffixBlock) error) (primary int, err error) {
	r, err := b.beginRanges(ctx, n, o)
	if err != nil || n == 0 {
		return 0, err
	}
	defer r.end(time.Now())
	err = k.From.check(n)
	if yield == nil || text == nil {
		err = call.ErrNoFunction
	}
	if err := r.agreed(err); err != nil {
		return 0, err
	}
	if r.n >= widePositions || n > limits.MaxLen {
		return rangesOverRanks[uint64](r, text, o, k, yield)
	}
	return rangesOverRanks[uint32](r, text, o, k, yield)
}

// PlanRanges is the memory that SuffixRangesAt takes on this rank for a text of n bytes, any of which may occur, if the
// node has the text once. Ranks that share a device have a part of it each. All ranks call it.
//
// Errors, on all ranks: a *RankError; on the rank itself a *device.LengthError, or a *device.MemoryError if not even
// one range fits.
func (b *Builder) PlanRanges(ctx context.Context, n int, o RangeOptions) (plan suffixcl.RangePlan, err error) {
	r, err := b.beginRanges(ctx, n, o)
	if err != nil || n == 0 {
		return plan, err
	}
	node, err := r.node()
	if err != nil {
		return plan, err
	}
	if r.n >= widePositions || n > limits.MaxLen {
		return planRangesOf[uint64](r, node, o)
	}
	return planRangesOf[uint32](r, node, o)
}

func planRangesOf[P position](r *rank, node *node, o RangeOptions) (plan suffixcl.RangePlan, err error) {
	p, err := newRangesPlan[P](r, node, 8, o)
	if err != nil {
		return plan, err
	}
	return suffixcl.RangePlan{Memory: p.sorter.Memory(), Ranges: p.sorter.Ranges(), Period: p.sorter.Period()}, nil
}

// beginRanges finds out that all ranks want the same.
func (b *Builder) beginRanges(ctx context.Context, n int, o RangeOptions) (*rank, error) {
	if b.comm == nil {
		return nil, errNoSession
	}
	b.stats = Stats{}
	r := &rank{Builder: b, ctx: ctx, n: uint64(max(n, 0))}
	type call struct {
		Operation [16]byte
		N         int64
		Text      uint64
		Options   RangeOptions
		Ready     bool // has a session
	}
	mine := call{Ready: b.session != nil, N: int64(n), Text: b.options.Text, Options: o}
	copy(mine.Operation[:], "suffix ranges")
	all, err := gathered(r, mine)
	if err != nil {
		return nil, err
	}
	if q := slices.IndexFunc(all, func(c call) bool { return c != all[0] }); q >= 0 {
		return nil, fmt.Errorf("%w: rank 0 and rank %d", ErrDiffer, q)
	}
	if !mine.Ready {
		return nil, errNoSession // on all ranks
	}
	if err := limits.CheckLen("text", n, suffixcl.MaxRangesLen); err != nil {
		return nil, err // on all ranks
	}
	return r, nil
}

// node is the node of a rank.
type node struct {
	ranks   []int // of this node, ascending
	me      int   // the number of this rank among them
	sharers int   // ranks that have the device of this one
}

// node asks the other ranks where they are.
func (r *rank) node() (*node, error) {
	all, err := r.identities()
	if err != nil {
		return nil, err
	}
	n, me := new(node), r.comm.Rank()
	for q, of := range all {
		if q == me {
			n.me = len(n.ranks)
		}
		if of.Leader != all[me].Leader {
			continue
		}
		n.ranks = append(n.ranks, q)
		if of.Device == all[me].Device { // that of CPUs is 0: ranks on them share the memory of the node
			n.sharers++
		}
	}
	return n, nil
}

// rangeCapacity is the most suffixes of a range; 0: by memory. Set by tests.
var rangeCapacity = 0

// rangesPlan is a sorter of this rank, of the same period as the others have.
type rangesPlan[P position] struct {
	sorter   *ranges.Sorter[P]
	capacity int // the least of all ranks
}

func newRangesPlan[P position](r *rank, node *node, width int, o RangeOptions) (p *rangesPlan[P], err error) {
	p = &rangesPlan[P]{}
	options := ranges.Options{Width: width, Capacity: rangeCapacity, Transform: o.Transform, LCP: o.LCP,
		NoPositions: o.NoPositions}
	if node.sharers > 1 {
		options.Memory = r.session.Caps().Available() / int64(node.sharers)
	}
	type offer struct{ Period, Dense, Capacity int64 }
	for {
		tuned.Forget(r.session)
		p.sorter, err = ranges.New[P](r.session, int(r.n), options)
		if err == nil {
			err = p.sorter.Memory().Fits(r.session)
		}
		if err := r.agreed(err); err != nil {
			return nil, err
		}
		all, err := gathered(r, offer{int64(p.sorter.Period()), int64(p.sorter.Dense()), int64(p.sorter.Capacity())})
		if err != nil {
			return nil, err
		}
		least, most := all[0], all[0]
		for _, o := range all {
			least.Period, least.Capacity = min(least.Period, o.Period), min(least.Capacity, o.Capacity)
			most.Period, most.Dense = max(most.Period, o.Period), max(most.Dense, o.Dense)
		}
		if least.Period == most.Period {
			p.capacity = int(least.Capacity)
			return p, nil
		}
		options.Period, options.Dense = int(most.Period), int(most.Dense) // which take the least memory
	}
}

// readOnce has the ranks of each node read the text into memory of the node, which has to be freed.
func (r *rank) readOnce(file io.ReaderAt, node *node) (Memory, *ranges.Text, error) {
	r.report("read", 0, int64(r.n))
	n := int(r.n)
	memory, err := r.comm.Shared(r.ctx, n)
	if err := r.agreed(err); err != nil {
		return nil, nil, err
	}
	text := memory.Bytes()
	unit := func(k uint64) int { return min(int(k)*ranges.SurveyUnit, n) }
	first, end := Bounds(uint64(intmath.CeilDiv(n, ranges.SurveyUnit)), len(node.ranks), node.me)
	from, to := unit(first), unit(end)
	if err = r.agreed(readPart(r.ctx, file, text, from, to)); err != nil {
		return nil, nil, errors.Join(err, memory.Free())
	}
	all, err := gathered(r, ranges.SurveyOf(text, from, to))
	if err != nil {
		return nil, nil, err
	}
	if err := r.fence(memory); err != nil {
		return nil, nil, err
	}
	sums := make([]uint64, r.comm.Size()) // by the leader of the node
	var survey ranges.Survey
	leaders, err := gathered(r, uint64(memory.Leader()))
	if err != nil {
		return nil, nil, err
	}
	for q, leader := range leaders {
		sums[leader] += all[q].Sum
		if int(leader) == memory.Leader() {
			survey.Add(&all[q])
		}
	}
	for _, leader := range leaders {
		if sums[leader] != sums[0] {
			err := fmt.Errorf("%w: the text is not the same on rank 0 and rank %d", ErrDiffer, leader)
			return nil, nil, errors.Join(err, memory.Free())
		}
	}
	return memory, ranges.Surveyed(text, &survey), nil
}

// readAtOnce is how many bytes are read between looks at the context.
const readAtOnce = 64 << 20

// readPart reads bytes from to to of a text.
func readPart(ctx context.Context, file io.ReaderAt, text []byte, from, to int) error {
	for from < to {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		part := text[from:min(from+readAtOnce, to)]
		got, err := file.ReadAt(part, int64(from))
		from += got
		switch {
		case got == len(part):
		case err == io.EOF:
			return fmt.Errorf("the text ends after %d bytes of %d", from, len(text))
		default:
			return fmt.Errorf("reading the text at %d: %w", from, err)
		}
	}
	return nil
}

// rangesOverRanks sorts the ranges of this rank.
func rangesOverRanks[P position](r *rank, file io.ReaderAt, o RangeOptions, k RangeKeeper,
	yield func(suffixcl.SuffixBlock) error) (primary int, err error) {
	node, err := r.node()
	if err != nil {
		return 0, err
	}
	memory, text, err := r.readOnce(file, node)
	if err != nil {
		return 0, err
	}
	defer memory.Free()
	p, err := newRangesPlan[P](r, node, text.Width(), o)
	if err != nil {
		return 0, err
	}
	tuned.BuildAhead(r.session)
	ctx, cancel := context.WithCancelCause(r.ctx)
	defer cancel(nil)
	s, err := newSeat(r, cancel, k)
	if err != nil {
		return 0, err
	}
	var bounds []int // nil: they are chosen
	if len(k.From.Sizes) > 0 {
		bounds = append([]int{}, k.From.Bounds...)
	}
	job := p.job(r, s, bounds, yield)
	began, waited := time.Now(), r.stats.Communication
	state, err := p.sorter.RunText(ctx, text, job)
	if !s.shared {
		_, err = s.Share(ctx, ranges.Split{}, err)
	}
	r.stats.Sort += time.Since(began) - (r.stats.Communication - waited)
	r.stats.Ranges = p.sorter.Sorted()
	switch failure := s.end(); {
	case s.agreed:
		return 0, err
	case failure != nil:
		return 0, errorsOr(err, failure)
	}
	if err == nil {
		err = s.failure() // of Saved, after this rank's last range
	}
	if err == nil {
		err = s.complete()
	}
	told := err
	if errors.Is(err, errStopped) {
		told = nil // another rank tells why
	}
	if told = r.agreed(told); told != nil || err != nil {
		return 0, errorsOr(told, err)
	}
	all, err := gathered(r, uint64(max(state.Primary, k.From.Primary)))
	if err != nil {
		return 0, err
	}
	return int(slices.Max(all)), nil
}

// job is the job that this rank sorts.
func (p *rangesPlan[P]) job(r *rank, s *seat, bounds []int, yield func(suffixcl.SuffixBlock) error) ranges.Job[P] {
	of := &ranges.Ranks{Leads: r.comm.Rank() == 0, Count: r.comm.Size(), Capacity: p.capacity, Bounds: bounds,
		Share: s.Share, Desk: s}
	wide := func(memory *[]uint64, from []P) []uint64 {
		if from == nil {
			return nil
		}
		if len(*memory) < len(from) {
			*memory = make([]uint64, len(from))
		}
		widen((*memory)[:len(from)], from)
		return (*memory)[:len(from)]
	}
	var memory [2][]uint64
	return ranges.Job[P]{Ranks: of, Progress: r.report, Yield: func(b ranges.Block[P]) error {
		r.stats.Share += b.Len
		return yield(suffixcl.SuffixBlock{First: b.First, Len: b.Len, Positions: wide(&memory[0], b.Positions),
			Transform: b.Transform, LCP: wide(&memory[1], b.LCP), TransformFirst: b.TransformFirst, LCPFirst: b.LCPFirst})
	}}
}
