package suffixcl

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/internal/intervals"
	"github.com/suffixcl/suffixcl/internal/match"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/patternset"
	"github.com/suffixcl/suffixcl/seqio"
)

// MatcherOptions of NewMatcher. The zero value sorts a text of one record.
type MatcherOptions struct {
	// SuffixArray [len(text)] is that of the text, with DNA of the folded text; it is verified. nil: it is computed.
	SuffixArray []uint32
	// Records and DNA are as in IndexOptions.
	Records seqio.Table
	DNA     bool
	// Documents prepares a Matcher of a set for CountDocuments: 4 bytes a character more, and 38 in all while it is
	// prepared.
	Documents bool
}

// Matcher holds text and suffix array on the engine's device: 5 to 9.3 bytes a character. It searches faster than an
// Index. It must be closed. Its calls take turns with those of the engine.
type Matcher struct {
	searcher
	set     *Collection // or nil
	counts  bool        // MatcherOptions.Documents
	counter *intervals.Counter
	sums    *device.Buffer[uint32] // of counter
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

// NewMatcher prepares text for searches. Memory: Plan(OpNewMatcher), or Plan(OpNewMatcherOf) with a suffix array.
// Errors: those of SuffixArray; *RecordError; with a suffix array those of Verify.
func (e *Engine) NewMatcher(ctx context.Context, text []byte, o MatcherOptions) (m *Matcher, err error) {
	if o.Documents {
		return nil, errors.New("suffixcl: MatcherOptions.Documents is for sets of texts")
	}
	if o.DNA {
		text = foldDNA(text)
	}
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
	op, err := prepareAlone(c, func() (*matching, error) { return e.newMatching(text, counts, separator, o) })
	if err != nil {
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
	f := arrayFinder{op.array, op.folding, in, sa, func() { op.release(c.s) }}
	return &Matcher{searcher: searcher{e: e, finder: f}}, nil
}

// newMatching plans a Matcher.
func (e *Engine) newMatching(text []byte, counts *[256]uint64, separator int, o MatcherOptions) (*matching, error) {
	var from *source
	var err error
	if o.SuffixArray == nil {
		from, err = newSearched(e, len(text))
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

// foldingOf is what each byte of a pattern becomes, or patternset.Refused for one that matches nothing; nil where every
// byte matches itself. An index needs none: it knows which symbols match.
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

// foldedDNA is what each byte of a text of DNA is.
var foldedDNA = func() (table [256]byte) {
	for c := range table {
		table[c] = byte(c)
		if 'a' <= c && c <= 'z' {
			table[c] -= 'a' - 'A'
		}
		if table[c] == 'U' {
			table[c] = 'T'
		}
	}
	return table
}()

// foldDNA is a text of DNA in upper case, with T for U: the text itself where it is so, else a copy.
func foldDNA(text []byte) []byte {
	var folds atomic.Bool
	parallel.Do(len(text), 1<<20, func(lo, hi int) {
		if slices.ContainsFunc(text[lo:hi], func(c byte) bool { return foldedDNA[c] != c }) {
			folds.Store(true)
		}
	})
	if !folds.Load() {
		return text
	}
	folded := make([]byte, len(text))
	parallel.Do(len(text), 1<<20, func(lo, hi int) {
		for i, c := range text[lo:hi] {
			folded[lo+i] = foldedDNA[c]
		}
	})
	return folded
}

// arrayFinder searches in a text and its suffix array.
type arrayFinder struct {
	array   *match.Array
	folding *patternset.Folding // nil where patterns are searched as they are
	text    *device.Buffer[uint8]
	sa      *device.Buffer[uint32]
	free    func()
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

func (f arrayFinder) release() { f.free() }
