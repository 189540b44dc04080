package suffixcl

import (
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/match"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/patternset"
	"github.com/suffixcl/suffixcl/patterns"
	"github.com/suffixcl/suffixcl/seqio"
)

// IndexOptions of BuildIndex. The zero value is an index that counts, of a text of one record.
type IndexOptions struct {
	// SampleEvery: every so many positions one is kept to locate occurrences, in 4 bytes. 0 keeps none: the index
	// counts only. A step of a search is spared by a smaller number; 32 is usual.
	SampleEvery int
	// Records are the parts of the text, in order; no occurrence crosses them. Between two stands one byte, the same
	// everywhere and in no record. Without records the text is one.
	Records seqio.Table
	// DNA: only A, C, G and T match; of patterns also lower case and U, which become those. Everything else, N too,
	// is in the text to be passed over.
	DNA bool
}

// MatcherOptions of NewMatcher. The zero value sorts a text of one record.
type MatcherOptions struct {
	// SuffixArray [len(text)] of the text, which is verified; nil if it is to be computed.
	SuffixArray []uint32
	// Records and DNA as in IndexOptions.
	Records seqio.Table
	DNA     bool
}

// Index is an FM-index on the engine's device: 0.5 bytes a base and more; see
// docs/matching.md. It must be closed.
type Index struct {
	searcher
	index *fmindex.Index
}

// Matcher holds text and suffix array on the engine's device, at 5 to 9.3 bytes a character,
// and searches faster than an Index. It must be closed.
type Matcher struct{ searcher }

// indexing builds the index of a source.
type indexing struct {
	*source
	builder *fmindex.Builder
}

func (o *indexing) release(s *device.Session) {
	o.builder.Release()
	o.source.release(s)
}

// newIndexing plans an index with this header, whose Counts are those of the text.
func newIndexing(e *Engine, h fmindex.Header) (*indexing, error) {
	from, err := newSorted(e, h.Length, 1)
	if err != nil {
		return nil, err
	}
	builder, err := fmindex.NewBuilder(e.session, h)
	if err != nil {
		return nil, err
	}
	from.plan = append(from.plan, phaseOf(builder.Memory(), int64(h.Length), from.input, from.layout))
	return &indexing{from, builder}, nil
}

// headerOf is what BuildIndex and PlanIndex know before the text is sorted.
func headerOf(counts *[256]uint64, separator int, o IndexOptions) fmindex.Header {
	h := fmindex.Header{Counts: *counts, Rate: o.SampleEvery, Separator: separator, Records: o.Records}
	for _, n := range counts {
		h.Length += int(n)
	}
	if o.DNA {
		h.Alphabet = fmindex.DNA
	}
	return h
}

// PlanIndex is Plan for an index of a text with these counts [256]uint64 of its bytes. An index of
// DNA takes more where the text holds more of other letters; the plan is for the worst order of them.
// Options.Records are not checked.
func (e *Engine) PlanIndex(ctx context.Context, counts *[256]uint64, o IndexOptions) (device.MemoryPlan, error) {
	o.Records = nil
	h := headerOf(counts, fmindex.NoSeparator, o)
	if err := limits.CheckLen("text", h.Length, MaxLen); err != nil {
		return nil, err
	}
	c, err := e.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer c.e.give()
	c.alone()
	op, err := newIndexing(e, h)
	if err != nil {
		return nil, err
	}
	return op.memory(), nil
}

// BuildIndex builds an FM-index of text. Memory: PlanIndex. Errors as SuffixArray, and *RecordError.
func (e *Engine) BuildIndex(ctx context.Context, text []byte, o IndexOptions) (x *Index, err error) {
	counts := fmindex.Histogram(text)
	separator, err := separatorOf(text, o.Records, counts)
	if err != nil {
		return nil, err
	}
	c, err := e.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer c.end()
	c.alone()
	op, err := newIndexing(e, headerOf(counts, separator, o))
	if err != nil {
		return nil, err
	}
	if err := op.memory().Fits(c.s); err != nil {
		return nil, err
	}
	defer op.release(c.s)
	if err := op.load(c, text, nil); err != nil {
		return nil, err
	}
	if err := op.builder.Allocate(); err != nil {
		return nil, err
	}
	in, sa := op.arraysOf(c.s, len(text))
	var index *fmindex.Index
	err = c.compute(func() (err error) {
		index, err = op.builder.Run(ctx, in, sa)
		return err
	})
	if err != nil {
		index.Release() // built, but what was enqueued has failed
		return nil, err
	}
	return e.newIndex(index), nil
}

