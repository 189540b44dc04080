package segsort

import (
	"fmt"
	"math/bits"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/scan"
)

// Value is the type of keys and of values.
type Value = radixsort.Value

// MaxLen is the largest number of items: places are 32-bit words.
const MaxLen = 1<<32 - 1

// Strategy says how segments are sorted. Segments that are too long for it are sorted
// as Auto would.
type Strategy int

// The strategies.
const (
	// Auto chooses by the length of each segment.
	Auto Strategy = iota
	// Bitonic sorts by bitonic networks in tiles, up to 64 items; beyond it as Auto. The
	// networks compare (key, place), so that it is stable like the others.
	Bitonic
	// CountingRank ranks by counting in tiles, up to 64 items; beyond it as Auto.
	CountingRank
	// WorkGroup packs segments into local memory and sorts them there, from 1 item to
	// the limit that the tuning gives.
	WorkGroup
	// Global sorts everything by (segment, key) with one radix sort.
	Global
)

var strategyNames = []string{"auto", "bitonic", "counting-rank", "work-group", "global"}

// String is the strategy's name.
func (s Strategy) String() string {
	if s < 0 || int(s) >= len(strategyNames) {
		return fmt.Sprintf("Strategy(%d)", int(s))
	}
	return strategyNames[s]
}

// rankLimit is the longest segment of the counting rank.
const rankLimit = 64

// Options of a Plan.
type Options struct {
	Strategy Strategy
	// MaxLen promises that no segment is longer; 0 promises nothing. With a bound that
	// needs no global sort, less memory is used and Run does not wait. A longer segment
	// is not sorted, and its items are lost.
	MaxLen int
}

// Plan sorts up to n pairs in segments.
type Plan[K, V Value] struct {
	s *device.Session
	n int

	// rank sorts segments of up to rankLimit items, group those of least to limit, and
	// longer ones are listed and sorted globally. Steps that a plan does not need are
	// nil.
	rank      *device.Kernel
	rankTile  int
	group     *device.Kernel
	groupTile int
	least     int
	limit     int

	count, enlist   *device.Kernel
	lists           *scan.Template
	gather, scatter *device.Kernel
	segments        *device.Kernel // 64-bit keys
	largeTile       int
	sort            *radixsort.Plan[uint64, uint32]
	sortSegments    *radixsort.Plan[uint32, uint32] // 64-bit keys
}

// New compiles a segmented sort of up to n pairs.
func New[K, V Value](s *device.Session, n int, o Options) (*Plan[K, V], error) {
	switch {
	case n > MaxLen:
		return nil, fmt.Errorf("segsort: %d pairs, at most %d", n, MaxLen)
	case o.Strategy < Auto || o.Strategy > Global:
		return nil, fmt.Errorf("segsort: unknown strategy %d", o.Strategy)
	case o.Strategy == Global && n >= 1<<31:
		return nil, fmt.Errorf("segsort: %d pairs, the global sort alone takes fewer than 2^31", n)
	}
	p := &Plan[K, V]{s: s, n: n}
	if err := p.compile(o); err != nil {
		p.Release()
		return nil, err
	}
	return p, nil
}

func (p *Plan[K, V]) compile(o Options) error {
	longest := p.n
	if o.MaxLen > 0 {
		longest = min(longest, o.MaxLen)
	}
	set := *p.s.Tuning()
	if o.Strategy != Global {
		shape := set.SegSort
		p.least, p.limit = 1, groupLimit[K](set, p.s.Caps().CPUShape)
		if !p.s.Caps().CPUShape && o.Strategy != WorkGroup {
			program, err := p.s.Program(rankSource[K, V](set, o.Strategy == Bitonic))
			if err == nil {
				p.rank, err = program.Kernel("segsort_rank", shape.RankWG)
			}
			if err != nil {
				return err
			}
			p.rankTile, p.least = shape.RankWG*shape.RankItems-rankLimit, rankLimit+1
			p.limit = max(p.limit, rankLimit)
		}
		if longest >= p.least && p.limit >= p.least {
			program, err := p.s.Program(groupSource[K, V](set))
			if err == nil {
				p.group, err = program.Kernel("segsort_group", shape.GroupWG)
			}
			if err != nil {
				return err
			}
			p.groupTile = groupLimit[K](set, p.s.Caps().CPUShape)
		}
	}
	if longest > p.limit {
		return p.compileLarge(set)
	}
	return nil
}

