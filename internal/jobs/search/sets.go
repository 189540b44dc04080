package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/call"
	"github.com/suffixcl/suffixcl/internal/fmindex"
	"github.com/suffixcl/suffixcl/internal/input"
	"github.com/suffixcl/suffixcl/internal/intervals"
	"github.com/suffixcl/suffixcl/internal/jobs/arrays"
	"github.com/suffixcl/suffixcl/internal/match"
	"github.com/suffixcl/suffixcl/internal/parallel"
	"github.com/suffixcl/suffixcl/internal/patternset"
	"github.com/suffixcl/suffixcl/patterns"
)

// Occurrence is suffixcl.Occurrence.
type Occurrence struct{ Document, Offset uint32 }

// setCode makes symbols of the letters of a set, from 1 on in the order of the letters; terminators are 0. So the
// suffixes of the set are in the order of its suffix array, as far as patterns reach.
type setCode struct {
	width int         // bytes of a symbol: 1, or 2 where bytes have none for what no text holds
	text  [256]uint16 // symbols of letters
	query [256]uint16 // symbols of the bytes of patterns
}

func newSetCode(occurs *[256]bool, letters int, dna bool) *setCode {
	code := &setCode{width: 1}
	unknown := uint16(math.MaxUint8)
	if letters >= math.MaxUint8 {
		code.width, unknown = 2, math.MaxUint16
	}
	next := uint16(1)
	for letter, there := range occurs {
		if code.query[letter] = unknown; there {
			code.text[letter], code.query[letter] = next, next
			next++
		}
	}
	if folded := foldingOf(fmindex.NoSeparator, dna); folded != nil {
		exact := code.query
		for c, to := range folded {
			if code.query[c] = unknown; to != patternset.Refused {
				code.query[c] = exact[to]
			}
		}
	}
	return code
}

// append appends the symbols of some bytes, the high byte first.
func (c *setCode) append(to, letters []byte, table *[256]uint16) []byte {
	for _, letter := range letters {
		symbol := table[letter]
		if c.width == 2 {
			to = append(to, byte(symbol>>8))
		}
		to = append(to, byte(symbol))
	}
	return to
}

// collection is a set in symbols.
func (c *setCode) collection(set *input.Collection) []byte {
	coded := make([]byte, c.width*len(set.Buffer))
	parallel.Do(len(set.Buffer), 1<<16, func(lo, hi int) {
		c.append(coded[c.width*lo:c.width*lo], set.Buffer[lo:hi], &c.text)
	})
	for _, end := range set.Ends {
		clear(coded[c.width*int(end) : c.width*(int(end)+1)])
	}
	return coded
}

// code is a batch of patterns in symbols.
func (c *setCode) code(b *patterns.Batch) (*patterns.Batch, error) {
	if width := max(b.SymbolBytes, 1); width > 1 && b.Len() > 0 {
		return nil, fmt.Errorf("suffixcl: patterns of symbols of %d bytes, in a set of texts of bytes", width)
	}
	if c.width*len(b.Text) > math.MaxUint32 {
		return nil, fmt.Errorf("suffixcl: patterns of %d bytes in a set of more than 254 letters, at most %d",
			len(b.Text), math.MaxUint32/c.width)
	}
	coded := &patterns.Batch{Text: c.append(make([]byte, 0, c.width*len(b.Text)), b.Text, &c.query), SymbolBytes: c.width}
	for _, offset := range b.Offsets {
		coded.Offsets = append(coded.Offsets, uint32(min(uint64(c.width)*uint64(offset), math.MaxUint32)))
	}
	return coded, nil
}

// setMatching searches in a set.
type setMatching struct {
	*arrays.Gathering
	from     *input.Separated
	occurs   *[256]bool
	code     *setCode
	searched *match.Array

	search *device.Layout
	coded  *device.Slot[uint8]
	sums   *device.Slot[uint32] // nil where documents are not counted

	counter  *intervals.Counter
	counting *device.Layout
	starts   *device.Slot[uint32]
	work     *device.WorkspaceSlot
}

// searched is the set as it is searched.
func (o *MatcherOptions) searched(set *input.Collection) *input.Collection {
	if !o.DNA {
		return set
	}
	return &input.Collection{Buffer: foldDNA(set.Buffer), Ends: set.Ends}
}

