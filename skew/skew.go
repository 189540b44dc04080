package skew

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/dc3"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Sorter sorts the suffixes of texts of up to n characters. It may be used again and
// again; it holds its device memory until Release.
type Sorter struct {
	s        *device.Session
	n, small int
	deoKeely bool
	layout   *device.Layout

	// ranks are those of S12 on each level, which are the text of the next one. suffixes and
	// the result are a pair: one holds the suffix array of a level, the other that of the next
	// one, in turns. keys, order and half are what the sorts of a level need besides what
	// these hold. distinct and kept are counts.
	ranks     []home
	suffixes  *device.Slot[uint32]
	keys      *device.Slot[uint32]
	order     *device.Slot[uint32]
	half      *device.Slot[uint32]
	distinct  *device.Slot[uint32]
	kept      *device.Slot[uint64]
	workspace *device.WorkspaceSlot

	top        *dc3.Step[uint8]
	below      *dc3.Step[uint32]
	smallTop   *device.Kernel
	smallBelow *device.Kernel
}

// New plans Wang, Baxter & Owens' skew for texts of up to n characters and sizes its
// memory; Allocate takes it. Errors: n over suffixcl.MaxLen.
func New(s *device.Session, n int) (*Sorter, error) { return newSorter(s, n, false) }

// NewDeoKeely is New for Deo & Keely's algorithm.
func NewDeoKeely(s *device.Session, n int) (*Sorter, error) { return newSorter(s, n, true) }

func newSorter(s *device.Session, n int, deoKeely bool) (*Sorter, error) {
	if err := limits.CheckLen("text", n, limits.MaxLen); err != nil {
		return nil, err
	}
	k := &Sorter{s: s, n: n, small: tuned.Of(s).Skew.Small, deoKeely: deoKeely}
	k.programs()
	k.plan()
	return k, nil
}

func (k *Sorter) programs() {
	k.smallTop, k.smallBelow = dc3.NewSmall[uint8](k.s), dc3.NewSmall[uint32](k.s)
	if k.n > k.small {
		k.top = dc3.NewStep[uint8](k.s, k.n, dc3.StepOptions{DeoKeely: k.deoKeely})
		k.below = dc3.NewStep[uint32](k.s, dc3.SplitOf(k.n).S12, dc3.StepOptions{DeoKeely: k.deoKeely})
	}
}

// plan reserves the memory of all levels.
func (k *Sorter) plan() {
	l := device.NewLayout("sort")
	k.layout = l
	if k.n <= k.small {
		return
	}
	split := dc3.SplitOf(k.n)
	k.suffixes = device.Reserve[uint32](l, "suffixes", split.S12)
	k.keys = device.Reserve[uint32](l, "keys", split.S12)
	k.order = device.Reserve[uint32](l, "order", split.S12)
	k.half = device.Reserve[uint32](l, "order of S0", split.S0)
	k.placeRanks(split.S12)
	k.distinct = device.Reserve[uint32](l, "distinct triplets", 1)
	k.kept = device.Reserve[uint64](l, "suffixes in S0", 1)
	k.workspace = device.ReserveWorkspace(l, k.top.Workspace().Or(k.below.Workspace()))
}

// home is where the ranks of a level are: in a buffer, from a place on.
type home struct {
	slot *device.Slot[uint32]
	from int
}

// placeRanks finds a home for the ranks of each level, which are in use on it and on those
// below. There keys and order are needed at their start only, as far as ranks of that level
// would take; so the ranks of the third level and below are at their ends. Those of the
// second are after what the levels below use of the result, and have a home of their own
// for texts that are too short for that. length is that of keys and of order.
func (k *Sorter) placeRanks(length int) {
	ends := []home{{k.keys, length}, {k.order, length}}
	for n := k.n; n > k.small; {
		n = dc3.SplitOf(n).S12
		level, need := len(k.ranks), n
		if level == 1 {
			need = min(n, shortRanks)
		}
		if level > 1 {
			if e := slices.IndexFunc(ends, func(e home) bool { return e.from >= 2*n }); e >= 0 {
				ends[e].from -= n
				k.ranks = append(k.ranks, ends[e])
				continue
			}
		}
		k.ranks = append(k.ranks, home{slot: device.Reserve[uint32](k.layout, fmt.Sprintf("ranks %d", level), need)})
	}
}

// shortRanks is more than the ranks of the second level that are more than half of the text:
// dc3.SplitOf(dc3.SplitOf(n).S12).S12 <= (4n + 20) / 9.
const shortRanks = 32

// ranksOf are the m ranks of a level.
func (r *run) ranksOf(level, m int) *device.Buffer[uint32] {
	if level == 1 && 2*m <= r.n {
		return r.sa.View(r.n-m, m)
	}
	h := r.ranks[level]
	return h.slot.Buffer(r.s).View(h.from, m)
}

// Memory is the sorter's device memory, without text and result.
func (k *Sorter) Memory() device.PhaseMemory { return k.layout.Memory() }

// Allocate takes the device memory.
func (k *Sorter) Allocate() error { return k.layout.Allocate(k.s) }

