package duplicates

import (
	"cmp"
	"context"
	"slices"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/scan"
)

// Phases of a run in pieces.
const (
	phasePieces   = "anchors of pieces"
	phaseContexts = "contexts"
)

// leastEntries is the number of documents of a piece for which there is room, if the piece has as many symbols.
const leastEntries = 256

// streamed finds the duplicates of a text that goes through the device in pieces: items are listed by parts of their
// keys, and the contexts of items that are not alone are texts for a resident finder.
type streamed struct {
	s *device.Session
	n int
	o Options
	k kernels

	piece      int // windows
	entries    int // of documents of a piece
	layout     *device.Layout
	text       *device.Slot[uint8]
	documents  *device.Slot[uint64]
	counts     counts
	lists      lists
	histogram  *device.Slot[uint32]
	candidates *scan.CompactTemplate
	ws         *device.WorkspaceSlot

	contexts     *resident
	contextsText int // symbols
}

func newStreamed(s *device.Session, n int, o Options) (*streamed, error) {
	limit, _ := tuned.MemoryLimit(s)
	piece := o.Piece
	if piece == 0 { // with lists of twice as much, and what they are sorted in
		piece = int(min(limit/4, s.Caps().MaxAlloc)) / o.SymbolBytes
	}
	piece = max(min(piece, n), 1)
	capacity := o.Capacity
	if capacity == 0 {
		capacity = int(max(min(int64(n/4), limit/2/32), leastCapacity))
	}
	f := planStreamed(s, n, piece, capacity, o)
	if o.Piece > 0 && o.Capacity > 0 {
		return f, f.planContexts(limit)
	}
	err := f.fits()
	for err != nil && (capacity > leastCapacity || piece > leastCapacity) {
		if o.Piece == 0 {
			piece = max(piece*3/4, min(piece, leastCapacity))
		}
		capacity = max(capacity*3/4, leastCapacity)
		f = planStreamed(s, n, piece, capacity, o)
		err = f.fits()
		if o.Piece > 0 && capacity == leastCapacity {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	return f, f.planContexts(limit)
}

// planContexts plans the resident finder for as many symbols as there is memory for.
func (f *streamed) planContexts(limit int64) error {
	o := f.o
	o.Piece = 0
	least := 4 * (o.Length + f.k.width)
	n := max(int(min(limit/int64(o.SymbolBytes+9), int64(f.n)*8)), least)
	if o.Piece > 0 || o.Capacity > 0 {
		n = max(min(n, 64*o.Capacity), least)
	}
	for {
		o.Documents = n/o.Length + 1
		r, err := newResident(f.s, n, o)
		if err == nil {
			f.contexts, f.contextsText = r, n
			return nil
		}
		if n == least {
			return err
		}
		n = max(n*3/4, least)
	}
}

func planStreamed(s *device.Session, n, piece, capacity int, o Options) *streamed {
	f := &streamed{s: s, n: n, o: o, k: newKernels(s, o), piece: piece, layout: device.NewLayout(phasePieces)}
	l := f.layout
	// More than a window has symbols: so there is a piece between any two of the offsets that there is room for. All
	// documents of a small piece have room.
	f.entries = max(piece/64, min(piece, leastEntries), o.Length) + 3
	f.text = device.Reserve[uint8](l, "piece of the text", textBytes((piece+o.Length-1)*o.SymbolBytes))
	f.documents = device.Reserve[uint64](l, "documents", f.entries)
	f.counts = newCounts(s, l, f.k.selectTiles(piece))
	listed := o
	listed.Frequent = 0
	f.lists = newLists(s, l, capacity, listed)
	f.histogram = device.Reserve[uint32](l, "histogram", 1<<bucketBits)
	f.candidates = scan.NewCompactTemplate(s, capacity, source(o.SymbolBytes, "CANDIDATES"))
	f.ws = device.ReserveWorkspace(l,
		f.lists.workspace().Or(f.counts.sums.Workspace(), f.candidates.Workspace()))
	return f
}

func (f *streamed) fits() error {
	return device.MemoryPlan{f.layout.Memory()}.Fits(f.s)
}

func (f *streamed) memory(host int64) device.MemoryPlan {
	pieces := f.layout.Memory()
	pieces.Host = host + 16*int64(f.lists.capacity)
	return device.MemoryPlan{pieces,
		f.contexts.memory(phaseContexts, pieces.Host+int64(f.contextsText)*int64(f.o.SymbolBytes))}
}

// span is a run of windows.
type span struct{ first, last uint64 }

// streamedRun is the state of a run.
type streamedRun struct {
	*streamed
	ctx      context.Context
	text     []byte
	starts   []uint64 // of documents
	pieces   []pieceOf
	out      []span
	progress func(phase string, done, total int64)
	result   Result
	ws       *device.Workspace
}

// pieceOf is a piece of the text: the windows from first on.
type pieceOf struct {
	first, windows int
	documents      []uint64 // where documents end in the piece
}

func (f *streamed) run(ctx context.Context, text []byte, documents []uint64, out *joiner,
	progress func(string, int64, int64)) (Result, error) {
	x := &streamedRun{streamed: f, ctx: ctx, text: text, starts: documents, progress: progress}
	if f.n < f.o.Length {
		return Result{}, f.s.Check(ctx)
	}
	x.cut()
	histogram, err := x.listing(func() ([]uint64, error) {
		sum := make([]uint64, 1<<bucketBits)
		err := x.eachPiece(func(c *selection) error {
			_, err := histogramOf(c, sum)
			return err
		})
		return sum, err
	})
	if err != nil {
		return Result{}, err
	}
	for _, part := range buckets(histogram, f.lists.capacity) {
		if err := x.settlePart(part); err != nil {
			return Result{}, err
		}
	}
	slices.SortFunc(x.out, func(a, b span) int { return cmp.Compare(a.first, b.first) })
	for _, r := range x.out {
		if err := out.add(r.first, r.last); err != nil {
			return Result{}, err
		}
	}
	return x.result, nil
}

// cut makes the pieces: as long as planned, or shorter where there is no room for more offsets of documents.
func (x *streamedRun) cut() {
	windows := x.n - x.o.Length + 1
	for first, entry := 0, 0; first < windows; {
		p := pieceOf{first: first, windows: min(x.piece, windows-first)}
		for x.starts[entry] <= uint64(first) {
			entry++
		}
		for k := entry; ; k++ {
			last := len(p.documents) - 1
			if last >= 0 && x.starts[k] == p.documents[last] {
				continue
			}
			p.documents = append(p.documents, x.starts[k])
			if x.starts[k] >= uint64(first+p.windows-1+x.o.Length) {
				break
			}
			if len(p.documents) == x.entries {
				p.windows = int(x.starts[k]) - x.o.Length + 1 - first
				break
			}
		}
		x.pieces = append(x.pieces, p)
		first += p.windows
	}
}

// listing calls f while there is memory for pieces.
func (x *streamedRun) listing(f func() ([]uint64, error)) ([]uint64, error) {
	if err := x.layout.Allocate(x.s); err != nil {
		return nil, err
	}
	defer x.layout.Release(x.s)
	x.ws = x.streamed.ws.Workspace(x.s)
	return f()
}

// eachPiece calls f with each piece, which is on the device.
func (x *streamedRun) eachPiece(f func(c *selection) error) error {
	text, documents := x.streamed.text.Buffer(x.s), x.documents.Buffer(x.s)
	width := x.o.SymbolBytes
	x.s.Phase(phasePieces)
	for _, p := range x.pieces {
		x.progress(phasePieces, int64(p.first), int64(x.n))
		part := x.text[p.first*width : (p.first+p.windows+x.o.Length-1)*width]
		tail := len(part) / 8 * 8
		if err := zero(text.View(tail, textBytes(len(part))-tail)); err != nil {
			return err
		}
		if err := text.View(0, len(part)).Upload(x.ctx, part, nil); err != nil {
			return err
		}
		if err := documents.View(0, len(p.documents)).Upload(x.ctx, p.documents, nil); err != nil {
			return err
		}
		x.result.Pieces++
		err := f(&selection{k: &x.k, s: x.s, text: text, documents: documents, entries: len(p.documents),
			windows: p.windows, base: p.first, counts: x.counts, ws: x.ws, histogram: x.histogram.Buffer(x.s)})
		if err != nil {
			return err
		}
		if err := x.s.Check(x.ctx); err != nil {
			return err
		}
	}
	return nil
}

// settlePart settles the windows of the items of a part.
func (x *streamedRun) settlePart(part bucket) error {
	if part.items > x.lists.capacity {
		items, err := x.listing(func() ([]uint64, error) { return x.listLong(part) })
		if err != nil {
			return err
		}
		return x.settleOnHost(items)
	}
	var keys []uint64
	items, err := x.listing(func() (items []uint64, err error) {
		keys, items, err = x.candidatesOf(part)
		return items, err
	})
	if err != nil {
		return err
	}
	var batch []uint64
	symbols := 0
	for i, end := 0, 0; i < len(items); i = end {
		class := 0
		for end = i; end < len(items) && keys[end] == keys[i]; end++ {
			class += x.contextLen(items[end])
		}
		if class > x.contextsText {
			if err := x.settleOnHost(items[i:end]); err != nil {
				return err
			}
			continue
		}
		if symbols+class > x.contextsText {
			if err := x.settleContexts(batch, symbols); err != nil {
				return err
			}
			batch, symbols = batch[:0], 0
		}
		batch, symbols = append(batch, items[i:end]...), symbols+class
	}
	return x.settleContexts(batch, symbols)
}

// contextLen is the number of symbols of an item.
func (x *streamedRun) contextLen(item uint64) int { return x.o.Length + int(item&(1<<placeBits-1)) }

// candidatesOf lists the items of a part that are not alone, class by class, with their keys.
func (x *streamedRun) candidatesOf(part bucket) (keys, items []uint64, err error) {
	t := &x.lists
	pair := func(p [2]*device.Slot[uint64]) radixsort.Pair[uint64] {
		return radixsort.Pair[uint64]{Cur: p[0].Buffer(x.s), Alt: p[1].Buffer(x.s)}
	}
	l := &list{pair(t.keys), pair(t.items)}
	m := 0
	err = x.eachPiece(func(c *selection) error {
		more, err := c.count(part.low, part.high)
		c.list(part.low, part.high, m, l.keys.Cur, l.items.Cur)
		m += more
		return err
	})
	if err != nil || m == 0 {
		return nil, nil, err
	}
	x.result.Parts++
	keyBits := itemKeyBits(m)
	t.radix.Run(x.ws, &l.keys, &l.items, m, 0, keyBits)
	kept := t.kept.Buffer(x.s)
	x.candidates.Run(x.ws, m, 48, kept, l.keys.Cur, l.items.Cur, uint64(m), ^uint64(0)>>(mostKeyBits-keyBits),
		uint64(x.o.MinCount), uint64(x.o.Other), l.keys.Alt, l.items.Alt)
	var count [1]uint64
	if err := kept.Read(count[:]); err != nil || count[0] == 0 {
		return nil, nil, err
	}
	keys, items = make([]uint64, count[0]), make([]uint64, count[0])
	if err := l.keys.Alt.View(0, len(keys)).Download(x.ctx, keys, nil); err != nil {
		return nil, nil, err
	}
	return keys, items, l.items.Alt.View(0, len(items)).Download(x.ctx, items, nil)
}

// listLong lists the items of a part that are more than the lists have room for.
func (x *streamedRun) listLong(part bucket) (items []uint64, err error) {
	keys, list := x.lists.keys[0].Buffer(x.s), x.lists.items[0].Buffer(x.s)
	pieces := x.pieces
	defer func() { x.pieces = pieces }()
	x.pieces = nil
	for _, p := range pieces { // of as many windows as there is room for items
		for at := 0; at < p.windows; at += x.lists.capacity {
			some := pieceOf{p.first + at, min(x.lists.capacity, p.windows-at), p.documents}
			after, _ := slices.BinarySearch(some.documents, uint64(some.first+1))
			some.documents = some.documents[min(after, len(some.documents)-1):]
			x.pieces = append(x.pieces, some)
		}
	}
	err = x.eachPiece(func(c *selection) error {
		m, err := c.count(part.low, part.high)
		if err != nil || m == 0 {
			return err
		}
		c.list(part.low, part.high, 0, keys, list)
		have := len(items)
		items = append(items, make([]uint64, m)...)
		return list.View(0, m).Download(x.ctx, items[have:], nil)
	})
	return items, err
}

// contexts are the contexts of items, as a text.
type contexts struct {
	items     []uint64 // in the order of the text
	documents []uint64 // where the context of each begins
	run       *streamedRun
	at        int
}

// add takes a run of windows of the contexts. They come in their order, and none goes beyond a context.
func (c *contexts) add(first, last uint64) error {
	for c.documents[c.at+1] <= first {
		c.at++
	}
	from := c.items[c.at]>>itemShift + first - c.documents[c.at]
	c.run.out = append(c.run.out, span{from, from + last - first})
	return nil
}

// settleContexts settles the windows of items whose contexts have so many symbols.
func (x *streamedRun) settleContexts(items []uint64, symbols int) error {
	if len(items) == 0 {
		return nil
	}
	slices.Sort(items)
	width := x.o.SymbolBytes
	c := &contexts{items: items, documents: make([]uint64, 0, len(items)+1), run: x}
	text := make([]byte, 0, symbols*width)
	in := input{}
	for _, item := range items {
		first := int(item >> itemShift)
		if x.o.Other > 0 && first < x.o.Other {
			in.other = len(text)/width + x.contextLen(item)
		}
		c.documents = append(c.documents, uint64(len(text)/width))
		text = append(text, x.text[first*width:(first+x.contextLen(item))*width]...)
	}
	c.documents = append(c.documents, uint64(symbols))
	in.text, in.documents = text, c.documents
	result, err := x.contexts.run(x.ctx, in, c, func(string, int64, int64) {})
	if err != nil {
		return err
	}
	x.result.Parts += result.Parts
	for _, p := range result.Frequent {
		after, _ := slices.BinarySearch(c.documents, p.Start+1)
		shift := items[after-1]>>itemShift - c.documents[after-1]
		x.result.Frequent = append(x.result.Frequent, Passage{Range{p.Start + shift, p.End + shift}, p.Count})
	}
	return nil
}
