package smem

import (
	"context"
	"errors"
	"fmt"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/scan"
)

// ErrOneStrand refuses an index without the other strand.
var ErrOneStrand = errors.New("the index does not have both strands of each sequence")

// Options say which matches are wanted.
type Options struct {
	Least int    // letters of a match, at least 1
	Hits  uint64 // how often it occurs, at least 1
	// Located is of how many hits at most the positions are wanted; 0: none are. The index Locates then.
	Located uint64
}

// Match is where [Start, End) of a query occurs: in Hits rows from Row on.
type Match struct {
	Query, Start, End uint32
	Row, Hits         uint64
}

// Found are matches, query by query, by where they begin. Positions are those of each match with at most
// Options.Located hits, row by row.
type Found struct {
	Matches   []Match
	Positions []uint64
}

// Search searches in an index.
type Search struct {
	Options
	x                                  *Index
	shape                              tune.SMEM
	pack, search, order, rows, locate  *device.Kernel
	counters                           *device.Buffer[uint32]
	batch                              memory
	chunks                             [][4]uint32
	queries                            []uint32
	spans                              [][4]uint32
	places                             [][2]uint64
	found                              Found
	firsts, starts                     []uint64
	firstsBuffer, startsBuffer, placed *device.Buffer[uint64]
}

// memory is that of a batch on the device.
type memory struct {
	letters, count, room  int
	layout                *device.Layout
	text                  *device.Slot[uint8]
	packed                *device.Slot[[2]uint32]
	chunks                *device.Slot[[4]uint32]
	queries, counts       *device.Slot[uint32]
	spans, ordered        *device.Slot[[4]uint32]
	places, orderedPlaces *device.Slot[[2]uint64]
	sum                   *scan.Plan[uint32]
	ws                    *device.WorkspaceSlot
}

// newMemory plans room for so many letters, chunks and matches.
func newMemory(s *device.Session, letters, count, room int) memory {
	l := device.NewLayout("search")
	sum := scan.NewPlan[uint32](s, count, scan.Options{})
	return memory{
		letters: letters, count: count, room: room, layout: l,
		text:          device.Reserve[uint8](l, "queries", letters),
		packed:        device.Reserve[[2]uint32](l, "packed queries", packedWords(letters)),
		chunks:        device.Reserve[[4]uint32](l, "chunks", count),
		queries:       device.Reserve[uint32](l, "queries of chunks", count),
		counts:        device.Reserve[uint32](l, "counts", count),
		spans:         device.Reserve[[4]uint32](l, "matches", room),
		ordered:       device.Reserve[[4]uint32](l, "matches in order", room),
		places:        device.Reserve[[2]uint64](l, "rows", room),
		orderedPlaces: device.Reserve[[2]uint64](l, "rows in order", room),
		sum:           sum,
		ws:            device.ReserveWorkspace(l, sum.Workspace()),
	}
}

// SearchMemory is the device memory of a search for queries of so many letters in all, as far as they are searched at
// once. Where there are more matches it takes more.
func SearchMemory(s *device.Session, letters, queries int) device.PhaseMemory {
	chunk := tuned.Of(s).SMEM.Chunk
	letters, count := min(letters, batchLetters), min(queries+letters/chunk, batchChunks)
	m := newMemory(s, letters, max(count, 1), roomFor(count))
	return m.layout.Memory()
}

// roomFor is how many matches there is room for at first.
func roomFor(chunks int) int { return max(chunks, min(4*chunks, batchRoom), 1) }

// NewSearch plans a search. Errors: options that there are not; positions of an index that has none.
func NewSearch(x *Index, o Options) (*Search, error) {
	if o.Least < 1 || o.Hits < 1 {
		return nil, fmt.Errorf("smem: matches of %d letters and %d hits", o.Least, o.Hits)
	}
	if o.Located > 0 && !x.Locates() {
		return nil, errors.New("smem: the index has no positions")
	}
	program, t := x.program()
	p := &Search{Options: o, x: x, shape: t}
	kernel := func(name string) *device.Kernel { return program.Kernel("smem_"+name, t.WG) }
	p.pack, p.search, p.order = kernel("pack"), kernel("search"), kernel("order")
	if x.Locates() {
		p.rows, p.locate = kernel("rows"), kernel("locate")
	}
	var err error
	if p.counters, err = device.Alloc[uint32](x.s, 2); err != nil {
		return nil, err
	}
	return p, nil
}

// Release frees the memory.
func (p *Search) Release() {
	if p != nil {
		p.batch.release(p.x.s)
		p.counters.Release()
		p.firstsBuffer.Release()
		p.startsBuffer.Release()
		p.placed.Release()
	}
}

