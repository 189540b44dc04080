package prefixdoubling

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/doubling"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/scan"
	"github.com/suffixcl/suffixcl/segsort"
)

// maxR1 bounds R1 by local memory: 8 bytes a suffix.
const maxR1 = 2048

// checkParameters checks what tests and experiments may set.
func checkParameters(t tune.GPULS) error {
	switch {
	case t.R1 < 2 || t.R1 > maxR1 || t.R1&(t.R1-1) != 0:
		return fmt.Errorf("prefixdoubling: R1 is %d, want a power of two from 2 to %d", t.R1, maxR1)
	case t.R2 < t.R1 || t.R2 > limits.MaxLen:
		return fmt.Errorf("prefixdoubling: R2 is %d, want at least R1, %d", t.R2, t.R1)
	case t.Medium < tune.MediumGlobal || t.Medium > tune.MediumRadix:
		return fmt.Errorf("prefixdoubling: unknown sort %d of M groups", t.Medium)
	}
	return checkH0(t.H0)
}

// gpuls sorts each group of equal prefixes by itself.
type gpuls struct {
	s *device.Session
	n int
	o tune.GPULS

	// The paper's arrays, which gpuls.cl describes; the pairs are ping-pong. suffixes is
	// the second half of the pairs that M and L groups are copied to.
	order      *hOrder
	uska       *device.Slot[uint32]
	usia       [2]*device.Slot[uint32]
	ughf       [2]*device.Slot[uint8]
	ugha, ugta *device.Slot[uint32]
	groups     *device.Slot[uint64]
	offsets    *device.Slot[uint32]
	table      *device.Slot[uint32]
	counts     *device.Slot[uint64]
	suffixes   *device.Slot[uint32]
	heads      *device.Slot[uint32]
	ws         *device.WorkspaceSlot

	divide    *radixsort.Plan[uint32, uint64]
	tabulate  *scan.Template
	small     *device.Kernel
	smallTile int
	copyTile  int
	out, back [2]*device.Kernel               // for 32-bit and 64-bit keys
	mGlobal   *radixsort.Plan[uint64, uint32] // one of the three
	mMerge    *segsort.Plan[uint32, uint32]
	mRadix    *radixsort.Segments
	large     *radixsort.Plan[uint32, uint32]
	update    *scan.Template
	split     *scan.Template
}

// NewGPULS plans GPU-LS and sizes its memory; Allocate takes it. Errors: n over suffixcl.MaxLen.
func NewGPULS(s *device.Session, n int) (*Sorter, error) {
	if err := limits.CheckLen("text", n, limits.MaxLen); err != nil {
		return nil, err
	}
	g := &gpuls{s: s, n: n, o: tuned.Of(s).GPULS}
	if err := checkParameters(g.o); err != nil {
		return nil, err
	}
	if err := g.programs(); err != nil {
		return nil, err
	}
	return &Sorter{s, n, g.plan(), g}, nil
}

// plan sizes the memory. Groups that are not alone have two suffixes at least.
func (g *gpuls) plan() *device.Layout {
	l := device.NewLayout("sort")
	g.order.reserve(l)
	g.uska = device.Reserve[uint32](l, "USKA", g.n)
	for i := range g.usia {
		g.usia[i] = device.Reserve[uint32](l, fmt.Sprintf("USIA %c", 'A'+i), g.n)
		g.ughf[i] = device.Reserve[uint8](l, fmt.Sprintf("UGHF %c", 'A'+i), g.n)
	}
	g.ugha = device.Reserve[uint32](l, "UGHA", g.n/2)
	g.ugta = device.Reserve[uint32](l, "UGLA (tails)", g.n/2)
	g.groups = device.Reserve[uint64](l, "groups by type", g.n/2)
	g.offsets = device.Reserve[uint32](l, "offsets", g.maxMedium())
	g.table = device.Reserve[uint32](l, "table of types", 2*tableTypes)
	g.counts = device.Reserve[uint64](l, "unsorted count", 1)
	g.suffixes = device.Reserve[uint32](l, "suffixes B", g.n)
	pieces := g.order.workspace().Or(g.divide.Workspace(), g.tabulate.Workspace(), g.large.Workspace(),
		g.update.Workspace(), g.split.Workspace())
	switch {
	case g.mGlobal != nil:
		pieces = pieces.Or(g.mGlobal.Workspace())
	case g.mMerge != nil:
		g.heads = device.Reserve[uint32](l, "heads of M groups", segsort.HeadWords(g.n))
		pieces = pieces.Or(g.mMerge.Workspace())
	default:
		pieces = pieces.Or(g.mRadix.Workspace())
	}
	g.ws = device.ReserveWorkspace(l, pieces)
	return l
}

