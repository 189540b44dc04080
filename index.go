package suffixcl

import (
	"context"
	"fmt"
	"io"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bytesize"
	"github.com/suffixcl/suffixcl/internal/jobs/search"
	"github.com/suffixcl/suffixcl/patterns"
	"github.com/suffixcl/suffixcl/seqio"
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

// String is the table of the memory, with the size of the file.
func (p IndexPlan) String() string {
	return fmt.Sprintf("%sfile: %s\n", p.Memory, bytesize.Format(p.File))
}

// Index is an FM-index on the engine's device: 0.5 bytes a base and more; see docs/matching.md. It must be closed. Its
// calls take turns with those of the engine. Small batches of goroutines that wait for a turn are searched for
// together, and each gets its own answer.
type Index struct {
	searcher
	index *search.Index
}

func indexOf(x *search.Index) *Index {
	if x == nil {
		return nil
	}
	return &Index{searcher{&x.Searcher}, x}
}

// inner is the index of the jobs, which may be a zero one.
func (x *Index) inner() *search.Index {
	if x.index == nil {
		return &search.Index{}
	}
	return x.index
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
// Errors: those of SuffixArray and IndexOptions.Planned; *TextError; options of other texts; a set.
func (e *Engine) Index(text Text, o IndexOptions) Job[*Index, *Index] {
	inner := search.IndexOptions{SampleEvery: o.SampleEvery, Records: o.Records, DNA: o.DNA}
	if o.Planned != nil {
		inner.Planned = func(p search.IndexPlan) error { return o.Planned(IndexPlan(p)) }
	}
	return jobOf(search.BuildIndex(e.inner(), text.in, inner), indexOf, indexOf)
}

// LoadIndex reads an index that Index.Save has written. Errors: ErrFormat for what is none; *device.MemoryError if it
// does not fit; the context's, the device's, those of r; ErrClosed, ErrInCallback.
func (e *Engine) LoadIndex(ctx context.Context, r io.Reader) (*Index, error) {
	x, err := search.LoadIndex(ctx, e.inner(), r)
	if err != nil {
		return nil, public(err)
	}
	return indexOf(x), nil
}

// Len is the length of the text in symbols.
func (x *Index) Len() int {
	return x.inner().Len()
}

// SymbolBytes is the number of bytes of a symbol of the text: 1, 2 or 4. Patterns are of such symbols.
func (x *Index) SymbolBytes() int {
	return x.inner().SymbolBytes()
}

// Options are those that the index was built with, but for Planned. The records share the index's memory.
func (x *Index) Options() IndexOptions {
	o := x.inner().Options()
	return IndexOptions{SampleEvery: o.SampleEvery, Records: o.Records, DNA: o.DNA}
}

// Save writes the index; docs/formats.md describes the bytes. Errors: the context's, the device's, those of w;
// ErrClosed.
func (x *Index) Save(ctx context.Context, w io.Writer) error {
	return public(x.inner().Save(ctx, w))
}

// searcher is what Index and Matcher share.
type searcher struct{ search *search.Searcher }

// inner is the searcher of the jobs, which may be a zero one.
func (x *searcher) inner() *search.Searcher {
	if x.search == nil {
		return &search.Searcher{}
	}
	return x.search
}

// Count returns counts [b.Len()]uint32: how often each pattern occurs. The empty pattern occurs nowhere. Errors: a
// batch whose offsets are wrong; the context's; the device's; *device.MemoryError; ErrClosed, ErrInCallback.
func (x *searcher) Count(ctx context.Context, b *patterns.Batch) ([]uint32, error) {
	counts, err := x.inner().Count(ctx, b)
	return counts, public(err)
}

// Locate calls emit for each pattern that occurs, in order, with the positions of its occurrences, ascending. They
// are valid until emit returns. An error of emit ends the call. emit may not call the engine: see ErrInCallback. Host
// memory: 4 bytes for each occurrence of the pattern that has most, and 64 MiB. Other errors as Count; ErrUsage.
func (x *searcher) Locate(
	ctx context.Context, b *patterns.Batch, emit func(pattern int, positions []uint32) error,
) error {
	return public(x.inner().Locate(ctx, b, emit))
}

// Close frees the device memory, after the call that runs. Closing twice does nothing. Errors: ErrInCallback.
func (x *searcher) Close() error { return public(x.inner().Close()) }
