package pml

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// Search searches in an index.
type Search struct {
	x       *Index
	kernel  *device.Kernel
	shape   tune.SMEM
	queue   *device.Buffer[uint32]
	batch   memory
	queries [][2]uint32
	lengths []uint32
}

// memory is that of a batch on the device.
type memory struct {
	letters, count int
	layout         *device.Layout
	text           *device.Slot[uint8]
	queries        *device.Slot[[2]uint32]
	lengths        *device.Slot[uint32]
}

func newMemory(letters, count int) memory {
	l := device.NewLayout("search")
	return memory{
		letters: letters, count: count, layout: l,
		text:    device.Reserve[uint8](l, "queries", letters),
		queries: device.Reserve[[2]uint32](l, "places of queries", count),
		lengths: device.Reserve[uint32](l, "lengths", letters),
	}
}

// Limits of what is searched at once.
const (
	batchLetters = 32 << 20
	batchQueries = 1 << 20
)

// SearchMemory is the device memory of a search for queries of so many letters in all, as far as they are searched at
// once. A longer query takes more.
func SearchMemory(letters, queries int) device.PhaseMemory {
	m := newMemory(max(min(letters, batchLetters), 1), max(min(queries, batchQueries), 1))
	return m.layout.Memory()
}

// NewSearch makes a search.
func NewSearch(x *Index) (*Search, error) {
	p := &Search{x: x}
	p.kernel, p.shape = program(x.s)
	var err error
	p.queue, err = device.Alloc[uint32](x.s, 1)
	return p, err
}

// Release frees the memory.
func (p *Search) Release() {
	p.batch.release(p.x.s)
	p.queue.Release()
}

func (m *memory) release(s *device.Session) {
	if m.layout != nil {
		m.layout.Release(s)
	}
	*m = memory{}
}

// fit has room for so many letters and queries.
func (m *memory) fit(s *device.Session, letters, count int) error {
	if letters <= m.letters && count <= m.count {
		return nil
	}
	letters, count = max(letters, m.letters), max(count, m.count)
	m.release(s)
	next := newMemory(letters, count)
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

// Each searches for queries, whose letters are one after the other, each up to its end. It yields a length for each
// letter of queries [from, to), which are valid until it returns. Errors: yield's, the context's, the device's.
func (p *Search) Each(
	ctx context.Context, text []byte, ends []uint32, yield func(from, to int, lengths []uint32) error,
) error {
	if len(ends) > 0 && int64(ends[len(ends)-1]) > int64(len(text)) {
		return fmt.Errorf("pml: queries of %d letters, there are %d", ends[len(ends)-1], len(text))
	}
	begin := uint32(0)
	for from := 0; from < len(ends); {
		to, next := p.part(begin, ends, from)
		if err := p.run(ctx, text[begin:next]); err != nil {
			return err
		}
		if err := yield(from, to, p.lengths); err != nil {
			return err
		}
		begin, from = next, to
	}
	return nil
}

// part lists queries from one on, and returns where the next ones are, and where they begin. Long ones come first: none
// of them is begun when all others are done.
func (p *Search) part(begin uint32, ends []uint32, from int) (to int, next uint32) {
	p.queries = p.queries[:0]
	next = begin
	for to = from; to < len(ends); to++ {
		n := ends[to] - next
		if to > from && (int(ends[to]-begin) > batchLetters || len(p.queries) == batchQueries) {
			break
		}
		if n > 0 {
			p.queries = append(p.queries, [2]uint32{next - begin, n})
		}
		next = ends[to]
	}
	slices.SortStableFunc(p.queries, func(a, b [2]uint32) int { return cmp.Compare(b[1], a[1]) })
	return to, next
}

// longest is how many letters a query may have where work-items cannot loop for long.
const longest = 200

// run finds the lengths of the listed queries.
func (p *Search) run(ctx context.Context, text []byte) error {
	s, m, count := p.x.s, &p.batch, len(p.queries)
	if p.lengths = p.lengths[:0]; count == 0 {
		return s.Check(ctx)
	}
	walkers := min(p.shape.Walkers, intmath.CeilDiv(count, p.shape.Together))
	if !tuned.Quirks(s.Caps()).LongLoops {
		if n := p.queries[0][1]; n > longest {
			return fmt.Errorf("pml: a query of %d letters, on %s at most %d: its work-items cannot loop for longer",
				n, s.Caps().Name, longest)
		}
		walkers = count
	}
	if err := m.fit(s, len(text), count); err != nil {
		return err
	}
	if err := m.text.Buffer(s).View(0, len(text)).Upload(ctx, text, nil); err != nil {
		return err
	}
	if err := m.queries.Buffer(s).View(0, count).Upload(ctx, p.queries, nil); err != nil {
		return err
	}
	s.Phase("search")
	p.queue.Fill(0)
	lengths := m.lengths.Buffer(s).View(0, len(text))
	lengths.Fill(0) // of a work-item that a driver has stopped, too
	x := p.x
	p.kernel.Launch(intmath.CeilDiv(walkers, p.shape.WG), int64(len(text))*(5+32+64), x.runs.Args(), x.letters.Buffer(s),
		x.thresholds.Buffer(s), x.cells.Buffer(s), uint32(x.shift), m.text.Buffer(s), m.queries.Buffer(s), uint32(count),
		p.queue, m.lengths.Buffer(s))
	p.lengths = slices.Grow(p.lengths, len(text))[:len(text)]
	return lengths.Download(ctx, p.lengths, nil)
}
