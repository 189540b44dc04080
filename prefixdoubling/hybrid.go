package prefixdoubling

import (
	"context"
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/dc3"
	"github.com/suffixcl/suffixcl/internal/doubling"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/scan"
	"github.com/suffixcl/suffixcl/segsort"
)

// Phases of the hybrid besides phaseSort and phaseRank.
const (
	phaseSegments = "segmented sort"
	phaseMerge    = "merge"
)

// hybrid is skew around prefix doubling.
type hybrid struct {
	s    *device.Session
	n, m int // m suffixes in S12

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

// NewHybrid plans Wang, Baxter & Owens' hybrid and sizes its memory; Allocate takes it. Errors: n over suffixcl.MaxLen.
func NewHybrid(s *device.Session, n int) (*Sorter, error) {
	if err := limits.CheckLen("text", n, limits.MaxLen); err != nil {
		return nil, err
	}
	y := &hybrid{s: s, n: n, m: dc3.SplitOf(n).S12}
	if err := y.programs(); err != nil {
		return nil, err
	}
	return &Sorter{s, n, y.plan(), y}, nil
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

func (y *hybrid) programs() (err error) {
	s, shape := y.s, tuned.Of(y.s).Map
	y.step = dc3.NewStep[uint8](s, y.n, dc3.StepOptions{Slots: true})
	y.segments, err = segsort.New[uint64, uint32](s, y.m, segsort.Options{Strategy: segsort.BlockMerge})
	y.bitmap = segsort.NewHeads(s)
	y.update = scan.NewTemplate(s, y.m, hybridUpdate)
	y.split = scan.NewTemplate(s, y.m, splitTemplate)
	y.tile = shape.WG * shape.Items
	y.pairs = s.Program(pairsSource(*tuned.Of(s))).Kernel("hybrid_pairs", shape.WG)
	return err
}

// plan sizes the memory.
func (y *hybrid) plan() *device.Layout {
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
	y.ws = device.ReserveWorkspace(l, y.step.Workspace().Or(y.segments.Workspace(), y.update.Workspace(),
		y.split.Workspace()))
	return l
}

func (y *hybrid) sort(ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32],
	progress progress) error {
	n := text.Len()
	r := y.run(n, text, sa.View(0, n))
	report(progress, phaseSort, 0, n)
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
		report(progress, phaseSegments, r.m-unsorted, n)
		if unsorted == 0 { // line 6
			break
		}
		if err := doubling.CheckRound(y.s, round, unsorted, n); err != nil {
			return err
		}
		round++
		r.sortSegments(unsorted, d) // line 7
		r.updateISA(unsorted)       // line 8
		r.deriveGroups(unsorted, 0)
	}
	r.induceAndMerge() // lines 11 to 13
	report(progress, phaseMerge, n, n)
	return y.s.Err()
}

// hybridRun is the state of one Run.
type hybridRun struct {
	*hybrid
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

func (y *hybrid) run(n int, text *device.Buffer[uint8], sa *device.Buffer[uint32]) *hybridRun {
	s, m := y.s, dc3.SplitOf(n).S12
	return &hybridRun{
		hybrid: y, ws: y.ws.Workspace(s), m: m, text: text, sa: sa,
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
	r.s.Phase(phaseSort)
	keys, order := r.narrowKeys(), dc3.Pair{Cur: r.sa12, Alt: r.suffixes.Cur}
	r.step.SortSample(r.ws, r.text, symbolBits, &keys, &order)
	r.s.Phase(phaseRank)
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
	r.s.Phase(phaseSegments)
	// slot and suffix, two ranks at random, pair and suffix
	r.pairs.Launch(intmath.CeilDiv(unsorted, r.tile), int64(unsorted)*(4+4+2*32+12),
		r.usia.Cur, uint32(unsorted), r.sa12, r.ranks, uint32(r.m), uint64(d), r.keys.Cur, r.suffixes.Cur)
	r.bitmap.FromFlags(r.heads, r.ughf.Cur, unsorted)
	r.segments.Run(r.ws, &r.keys, &r.suffixes, r.heads, unsorted)
}

// updateISA puts the sorted suffixes into place and ranks them; the heads of the new
// groups are in UGHF.Alt.
func (r *hybridRun) updateISA(unsorted int) {
	r.s.Phase(phaseRank)
	// slot, flags, pair and suffix, its place, and the rank at random
	r.update.Run(r.ws, unsorted, 4+2+8+4+4+32,
		r.usia.Cur, r.ughf.Cur, r.keys.Cur, r.suffixes.Cur, r.sa12, r.ranks, r.ughf.Alt)
}

// induceAndMerge sorts S0 by S1 and merges.
func (r *hybridRun) induceAndMerge() {
	r.s.Phase(phaseSort)
	keys, s0 := r.narrowKeys(), dc3.Pair(r.usia)
	r.step.InduceS0(r.ws, r.text, symbolBits, r.sa12, r.ranks, &keys, &s0, r.counts)
	r.s.Phase(phaseMerge)
	r.step.Merge(r.ws, r.text, r.sa12, s0.Cur, r.ranks, r.sa)
}