// LoadIndex reads an index that Index.Save has written. Errors: *FormatError for what is none;
// *device.MemoryError if it does not fit; those of r.
func (e *Engine) LoadIndex(ctx context.Context, r io.Reader) (*Index, error) {
	f, err := fmindex.Read(r)
	var format *fmindex.FormatError
	if errors.As(err, &format) {
		err = &FormatError{Why: format.Why}
	}
	if err != nil {
		return nil, err
	}
	c, err := e.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer c.end()
	c.alone()
	var index *fmindex.Index
	err = c.timed(&c.stats.Upload, func() (err error) {
		index, err = fmindex.Open(ctx, c.s, f)
		return err
	})
	if err != nil {
		index.Release()
		return nil, err
	}
	return e.newIndex(index), nil
}

func (e *Engine) newIndex(x *fmindex.Index) *Index {
	return &Index{searcher{e: e, records: x.Records, finder: indexFinder{x}}, x}
}

// Len is the length of the text.
func (x *Index) Len() int { return x.index.Length }

// Options are those that the index was built with.
func (x *Index) Options() IndexOptions {
	h := &x.index.Header
	return IndexOptions{SampleEvery: h.Rate, Records: h.Records, DNA: h.Alphabet == fmindex.DNA}
}

// Save writes the index; docs/formats.md describes the bytes. Errors: the context's, the device's, those of w;
// ErrClosed.
func (x *Index) Save(ctx context.Context, w io.Writer) error {
	f, err := x.download(ctx)
	if err != nil {
		return err
	}
	return f.Write(w)
}

func (x *Index) download(ctx context.Context) (f *fmindex.File, err error) {
	c, err := x.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer c.end()
	err = c.timed(&c.stats.Download, func() (err error) {
		f, err = x.index.Download(ctx)
		return err
	})
	return f, err
}

// matching is a source with what searches in it.
type matching struct {
	*source
	array   *match.Array
	folding *patternset.Folding // nil where patterns are searched as they are
}

func (o *matching) release(s *device.Session) {
	o.array.Release()
	o.folding.Release()
	o.source.release(s)
}

// NewMatcher prepares text to be searched. Memory: Plan(OpNewMatcher), or Plan(OpNewMatcherOf) with a suffix array.
// Errors as SuffixArray, *RecordError, and those of Verify for a suffix array that is given.
func (e *Engine) NewMatcher(ctx context.Context, text []byte, o MatcherOptions) (m *Matcher, err error) {
	counts := fmindex.Histogram(text)
	separator, err := separatorOf(text, o.Records, counts)
	if err != nil {
		return nil, err
	}
	c, err := e.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer c.end()
	c.alone()
	op, err := e.newMatching(text, counts, separator, o)
	if err != nil {
		return nil, err
	}
	if err := op.memory().Fits(c.s); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			op.release(c.s)
		}
	}()
	if err := op.load(c, text, o.SuffixArray); err != nil {
		return nil, err
	}
	if op.folding != nil {
		if err := op.folding.Allocate(); err != nil {
			return nil, err
		}
	}
	in, sa := op.arraysOf(c.s, len(text))
	if err := c.compute(func() error { return op.array.Build(in, sa) }); err != nil {
		return nil, err
	}
	return &Matcher{searcher{e: e, records: o.Records, finder: arrayFinder{op, c.s, in, sa}}}, nil
}

// newMatching plans a Matcher.
func (e *Engine) newMatching(text []byte, counts *[256]uint64, separator int, o MatcherOptions) (*matching, error) {
	var from *source
	var err error
	if o.SuffixArray == nil {
		from, err = newSorted(e, len(text), 1)
	} else {
		from, err = newGiven(e, len(text), 5)
	}
	if err != nil {
		return nil, err
	}
	op := &matching{source: from}
	if op.array, err = match.NewArray(e.session, len(text), counts); err != nil {
		return nil, err
	}
	memory := op.array.Memory()
	if table := foldingOf(separator, o.DNA); table != nil {
		op.folding = patternset.NewFolding(e.session, table)
		memory.Buffers = append(memory.Buffers, op.folding.Memory().Buffers...)
	}
	op.plan = append(op.plan, phaseOf(memory, int64(len(text)), from.input, from.layout))
	return op, nil
}

// foldingOf is what each byte of a pattern becomes, or patternset.Refused; nil if patterns are as they are. A suffix
// array, unlike an index, does not tell symbols from others.
func foldingOf(separator int, dna bool) *[256]uint32 {
	if !dna && separator < 0 {
		return nil
	}
	var table [256]uint32
	for c := range table {
		if table[c] = uint32(c); dna || c == separator {
			table[c] = patternset.Refused
		}
	}
	if dna {
		for from, to := range map[byte]uint32{'A': 'A', 'C': 'C', 'G': 'G', 'T': 'T', 'U': 'T'} {
			table[from], table[from|0x20] = to, to
		}
	}
	return &table
}

