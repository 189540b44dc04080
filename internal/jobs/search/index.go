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
	"github.com/suffixcl/suffixcl/internal/match"
	"github.com/suffixcl/suffixcl/internal/patternset"
	"github.com/suffixcl/suffixcl/seqio"
)

// IndexOptions are suffixcl.IndexOptions.
type IndexOptions struct {
	SampleEvery int
	Records     seqio.Table
	DNA         bool
	Planned     func(IndexPlan) error
}

// IndexPlan is suffixcl.IndexPlan.
type IndexPlan struct {
	Memory device.MemoryPlan
	File   int64
}

// Index is suffixcl.Index.
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

// BuildIndex is suffixcl.Engine.Index.
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

// LoadIndex is suffixcl.Engine.LoadIndex.
func LoadIndex(ctx context.Context, e *call.Engine, r io.Reader) (*Index, error) {
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
	index := &Index{Searcher: Searcher{e: e, finder: indexFinder{x}}, index: x}
	if x.Coding != nil {
		index.code, index.width = symbolCode{x.Coding}, x.Coding.Width()
	}
	return index
}

// Len is that of suffixcl.Index.
func (x *Index) Len() int { return x.header().Length / x.header().Coding.Width() }

// header is that of the index; that of the zero Index is empty.
func (x *Index) header() *fmindex.Header {
	if x.index == nil {
		return &fmindex.Header{}
	}
	return &x.index.Header
}

// SymbolBytes is that of suffixcl.Index.
func (x *Index) SymbolBytes() int {
	if coding := x.header().Coding; coding != nil {
		return coding.SymbolBytes
	}
	return 1
}

// Options is that of suffixcl.Index.
func (x *Index) Options() IndexOptions {
	h := x.header()
	return IndexOptions{SampleEvery: h.Rate / h.Coding.Width(), Records: h.Records, DNA: h.Alphabet == fmindex.DNA}
}

// Save is that of suffixcl.Index.
func (x *Index) Save(ctx context.Context, w io.Writer) error {
	if w == nil {
		return call.ErrNoFunction
	}
	f, err := x.download(ctx)
	if err != nil {
		return err
	}
	return f.Write(w)
}

func (x *Index) download(ctx context.Context) (f *fmindex.File, err error) {
	err = x.during(ctx, func(c *call.Call) error {
		return c.Timed(&c.Stats.Download, func() (err error) {
			f, err = x.index.Download(c.Ctx)
			return err
		})
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
