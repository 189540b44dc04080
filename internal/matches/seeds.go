package matches

import (
	"fmt"
	"math/bits"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/radixsort"
)

const (
	longestSeed = 16 // symbols that the kernels take at most
	commonSeed  = 8  // seeds that are the same in a random genome, at most
	farthest    = 64 // symbols from one seed to the next: more would save little
	// LongMatch is a length from which on that of a match may be greater than Seeds says.
	LongMatch = 1 << 14
)

var seedsFiles = []string{"text.cl", "words.cl", "seeds.cl"}

// seedLength is the length of seeds for matches of `least` symbols or more: so many symbols as tell the positions of a
// random genome apart, since of shorter ones fewer do. It is 0 where too many would be the same.
func seedLength(references int, least uint32) int {
	length := min((bits.Len(uint(references))+1)/2, longestSeed, int(least)-1)
	if length < 1 || references>>(2*length) > commonSeed {
		return 0
	}
	return length
}

// SeedsServe tells whether seeds can find the matches of `least` symbols or more with a reference of so many.
func SeedsServe(references int, least uint32) bool { return seedLength(references, least) > 0 }

// Seeds finds all maximal matches by the seeds that reference and queries share, without a suffix array.
type Seeds struct {
	s             *device.Session
	n, references int
	least         uint32
	length, step  int // of seeds
	count         int // of seeds
	bits          int // of the keys that the table has
	part, room    int
	shape         tune.Matches

	first, pair, match *device.Kernel
	byKey              *radixsort.Plan[uint32, uint32]
	byQuery            *radixsort.Plan[uint64, uint32]

	text     *device.Buffer[uint8]
	table    *device.Buffer[uint32]
	seeds    [2]radixsort.Pair[uint32] // keys, positions
	begins   radixsort.Pair[uint64]
	lengths  radixsort.Pair[uint32]
	counters [2]*device.Buffer[uint32] // of pairs, of matches
}

// NewSeeds plans the matches of `least` symbols or more in texts of n, of which the first `references` are the
// reference, `part` positions of the queries at once at most. Errors: those of New; matches that seeds do not serve.
func NewSeeds(s *device.Session, n, references int, least uint32, part int) (*Seeds, error) {
	if err := limits.CheckLen("text", n, limits.MaxLen); err != nil {
		return nil, err
	}
	if references < 1 || references > n || part < 1 || !SeedsServe(references, least) {
		return nil, fmt.Errorf("matches: seeds of a reference of %d in %d symbols, matches of %d and more, parts of %d",
			references, n, least, part)
	}
	p := &Seeds{s: s, n: n, references: references, least: least, length: seedLength(references, least),
		part: max(min(part, n-references), 1), shape: tuned.Of(s).Matches}
	p.step = min(int(least)-p.length+1, farthest)
	p.count = max(references-p.length, 0)/p.step + 1
	p.bits = min(max(bits.Len(uint(p.count)), 1), 31)
	p.room = p.part/2 + 2
	program := s.Program(device.Source{Files: seedsFiles,
		Defines: device.Defines{"WG": p.shape.WG, "ITEMS": p.shape.Items}})
	kernel := func(name string) *device.Kernel { return program.Kernel("seeds_"+name, p.shape.WG) }
	p.first, p.pair, p.match = kernel("first"), kernel("pairs"), kernel("matches")
	keys := device.Source{Files: seedsFiles, Defines: device.Defines{"SEEDS_KEYS": 1}}
	p.byKey = radixsort.NewTemplate[uint32, uint32](s, p.count, keys).Reads(16, 0)
	p.byQuery = radixsort.NewPairs[uint64, uint32](s, p.room)
	return p, nil
}

// TextLen is the length of the buffer for the text: what is after the text has to be 0.
func (p *Seeds) TextLen() int { return intmath.RoundUp(p.n, 8) + 4*8 }

// Part is how many positions of queries Pairs takes at most.
func (p *Seeds) Part() int { return p.part }

// Room is one more than the pairs and matches that there can be at once.
func (p *Seeds) Room() int { return p.room }

// Workspace is what Begin, and then Sorted, carve from one workspace: 24 bytes a seed, and 12 for each position of a
// part of the queries.
func (p *Seeds) Workspace() device.Pieces {
	seeds, room := device.PieceOf[uint32](p.count), device.PieceOf[uint32](p.room)
	matches := device.PieceOf[uint64](p.room)
	return seeds.And(seeds, seeds, seeds, device.PieceOf[uint32](1<<p.bits), room, room, matches, matches,
		device.PieceOf[uint32](1), device.PieceOf[uint32](1), p.byKey.Workspace().Or(p.byQuery.Workspace()))
}