// finder searches in what it holds on the device.
type finder interface {
	// order reserves memory to sort so many patterns by; nil where that does not pay.
	order(l *device.Layout, count int) *match.Order
	count(set patternset.Set, order *match.Order, intervals *device.Buffer[[2]uint32])
	locate(intervals *device.Buffer[[2]uint32], firsts *device.Buffer[uint64], count int, first uint64, n int,
		positions *device.Buffer[uint32])
	release()
}

type indexFinder struct{ *fmindex.Index }

func (f indexFinder) order(*device.Layout, int) *match.Order { return nil }

func (f indexFinder) count(set patternset.Set, _ *match.Order, intervals *device.Buffer[[2]uint32]) {
	f.Count(set, intervals)
}

func (f indexFinder) locate(
	intervals *device.Buffer[[2]uint32], firsts *device.Buffer[uint64], count int, first uint64, n int,
	positions *device.Buffer[uint32],
) {
	f.Locate(intervals, firsts, count, first, n, positions)
}

func (f indexFinder) release() { f.Release() }

type arrayFinder struct {
	*matching
	s    *device.Session
	text *device.Buffer[uint8]
	sa   *device.Buffer[uint32]
}

func (f arrayFinder) order(l *device.Layout, count int) *match.Order {
	return f.array.ReserveOrder(l, count)
}

func (f arrayFinder) count(set patternset.Set, order *match.Order, intervals *device.Buffer[[2]uint32]) {
	f.folding.Search(set, intervals, func() { f.array.Search(f.text, f.sa, set, order, intervals) })
}

func (f arrayFinder) locate(
	intervals *device.Buffer[[2]uint32], firsts *device.Buffer[uint64], count int, first uint64, n int,
	positions *device.Buffer[uint32],
) {
	f.array.Locate(f.sa, intervals, firsts, count, first, n, positions)
}

func (f arrayFinder) release() { f.matching.release(f.s) }

// searcher is what Index and Matcher share: batches go to the device, intervals are
// numbered, positions come back in pieces.
type searcher struct {
	e       *Engine
	records seqio.Table
	finder  finder // nil when it is closed

	room batchRoom
}

// begin is that of the engine. Errors: ErrClosed too if this has been closed.
func (x *searcher) begin(ctx context.Context) (*call, error) {
	c, err := x.e.begin(ctx)
	if err != nil {
		return nil, err
	}
	if x.finder == nil {
		c.e.give()
		return nil, ErrClosed
	}
	c.alone()
	return c, nil
}

// Close frees the device memory, after the call that runs. Closing twice does nothing. Errors: ErrInCallback.
func (x *searcher) Close() error {
	if err := x.e.take(nil); err != nil {
		return err
	}
	defer x.e.give()
	if x.finder != nil {
		x.finder.release()
		x.finder = nil
		x.room.release(x.e.session)
	}
	return nil
}

// Records are those of the text.
func (x *searcher) Records() seqio.Table { return x.records }

// batchRoom is device memory for batches of a size.
type batchRoom struct {
	count, bytes int
	layout       *device.Layout
	slots        *patternset.Slots
	intervals    *device.Slot[[2]uint32]
	firsts       *device.Slot[uint64]
	ws           *device.WorkspaceSlot
	numbering    *patternset.Numbering
	order        *match.Order // or nil
}

func (r *batchRoom) release(s *device.Session) {
	if r.layout != nil {
		r.layout.Release(s)
	}
	*r = batchRoom{}
}

// fit makes room for a batch, and for the order of its patterns if there is one.
func (r *batchRoom) fit(s *device.Session, b *patterns.Batch, f finder) error {
	if r.layout != nil && b.Len() <= r.count && len(b.Text) <= r.bytes {
		return nil
	}
	count, bytes := max(b.Len(), r.count), max(len(b.Text), r.bytes)
	r.release(s)
	numbering := patternset.NewNumbering(s, count)
	l := device.NewLayout("patterns")
	*r = batchRoom{count: count, bytes: bytes, layout: l, slots: patternset.Reserve(l, count, bytes), numbering: numbering,
		intervals: device.Reserve[[2]uint32](l, "intervals", count), firsts: device.Reserve[uint64](l, "numbers", count+1),
		ws: device.ReserveWorkspace(l, numbering.Workspace())}
	r.order = f.order(l, count)
	err := device.MemoryPlan{l.Memory()}.Fits(s)
	if err == nil {
		err = l.Allocate(s)
	}
	if err != nil {
		r.release(s)
	}
	return err
}

