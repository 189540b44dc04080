package suffixcl

import (
	"context"
	"io"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/internal/limits"
	"github.com/suffixcl/suffixcl/internal/match"
	"github.com/suffixcl/suffixcl/internal/patternset"
	"github.com/suffixcl/suffixcl/seqio"
)

// IndexOptions of BuildIndex. The zero value is an index that counts, of a text of one record.
type IndexOptions struct {
	// SampleEvery: of so many positions one is kept, in 4 bytes, to locate occurrences. A smaller number makes Locate
	// faster and the index larger; 32 is usual. 0 keeps none: the index only counts. Below 0, or above
	// 65,536, is an error.
	SampleEvery int
	// Records are the parts of the text, in order; no occurrence crosses their ends. One byte separates two records: the
	// same everywhere, and in no record. nil: the text is one record.
	Records seqio.Table
	// DNA: only A, C, G and T of the text match. In patterns lower case is folded and U is T. Other bytes of the text, N
	// and lower case too, match nothing.
	DNA bool
}

// Index is an FM-index on the engine's device: 0.5 bytes a base and more; see docs/matching.md. It must be closed. Its
// calls take turns with those of the engine.
type Index struct {
	searcher
	index *fmindex.Index
}

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
	from, err := newSearched(e, h.Length)
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

// PlanIndex is Plan for BuildIndex of a text with these counts of its bytes. With DNA the memory depends on where other
// letters stand; the plan is for the worst order of them. Records are not looked at. Errors as Plan.
func (e *Engine) PlanIndex(ctx context.Context, counts *[256]uint64, o IndexOptions) (device.MemoryPlan, error) {
	o.Records = nil
	h := headerOf(counts, fmindex.NoSeparator, o)
	if err := limits.CheckLen("text", h.Length, MaxLen); err != nil {
		return nil, err
	}
	return planAlone(ctx, e, func() (operation, error) { return newIndexing(e, h) })
}

// BuildIndex sorts text and builds its FM-index. Memory: PlanIndex. Errors: those of SuffixArray; *RecordError.
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
	op, err := prepareAlone(c, func() (*indexing, error) { return newIndexing(e, headerOf(counts, separator, o)) })
	if err != nil {
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

// LoadIndex reads an index that Index.Save has written. Errors: ErrFormat for what is none; *device.MemoryError if it
// does not fit; the context's, the device's, those of r; ErrClosed, ErrInCallback.
func (e *Engine) LoadIndex(ctx context.Context, r io.Reader) (*Index, error) {
	f, err := fmindex.Read(r)
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
	return &Index{searcher{e: e, finder: indexFinder{x}}, x}
}

// Len is the length of the text.
func (x *Index) Len() int { return x.index.Length }

// Options are those that the index was built with. The records share the index's memory.
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