func newSetMatching(e *call.Engine, set *input.Collection, o MatcherOptions) (*setMatching, error) {
	from := set.Separated()
	occurs, letters := from.Letters()
	code := newSetCode(occurs, letters, o.DNA)
	given := letters
	if o.SuffixArray != nil {
		given = -1
	}
	made, err := arrays.NewGathering(e, from.Shape(), given, arrays.Want{LCP: o.Documents}, false)
	if err != nil {
		return nil, err
	}
	op := &setMatching{Gathering: made, from: from, occurs: occurs, code: code, search: device.NewLayout("")}
	counts := &[256]uint64{}
	for _, symbol := range code.text { // as likely as each other
		counts[symbol>>8]++
		counts[symbol&math.MaxUint8]++
	}
	if code.width == 1 {
		counts = fmindex.Histogram(set.Buffer)
		var coded [256]uint64
		for letter, symbol := range code.text {
			coded[symbol] += counts[letter]
		}
		counts = &coded
	}
	n := set.Len()
	if op.searched, err = match.NewSymbolArray(e.Session, n, code.width, counts); err != nil {
		return nil, err
	}
	op.coded = device.Reserve[uint8](op.search, "text of symbols", n*code.width)
	host := int64(n) * int64(1+code.width)
	if o.Documents {
		op.sums = device.Reserve[uint32](op.search, "pairs in documents", n)
		op.planCounting(e, set, host)
	}
	op.Phases = append(op.Phases, call.PhaseOf(op.searched.Memory(), host, op.Array, op.search))
	return op, nil
}

// planCounting plans what is there while pairs are counted. The document array has the place of PLCP.
func (o *setMatching) planCounting(e *call.Engine, set *input.Collection, host int64) {
	o.counter = intervals.NewCounter(e.Session, set.Len(), set.Count())
	o.counting = device.NewLayout("documents")
	o.starts = device.Reserve[uint32](o.counting, "starts of texts", set.Count())
	o.work = device.ReserveWorkspace(o.counting, o.counter.Workspace())
	o.Phases = append(o.Phases, call.PhaseOf(o.counting.Memory(), host, o.Array, o.LCPLayout, o.search))
}

func (o *setMatching) Free(s *device.Session) {
	o.searched.Release()
	if o.counting != nil {
		o.counting.Release(s)
	}
	o.search.Release(s)
	o.Gathering.Free(s)
}

// prepare makes all that searches need.
func (o *setMatching) prepare(c *call.Call, set *input.Collection, given []uint32) (err error) {
	if err := o.Load(c, o.from); err != nil {
		return err
	}
	if given != nil {
		err = o.Verify(c, given)
	} else {
		err = o.Sort(c, o.occurs)
	}
	if err != nil {
		return err
	}
	if o.counter != nil {
		if given == nil {
			if err := o.Define(c); err != nil {
				return err
			}
		}
		if err := o.Compare(c); err != nil {
			return err
		}
	}
	for _, l := range []*device.Layout{o.Kept, o.Definition} {
		l.Release(c.Session)
	}
	if err := o.search.Allocate(c.Session); err != nil {
		return err
	}
	if o.counter != nil {
		if err := o.count(c, set); err != nil {
			return err
		}
	}
	text := o.coded.Buffer(c.Session)
	if err := call.Upload(c, text, o.code.collection(set)); err != nil {
		return err
	}
	return c.Compute(func() error { return o.searched.Build(text, o.Suffixes(c.Session)) })
}

// count counts the pairs of suffixes of one document.
func (o *setMatching) count(c *call.Call, set *input.Collection) error {
	c.Phase("documents")
	if err := o.counting.Allocate(c.Session); err != nil {
		return err
	}
	starts := o.starts.Buffer(c.Session)
	if err := call.Upload(c, starts, set.Starts()); err != nil {
		return err
	}
	c.Phase("documents")
	err := c.Compute(func() error {
		a := intervals.Arrays{SA: o.Suffixes(c.Session), LCP: o.LCP.Buffer(c.Session), Documents: o.PLCP.Buffer(c.Session)}
		intervals.NewDocuments(c.Session).Run(a.SA, starts, a.Documents)
		o.counter.Sum(o.work.Workspace(c.Session), a, o.sums.Buffer(c.Session))
		return c.Session.Check(c.Ctx)
	})
	o.counting.Release(c.Session)
	o.LCPLayout.Release(c.Session)
	return err
}