func (m *memory) release(s *device.Session) {
	if m.layout != nil {
		m.layout.Release(s)
	}
	*m = memory{}
}

// fit has room for so many letters, chunks and matches.
func (m *memory) fit(s *device.Session, letters, count, room int) error {
	if letters <= m.letters && count <= m.count && room <= m.room {
		return nil
	}
	letters, count, room = max(letters, m.letters), max(count, m.count), max(room, m.room)
	m.release(s)
	next := newMemory(s, letters, count, room)
	err := device.MemoryPlan{next.layout.Memory()}.Fits(s)
	if err == nil {
		err = next.layout.Allocate(s)
	}
	if err != nil {
		next.release(s)
		return err
	}
	*m = next
	return nil
}

// packedWords are the words of letters, and one more that strings at the end reach into.
func packedWords(letters int) int { return letters/16 + 2 }

// Limits of what is searched at once.
const (
	batchLetters = 32 << 20
	batchChunks  = 1 << 20
	batchRoom    = 1 << 20
)

// Each searches for queries, whose letters are one after the other, each up to its end, and yields matches, which are
// valid until it returns: those of queries [from, to). Errors: yield's, the context's, the device's.
func (p *Search) Each(ctx context.Context, text []byte, ends []uint32, yield func(from, to int, f *Found) error) error {
	begin := uint32(0)
	if len(ends) > 0 && int64(ends[len(ends)-1]) > int64(len(text)) {
		return fmt.Errorf("smem: queries of %d letters, there are %d", ends[len(ends)-1], len(text))
	}
	most := len(ends)
	for from := 0; from < len(ends); {
		to, next := p.part(begin, ends, from, from+most)
		total, err := p.run(ctx, text[begin:next], begin, ends, from)
		if err != nil {
			return err
		}
		if total > p.batch.room {
			if to-from > 1 {
				most = (to - from) / 2
				continue
			}
			if err := p.batch.fit(p.x.s, 0, 0, total); err != nil {
				return err
			}
			continue
		}
		if err := p.collect(ctx, total); err != nil {
			return err
		}
		if err := yield(from, to, &p.found); err != nil {
			return err
		}
		begin, from, most = next, to, min(2*most, len(ends))
	}
	return nil
}

// longest is how many letters a query may have where work-items cannot loop for long: up to half its square are steps.
func (x *Index) longest() int {
	if x.runs != nil {
		return 24 // a step goes through two blocks
	}
	return 200
}

// part lists the chunks of queries from one on, and returns where the next ones are, and where they begin.
func (p *Search) part(begin uint32, ends []uint32, from, most int) (to int, next uint32) {
	p.chunks, p.queries = p.chunks[:0], p.queries[:0]
	next = begin
	for to = from; to < min(most, len(ends)); to++ {
		at, n := next, int(ends[to]-next)
		if to > from && (int(at-begin)+n > batchLetters || len(p.chunks)+n/p.shape.Chunk >= batchChunks) {
			break
		}
		next = ends[to]
		if n < p.Least {
			continue
		}
		count := max(n/p.shape.Chunk, 1)
		for c := range count {
			first, last := n/count*c, n/count*(c+1)
			if c == count-1 {
				last = n
			}
			p.chunks = append(p.chunks, [4]uint32{at - begin, uint32(n), uint32(first), uint32(last)})
			p.queries = append(p.queries, uint32(to))
		}
	}
	return to, next
}

