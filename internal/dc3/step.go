// Package dc3 is one level of the skew algorithm in pieces, which packages skew and prefixdoubling put together: the
// lines of the pseudo code in package skew between which they sort the sample by their own means. The sample is the
// difference cover mod 3: the suffixes at places 1 and 2 mod 3.
package dc3

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cltype"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/merge"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/scan"
)

// Phases of the skew algorithm, as named in the papers' time breakdown.
const (
	PhaseSort  = "radix sort"
	PhaseRank  = "compute rank"
	PhaseMerge = "merge"
	PhaseOther = "other" // texts that a work-group sorts alone
)

// Symbol is the type of the symbols of a text: bytes or short ranks, which count from 0, or long ranks, which count
// from 1.
type Symbol interface{ uint8 | uint16 | uint32 }

// Split says how many of the suffixes of a text of N symbols are where. Suffix N, the
// empty one, is part of S1 and S12 if N mod 3 = 1. Then each suffix of S0 has one of S1
// after it, and the ranks of S1 and of S2, put together, do not touch.
//
// Suffixes go by numbers:
//
//	set         number j              suffix
//	S0          below S0              3j
//	S1 of S12   below S0              3j + 1
//	S2 of S12   from S0, below S12    3(j-S0) + 2
type Split struct{ N, S0, S12 int }

// SplitOf divides n suffixes.
func SplitOf(n int) Split {
	s0 := intmath.CeilDiv(n, 3)
	return Split{N: n, S0: s0, S12: s0 + n/3}
}

// empty is the number of empty suffixes in S12: 0 or 1.
func (p Split) empty() int {
	if p.N%3 == 1 {
		return 1
	}
	return 0
}

// Pair is a ping-pong pair of buffers.
type Pair = radixsort.Pair[uint32]

// StepOptions of a Step.
type StepOptions struct {
	// DeoKeely makes InduceS0 sort S0 twice.
	DeoKeely bool
	// Slots makes Rank set the rank of a triplet to that of its first suffix, instead of
	// numbering the triplets: what prefix doubling continues from.
	Slots bool
}

// Step is what one level of skew does with a text of up to n symbols, in pieces: the
// lines of the pseudo code between which an algorithm sorts the sample by its own means.
// All of them enqueue; their errors are sticky on the session.
type Step[T Symbol] struct {
	s    *device.Session
	n    int
	o    StepOptions
	tile int

	sample, byKeys        *radixsort.Plan[uint32, uint32] // byKeys: of keys that are there
	keys, first           *device.Kernel
	heads                 *device.Kernel
	rank                  *scan.Template
	window                int                             // most ranks that are stored in any order
	partition             *radixsort.Plan[uint32, uint32] // of more of them, else nil
	storeRanks, fromRanks *device.Kernel
	selectS0              *scan.CompactTemplate
	bySecond              *radixsort.Plan[uint32, uint32]
	merge                 *merge.Template
}

const file = "skew.cl"

// defines chooses a step of skew.cl.
func defines[T Symbol](step string) device.Defines {
	return device.Defines{step: 1, "X": cltype.Name[T](), "BYTES": 1 - First[T]()}
}

// First is the least symbol of a text.
func First[T Symbol]() int {
	if cltype.Size[T]() == 4 {
		return 1
	}
	return 0
}

func radixTemplate[T Symbol](step string) device.Source {
	return device.Source{Files: []string{file}, Defines: defines[T](step)}
}

func rankTemplate(slots bool) scan.TemplateOptions {
	d := defines[uint32]("SK_RANK")
	d["SLOTS"] = 0
	if slots {
		d["SLOTS"] = 1
	}
	return scan.TemplateOptions{Source: device.Source{Files: []string{file}, Defines: d}, ElementBytes: 4}
}

func s0Template[T Symbol]() device.Source {
	return device.Source{Files: []string{file}, Defines: defines[T]("SK_S0")}
}

func mergeTemplate[T Symbol]() merge.TemplateOptions {
	return merge.TemplateOptions{Source: device.Source{Files: []string{file}, Defines: defines[T]("SK_MERGE")},
		ElementBytes: 16}
}

func mapSource[T Symbol](set tune.Set, step string) device.Source {
	d := defines[T](step)
	maps.Copy(d, device.Defines{"WG": set.Map.WG, "ITEMS": set.Map.Items})
	return device.Source{Files: []string{file}, Defines: d}
}

// NewSmall plans the kernel that sorts a text of at most tune.Skew.Small symbols in one work-group.
func NewSmall[T Symbol](s *device.Session) *device.Kernel {
	set := tuned.Of(s).Skew
	d := defines[T]("SK_SMALL")
	maps.Copy(d, device.Defines{"WG": set.WG, "SMALL": set.Small})
	return s.Program(device.Source{Files: []string{file}, Defines: d}).Kernel("skew_small", set.WG)
}

