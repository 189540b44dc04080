package segsort

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/async"
	"github.com/suffixcl/suffixcl/internal/cltype"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/mergepath"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/scan"
)

// maxPairs is the largest number of pairs: places are 32-bit words.
const maxPairs = 1<<32 - 1

// Strategy says how segments are sorted. Segments that are too long for it are sorted as by Auto.
type Strategy int

// The strategies.
const (
	// Auto chooses by the length of each segment; up to 64 items are ranked by counting.
	Auto Strategy = iota
	// WorkGroup packs segments of 1 item to Plan.Limit into local memory and sorts them there.
	WorkGroup
	// Global sorts everything by (segment, key) with one radix sort.
	Global
	// BlockMerge is the segmented sort of Wang, Baxter & Owens: blocks are sorted in local
	// memory, several short segments in one, then merged in rounds. It needs the least
	// memory, whatever the lengths.
	BlockMerge
)

// rankLimit is the longest segment of the counting rank.
const rankLimit = 64

// Options of a Plan. The zero value sorts segments of any length.
type Options struct {
	Strategy Strategy
	// Longest promises that no segment has more items; 0 promises nothing. Up to Plan.Limit no memory is used and Run does
	// not wait. Where no global sort can be needed, its memory is saved. A segment that breaks the promise may stay
	// unsorted and lose items.
	Longest int
	// Lean saves the memory of the global sort: long segments are merged in any number of rounds. It has no effect on
	// devices of CPU shape, nor on Global.
	Lean bool
}

// Plan sorts up to n pairs in segments.
type Plan[K, V uint32 | uint64] struct {
	s *device.Session
	n int

	// rank sorts segments of up to rankLimit items, group those of least to limit;
	// longer ones are listed, and merged or sorted globally. Steps that a plan does not
	// need are nil.
	rank      *device.Kernel
	rankTile  int
	group     *device.Kernel
	groupTile int
	least     int
	limit     int

	count, enlist *device.Kernel
	lists         *scan.Template

	rounds, layout *device.Kernel
	blockSort      *device.Kernel
	merges         *mergepath.Tiles
	block          int // items
	roundLimit     int // on average, where there is a global sort too

	gather, scatter *device.Kernel
	segments        *device.Kernel // 64-bit keys
	largeTile       int
	sort            *radixsort.Plan[uint64, uint32]
	sortSegments    *radixsort.Plan[uint32, uint32] // 64-bit keys
}

// New plans a segmented sort of up to n pairs, at most 2^32-1. Errors: an unknown strategy, Global for 2^31
// pairs and more.
func New[K, V uint32 | uint64](s *device.Session, n int, o Options) (*Plan[K, V], error) {
	switch {
	case n > maxPairs:
		return nil, fmt.Errorf("segsort: %d pairs, at most %d", n, maxPairs)
	case o.Strategy < Auto || o.Strategy > BlockMerge:
		return nil, fmt.Errorf("segsort: unknown strategy %d", o.Strategy)
	case o.Strategy == Global && n >= 1<<31:
		return nil, fmt.Errorf("segsort: %d pairs, the global sort alone takes fewer than 2^31", n)
	}
	p := &Plan[K, V]{s: s, n: n}
	p.programs(o)
	return p, nil
}