// maxMedium bounds the groups of type M and L.
func (g *gpuls) maxMedium() int { return max(g.n/(g.o.R1+1), 1) }

// tableTypes is TYPES of gpuls.cl.
const tableTypes = 16

// The steps that gpuls.cl defines, each chosen by a macro.
var (
	lsFiles        = []string{"gpuls.cl"}
	divideTemplate = device.Source{Files: lsFiles, Defines: device.Defines{"LS_DIVIDE": 1}}
	tableTemplate  = scan.TemplateOptions{Source: device.Source{Files: lsFiles, Defines: device.Defines{"LS_TABLE": 1}},
		ElementBytes: 8}
	updateTemplate = scan.TemplateOptions{Source: device.Source{Files: lsFiles, Defines: device.Defines{"LS_UPDATE": 1}},
		ElementBytes: 4}
	splitTemplate = scan.TemplateOptions{Source: device.Source{Files: lsFiles, Defines: device.Defines{"LS_SPLIT": 1}},
		ElementBytes: 8}
)

func smallTile(t tune.GPULS, r1 int) int { return max(t.WG*t.Items, r1) }

func smallSource(set tune.Set, r1 int) device.Source {
	return device.Source{Files: lsFiles, Defines: device.Defines{
		"LS_SMALL": 1,
		"WG":       set.GPULS.WG,
		"TILE":     smallTile(set.GPULS, r1),
	}}
}

func copySource(set tune.Set, wide int) device.Source {
	return device.Source{Files: lsFiles, Defines: device.Defines{
		"LS_COPY": 1,
		"WG":      set.Map.WG,
		"ITEMS":   set.Map.Items,
		"K":       []string{"uint", "ulong"}[wide],
		"K64":     wide,
	}}
}

func (g *gpuls) programs() (err error) {
	s, n, set := g.s, g.n, *tuned.Of(g.s)
	g.order = newHOrder(s, n, true, g.o.H0 > keyCharacters)
	g.divide = radixsort.NewTemplate[uint32, uint64](s, n/2, divideTemplate).Reads(8, 0)
	g.large = radixsort.NewPairs[uint32, uint32](s, n)
	switch g.o.Medium {
	case tune.MediumGlobal:
		g.mGlobal = radixsort.NewPairs[uint64, uint32](s, n)
	case tune.MediumMerge:
		g.mMerge, err = segsort.New[uint32, uint32](s, n, segsort.Options{Strategy: segsort.BlockMerge, Longest: g.o.R2})
	default:
		g.mRadix = radixsort.NewSegments(s, n, g.maxMedium())
	}
	g.tabulate = scan.NewTemplate(s, n/2, tableTemplate)
	g.update = scan.NewTemplate(s, n, updateTemplate)
	g.split = scan.NewTemplate(s, n, splitTemplate)
	g.smallTile, g.copyTile = smallTile(set.GPULS, g.o.R1), set.Map.WG*set.Map.Items
	g.small = s.Program(smallSource(set, g.o.R1)).Kernel("ls_small", set.GPULS.WG)
	for wide := range g.out {
		program := s.Program(copySource(set, wide))
		g.out[wide] = program.Kernel("ls_copy_out", set.Map.WG)
		g.back[wide] = program.Kernel("ls_copy_back", set.Map.WG)
	}
	return err
}

func (g *gpuls) sort(ctx context.Context, text *device.Buffer[uint8], sa *device.Buffer[uint32],
	progress progress) error {
	n := text.Len()
	r := g.run(n, sa)
	report(progress, doubling.PhaseInitial, 0, n)
	g.s.Phase(doubling.PhaseInitial)
	// Updates read keys in front of groups, too, which make no difference.
	r.uska.View(0, n).Fill(0)
	h, err := r.initial(text, g.o.H0, r.ughf.Alt) // lines 1 to 3
	if err != nil {
		return err
	}
	g.s.Phase(doubling.PhaseGroups)
	r.deriveGroups(n, 1) // line 4
	for round := 0; ; round++ {
		if err := g.s.Check(ctx); err != nil {
			return err
		}
		unsorted, groups, err := r.readCounts() // line 6
		if err != nil {
			return err
		}
		report(progress, doubling.PhaseGroups, n-unsorted, n)
		if unsorted == 0 {
			return nil
		}
		if err := doubling.CheckRound(g.s, round, unsorted, n); err != nil {
			return err
		}
		types, err := r.divideGroups(groups) // line 8
		if err != nil {
			return err
		}
		g.s.Phase(doubling.PhaseSmall)
		r.sortSmall(types, h) // line 9
		g.s.Phase(doubling.PhaseMedium)
		r.sortMedium(types, h) // line 10
		g.s.Phase(doubling.PhaseLarge)
		r.sortLarge(types, h) // line 11
		g.s.Phase(doubling.PhaseISA)
		r.updateISA(unsorted) // line 12
		g.s.Phase(doubling.PhaseGroups)
		r.deriveGroups(unsorted, 0) // line 13
		h *= 2                      // line 14
	}
}