// NewStep plans the pieces for texts of up to n symbols.
func NewStep[T Symbol](s *device.Session, n int, o StepOptions) *Step[T] {
	set := *tuned.Of(s)
	wg := set.Map.WG
	t := &Step[T]{s: s, n: n, o: o, tile: wg * set.Map.Items, window: set.Skew.Window}
	if t.window == 0 {
		t.window = limits.MaxLen
	}
	split := SplitOf(n)
	t.sample = radixsort.NewTemplate[uint32, uint32](s, split.S12, radixTemplate[T]("SK_SAMPLE")).
		Reads(1.5*float64(cltype.Size[T]()), 0) // a text of 3/2 as many symbols
	t.byKeys = radixsort.NewPairs[uint32, uint32](s, split.S12)
	if split.S12 > t.window {
		t.partition = radixsort.NewTemplate[uint32, uint32](s, split.S12, radixTemplate[uint32]("SK_PARTITION"))
	}
	t.rank = scan.NewTemplate(s, split.S12, rankTemplate(o.Slots))
	if o.DeoKeely {
		t.bySecond = radixsort.NewTemplate[uint32, uint32](s, split.S0, radixTemplate[uint32]("SK_SECOND")).Reads(4, 0)
	} else {
		t.selectS0 = scan.NewCompactTemplate(s, split.S12, s0Template[T]())
	}
	t.merge = merge.NewTemplate(s, n, mergeTemplate[T]())
	keys := s.Program(mapSource[T](set, "SK_KEYS"))
	t.keys, t.first = keys.Kernel("skew_keys", wg), keys.Kernel("skew_first", wg)
	t.heads = s.Program(mapSource[T](set, "SK_HEADS")).Kernel("skew_heads", wg)
	order := s.Program(mapSource[uint32](set, "SK_ORDER"))
	t.storeRanks, t.fromRanks = order.Kernel("skew_store_ranks", wg), order.Kernel("skew_from_ranks", wg)
	return t
}

// Workspace is what any of the pieces carves from its workspace.
func (t *Step[T]) Workspace() device.Pieces {
	p := t.sample.Workspace().Or(t.byKeys.Workspace(), t.rank.Workspace(), t.merge.Workspace())
	if t.partition != nil {
		p = p.Or(t.partition.Workspace())
	}
	if t.o.DeoKeely {
		return p.Or(t.bySecond.Workspace())
	}
	return p.Or(t.selectS0.Workspace())
}

// planned fails the session if a text is longer than planned.
func (t *Step[T]) planned(n int) bool {
	if n > t.n {
		t.s.Fail(fmt.Errorf("skew: text of %d symbols, planned for %d", n, t.n))
	}
	return n <= t.n
}

// passBits and keyBits: the digits of the radix sort, and its keys.
const passBits, keyBits = 8, 32

// chunks cuts the bits of a triplet of symbols of that many bits into keys, so that
// they take as few passes as the bits could at all. The result lists where each ends.
func chunks(symbolBits int) (ends []int) {
	total := 3 * symbolBits
	passes := intmath.CeilDiv(total, passBits)
	width := passBits * intmath.CeilDiv(passes, intmath.CeilDiv(total, keyBits))
	for first := 0; first < total; first += width {
		ends = append(ends, min(first+width, total))
	}
	return ends
}

// SortSample sorts the suffixes of S12 by their first three symbols, which are below
// 2^symbolBits. The numbers of the suffixes are then in the buffer that was order.Cur,
// and in keys.Cur what Heads wants to know. All four buffers hold S12 words.
func (t *Step[T]) SortSample(ws *device.Workspace, text *device.Buffer[T], symbolBits int, keys, order *Pair) {
	if !t.planned(text.Len()) {
		return
	}
	split, ends := SplitOf(text.Len()), chunks(symbolBits)
	passes, first := 0, 0
	for _, end := range ends {
		passes += t.byKeys.Passes(0, end-first)
		first = end
	}
	if passes%2 == 1 { // so that the last pass ends where the caller wants it
		order.Swap()
	}
	suffixes := append(text.Args(), uint64(split.N), uint32(split.S0), uint32(split.S12))
	t.sample.Run(ws, keys, order, split.S12, 0, ends[0], append(slices.Clip(suffixes), uint32(symbolBits))...)
	for i, end := range ends[1:] {
		first := ends[i]
		// a suffix, its triplet at random, a key
		t.keys.Launch(intmath.CeilDiv(split.S12, t.tile), int64(split.S12)*(4+32+4),
			append(slices.Clip(suffixes), order.Cur, uint32(first), uint32(symbolBits), keys.Cur)...)
		t.byKeys.Run(ws, keys, order, split.S12, 0, end-first)
	}
}

// Heads sets flags[p], for suffix order[p]: whether its triplet differs from that of the
// suffix before. It sets distinct[0] to the number of different triplets. keys and order
// are what SortSample left.
func (t *Step[T]) Heads(
	text *device.Buffer[T], symbolBits int, keys, order *device.Buffer[uint32],
	flags *device.Buffer[uint8], distinct *device.Buffer[uint32],
) {
	split := SplitOf(text.Len())
	whole := uint32(0)
	if 3*symbolBits <= keyBits {
		whole = 1
	}
	distinct.Fill(0)
	// keys and order, a flag; where the keys do not tell, two triplets at random
	t.heads.Launch(intmath.CeilDiv(split.S12, t.tile), int64(split.S12)*9,
		text.Args(), uint64(split.N), uint32(split.S0), uint32(split.S12), keys, whole, order, flags, distinct)
}