func (p *Plan[K, V]) programs(o Options) {
	longest := p.n
	if o.Longest > 0 {
		longest = min(longest, o.Longest)
	}
	set := *tuned.Of(p.s)
	if o.Strategy != Global {
		shape := set.SegSort
		p.least, p.limit = 1, groupLimit[K](set, p.s.Caps().CPUShape)
		if !p.s.Caps().CPUShape && o.Strategy != WorkGroup && o.Strategy != BlockMerge {
			p.rank = p.s.Program(rankSource[K, V](set)).Kernel("segsort_rank", shape.RankWG)
			p.rankTile, p.least = shape.RankWG*shape.RankItems-rankLimit, rankLimit+1
			p.limit = max(p.limit, rankLimit)
		}
		if longest >= p.least && p.limit >= p.least {
			p.group = p.s.Program(groupSource[K, V](set)).Kernel("segsort_group", shape.GroupWG)
			p.groupTile = groupLimit[K](set, p.s.Caps().CPUShape)
		}
	}
	if longest <= p.limit {
		return
	}
	block := blockOf[K](set)
	p.block, p.roundLimit = block.WG*block.Items, block.Rounds
	p.listPrograms(set)
	if o.Strategy == BlockMerge || o.Strategy != Global && p.roundLimit > 0 {
		p.blockSort = p.s.Program(blockSource[K, V](set)).Kernel("segsort_block", block.WG)
		p.merges = mergepath.New(p.s, p.maxBlocks(), mergeSource[K, V](set), block.WG, block.Items)
	}
	if o.Strategy == BlockMerge || p.merges != nil && (o.Lean || rounds(longest, p.block) <= p.roundLimit) {
		return
	}
	p.globalPrograms(set)
}

// rounds of merges that a segment takes.
func rounds(length, block int) int { return bits.Len(uint(intmath.CeilDiv(length, block) - 1)) }

func (p *Plan[K, V]) listPrograms(set tune.Set) {
	p.lists = scan.NewTemplate(p.s, wordsOf(p.n), listTemplate)
	program, wg := p.s.Program(countSource(set)), set.Map.WG
	p.count, p.enlist = program.Kernel("segsort_count", wg), program.Kernel("segsort_list", wg)
	p.rounds, p.layout = program.Kernel("segsort_rounds", wg), program.Kernel("segsort_blocks", wg)
}

func (p *Plan[K, V]) globalPrograms(set tune.Set) {
	program, wg := p.s.Program(largeSource[K, V](set)), set.Map.WG
	p.gather, p.scatter = program.Kernel("segsort_gather", wg), program.Kernel("segsort_scatter", wg)
	p.largeTile = wg * set.Map.Items
	p.sort = radixsort.NewPairs[uint64, uint32](p.s, p.n)
	if wide[K]() {
		p.segments = program.Kernel("segsort_segments", wg)
		p.sortSegments = radixsort.NewPairs[uint32, uint32](p.s, p.n)
	}
}

// wordsOf is the number of words of a bitmap that the scan for long segments
// reads: the place after the last item ends the last segment.
func wordsOf(n int) int { return n/32 + 1 }

// maxListed bounds the number of segments that are listed.
func (p *Plan[K, V]) maxListed() int { return max(p.n/(p.limit+1), 1) }

// maxBlocks bounds the number of their blocks.
func (p *Plan[K, V]) maxBlocks() int { return p.n/p.block + p.maxListed() }

// Workspace is what Run carves from its workspace.
func (p *Plan[K, V]) Workspace() device.Pieces {
	if p.lists == nil {
		return nil
	}
	list, bitmap := device.PieceOf[uint32](p.maxListed()), device.PieceOf[uint64](wordsOf(p.n))
	pieces := bitmap.And(p.lists.Workspace())
	if p.merges != nil {
		pieces = pieces.Or(device.PieceOf[[4]uint32](p.maxBlocks()).And(p.merges.Workspace()))
	}
	if p.sort != nil {
		wide, narrow := device.PieceOf[uint64](p.n), device.PieceOf[uint32](p.n)
		sorting := wide.And(wide, narrow, narrow)
		if p.sortSegments == nil {
			sorting = sorting.And(p.sort.Workspace())
		} else {
			sorting = sorting.And(narrow, narrow, narrow, p.sort.Workspace().Or(p.sortSegments.Workspace()))
		}
		pieces = pieces.Or(sorting)
	}
	return bitmap.And(list, list, list, device.PieceOf[uint32](countWords), pieces)
}

// Run enqueues sorting the first n pairs inside segments. heads [HeadWords(n)] is a bitmap: item i begins a segment
// if bit i%32 of word i/32 is set. Item 0 begins one in any case; bits from n on do not count. Pairs of equal keys
// keep their order. Cur and Alt are exchanged once, unless n is 0; what was in Cur is lost. They may be views that
// begin at a multiple of 16 bytes.
//
// Run waits for what is enqueued before, and once more for lists of segments beyond local memory, if there are any;
// not if Options.Longest rules these out. Errors, on the session: more pairs than planned, shorter buffers.
func (p *Plan[K, V]) Run(
	ws *device.Workspace, keys *radixsort.Pair[K], values *radixsort.Pair[V], heads *device.Buffer[uint32], n int,
) {
	p.run(ws, keys, values, heads, n, p.n)
}

