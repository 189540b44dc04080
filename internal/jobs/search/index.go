package search

import (
	"context"
	"io"
	"sync"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/jobs/arrays"
	"github.com/suffixcl/suffixcl/internal/jobs/inranges"
	"github.com/suffixcl/suffixcl/internal/match"
	"github.com/suffixcl/suffixcl/internal/patternset"
	"github.com/suffixcl/suffixcl/internal/ranges"
	"github.com/suffixcl/suffixcl/internal/sorter"
	"github.com/suffixcl/suffixcl/seqio"
)

// The errors of indexes.
var (
	// ErrNoSamples: an index that was built with SampleEvery 0 counts, and locates nothing.
	ErrNoSamples = fmindex.ErrNoSamples
	// ErrFormat is matched by the error for bytes that are no index of this version, or a damaged one. It says why.
	ErrFormat = fmindex.ErrFormat
)

// IndexOptions of Index. The zero value is an index that counts, of a text of one record.
type IndexOptions struct {
	// SampleEvery: of so many positions one is kept, in 4 bytes, to locate occurrences. A smaller number makes Locate
	// faster and the index larger; 32 is usual. 0 keeps none: the index only counts. Below 0, or above
	// 65,536, is an error; for symbols, of which the index has several digits, above 65,536 / digits.
	SampleEvery int
	// Records are the parts of the text, in order; no occurrence crosses their ends. One byte separates two records: the
	// same everywhere, and in no record. nil: the text is one record.
	Records seqio.Table
	// DNA: only A, C, G and T match. Lower case is folded and U is T, in text and patterns; of a text that has them a copy
	// is made. Other bytes, N too, match nothing.
	DNA bool
	// Planned, if not nil, is told what the index takes: by a plan, and by a run before the text is sorted. An error of it
	// ends either. It may not call the engine: see ErrInCallback. A plan that is an error tells it the bytes of the file
	// alone, where these are known.
	Planned func(IndexPlan) error
}

// IndexPlan is what an index takes.
type IndexPlan struct {
	Memory device.MemoryPlan // while it is built, phase by phase
	File   int64             // bytes that Index.Save writes: 0.5 a base of DNA and more, as the index; with its header
}

// Index is an FM-index on the engine's device: 0.5 bytes a base and more; see docs/matching.md. It must be closed. Its
// calls take turns with those of the engine.
type Index struct {
	Searcher
	index *fmindex.Index
}

// indexing builds the index of a source.
type indexing struct {
	*arrays.Source
	builder *fmindex.Builder
}

func (o *indexing) Free(s *device.Session) {
	o.builder.Release()
	o.Source.Free(s)
}

// newIndexing plans an index with this header, whose Counts are those of the text.
func newIndexing(e *call.Engine, h fmindex.Header) (*indexing, error) {
	from, err := arrays.NewSearched(e, h.Length)
	if err != nil {
		return nil, err
	}
	builder, err := fmindex.NewBuilder(e.Session, h)
	if err != nil {
		return nil, err
	}
	from.Phases = append(from.Phases, call.PhaseOf(builder.Memory(), int64(h.Length), from.Input, from.Layout))
	addSymbols(from.Phases, h)
	return &indexing{from, builder}, nil
}

// addSymbols adds the host memory of a text of symbols: these, and those that occur.
func addSymbols(plan device.MemoryPlan, h fmindex.Header) {
	if h.Coding == nil {
		return
	}
	for i := range plan {
		plan[i].Host += int64(h.Length/h.Coding.Width()*h.Coding.SymbolBytes) + 4*int64(len(h.Coding.Values))
	}
}

func (o *indexing) build(c *call.Call, text []byte, _ fmindex.Header) (*fmindex.Index, error) {
	if err := o.Load(c, text, nil); err != nil {
		return nil, err
	}
	if err := o.builder.Allocate(); err != nil {
		return nil, err
	}
	in, sa := o.ArraysOf(c.Session, len(text))
	return builds(c, func() (*fmindex.Index, error) { return o.builder.Run(c.Ctx, in, sa) })
}

// builds is the index that a builder makes.
func builds(c *call.Call, build func() (*fmindex.Index, error)) (index *fmindex.Index, err error) {
	c.Progress("index", 0, 0)
	err = c.Compute(func() (err error) {
		index, err = build()
		return err
	})
	if err != nil {
		index.Release() // built, but what was enqueued has failed
		return nil, err
	}
	return index, nil
}

// indexBuilder is indexing, or indexingInRanges.
type indexBuilder interface {
	call.Operation
	build(c *call.Call, text []byte, h fmindex.Header) (*fmindex.Index, error)
}

