package prefixdoubling

import (
	"context"
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/dc3"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/scan"
	"github.com/suffixcl/suffixcl/segsort"
)

// Phases of the hybrid besides PhaseSort and PhaseRank.
const (
	PhaseSegments = "segmented sort"
	PhaseMerge    = "merge"
)

// HybridOptions are the parameters of [Hybrid].
type HybridOptions struct {
	// ByLength chooses the sort of a segment by its length (segsort.Auto) instead of
	// sorting all by the paper's segmented sort (segsort.BlockMerge). It takes 52.4 bytes
	// a character instead of 28.6.
	ByLength bool
	// Rounds is the most rounds of prefix doubling; a text that needs more is a
	// [RoundsError]. 0 is no limit: there are at most log3(n) of them.
	Rounds int
}

// Hybrid is a sorter for texts of up to n characters. It may be used again and again; it
// holds its device memory until Release.
type Hybrid struct {
	s      *device.Session
	n, m   int // m suffixes in S12
	o      HybridOptions
	layout *device.Layout

	// The arrays of hybrid.cl; pairs are ping-pong. S0 is sorted in keys and usia.
	sa12, ranks *device.Slot[uint32]
	keys        [2]*device.Slot[uint64]
	suffixes    [2]*device.Slot[uint32]
	usia        [2]*device.Slot[uint32]
	ughf        [2]*device.Slot[uint8]
	heads       *device.Slot[uint32]
	distinct    *device.Slot[uint32]
	counts      *device.Slot[uint64]
	ws          *device.WorkspaceSlot

	step     *dc3.Step[uint8]
	tile     int
	pairs    *device.Kernel
	bitmap   *segsort.Heads
	segments *segsort.Plan[uint64, uint32]
	update   *scan.Template
	split    *scan.Template
}

// NewHybrid plans the sorter and sizes its memory; Allocate takes it. Errors: n over device.MaxLen.
func NewHybrid(s *device.Session, n int, o HybridOptions) (*Hybrid, error) {
	if err := device.CheckLen("text", n, device.MaxLen); err != nil {
		return nil, err
	}
	y := &Hybrid{s: s, n: n, m: dc3.SplitOf(n).S12, o: o}
	if err := y.programs(); err != nil {
		return nil, err
	}
	y.plan()
	return y, nil
}

// The steps that hybrid.cl defines, each chosen by a macro.
var (
	hybridFiles  = []string{"hybrid.cl"}
	hybridUpdate = scan.TemplateOptions{
		Source:       device.Source{Files: hybridFiles, Defines: device.Defines{"HY_UPDATE": 1}},
		ElementBytes: 4,
	}
)

func pairsSource(set tune.Set) device.Source {
	return device.Source{Files: hybridFiles, Defines: device.Defines{
		"HY_PAIRS": 1,
		"WG":       set.Map.WG,
		"ITEMS":    set.Map.Items,
	}}
}

func (y *Hybrid) programs() (err error) {
	s, shape := y.s, tuned.Of(y.s).Map
	y.step = dc3.NewStep[uint8](s, y.n, dc3.StepOptions{Slots: true})
	strategy := segsort.BlockMerge
	if y.o.ByLength {
		strategy = segsort.Auto
	}
	y.segments, err = segsort.New[uint64, uint32](s, y.m, segsort.Options{Strategy: strategy})
	y.bitmap = segsort.NewHeads(s)
	y.update = scan.NewTemplate(s, y.m, hybridUpdate)
	y.split = scan.NewTemplate(s, y.m, splitTemplate)
	y.tile = shape.WG * shape.Items
	y.pairs = s.Program(pairsSource(*tuned.Of(s))).Kernel("hybrid_pairs", shape.WG)
	return err
}