// RunWithin is Run where no segment has more than `longest` items: up to Limit it does not wait. A longer segment may
// stay unsorted and lose items.
func (p *Plan[K, V]) RunWithin(
	ws *device.Workspace, keys *radixsort.Pair[K], values *radixsort.Pair[V], heads *device.Buffer[uint32], n, longest int,
) {
	p.run(ws, keys, values, heads, n, longest)
}

// Limit is the longest segment that is sorted in local memory, and so without a wait.
func (p *Plan[K, V]) Limit() int { return p.limit }

func (p *Plan[K, V]) run(
	ws *device.Workspace, keys *radixsort.Pair[K], values *radixsort.Pair[V], heads *device.Buffer[uint32], n, longest int,
) {
	if err := p.check(keys, values, heads, n); err != nil {
		p.s.Fail(err)
		return
	}
	if n == 0 {
		return
	}
	defer ws.Reset(ws.Mark())
	traffic := p.bytesPerItem() * int64(n)
	group := func() {
		if p.group != nil {
			p.group.Launch(intmath.CeilDiv(n, p.groupTile), traffic, heads, uint64(n), uint32(p.least), pairs(keys, values))
		}
	}
	// A sort is enqueued between each read and the wait for it, so that the device goes on meanwhile.
	look := p.lists != nil && longest > p.limit
	var l lists
	if look {
		l = p.look(ws, heads, n)
	}
	if p.rank != nil {
		p.rank.Launch(intmath.CeilDiv(n, p.rankTile), traffic, heads, uint64(n), pairs(keys, values))
	} else {
		group()
	}
	some, long := true, false
	if look {
		some, long = l.found()
	}
	if long {
		p.list(ws, &l, heads, n)
	}
	if p.rank != nil && some {
		group()
	}
	var all listed
	if long {
		all = l.listed()
	}
	switch {
	case all.segments == 0 || p.s.Err() != nil:
	case p.merges != nil && (p.sort == nil || all.moves <= p.roundLimit*all.active[0]):
		p.mergeBlocks(ws, l, all, keys, values)
	default:
		p.sortGlobally(ws, l, all.segments, all.items, keys, values)
	}
	keys.Swap()
	values.Swap()
}

// pairs are the arguments of a kernel that sorts from Cur to Alt.
func pairs[K, V uint32 | uint64](keys *radixsort.Pair[K], values *radixsort.Pair[V]) []any {
	return slices.Concat(begin(keys.Cur), begin(keys.Alt), begin(values.Cur), begin(values.Alt))
}

// begin is a buffer, and at which of its elements a view begins, which check has found to be a word.
func begin[T uint32 | uint64](b *device.Buffer[T]) []any {
	root, at := b.Root()
	return []any{root, uint32(at)}
}

func (p *Plan[K, V]) bytesPerItem() int64 {
	return int64(2 * (cltype.Size[K]() + cltype.Size[V]()))
}

// maxRounds bounds the rounds of merges, and countWords are the counts of segsort.cl.
const (
	maxRounds  = 32
	countWords = 2 + 2*maxRounds
)

// lists are the segments that are too long for local memory. They are made if the host finds that there are any: to
// look takes one launch, and they take four more.
type lists struct {
	starts, ends, offsets, counts *device.Buffer[uint32]
	words                         *device.Buffer[uint64] // of the bitmap: what is counted there

	mark   uint32         // in what this run finds; 0: it could not look
	read   []uint32       // what the host reads: what is found, then the counts
	arrive async.Transfer // of that
}

// What is found is told in two words of those that stay (tuned.Status): nothing is cleared for it. In front of them are
// TICKET_WORDS of lookback.cl.
const foundAt, foundWords = 16, 2