func (p *Seeds) groups(n int) int { return intmath.CeilDiv(n, p.shape.WG*p.shape.Items) }

func (p *Seeds) shift() uint32 { return uint32(32 - p.bits) }

// Begin enqueues sorting the seeds of the reference. Errors, on the session: a text of another length than TextLen.
func (p *Seeds) Begin(ws *device.Workspace, text *device.Buffer[uint8]) {
	if text.Len() != p.TextLen() {
		p.s.Fail(fmt.Errorf("matches: text of %d, planned for %d", text.Len(), p.TextLen()))
		return
	}
	p.text = text
	for i := range p.seeds {
		p.seeds[i] = radixsort.Pair[uint32]{Cur: device.Carve[uint32](ws, p.count), Alt: device.Carve[uint32](ws, p.count)}
	}
	p.table = device.Carve[uint32](ws, 1<<p.bits)
	p.lengths = radixsort.Pair[uint32]{Cur: device.Carve[uint32](ws, p.room), Alt: device.Carve[uint32](ws, p.room)}
	p.begins = radixsort.Pair[uint64]{Cur: device.Carve[uint64](ws, p.room), Alt: device.Carve[uint64](ws, p.room)}
	for i := range p.counters {
		p.counters[i] = device.Carve[uint32](ws, 1)
	}
	p.byKey.Run(ws, &p.seeds[0], &p.seeds[1], p.count, 0, 32, text, uint32(p.length), uint32(p.step))
	p.table.Fill(0)
	p.first.Launch(p.groups(p.count), int64(p.count)*12, p.seeds[0].Cur, uint64(p.count), p.shift(), p.table)
}

// Pairs enqueues finding the pairs of seeds for matches that begin at positions first to first+count-1 of the queries,
// and returns the buffer of their number, of Room and more that of Room. Errors, on the session: a
// part longer than planned, or out of the queries.
func (p *Seeds) Pairs(first, count int) *device.Buffer[uint32] {
	queries := p.n - p.references
	if first < 0 || count < 1 || count > p.part || count > queries-first {
		p.s.Fail(fmt.Errorf("matches: positions %d to %d of %d, parts of %d", first, first+count-1, queries, p.part))
		return p.counters[0]
	}
	p.counters[0].Fill(0)
	seeds := min(count+p.step-1, queries-first)
	p.pair.Launch(p.groups(seeds), int64(seeds)*(16+32+32), p.text, uint32(p.length), p.seeds[0].Cur, p.seeds[1].Cur,
		uint64(p.count), p.shift(), p.table, uint64(p.references+first), uint64(seeds), uint32(p.room),
		p.counters[0], p.begins.Alt)
	return p.counters[0]
}

// Matches enqueues finding the matches of so many pairs, of the part that Pairs was called for, and returns the buffer
// of their number.
func (p *Seeds) Matches(pairs, first, count int) *device.Buffer[uint32] {
	from := uint64(p.references + first)
	p.counters[1].Fill(0)
	p.match.Launch(p.groups(pairs), int64(pairs)*(8+4*32+12), p.text, uint32(p.length), uint32(p.step), p.least,
		uint32(LongMatch), p.begins.Alt, uint64(pairs), from, from+uint64(count), p.referenceBits(), p.counters[1],
		p.begins.Cur, p.lengths.Cur)
	return p.counters[1]
}

// referenceBits is the number of bits of a position in the reference.
func (p *Seeds) referenceBits() uint32 { return uint32(bits.Len(uint(p.references))) }

// Sorted enqueues sorting so many matches, of a part of `count` positions, by position in the queries and then in the
// reference. It returns their keys, from which Positions takes both, and their lengths.
func (p *Seeds) Sorted(ws *device.Workspace, matches, count int) (*device.Buffer[uint64], *device.Buffer[uint32]) {
	p.byQuery.Run(ws, &p.begins, &p.lengths, matches, 0, int(p.referenceBits())+bits.Len(uint(count-1)))
	return p.begins.Cur.View(0, matches), p.lengths.Cur.View(0, matches)
}

// Positions are the positions of a key: in the reference, and in the queries from the first of the part on.
func (p *Seeds) Positions(key uint64) (reference, query uint32) {
	b := p.referenceBits()
	return uint32(key & (1<<b - 1)), uint32(key >> b)
}