// pingPong is a pair of buffers of one meaning: what holds is in Cur.
type pingPong[T device.Element] struct{ Cur, Alt *device.Buffer[T] }

func (p *pingPong[T]) swap() { p.Cur, p.Alt = p.Alt, p.Cur }

func pairOf[T device.Element](s *device.Session, slots [2]*device.Slot[T]) pingPong[T] {
	return pingPong[T]{slots[0].Buffer(s), slots[1].Buffer(s)}
}

// lsRun is the state of one Run.
type lsRun struct {
	hRun
	g          *gpuls
	uska       *device.Buffer[uint32]
	usia       pingPong[uint32]
	ughf       pingPong[uint8]
	ugha, ugta *device.Buffer[uint32]
	byType     *device.Buffer[uint64]
	offsets    *device.Buffer[uint32]
	table      *device.Buffer[uint32]
	counts     *device.Buffer[uint64]
	other      *device.Buffer[uint32]
}

func (g *gpuls) run(n int, sa *device.Buffer[uint32]) *lsRun {
	s := g.s
	return &lsRun{
		hRun: g.order.run(g.ws.Workspace(s), n, sa), g: g, uska: g.uska.Buffer(s),
		usia: pairOf(s, g.usia), ughf: pairOf(s, g.ughf), ugha: g.ugha.Buffer(s), ugta: g.ugta.Buffer(s),
		byType: g.groups.Buffer(s), offsets: g.offsets.Buffer(s), table: g.table.Buffer(s), counts: g.counts.Buffer(s),
		other: g.suffixes.Buffer(s),
	}
}

// deriveGroups makes USIA, UGHF, UGHA and UGLA of the groups whose heads are in UGHF.Alt:
// of all n suffixes in the first round, then of those that were unsorted.
func (r *lsRun) deriveGroups(unsorted int, first uint32) {
	// slot and flag twice, group of at least two
	r.g.split.Run(r.ws, unsorted, 2*5+4, first,
		r.usia.Cur, r.ughf.Alt, r.usia.Alt, r.ughf.Cur, r.ugha, r.ugta, uint64(unsorted), r.counts)
	r.usia.swap()
}

func (r *lsRun) readCounts() (unsorted, groups int, err error) {
	var counts [1]uint64
	err = r.counts.Read(counts[:])
	return int(uint32(counts[0])), int(counts[0] >> 32), err
}

// types tells where the groups of each type start in the list by type.
type types struct {
	medium int // type M; those below are the sub-types of S, L is the next
	table  [2 * tableTypes]uint32
}

// first is the number of groups of the types before t.
func (t *types) first(i int) int { return int(t.table[i]) }

// suffixes is the number of suffixes in the groups of the types before t.
func (t *types) suffixes(i int) int { return int(t.table[tableTypes+i]) }

// divideGroups orders the groups by type and reads the table of types.
func (r *lsRun) divideGroups(groups int) (*types, error) {
	t := &types{medium: bits.Len(uint(r.g.o.R1)) - 1}
	keys := device.Reinterpret[uint32](r.keys.Alt)
	// The only pass computes the pairs: nothing is read from Cur.
	byType, list := radixsort.Pair[uint32]{Cur: keys, Alt: keys}, radixsort.Pair[uint64]{Cur: r.byType, Alt: r.byType}
	r.g.divide.Run(r.ws, &byType, &list, groups, 0, bits.Len(uint(t.medium+1)),
		r.ugha, r.ugta, uint32(r.g.o.R1), uint32(r.g.o.R2))
	r.g.tabulate.Run(r.ws, groups, 12, keys, r.byType, uint64(groups), uint32(t.medium), r.table, r.offsets)
	err := r.table.Read(t.table[:])
	return t, err
}

