package search

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/intervals"
	"github.com/suffixcl/suffixcl/internal/jobs/arrays"
	"github.com/suffixcl/suffixcl/internal/match"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/patternset"
	"github.com/suffixcl/suffixcl/seqio"
)

// MatcherOptions of Matcher. The zero value sorts a text of one record.
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
	Searcher
	set     *input.Collection // or nil
	counts  bool              // MatcherOptions.Documents
	counter *intervals.Counter
	sums    *device.Buffer[uint32] // of counter
}

// matching is a source with what searches in it.
type matching struct {
	*arrays.Source
	array   *match.Array
	folding *patternset.Folding // nil where patterns are searched as they are
}

func (o *matching) Free(s *device.Session) {
	o.array.Release()
	o.folding.Release()
	o.Source.Free(s)
}

// Matcher prepares a text for searches, and is the caller's to close: one part. A loop over Each has it while the
// engine is busy; All returns it. Patterns for symbols of 16 and 32 bits are those of patterns.OfTokens16 and
// OfTokens32; positions count symbols. MatcherOptions.Records and DNA are for bytes. Patterns for sets are bytes;
// positions are those of the set, and no occurrence crosses terminators, whatever the texts hold.
//
// Plans depend on whether MatcherOptions.SuffixArray is there, not on its length. That of a Length is for a text of
// bases, which takes most.
//
// Errors: those of Arrays, with a suffix array those of VerifyArrays; *RecordError; options of other texts.
func BuildMatcher(e *call.Engine, text input.Text, o MatcherOptions) call.Job[*Matcher, *Matcher] {
	type job = call.Job[*Matcher, *Matcher]
	no := func(wrong error) job { return call.Refused[*Matcher, *Matcher](e, wrong) }
	switch set := text.Symbols.(type) {
	case input.TooLong:
		return no(set.Err)
	case *input.Collection:
		return setMatcher(e, set, o)
	}
	return input.OfSymbols(text,
		func(s []uint8) job { return byteMatcher(e, text, s, o) },
		func(s []uint16) job { return symbolMatcher(e, text, s, o) },
		func(s []uint32) job { return symbolMatcher(e, text, s, o) }, no).NeedsSymbols(text)
}

// matcherJob is the job of an operation that a Matcher keeps, unless building it is an error.
func matcherJob[O call.Operation](e *call.Engine, plan func() (O, error), build func(c *call.Call, o O) (*Matcher, error),
) call.Job[*Matcher, *Matcher] {
	return call.Job[*Matcher, *Matcher]{Engine: e, Collect: call.Only[*Matcher],
		Operation: func() (call.Operation, error) { return call.AsOperation(plan()) },
		Run: func(ctx context.Context, yield func(*Matcher) error) error {
			c, err := e.Begin(ctx)
			if err != nil {
				return err
			}
			defer c.End()
			o, err := call.PrepareAlone(c, plan)
			if err != nil {
				return err
			}
			m, err := build(c, o)
			if err != nil {
				o.Free(c.Session)
				return err
			}
			return yield(m)
		}}
}

// byteMatcher is Matcher of a text of bytes, which are nil where only their number is known.
func byteMatcher(e *call.Engine, of input.Text, text []byte, o MatcherOptions) call.Job[*Matcher, *Matcher] {
	if o.Documents {
		return call.Refused[*Matcher, *Matcher](e, errors.New("suffixcl: MatcherOptions.Documents is for sets of texts"))
	}
	type searched struct {
		text      []byte
		counts    *[256]uint64
		separator int
	}
	find := sync.OnceValues(func() (s searched, err error) {
		if len(text) < of.Len() {
			s.separator = fmindex.NoSeparator
			s.counts = basesCounted
			return s, nil
		}
		if s.text = text; o.DNA {
			s.text = foldDNA(text)
		}
		s.counts = fmindex.Histogram(s.text)
		s.separator, err = separatorOf(s.text, o.Records, s.counts)
		return s, err
	})
	return matcherJob(e, func() (*matching, error) {
		s, err := find()
		if err != nil {
			return nil, err
		}
		return newMatching(e, of.Len(), s.counts, s.separator, o)
	}, func(c *call.Call, op *matching) (*Matcher, error) {
		s, err := find()
		if err != nil {
			return nil, err
		}
		return op.build(c, s.text, o.SuffixArray)
	})
}

// basesCounted are the counts of a text that takes most.
var basesCounted = &[256]uint64{'A': 1, 'C': 1, 'G': 1, 'T': 1}

// build makes all that searches need.
func (o *matching) build(c *call.Call, text []byte, sa []uint32) (*Matcher, error) {
	if err := o.Load(c, text, sa); err != nil {
		return nil, err
	}
	if o.folding != nil {
		if err := o.folding.Allocate(); err != nil {
			return nil, err
		}
	}
	in, array := o.ArraysOf(c.Session, len(text))
	if err := c.Compute(func() error { return o.array.Build(in, array) }); err != nil {
		return nil, err
	}
	f := arrayFinder{o.array, o.folding, in, array, func() { o.Free(c.Session) }}
	return &Matcher{Searcher: Searcher{e: c.Engine, finder: f}}, nil
}

// newMatching plans a Matcher.
func newMatching(e *call.Engine, n int, counts *[256]uint64, separator int, o MatcherOptions) (*matching, error) {
	var from *arrays.Source
	var err error
	if o.SuffixArray == nil {
		from, err = arrays.NewSearched(e, n)
	} else {
		from, err = arrays.NewGiven(e, n, 5)
	}
	if err != nil {
		return nil, err
	}
	op := &matching{Source: from}
	if op.array, err = match.NewArray(e.Session, n, counts); err != nil {
		return nil, err
	}
	memory := op.array.Memory()
	if table := foldingOf(separator, o.DNA); table != nil {
		op.folding = patternset.NewFolding(e.Session, table)
		memory.Buffers = append(memory.Buffers, op.folding.Memory().Buffers...)
	}
	op.Phases = append(op.Phases, call.PhaseOf(memory, int64(n), from.Input, from.Layout))
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

func (f arrayFinder) Free() { f.free() }