// plan sizes the memory.
func (y *Hybrid) plan() {
	l := device.NewLayout("sort")
	y.sa12 = device.Reserve[uint32](l, "SA of S12", y.m)
	y.ranks = device.Reserve[uint32](l, "ISA of S12", y.m)
	for i := range y.keys {
		letter := 'A' + i
		y.keys[i] = device.Reserve[uint64](l, fmt.Sprintf("keys %c", letter), y.m)
		y.suffixes[i] = device.Reserve[uint32](l, fmt.Sprintf("suffixes %c", letter), y.m)
		y.usia[i] = device.Reserve[uint32](l, fmt.Sprintf("USIA %c", letter), y.m)
		y.ughf[i] = device.Reserve[uint8](l, fmt.Sprintf("UGHF %c", letter), y.m)
	}
	y.heads = device.Reserve[uint32](l, "heads", segsort.HeadWords(y.m))
	y.distinct = device.Reserve[uint32](l, "distinct triplets", 1)
	y.counts = device.Reserve[uint64](l, "unsorted count", 1)
	pieces := y.step.Workspace().Or(y.segments.Workspace(), y.update.Workspace(), y.split.Workspace())
	y.ws = device.ReserveWorkspace(l, pieces)
	y.layout = l
}

// Memory is the sorter's device memory, without text and result.
func (y *Hybrid) Memory() device.PhaseMemory { return y.layout.Memory() }

// Allocate takes the device memory.
func (y *Hybrid) Allocate() error { return y.layout.Allocate(y.s) }

// Release frees the device memory.
func (y *Hybrid) Release() { y.layout.Release(y.s) }

// Run sorts the suffixes of text[:n] into sa[:n], n being the length of the text.
// Allocate must have been called. It returns when the last round is known to be
// the last; sa may still be under way, as usual for enqueued work.
//
// Errors: a text longer than planned, more rounds than allowed ([RoundsError]), the
// context's, the device's (with the phase).
func (y *Hybrid) Run(
	ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32], progress Progress,
) error {
	n := text.Len()
	if err := checkRun(n, y.n, sa.Len()); err != nil {
		return err
	}
	if n == 0 {
		return y.s.Check(ctx)
	}
	r := y.run(n, text, sa.View(0, n))
	report(progress, PhaseSort, 0, n)
	r.sortSample()                   // lines 2 to 4
	r.deriveGroups(r.m, 1)           // line 5
	for d, round := 1, 0; ; d *= 3 { // h is 3d; a pair of ranks makes it three times as long
		if err := y.s.Check(ctx); err != nil {
			return err
		}
		var counts [1]uint64
		if err := r.counts.Read(counts[:]); err != nil {
			return err
		}
		unsorted := int(uint32(counts[0])) // line 9
		report(progress, PhaseSegments, r.m-unsorted, n)
		if unsorted == 0 { // line 6
			break
		}
		if err := CheckRound(y.s, round, y.o.Rounds, unsorted, n); err != nil {
			return err
		}
		round++
		r.sortSegments(unsorted, d) // line 7
		r.updateISA(unsorted)       // line 8
		r.deriveGroups(unsorted, 0)
	}
	r.induceAndMerge() // lines 11 to 13
	report(progress, PhaseMerge, n, n)
	return y.s.Err()
}

// hybridRun is the state of one Run.
type hybridRun struct {
	*Hybrid
	ws              *device.Workspace
	m               int
	text            *device.Buffer[uint8]
	sa, sa12, ranks *device.Buffer[uint32]
	keys            radixsort.Pair[uint64]
	suffixes        radixsort.Pair[uint32]
	usia            pingPong[uint32]
	ughf            pingPong[uint8]
	heads, distinct *device.Buffer[uint32]
	counts          *device.Buffer[uint64]
}

