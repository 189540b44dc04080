package search

import (
	"errors"
	"sync"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/jobs/arrays"
	"github.com/suffixcl/suffixcl/internal/match"
	"github.com/suffixcl/suffixcl/internal/patternset"
)

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