func (p *Plan[K, V]) compileLarge(set tune.Set) error {
	var err error
	if p.lists, err = scan.NewTemplate(p.s, wordsOf(p.n), listTemplate); err != nil {
		return err
	}
	program, err := p.s.Program(countSource(set))
	if err == nil {
		err = program.Kernels(set.Map.WG, map[string]**device.Kernel{"segsort_count": &p.count, "segsort_list": &p.enlist})
	}
	if err == nil {
		program, err = p.s.Program(largeSource[K, V](set, false))
	}
	if err != nil {
		return err
	}
	places := map[string]**device.Kernel{"segsort_gather": &p.gather, "segsort_scatter": &p.scatter}
	if wide[K]() {
		places["segsort_segments"] = &p.segments
	}
	if err := program.Kernels(set.Map.WG, places); err != nil {
		return err
	}
	p.largeTile = set.Map.WG * set.Map.Items
	if p.sort, err = radixsort.NewPairs[uint64, uint32](p.s, p.n); err != nil {
		return err
	}
	if wide[K]() {
		p.sortSegments, err = radixsort.NewPairs[uint32, uint32](p.s, p.n)
	}
	return err
}

// wordsOf is the number of words of a bitmap that the scan for long segments
// reads: the place behind the last item ends the last segment.
func wordsOf(n int) int { return n/32 + 1 }

// most bounds the number of segments that are sorted globally.
func (p *Plan[K, V]) most() int { return max(p.n/(p.limit+1), 1) }

// Workspace is what Run carves from its workspace.
func (p *Plan[K, V]) Workspace() device.Pieces {
	if p.lists == nil {
		return nil
	}
	most, bitmap := device.PieceOf[uint32](p.most()), device.PieceOf[uint64](wordsOf(p.n))
	wide, narrow := device.PieceOf[uint64](p.n), device.PieceOf[uint32](p.n)
	sorting := wide.And(wide, narrow, narrow)
	if p.sortSegments == nil {
		sorting = sorting.And(p.sort.Workspace())
	} else {
		sorting = sorting.And(narrow, narrow, narrow, p.sort.Workspace().Or(p.sortSegments.Workspace()))
	}
	listing := bitmap.And(bitmap, p.lists.Workspace())
	return most.And(most, most, device.PieceOf[uint32](2), listing.Or(sorting))
}

// Release frees the kernels.
func (p *Plan[K, V]) Release() {
	if p == nil {
		return
	}
	for _, k := range []*device.Kernel{p.rank, p.group, p.count, p.enlist, p.gather, p.scatter, p.segments} {
		k.Release()
	}
	p.lists.Release()
	p.sort.Release()
	p.sortSegments.Release()
}

// Run enqueues sorting the first n pairs inside the segments whose heads are the set
// bits of a bitmap: item i is bit i%32 of word i/32; item 0 is a head in any case, and
// bits from n on do not count. Pairs of equal keys keep their order. Cur and Alt are
// exchanged once, unless n is 0; what was in Cur is lost.
//
// Without Options.MaxLen, Run waits for what is enqueued before, once.
func (p *Plan[K, V]) Run(ws *device.Workspace, keys *radixsort.Pair[K], values *radixsort.Pair[V], heads *device.Buffer[uint32], n int) {
	if err := p.check(keys, values, heads, n); err != nil {
		p.s.Fail(err)
		return
	}
	if n == 0 {
		return
	}
	defer ws.Reset(ws.Mark())
	var l lists
	if p.lists != nil {
		l = p.list(ws, heads, n)
	}
	traffic := p.bytesPerItem() * int64(n)
	if p.rank != nil {
		p.rank.Launch(device.Groups(n, p.rankTile), traffic, heads, uint64(n), keys.Cur, keys.Alt, values.Cur, values.Alt)
	}
	needed, segments, total := true, 0, 0
	if p.lists != nil {
		needed, segments, total = l.read(p.s)
		needed = needed || p.least == 1
	}
	if p.group != nil && needed {
		p.group.Launch(device.Groups(n, p.groupTile), traffic, heads, uint64(n), uint32(p.least), keys.Cur, keys.Alt, values.Cur, values.Alt)
	}
	if segments > 0 && p.s.Err() == nil {
		p.sortLarge(ws, l, segments, total, keys, values)
	}
	keys.Cur, keys.Alt = keys.Alt, keys.Cur
	values.Cur, values.Alt = values.Alt, values.Cur
}

func (p *Plan[K, V]) bytesPerItem() int64 {
	_, key := clType[K]()
	_, value := clType[V]()
	return 2 * (key + value)
}

// lists are the segments that are sorted globally.
type lists struct{ starts, ends, offsets, counts *device.Buffer[uint32] }