// Release frees the device memory; Allocate may take it again.
func (k *Sorter) Release() { k.layout.Release(k.s) }

// Run sorts the suffixes of text[:n] into sa[:n], n being the length of the text.
// Allocate must have been called. It returns when the last step has been enqueued; sa may
// still be under way.
//
// Errors: a text longer than planned, the context's, the device's (with the phase).
func (k *Sorter) Run(
	ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32],
	progress func(phase string, done, total int64),
) error {
	n := text.Len()
	if n > k.n || sa.Len() < n {
		return fmt.Errorf("skew: text of %d bytes, suffix array of %d entries, planned for %d", n, sa.Len(), k.n)
	}
	if n == 0 {
		return k.s.Check(ctx)
	}
	r := &run{Sorter: k, ctx: ctx, n: n, sa: sa.View(0, n), progress: progress}
	var suffixes *device.Buffer[uint32]
	if n > k.small {
		r.keys, r.order, r.half = k.keys.Buffer(k.s), k.order.Buffer(k.s), k.half.Buffer(k.s)
		r.distinct, r.kept, r.ws = k.distinct.Buffer(k.s), k.kept.Buffer(k.s), k.workspace.Workspace(k.s)
		suffixes = k.suffixes.Buffer(k.s)
	}
	return sort(r, k.top, k.smallTop, 0, text, 8, r.sa, suffixes)
}

// run is the state of one Run.
type run struct {
	*Sorter
	ctx               context.Context
	n                 int
	sa                *device.Buffer[uint32]
	progress          func(phase string, done, total int64)
	keys, order, half *device.Buffer[uint32]
	distinct          *device.Buffer[uint32]
	kept              *device.Buffer[uint64]
	ws                *device.Workspace
}

// report tells the progress before the work on a level of n symbols, or after it.
func (r *run) report(phase string, n int, after bool) {
	if r.progress == nil {
		return
	}
	done := r.n - n
	if after {
		done = r.n + n
	}
	r.progress(phase, int64(done)/2, int64(r.n))
}

// sort is Figure 4, for a level: it sorts the suffixes of text, whose symbols are below
// 2^symbolBits, into sa, which is as long. What sa and spare held is lost; the lines are
// those of skew-SA.
func sort[T dc3.Symbol](
	r *run, step *dc3.Step[T], small *device.Kernel, level int, text *device.Buffer[T], symbolBits int,
	sa, spare *device.Buffer[uint32],
) error {
	n := text.Len()
	if err := r.s.Check(r.ctx); err != nil {
		return err
	}
	r.report(dc3.PhaseSort, n, false)
	if n <= r.small {
		r.s.Phase(dc3.PhaseOther)
		small.Launch(1, int64(n)*8, text.Args(), uint32(n), sa)
		r.report(dc3.PhaseOther, n, true)
		return r.s.Err()
	}
	m := dc3.SplitOf(n).S12
	sa12, ranks := spare.View(0, m), r.ranksOf(level, m)

	r.s.Phase(dc3.PhaseSort)
	keys, order := dc3.Pair{Cur: sa, Alt: r.keys}, dc3.Pair{Cur: sa12, Alt: r.order}
	step.SortSample(r.ws, text, symbolBits, &keys, &order) // lines 2 to 5
	r.s.Phase(dc3.PhaseRank)
	flags, scratch := device.Reinterpret[uint8](keys.Alt), dc3.Pair{Cur: keys.Cur, Alt: order.Alt}
	step.Heads(text, symbolBits, keys.Cur, sa12, flags, r.distinct) // line 6
	if r.deoKeely {
		step.Rank(r.ws, flags, sa12, ranks, scratch)
	}
	var distinct [1]uint32
	if err := r.distinct.Read(distinct[:]); err != nil {
		return err
	}
	switch {
	case int(distinct[0]) < m:
		if !r.deoKeely {
			step.Rank(r.ws, flags, sa12, ranks, scratch) // line 7
		}
		if err := sort(r, r.below, r.smallBelow, level+1, ranks, bits.Len32(distinct[0]), sa12, sa); err != nil { // line 8
			return err
		}
		r.s.Phase(dc3.PhaseRank)
		step.StoreRanks(r.ws, sa12, ranks, scratch) // line 9
	case r.deoKeely:
		step.FromRanks(ranks, sa12) // line 11 of dk-SA
	default:
		step.StoreRanks(r.ws, sa12, ranks, scratch)
	}
	if err := r.s.Check(r.ctx); err != nil {
		return err
	}
	r.s.Phase(dc3.PhaseSort)
	keys, s0 := dc3.Pair{Cur: sa, Alt: r.keys}, dc3.Pair{Cur: r.order, Alt: r.half}
	step.InduceS0(r.ws, text, symbolBits, sa12, ranks, &keys, &s0, r.kept) // lines 10, 11
	r.s.Phase(dc3.PhaseMerge)
	step.Merge(r.ws, text, sa12, s0.Cur, ranks, sa) // line 12
	r.report(dc3.PhaseMerge, n, true)
	return r.s.Err()
}