// indexingInRanges builds an index of what a suffix array in ranges hands out. The ranges are gone when the index is
// made.
type indexingInRanges struct {
	*inranges.Ranged[uint32]
	builder *fmindex.Builder
}

func (o *indexingInRanges) Free(*device.Session) { o.builder.Release() }

// newIndexingInRanges plans an index with this header, whose Counts are those of the text.
func newIndexingInRanges(e *call.Engine, h fmindex.Header) (*indexingInRanges, error) {
	from, err := inranges.New[uint32](e, h.Length, ranges.Options{Width: ranges.WidthOf(&h.Counts), Transform: true})
	if err != nil {
		return nil, err
	}
	builder, err := fmindex.NewPartsBuilder(e.Session, h)
	if err != nil {
		return nil, err
	}
	parts := fmindex.PartsMemory(h)
	for i := range from.Phases {
		from.Phases[i].Host += parts
	}
	from.Phases = append(from.Phases, call.PhaseOf(builder.Memory(), int64(h.Length)+parts))
	addSymbols(from.Phases, h)
	return &indexingInRanges{from, builder}, nil
}

func (o *indexingInRanges) build(c *call.Call, text []byte, h fmindex.Header) (*fmindex.Index, error) {
	c.Stats.Algorithm = sorter.Ranges
	parts := fmindex.NewParts(h)
	job := ranges.Job[uint32]{Progress: c.Progress, Yield: func(b ranges.Block[uint32]) error {
		return parts.Add(b.Positions, b.Transform)
	}}
	var state ranges.State
	err := c.Compute(func() (err error) {
		state, err = o.Sorter.Run(c.Ctx, text, job)
		c.Stats.Ranges = o.Sorter.Sorted()
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := o.builder.Allocate(); err != nil {
		return nil, err
	}
	return builds(c, func() (*fmindex.Index, error) { return o.builder.RunParts(c.Ctx, parts, state.Primary) })
}

// planIndex plans an index: in ranges, where the sorters in one piece do not fit.
func planIndex(e *call.Engine, h fmindex.Header) (call.Operation, error) {
	o, err := newIndexing(e, h)
	fits := err
	if err == nil {
		fits = o.Phases.Fits(e.Session)
	}
	if fits == nil || !e.InRanges(fits) {
		return call.AsOperation(o, err)
	}
	r, failed := newIndexingInRanges(e, h)
	if err == nil && (failed != nil || r.Phases.Fits(e.Session) != nil) {
		return o, nil // whose numbers tell why
	}
	return call.AsOperation(r, failed)
}

// prepareIndex plans an index: in ranges, if the sorters in one piece do not fit or are not wanted.
func prepareIndex(c *call.Call, h fmindex.Header) (indexBuilder, error) {
	o, err := call.PrepareAlone(c, func() (*indexing, error) { return newIndexing(c.Engine, h) })
	if err == nil {
		return o, nil
	}
	if !c.Engine.InRanges(err) {
		return nil, err
	}
	r, failed := call.PrepareAlone(c, func() (*indexingInRanges, error) { return newIndexingInRanges(c.Engine, h) })
	switch {
	case failed == nil:
		return r, nil
	case device.IsTooLarge(failed) && device.IsTooLarge(err):
		return nil, err // a sorter in one piece takes less, then
	}
	return nil, failed
}

// headerOf is what is known before the text is sorted.
func headerOf(counts *[256]uint64, separator int, o IndexOptions) fmindex.Header {
	h := fmindex.Header{Counts: *counts, Rate: o.SampleEvery, Separator: separator, Records: o.Records}
	for _, n := range counts {
		h.Length += int(n)
	}
	if o.DNA {
		h.Alphabet, h.Counts = fmindex.DNA, [256]uint64{}
		for c, n := range counts {
			h.Counts[foldedDNA[c]] += n
		}
	}
	return h
}

// Index sorts a text and builds its FM-index, which is the caller's to close: one part. A loop over Each has it while
// the engine is busy; All returns it. Where no sorter in one piece fits, AlgorithmAuto sorts in ranges: transform and
// sampled positions are kept on the host as they pass, so that the device needs memory for the ranges, and then for the
// index alone.
//
// Symbols of 16 and 32 bits are written in digits of one byte, by plans, too: 2 from 256 different symbols on, 3 from
// 16,385, 4 from 2,485,486. So a text may have 2^32-2 digits. Patterns are those of patterns.OfTokens16 and OfTokens32;
// positions count symbols.
//
// The memory depends on how often each symbol occurs. The plan of Counts is that of the text, but of DNA: there it
// depends on where other letters stand, and the plan is for the worst order of them. The plan of a Length is for as
// many different symbols as there can be, each as often, with DNA for bases. Of Records a file has 20 bytes each, and
// their names.
//
// Errors: those of SuffixArray and IndexOptions.Planned; *RecordError; options of other texts; a set.
func BuildIndex(e *call.Engine, text input.Text, o IndexOptions) call.Job[*Index, *Index] {
	type coded struct {
		text   []byte
		header fmindex.Header
	}
	find := sync.OnceValues(func() (c coded, err error) {
		c.text, c.header, err = indexed(text, o)
		return c, err
	})
	planned := func(of call.Operation) error {
		c, err := find()
		if err != nil || o.Planned == nil {
			return err
		}
		file, err := c.header.FileBytes()
		if err != nil {
			return err
		}
		plan := IndexPlan{File: file}
		if of != nil {
			plan.Memory = of.Plan()
		}
		return o.Planned(plan)
	}
	return call.Job[*Index, *Index]{Engine: e, Planned: planned, Collect: call.Only[*Index],
		Operation: func() (call.Operation, error) {
			c, err := find()
			if err != nil {
				return nil, err
			}
			return planIndex(e, c.header)
		},
		Run: func(ctx context.Context, yield func(*Index) error) error {
			found, err := find()
			if err != nil {
				return err
			}
			c, err := e.Begin(ctx)
			if err != nil {
				return err
			}
			defer c.End()
			b, err := prepareIndex(c, found.header)
			if err != nil {
				return err
			}
			defer b.Free(c.Session)
			c.CallsBack()
			if err := planned(b); err != nil {
				return err
			}
			index, err := b.build(c, found.text, found.header)
			if err != nil {
				return err
			}
			return yield(newIndex(e, index))
		}}.NeedsSymbols(text)
}

// LoadIndex reads an index that Index.Save has written. Errors: ErrFormat for what is none; *device.MemoryError if it
// does not fit; the context's, the device's, those of r; ErrClosed, ErrInCallback.
func LoadIndex(e *call.Engine, ctx context.Context, r io.Reader) (*Index, error) {
	if r == nil {
		return nil, call.ErrNoFunction
	}
	f, err := fmindex.Read(r)
	if err != nil {
		return nil, err
	}
	c, err := e.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer c.End()
	c.Alone()
	var index *fmindex.Index
	err = c.Timed(&c.Stats.Upload, func() (err error) {
		index, err = fmindex.Open(c.Ctx, c.Session, f)
		return err
	})
	if err != nil {
		index.Release()
		return nil, err
	}
	return newIndex(e, index), nil
}

func newIndex(e *call.Engine, x *fmindex.Index) *Index {
	s := Searcher{e: e, finder: indexFinder{x}}
	if x.Coding != nil {
		s.code, s.width = symbolCode{x.Coding}, x.Coding.Width()
	}
	return &Index{s, x}
}

// Len is the length of the text in symbols.
func (x *Index) Len() int { return x.header().Length / x.header().Coding.Width() }

// header is that of the index; that of the zero Index is empty.
func (x *Index) header() *fmindex.Header {
	if x.index == nil {
		return &fmindex.Header{}
	}
	return &x.index.Header
}

// SymbolBytes is the number of bytes of a symbol of the text: 1, 2 or 4. Patterns are of such symbols.
func (x *Index) SymbolBytes() int {
	if coding := x.header().Coding; coding != nil {
		return coding.SymbolBytes
	}
	return 1
}

// Options are those that the index was built with, but for Planned. The records share the index's memory.
func (x *Index) Options() IndexOptions {
	h := x.header()
	return IndexOptions{SampleEvery: h.Rate / h.Coding.Width(), Records: h.Records, DNA: h.Alphabet == fmindex.DNA}
}

// Save writes the index; docs/formats.md describes the bytes. Errors: the context's, the device's, those of w;
// ErrClosed.
func (x *Index) Save(ctx context.Context, w io.Writer) error {
	if w == nil {
		return call.ErrNoFunction
	}
	f, err := x.Download(ctx)
	if err != nil {
		return err
	}
	return f.Write(w)
}

func (x *Index) Download(ctx context.Context) (f *fmindex.File, err error) {
	c, err := x.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer c.End()
	err = c.Timed(&c.Stats.Download, func() (err error) {
		f, err = x.index.Download(c.Ctx)
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

func (f indexFinder) Free() { f.Release() }