// look enqueues to look for segments beyond the counting rank, and begins to read what is found.
func (p *Plan[K, V]) look(ws *device.Workspace, heads *device.Buffer[uint32], n int) lists {
	m := wordsOf(n)
	l := lists{
		words:   device.Carve[uint64](ws, m), // in the first piece, the largest of a radix sort
		starts:  device.Carve[uint32](ws, p.maxListed()),
		ends:    device.Carve[uint32](ws, p.maxListed()),
		offsets: device.Carve[uint32](ws, p.maxListed()),
		counts:  device.Carve[uint32](ws, countWords),
	}
	status, ok := tuned.Status(p.s, foundAt+foundWords, 0)
	if !ok {
		return l // the session has failed
	}
	found := status.Words.(*device.Buffer[uint64]).View(foundAt, foundWords)
	l.mark = status.Run<<2 | 1 // TOTAL of this run, as lookback.cl has it
	p.count.Launch(intmath.CeilDiv(m, tuned.Of(p.s).Map.WG), 12*int64(m),
		heads, uint64(n), uint32(p.shortest()), uint32(p.limit), l.words, found.Args(), l.mark)
	l.begin(device.Reinterpret[uint32](found))
	return l
}

// begin begins to read a buffer.
func (l *lists) begin(b *device.Buffer[uint32]) {
	l.read = make([]uint32, b.Len())
	l.arrive = async.BeginRead(b, l.read)
}

// wait returns what is read, or zeros: a failure sticks to the session.
func (l *lists) wait() []uint32 {
	if l.arrive.Wait() != nil {
		clear(l.read)
	}
	return l.read
}

// found tells whether there are segments for group, and longer ones.
func (l *lists) found() (some, long bool) {
	if l.mark == 0 {
		return false, false
	}
	words := l.wait()
	return words[1] == l.mark, words[3] == l.mark
}

// list enqueues making the lists, and begins to read the counts.
func (p *Plan[K, V]) list(ws *device.Workspace, l *lists, heads *device.Buffer[uint32], n int) {
	defer ws.Reset(ws.Mark())
	m := wordsOf(n)
	before := device.Carve[uint64](ws, m)
	p.lists.Run(ws, m, 24, l.words, before, uint64(n), l.counts)
	p.enlist.Launch(intmath.CeilDiv(m, tuned.Of(p.s).Map.WG), 20*int64(m),
		heads, uint64(n), uint32(p.limit), l.words, before, l.counts, l.starts, l.ends, l.offsets)
	if p.merges != nil {
		// The host does not know yet how many segments are listed.
		p.rounds.Launch(intmath.CeilDiv(p.maxListed(), tuned.Of(p.s).Map.WG), 0, l.starts, l.ends, uint32(p.block), l.counts)
	}
	l.begin(l.counts)
}

// shortest: a segment that is longer than this, and not listed, is for group.
func (p *Plan[K, V]) shortest() int { return max(p.least, 1) - 1 }

// listed is what the host knows of the lists.
type listed struct {
	segments, items int
	active          [maxRounds]int // blocks in a round of merges, by the rounds that are left
	moves           int            // of blocks in all rounds
}

func (l *lists) listed() (all listed) {
	counts := l.wait()
	all.segments, all.items = int(counts[0]), int(counts[1])
	blocks := 0
	for r := maxRounds - 1; r >= 0; r-- {
		blocks += int(counts[2+r])
		all.moves += r * int(counts[2+r])
		all.active[r] = blocks
	}
	return all
}

// mergeBlocks sorts the listed segments by blocks, then merges these. Segments have their
// last round together, into Alt; so those of an odd number of rounds start in Cur.
func (p *Plan[K, V]) mergeBlocks(
	ws *device.Workspace, l lists, all listed, keys *radixsort.Pair[K], values *radixsort.Pair[V],
) {
	defer ws.Reset(ws.Mark())
	blocks := device.Carve[[4]uint32](ws, all.active[0])
	traffic := p.bytesPerItem() * int64(p.block)
	p.layout.Launch(all.segments, 16*int64(all.active[0]), l.starts, l.ends, uint32(p.block), l.counts, blocks)
	p.blockSort.Launch(all.active[0], traffic*int64(all.active[0]), blocks, pairs(keys, values))
	for left := maxRounds - 1; left > 0; left-- {
		k, v := *keys, *values
		if left%2 == 0 {
			k.Cur, k.Alt, v.Cur, v.Alt = k.Alt, k.Cur, v.Alt, v.Cur
		}
		p.merges.Run(ws, all.active[left], traffic*int64(all.active[left]), blocks, uint32(left), pairs(&k, &v))
	}
}