func (y *Hybrid) run(n int, text *device.Buffer[uint8], sa *device.Buffer[uint32]) *hybridRun {
	s, m := y.s, dc3.SplitOf(n).S12
	return &hybridRun{
		Hybrid: y, ws: y.ws.Workspace(s), m: m, text: text, sa: sa,
		sa12: y.sa12.Buffer(s).View(0, m), ranks: y.ranks.Buffer(s).View(0, m),
		keys:     radixsort.Pair[uint64](pairOf(s, y.keys)),
		suffixes: radixsort.Pair[uint32](pairOf(s, y.suffixes)),
		usia:     pairOf(s, y.usia), ughf: pairOf(s, y.ughf),
		heads: y.heads.Buffer(s), distinct: y.distinct.Buffer(s), counts: y.counts.Buffer(s),
	}
}

// symbolBits of a text of bytes.
const symbolBits = 8

// narrowKeys are the buffers of the keys for keys of 32 bits.
func (r *hybridRun) narrowKeys() dc3.Pair {
	return dc3.Pair{Cur: device.Reinterpret[uint32](r.keys.Cur), Alt: device.Reinterpret[uint32](r.keys.Alt)}
}

// sortSample sorts S12 by triplets and ranks it; the heads of the groups are in UGHF.Alt.
func (r *hybridRun) sortSample() {
	r.s.Phase(PhaseSort)
	keys, order := r.narrowKeys(), dc3.Pair{Cur: r.sa12, Alt: r.suffixes.Cur}
	r.step.SortSample(r.ws, r.text, symbolBits, &keys, &order)
	r.s.Phase(PhaseRank)
	r.step.Heads(r.text, symbolBits, keys.Cur, r.sa12, r.ughf.Alt, r.distinct)
	r.step.Rank(r.ws, r.ughf.Alt, r.sa12, r.ranks, r.suffixes)
}

// deriveGroups makes USIA and UGHF of the heads in UGHF.Alt, as in GPU-LS; the lists of
// heads and tails are not needed.
func (r *hybridRun) deriveGroups(unsorted int, first uint32) {
	scratch := r.narrowKeys()
	r.split.Run(r.ws, unsorted, 2*5+4, first,
		r.usia.Cur, r.ughf.Alt, r.usia.Alt, r.ughf.Cur, scratch.Cur, scratch.Alt, uint64(unsorted), r.counts)
	r.usia.swap()
}

// sortSegments sorts inside the groups by the pairs of ranks.
func (r *hybridRun) sortSegments(unsorted, d int) {
	r.s.Phase(PhaseSegments)
	// slot and suffix, two ranks at random, pair and suffix
	r.pairs.Launch(intmath.CeilDiv(unsorted, r.tile), int64(unsorted)*(4+4+2*32+12),
		r.usia.Cur, uint32(unsorted), r.sa12, r.ranks, uint32(r.m), uint64(d), r.keys.Cur, r.suffixes.Cur)
	r.bitmap.FromFlags(r.heads, r.ughf.Cur, unsorted)
	r.segments.Run(r.ws, &r.keys, &r.suffixes, r.heads, unsorted)
}

// updateISA puts the sorted suffixes into place and ranks them; the heads of the new
// groups are in UGHF.Alt.
func (r *hybridRun) updateISA(unsorted int) {
	r.s.Phase(PhaseRank)
	// slot, flags, pair and suffix, its place, and the rank at random
	r.update.Run(r.ws, unsorted, 4+2+8+4+4+32,
		r.usia.Cur, r.ughf.Cur, r.keys.Cur, r.suffixes.Cur, r.sa12, r.ranks, r.ughf.Alt)
}

// induceAndMerge sorts S0 by S1 and merges.
func (r *hybridRun) induceAndMerge() {
	r.s.Phase(PhaseSort)
	keys, s0 := r.narrowKeys(), dc3.Pair(r.usia)
	r.step.InduceS0(r.ws, r.text, symbolBits, r.sa12, r.ranks, &keys, &s0, r.counts)
	r.s.Phase(PhaseMerge)
	r.step.Merge(r.ws, r.text, r.sa12, s0.Cur, r.ranks, r.sa)
}