// setMatcher is Matcher of a set.
func setMatcher(e *call.Engine, set *input.Collection, o MatcherOptions) call.Job[*Matcher, *Matcher] {
	if o.Records != nil {
		return call.Refused[*Matcher, *Matcher](e,
			errors.New("suffixcl: MatcherOptions.Records are for texts of bytes; those of a set are its texts"))
	}
	if set.Len() == 0 {
		empty := byteMatcher(e, input.Text{}, nil, MatcherOptions{SuffixArray: o.SuffixArray})
		run := empty.Run
		empty.Run = func(ctx context.Context, yield func(*Matcher) error) error {
			return run(ctx, func(m *Matcher) error {
				m.set, m.counts = set, o.Documents
				return yield(m)
			})
		}
		return empty
	}
	searched := sync.OnceValue(func() *input.Collection { return o.searched(set) })
	return matcherJob(e, func() (*setMatching, error) { return newSetMatching(e, searched(), o) },
		func(c *call.Call, op *setMatching) (*Matcher, error) {
			if o.SuffixArray != nil {
				if err := call.SameLength(call.SuffixArrayName, len(o.SuffixArray), set.Len()); err != nil {
					return nil, err
				}
			}
			return op.build(c, searched(), o)
		})
}

// build makes a Matcher of the set as it is searched.
func (o *setMatching) build(c *call.Call, set *input.Collection, options MatcherOptions) (*Matcher, error) {
	if err := o.prepare(c, set, options.SuffixArray); err != nil {
		return nil, err
	}
	f := arrayFinder{array: o.searched, text: o.coded.Buffer(c.Session), sa: o.Suffixes(c.Session),
		free: func() { o.Free(c.Session) }}
	m := &Matcher{Searcher: Searcher{e: c.Engine, finder: f, symbolBytes: o.code.width, code: o.code}, set: set,
		counts: options.Documents}
	if o.counter != nil {
		m.counter, m.sums = o.counter, o.sums.Buffer(c.Session)
	}
	return m, nil
}

// CountDocuments is that of suffixcl.Matcher.
func (m *Matcher) CountDocuments(ctx context.Context, b *patterns.Batch) ([]uint32, error) {
	if !m.counts && m.e.Opened() {
		return nil, errors.New("suffixcl: CountDocuments needs a Matcher of a set, with MatcherOptions.Documents")
	}
	return m.answer(ctx, b, &m.documents, m.countDocuments)
}

// countDocuments counts the documents with each pattern of a batch that is coded.
func (m *Matcher) countDocuments(c *call.Call, b *patterns.Batch) ([]uint32, error) {
	if err := m.find(c, b); err != nil || b.Len() == 0 || m.counter == nil {
		return make([]uint32, b.Len()), err
	}
	counts, err := device.Alloc[uint32](c.Session, b.Len())
	if err != nil {
		return nil, err
	}
	defer counts.Release()
	err = c.Compute(func() error {
		m.counter.Count(m.sums, m.batch.intervals.Buffer(c.Session), b.Len(), counts)
		return c.Session.Check(c.Ctx)
	})
	if err != nil {
		return nil, err
	}
	return call.Download(c, nil, counts)
}

// LocateOccurrences is that of suffixcl.Matcher.
func (m *Matcher) LocateOccurrences(
	ctx context.Context, b *patterns.Batch, emit func(pattern int, occurrences []Occurrence) error,
) error {
	if m.set == nil && m.e.Opened() {
		return errors.New("suffixcl: LocateOccurrences needs a Matcher of a set")
	}
	if emit == nil {
		return call.ErrNoFunction
	}
	var occurrences []Occurrence
	return m.Locate(ctx, b, func(pattern int, positions []uint32) error {
		occurrences = call.Resize(occurrences, len(positions))
		parallel.Do(len(positions), 1<<14, func(lo, hi int) {
			ends, k := m.set.Ends, 0
			for i := lo; i < hi; i++ { // positions ascend, and so do texts
				k += call.ExponentialSearch(ends[k:], func(end uint32) bool { return end < positions[i] })
				occurrences[i] = Occurrence{uint32(k), positions[i] - uint32(m.set.Start(k))}
			}
		})
		return emit(pattern, occurrences)
	})
}