// sortGlobally sorts the listed segments by one radix sort of (segment, key); 64-bit keys
// by one of the keys and one of the segments.
func (p *Plan[K, V]) sortGlobally(
	ws *device.Workspace, l lists, segments, total int, keys *radixsort.Pair[K], values *radixsort.Pair[V],
) {
	tiles := intmath.CeilDiv(total, p.largeTile)
	sortKeys := radixsort.Pair[uint64]{Cur: device.Carve[uint64](ws, total), Alt: device.Carve[uint64](ws, total)}
	from := radixsort.Pair[uint32]{Cur: device.Carve[uint32](ws, total), Alt: device.Carve[uint32](ws, total)}
	segmentBits := bits.Len(uint(segments - 1))
	value := int64(cltype.Size[V]())
	n := int64(total)
	if !wide[K]() {
		p.gather.Launch(tiles, n*16, l.starts, l.offsets, uint32(segments), uint32(total),
			keys.Cur.Args(), sortKeys.Cur, from.Cur)
		p.sort.Run(ws, &sortKeys, &from, total, 0, 32+segmentBits)
		p.scatter.Launch(tiles, n*(16+2*value), l.starts, l.offsets, uint32(total),
			sortKeys.Cur, from.Cur, pairs(keys, values))
		return
	}
	segment := device.Carve[uint32](ws, total)
	sorted := radixsort.Pair[uint32]{Cur: device.Carve[uint32](ws, total), Alt: device.Carve[uint32](ws, total)}
	p.gather.Launch(tiles, n*24, l.starts, l.offsets, uint32(segments), uint32(total),
		keys.Cur.Args(), sortKeys.Cur, from.Cur, segment)
	p.sort.Run(ws, &sortKeys, &from, total, 0, 64)
	p.segments.Launch(tiles, n*12, from.Cur, segment, uint32(total), sorted.Cur)
	p.sortSegments.Run(ws, &sorted, &from, total, 0, segmentBits)
	p.scatter.Launch(tiles, n*(24+2*value), l.starts, l.offsets, uint32(total), sorted.Cur, from.Cur, pairs(keys, values))
}

func (p *Plan[K, V]) check(
	keys *radixsort.Pair[K], values *radixsort.Pair[V], heads *device.Buffer[uint32], n int,
) error {
	switch {
	case n < 0 || n > p.n:
		return fmt.Errorf("segsort: %d pairs, planned for %d", n, p.n)
	case n > keys.Cur.Len() || n > keys.Alt.Len():
		return fmt.Errorf("segsort: %d keys in buffers of %d and %d", n, keys.Cur.Len(), keys.Alt.Len())
	case n > values.Cur.Len() || n > values.Alt.Len():
		return fmt.Errorf("segsort: %d values in buffers of %d and %d", n, values.Cur.Len(), values.Alt.Len())
	case !fits(keys.Cur) || !fits(keys.Alt) || !fits(values.Cur) || !fits(values.Alt):
		return fmt.Errorf("segsort: a view begins after element %d of its buffer", maxPairs)
	case intmath.CeilDiv(n, 32) > heads.Len():
		return fmt.Errorf("segsort: heads of %d items in a bitmap of %d words", n, heads.Len())
	}
	return nil
}

// fits tells whether a view begins where 32 bits reach.
func fits[T uint32 | uint64](b *device.Buffer[T]) bool {
	_, at := b.Root()
	return at <= maxPairs
}

// wide tells whether T has 64 bits.
func wide[T uint32 | uint64]() bool { return cltype.Size[T]() == 8 }