// Rank sets ranks[order[p]] for all p below the length of ranks, S12: the number of flags
// up to p, or with Slots 1 more than the place of the last of them. scratch is as long.
func (t *Step[T]) Rank(
	ws *device.Workspace, flags *device.Buffer[uint8], order, ranks *device.Buffer[uint32], scratch Pair,
) {
	m := ranks.Len()
	if m <= t.window {
		t.rank.Run(ws, m, t.rank.Loads()+4+32, flags, order, ranks.Args()) // a rank at random
		return
	}
	var inOrder *device.Buffer[uint32]
	t.rank.Run(ws, m, t.rank.Loads()+4, flags, inOrder, ranks.Args())
	t.store(ws, order, ranks, ranks, scratch)
}

// StoreRanks sets ranks[order[p]] = p+1 for all p below the length of ranks. scratch is as
// long.
func (t *Step[T]) StoreRanks(ws *device.Workspace, order, ranks *device.Buffer[uint32], scratch Pair) {
	t.store(ws, order, nil, ranks, scratch)
}

// store sets ranks[order[p]], for all p below the length of ranks, to names[p] or, without
// names, to p+1. If they are many, then by the top bits of the suffix first, so that
// writes stay where caches reach; names may then be where ranks are.
func (t *Step[T]) store(ws *device.Workspace, order, names, ranks *device.Buffer[uint32], scratch Pair) {
	m := ranks.Len()
	bytes := int64(4 + 32) // a suffix, a rank at random
	if m > t.window {
		bytes = 4 + 4 + 4 // a suffix and its rank, which stays in reach of the caches
		nameBytes := 0.0
		if names != nil {
			nameBytes = 4
		}
		// One pass, which reads neither Cur and writes both Alt.
		suffixes, values := Pair{Cur: order, Alt: scratch.Cur}, Pair{Cur: order, Alt: scratch.Alt}
		top := bits.Len(uint(m - 1))
		t.partition.Reads(4, nameBytes).Run(ws, &suffixes, &values, m, max(top-passBits, 0), top, order, names.Args())
		order, names = suffixes.Cur, values.Cur
	}
	t.storeRanks.Launch(intmath.CeilDiv(m, t.tile), int64(m)*bytes, order, names.Args(), uint32(m), ranks.Args())
}

// FromRanks sets order[ranks[j]-1] = j for all j below the length of ranks.
func (t *Step[T]) FromRanks(ranks, order *device.Buffer[uint32]) {
	m := ranks.Len()
	t.fromRanks.Launch(intmath.CeilDiv(m, t.tile), int64(m)*(4+32), ranks.Args(), uint32(m), order)
}

// InduceS0 sorts the suffixes of S0 into suffixes.Cur, by number, given the order of S12
// and its ranks. The buffers of keys and suffixes hold S0 words; kept, one word, is
// scratch.
func (t *Step[T]) InduceS0(
	ws *device.Workspace, text *device.Buffer[T], symbolBits int, order, ranks *device.Buffer[uint32],
	keys, suffixes *Pair, kept *device.Buffer[uint64],
) {
	split := SplitOf(text.Len())
	if t.o.DeoKeely {
		t.bySecond.Run(ws, keys, suffixes, split.S0, 0, bits.Len(uint(split.S12)), ranks.Args())
		// a suffix, a symbol at random, a key
		t.first.Launch(intmath.CeilDiv(split.S0, t.tile), int64(split.S0)*(4+32+4),
			text.Args(), uint32(split.S0), suffixes.Cur, keys.Cur)
	} else {
		// order once or twice; of half of them a symbol at random, key and suffix
		t.selectS0.Run(ws, split.S12, t.selectS0.Loads()*4+(32+8)/2, kept,
			text.Args(), uint32(split.S0), order, keys.Cur, suffixes.Cur)
	}
	t.byKeys.Run(ws, keys, suffixes, split.S0, 0, symbolBits)
}

// Merge merges S12 and S0, each in its order and by number, into the suffix array of the
// text, which must not overlap them. ranks are those of S12.
func (t *Step[T]) Merge(ws *device.Workspace, text *device.Buffer[T], s12, s0, ranks, sa *device.Buffer[uint32]) {
	if !t.planned(text.Len()) {
		return
	}
	split := SplitOf(text.Len())
	// a number twice and an entry; of each suffix its symbols and a rank or two, at random
	t.merge.Run(ws, split.S12-split.empty(), split.S0, 2*4+4+32+4*32/3,
		text.Args(), uint64(split.N), uint32(split.S0), uint32(split.S12), ranks.Args(), s12, uint32(split.empty()), s0, sa)
}