func (p *Plan[K, V]) list(ws *device.Workspace, heads *device.Buffer[uint32], n int) lists {
	l := lists{
		starts:  device.Carve[uint32](ws, p.most()),
		ends:    device.Carve[uint32](ws, p.most()),
		offsets: device.Carve[uint32](ws, p.most()),
		counts:  device.Carve[uint32](ws, 2),
	}
	defer ws.Reset(ws.Mark())
	m := wordsOf(n)
	words, before := device.Carve[uint64](ws, m), device.Carve[uint64](ws, m)
	groups := device.Groups(m, p.s.Tuning().Map.WG)
	p.count.Launch(groups, 12*int64(m), heads, uint64(n), uint32(p.shortest()), uint32(p.limit), words)
	p.lists.Run(ws, m, 24, words, before, uint64(n), l.counts)
	p.enlist.Launch(groups, 20*int64(m), heads, uint64(n), uint32(p.limit), words, before, l.starts, l.ends, l.offsets)
	return l
}

// shortest: a segment that is longer than this, and not listed, is for group.
func (p *Plan[K, V]) shortest() int { return max(p.least, 1) - 1 }

// read waits for the counts: whether there are segments for group, the number of those
// listed, and of their items.
func (l lists) read(s *device.Session) (some bool, segments, total int) {
	var counts [2]uint32
	if err := l.counts.Read(counts[:]); err != nil {
		s.Fail(err)
		return false, 0, 0
	}
	const flag = 1 << 31
	return counts[0]&flag != 0, int(counts[0] &^ flag), int(counts[1])
}

// sortLarge sorts the listed segments by one radix sort of (segment, key); 64-bit keys
// by one of the keys and one of the segments.
func (p *Plan[K, V]) sortLarge(ws *device.Workspace, l lists, segments, total int, keys *radixsort.Pair[K], values *radixsort.Pair[V]) {
	tiles := device.Groups(total, p.largeTile)
	sortKeys := radixsort.Pair[uint64]{Cur: device.Carve[uint64](ws, total), Alt: device.Carve[uint64](ws, total)}
	from := radixsort.Pair[uint32]{Cur: device.Carve[uint32](ws, total), Alt: device.Carve[uint32](ws, total)}
	segmentBits := bits.Len(uint(segments - 1))
	_, value := clType[V]()
	n := int64(total)
	if !wide[K]() {
		p.gather.Launch(tiles, n*16, l.starts, l.offsets, uint32(segments), uint32(total), keys.Cur, sortKeys.Cur, from.Cur)
		p.sort.Run(ws, &sortKeys, &from, total, 0, 32+segmentBits)
		p.scatter.Launch(tiles, n*(16+2*value), l.starts, l.offsets, uint32(total), sortKeys.Cur, from.Cur, keys.Alt, values.Cur, values.Alt)
		return
	}
	segment := device.Carve[uint32](ws, total)
	sorted := radixsort.Pair[uint32]{Cur: device.Carve[uint32](ws, total), Alt: device.Carve[uint32](ws, total)}
	p.gather.Launch(tiles, n*24, l.starts, l.offsets, uint32(segments), uint32(total), keys.Cur, sortKeys.Cur, from.Cur, segment)
	p.sort.Run(ws, &sortKeys, &from, total, 0, 64)
	p.segments.Launch(tiles, n*12, from.Cur, segment, uint32(total), sorted.Cur)
	p.sortSegments.Run(ws, &sorted, &from, total, 0, segmentBits)
	p.scatter.Launch(tiles, n*(24+2*value), l.starts, l.offsets, uint32(total), sorted.Cur, from.Cur, keys.Cur, keys.Alt, values.Cur, values.Alt)
}

func (p *Plan[K, V]) check(keys *radixsort.Pair[K], values *radixsort.Pair[V], heads *device.Buffer[uint32], n int) error {
	switch {
	case n < 0 || n > p.n:
		return fmt.Errorf("segsort: %d pairs, planned for %d", n, p.n)
	case n > keys.Cur.Len() || n > keys.Alt.Len():
		return fmt.Errorf("segsort: %d keys in buffers of %d and %d", n, keys.Cur.Len(), keys.Alt.Len())
	case n > values.Cur.Len() || n > values.Alt.Len():
		return fmt.Errorf("segsort: %d values in buffers of %d and %d", n, values.Cur.Len(), values.Alt.Len())
	case device.Groups(n, 32) > heads.Len():
		return fmt.Errorf("segsort: heads of %d items in a bitmap of %d words", n, heads.Len())
	}
	return nil
}

func clType[T Value]() (string, int64) {
	if wide[T]() {
		return "ulong", 8
	}
	return "uint", 4
}

// wide tells whether T has 64 bits.
func wide[T Value]() bool { _, ok := any(T(0)).(uint64); return ok }