// run searches, and returns how many matches there are. They are listed if there is room.
func (p *Search) run(ctx context.Context, text []byte, begin uint32, ends []uint32, from int) (int, error) {
	s, m, count := p.x.s, &p.batch, len(p.chunks)
	if count == 0 {
		return 0, s.Check(ctx)
	}
	if !tuned.Quirks(s.Caps()).LongLoops {
		for _, c := range p.chunks {
			if longest := p.x.longest(); int(c[1]) > longest {
				return 0, fmt.Errorf("smem: a query of %d letters, on %s at most %d: its work-items cannot loop for longer",
					c[1], s.Caps().Name, longest)
			}
		}
	}
	if err := m.fit(s, len(text), count, roomFor(count)); err != nil {
		return 0, err
	}
	err := m.text.Buffer(s).View(0, len(text)).Upload(ctx, text, nil)
	if err == nil {
		err = m.chunks.Buffer(s).View(0, count).Upload(ctx, p.chunks, nil)
	}
	if err == nil {
		err = m.queries.Buffer(s).View(0, count).Upload(ctx, p.queries, nil)
	}
	if err != nil {
		return 0, err
	}
	s.Phase("search")
	p.counters.Fill(0)
	m.counts.Buffer(s).Fill(0) // of a work-item that a driver has stopped, too
	words, tile := packedWords(len(text)), p.shape.WG*p.shape.Items
	packed := m.packed.Buffer(s)
	p.pack.Launch(intmath.CeilDiv(words, tile), int64(len(text))+8*int64(words), m.text.Buffer(s), uint64(len(text)),
		uint64(words), packed)
	k := p.x.k
	if k > p.Least {
		k = 0
	}
	walkers := min(p.shape.Walkers, intmath.CeilDiv(count, p.shape.Together))
	if !tuned.Quirks(s.Caps()).LongLoops {
		walkers = count
	}
	p.search.Launch(intmath.CeilDiv(walkers, p.shape.WG), int64(len(text))*(8+2*64), p.x.args, p.x.table.Buffer(s),
		uint32(k), packed, m.chunks.Buffer(s), uint32(count), uint32(p.Least), p.Hits, p.counters, m.counts.Buffer(s),
		uint32(m.room), m.spans.Buffer(s), m.places.Buffer(s))
	var counters [2]uint32
	if err := p.counters.Read(counters[:]); err != nil {
		return 0, err
	}
	return int(counters[1]), s.Check(ctx)
}

// collect brings the matches in order, and reads them.
func (p *Search) collect(ctx context.Context, total int) error {
	s, m, count := p.x.s, &p.batch, len(p.chunks)
	p.found.Matches, p.found.Positions = p.found.Matches[:0], p.found.Positions[:0]
	if total == 0 {
		return nil
	}
	s.Phase("order")
	counts := m.counts.Buffer(s)
	m.sum.Run(m.ws.Workspace(s), counts, counts, count)
	p.order.Launch(intmath.CeilDiv(total, p.shape.WG*p.shape.Items), 64*int64(total), m.spans.Buffer(s),
		m.places.Buffer(s), counts, m.queries.Buffer(s), uint64(total), m.ordered.Buffer(s), m.orderedPlaces.Buffer(s))
	p.spans, p.places = resize(p.spans, total), resize(p.places, total)
	if err := m.ordered.Buffer(s).View(0, total).Download(ctx, p.spans, nil); err != nil {
		return err
	}
	if err := m.orderedPlaces.Buffer(s).View(0, total).Download(ctx, p.places, nil); err != nil {
		return err
	}
	p.found.Matches = resize(p.found.Matches, total)
	parallel.Do(total, 1<<14, func(lo, hi int) {
		for i, span := range p.spans[lo:hi] {
			place := p.places[lo+i]
			p.found.Matches[lo+i] = Match{span[0], span[1], span[2], place[0], place[1]}
		}
	})
	return p.positions(ctx)
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/4)
	}
	return s[:n]
}

// positions are found for matches that are rare enough.
func (p *Search) positions(ctx context.Context) error {
	if p.Located == 0 {
		return nil
	}
	s := p.x.s
	p.firsts, p.starts = p.firsts[:0], p.starts[:0]
	total := uint64(0)
	for _, m := range p.found.Matches {
		if m.Hits <= p.Located {
			p.firsts, p.starts = append(p.firsts, total), append(p.starts, m.Row)
			total += m.Hits
		}
	}
	count, n := len(p.firsts), int(total)
	if n == 0 {
		return nil
	}
	for _, b := range []struct {
		buffer **device.Buffer[uint64]
		n      int
	}{{&p.firstsBuffer, count}, {&p.startsBuffer, count}, {&p.placed, n}} {
		if *b.buffer == nil || (*b.buffer).Len() < b.n {
			(*b.buffer).Release()
			var err error
			if *b.buffer, err = device.Alloc[uint64](s, b.n+b.n/4); err != nil {
				return err
			}
		}
	}
	if err := p.firstsBuffer.View(0, count).Upload(ctx, p.firsts, nil); err != nil {
		return err
	}
	if err := p.startsBuffer.View(0, count).Upload(ctx, p.starts, nil); err != nil {
		return err
	}
	s.Phase("positions")
	groups := intmath.CeilDiv(n, p.shape.WG*p.shape.Items)
	p.rows.Launch(groups, int64(n)*(8+32), p.startsBuffer, p.firstsBuffer, uint32(count), total, p.placed)
	p.locate.Launch(groups, int64(n)*int64(16+64*p.x.every), p.x.args, p.x.samples.Buffer(s), uint32(p.x.every), total,
		p.placed)
	p.found.Positions = resize(p.found.Positions, n)
	return p.placed.View(0, n).Download(ctx, p.found.Positions, nil)
}