// sortSmall is Algorithm 2.
func (r *lsRun) sortSmall(t *types, h int) {
	blocks := 0
	for i := range t.medium {
		blocks += intmath.CeilDiv(t.first(i+1)-t.first(i), r.g.smallTile>>(i+1))
	}
	// sa twice, key and a rank at random, group of at least two
	r.g.small.Launch(blocks, int64(t.suffixes(t.medium))*(3*4+32+4),
		r.table, uint32(t.medium), r.byType, r.sa, r.isa, r.uska, uint64(h))
}

// segments are consecutive groups of the list by type that are copied out.
type segments struct{ first, at, count, total int }

func (r *lsRun) copyOut(wide int, c segments, h, rankBits int, keys, heads any) {
	mark := uint32(1)
	if heads == nil {
		mark = 0
	}
	r.g.out[wide].Launch(intmath.CeilDiv(c.total, r.g.copyTile), int64(c.total)*int64(4+32+8+4*wide),
		r.byType, uint32(c.first), r.offsets, uint32(c.at), uint32(c.count), uint32(c.total),
		r.sa, r.isa, uint64(h), uint32(rankBits), keys, r.suffixes, mark, heads)
}

func (r *lsRun) copyBack(wide int, c segments, rankBits int, keys, suffixes any) {
	r.g.back[wide].Launch(intmath.CeilDiv(c.total, r.g.copyTile), int64(c.total)*int64(16+4*wide),
		r.byType, uint32(c.first), r.offsets, uint32(c.at), uint32(c.count), uint32(c.total),
		uint32(rankBits), keys, suffixes, r.sa, r.uska)
}

// sortMedium sorts all groups of type M together.
func (r *lsRun) sortMedium(t *types, h int) {
	m := t.medium
	c := segments{first: t.first(m), count: t.first(m+1) - t.first(m), total: t.suffixes(m+1) - t.suffixes(m)}
	if c.count == 0 {
		return
	}
	suffixes := radixsort.Pair[uint32]{Cur: r.suffixes, Alt: r.other}
	rankBits := r.rankBits()
	if r.g.mGlobal != nil {
		keys := r.keys
		r.copyOut(1, c, h, rankBits, keys.Cur, nil)
		r.g.mGlobal.Run(r.ws, &keys, &suffixes, c.total, 0, rankBits+bits.Len(uint(c.count-1)))
		r.copyBack(1, c, rankBits, keys.Cur, suffixes.Cur)
		return
	}
	keys := r.narrowKeys()
	if r.g.mMerge != nil {
		heads := r.g.heads.Buffer(r.s)
		heads.Fill(0)
		r.copyOut(0, c, h, 0, keys.Cur, heads)
		r.g.mMerge.Run(r.ws, &keys, &suffixes, heads, c.total)
	} else {
		r.copyOut(0, c, h, 0, keys.Cur, nil)
		r.g.mRadix.Run(r.ws, &keys, &suffixes, r.offsets, c.count, c.total, 0, rankBits) // M comes first in offsets
	}
	r.copyBack(0, c, 0, keys.Cur, suffixes.Cur)
}

// narrowKeys are the buffers of the keys for keys of 32 bits.
func (r *lsRun) narrowKeys() radixsort.Pair[uint32] {
	return radixsort.Pair[uint32]{Cur: device.Reinterpret[uint32](r.keys.Cur), Alt: device.Reinterpret[uint32](r.keys.Alt)}
}

// sortLarge sorts each group of type L by itself.
func (r *lsRun) sortLarge(t *types, h int) {
	l := t.medium + 1
	groups := make([]uint64, t.first(l+1)-t.first(l))
	if len(groups) == 0 {
		return
	}
	if err := r.byType.View(t.first(l), len(groups)).Read(groups); err != nil {
		r.s.Fail(err)
		return
	}
	for i := range slices.All(groups) {
		c := segments{first: t.first(l) + i, at: t.first(l) - t.first(t.medium) + i, count: 1, total: int(uint32(groups[i]))}
		keys, suffixes := r.narrowKeys(), radixsort.Pair[uint32]{Cur: r.suffixes, Alt: r.other}
		r.copyOut(0, c, h, 0, keys.Cur, nil)
		r.g.large.Run(r.ws, &keys, &suffixes, c.total, 0, r.rankBits())
		r.copyBack(0, c, 0, keys.Cur, suffixes.Cur)
	}
}

// updateISA ranks the suffixes of the sorted groups, and leaves the heads of their
// 2h-groups in UGHF.Alt.
func (r *lsRun) updateISA(unsorted int) {
	// slot, flags, key and suffix, and the rank at random
	r.g.update.Run(r.ws, unsorted, 4+2+4+4+32, r.usia.Cur, r.ughf.Cur, r.uska, r.sa, r.isa, r.ughf.Alt)
}