// find uploads a batch and leaves the intervals on the device.
func (x *searcher) find(c *call, b *patterns.Batch) error {
	c.s.Phase("search")
	if err := x.room.fit(c.s, b, x.finder); err != nil {
		return err
	}
	intervals := x.room.intervals.Buffer(c.s)
	search := func(set patternset.Set) { x.finder.count(set, x.room.order, intervals) }
	began := time.Now()
	if x.room.order != nil { // the more patterns are sorted at a time, the nearer are neighbours
		set, err := x.room.slots.Upload(c.ctx, c.s, b)
		if err != nil {
			return err
		}
		search(set)
	} else if err := x.room.slots.Pieces(c.ctx, c.s, b, search); err != nil {
		return err
	}
	c.stats.Upload += time.Since(began)
	return c.compute(func() error { return nil })
}

// Count returns counts [b.Len()]uint32: how often each pattern occurs; the empty one does not. Errors: a batch
// whose offsets are wrong, the context's, the device's, *device.MemoryError, ErrClosed, ErrInCallback.
func (x *searcher) Count(ctx context.Context, b *patterns.Batch) ([]uint32, error) {
	c, err := x.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer c.end()
	if err := x.find(c, b); err != nil {
		return nil, err
	}
	counts := make([]uint32, b.Len())
	intervals := device.Reinterpret[uint32](x.room.intervals.Buffer(c.s))
	err = c.eachBlock(len(counts), 2, []*device.Buffer[uint32]{intervals}, func(first int, blocks [][]uint32) error {
		block, counts := blocks[0], counts[first:first+len(blocks[0])/2]
		parallel.Do(len(counts), 1<<16, func(lo, hi int) {
			for q := lo; q < hi; q++ {
				counts[q] = block[2*q+1] - block[2*q]
			}
		})
		return nil
	})
	if err != nil {
		return nil, err
	}
	return counts, nil
}

// numbers are those of the first occurrence of each pattern that was found, and of all.
func (x *searcher) numbers(c *call, count int) ([]uint64, error) {
	firsts := x.room.firsts.Buffer(c.s)
	err := c.compute(func() error {
		x.room.numbering.Run(x.room.ws.Workspace(c.s), x.room.intervals.Buffer(c.s), count, firsts)
		return nil
	})
	if err != nil {
		return nil, err
	}
	numbers := make([]uint64, count+1)
	err = c.timed(&c.stats.Download, func() error { return firsts.Download(c.ctx, numbers, nil) })
	return numbers, err
}

// locatePiece is the number of positions that are on the device at once.
const locatePiece = 1 << 24

// Locate calls emit for each pattern that occurs, in order, with the positions of its
// occurrences in ascending order; they are emit's only during the call. An error of emit
// ends it. emit may not call the engine: see ErrInCallback. Other errors as Count, and ErrNoSamples.
func (x *searcher) Locate(
	ctx context.Context, b *patterns.Batch, emit func(pattern int, positions []uint32) error,
) error {
	c, err := x.begin(ctx)
	if err != nil {
		return err
	}
	defer c.end()
	c.callsBack()
	if err := x.find(c, b); err != nil {
		return err
	}
	numbers, err := x.numbers(c, b.Len())
	if err != nil {
		return err
	}
	total := numbers[b.Len()]
	piece := int(min(total, locatePiece))
	positions, err := device.Alloc[uint32](c.s, piece)
	if err != nil {
		return err
	}
	defer positions.Release()
	var host []uint32 // from number `done` on
	done := uint64(0)
	q := 0
	for from := uint64(0); from < total; from += uint64(piece) {
		m := int(min(uint64(piece), total-from))
		err := c.compute(func() error {
			x.finder.locate(x.room.intervals.Buffer(c.s), x.room.firsts.Buffer(c.s), b.Len(), from, m, positions)
			return nil
		})
		if err != nil {
			return err
		}
		old := len(host)
		host = slices.Grow(host, m)[:old+m]
		err = c.timed(&c.stats.Download, func() error { return positions.Download(c.ctx, host[old:], nil) })
		if err != nil {
			return err
		}
		for ; q < b.Len() && numbers[q+1] <= from+uint64(m); q++ {
			found := host[numbers[q]-done : numbers[q+1]-done]
			if len(found) == 0 {
				continue
			}
			slices.Sort(found)
			if err := emit(q, found); err != nil {
				return err
			}
		}
		if q < b.Len() { // the rest belongs to a pattern that goes on
			host = slices.Delete(host, 0, int(numbers[q]-done))
			done = numbers[q]
		}
	}
	return nil
}
