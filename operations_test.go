package suffixcl_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing/iotest"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/duplicates"
	"github.com/suffixcl/suffixcl/internal/testkit/builders"
	"github.com/suffixcl/suffixcl/patterns"
)

// answers are a text and what is true of it.
type answers struct {
	text, transform []byte
	primary         int
	sa, lcp         []uint32
	repeats         conformance.AllRepeats
	pattern         []byte   // some of the text
	found           []uint32 // where it occurs
	intervals       func() []conformance.Interval
	common          func() []conformance.Interval
	duplicates      func() []conformance.Range
	matches         func() map[string][]conformance.SequenceMatch // by kind
	multiMatches    func() []conformance.MultiMatch
	mappability     func() []uint32
}

// basesOf are the last letters of a text as two sequences of DNA. They are few, since oracles compare all places.
func basesOf(text []byte) [][]byte {
	bases := slices.Clone(text[max(len(text)-90, 0):])
	for i, c := range bases {
		bases[i] = "acgt"[c&3]
	}
	return halves(bases)
}

// matchKinds take different ways through the device.
var matchKinds = []string{"mum", "mem"}

// genomesOf are these as two genomes.
func genomesOf(text []byte) [][][]byte {
	sequences := basesOf(text)
	return [][][]byte{sequences[:1], sequences[1:]}
}

var multiMatchQuery = conformance.MultiMatchQuery{Least: 3, Genomes: 2, MostEach: 2, Both: true}

func compareSequenceMatches(a, b conformance.SequenceMatch) int {
	return cmp.Or(cmp.Compare(a.Query, b.Query), cmp.Compare(fmt.Sprint(a.Reverse), fmt.Sprint(b.Reverse)),
		cmp.Compare(a.QueryAt, b.QueryAt), cmp.Compare(a.Reference, b.Reference),
		cmp.Compare(a.ReferenceAt, b.ReferenceAt), cmp.Compare(a.Length, b.Length))
}

// halves are a text as a set of two.
func halves(text []byte) [][]byte { return [][]byte{text[:len(text)/2], text[len(text)/2:]} }

// documentsOf are where they begin and end.
func documentsOf(text []byte) []uint64 { return []uint64{0, uint64(len(text) / 2), uint64(len(text))} }

// bestIntervals are asked for in the halves of texts.
var bestIntervals = suffixcl.IntervalOptions{LeftMaximal: true, MostEach: 40, Best: 5, By: suffixcl.ByArea}

func answersOf(text []byte) answers {
	a := answers{text: text, sa: conformance.ReferenceSuffixArray(text)}
	a.transform, a.primary = conformance.ReferenceBWT(text, a.sa)
	a.lcp = conformance.ReferenceLCP(text, a.sa)
	a.repeats = conformance.ReferenceRepeats(text)
	a.intervals = sync.OnceValue(func() []conformance.Interval {
		return conformance.ReferenceIntervals(nil, halves(text), queryOf(bestIntervals))
	})
	a.common = sync.OnceValue(func() []conformance.Interval { return conformance.ReferenceCommon(halves(text)) })
	a.duplicates = sync.OnceValue(func() []conformance.Range {
		found, _ := conformance.ReferenceDuplicates(text, documentsOf(text), conformance.DuplicateQuery{Length: 4, Width: 1,
			KeepFirst: true, MinCount: 2})
		return found
	})
	a.matches = sync.OnceValue(func() map[string][]conformance.SequenceMatch {
		g, all := basesOf(text), map[string][]conformance.SequenceMatch{}
		for _, kind := range matchKinds {
			all[kind] = conformance.ReferenceMatches(g[:1], g[1:], conformance.MatchQuery{Kind: kind, Least: 3, Both: true})
		}
		return all
	})
	a.multiMatches = sync.OnceValue(func() []conformance.MultiMatch {
		return conformance.ReferenceMultiMatches(genomesOf(text), multiMatchQuery)
	})
	a.mappability = sync.OnceValue(func() (all []uint32) {
		for _, k := range []int{2, 4, 0} {
			all = append(all, slices.Concat(conformance.ReferenceMappability(basesOf(text), k, true)...)...)
		}
		return all
	})
	a.pattern = text[len(text)/2 : min(len(text)/2+2, len(text))]
	for i := range text {
		if len(a.pattern) > 0 && bytes.HasPrefix(text[i:], a.pattern) {
			a.found = append(a.found, uint32(i))
		}
	}
	return a
}

var errWrong = errors.New("wrong answer")

// right is err, or errWrong if the answer is not the one.
func right[T comparable](err error, got, want []T) error {
	if err == nil && !slices.Equal(got, want) {
		return errWrong
	}
	return err
}

// opOf is what an operation calls. Those from 1 on are planned by planOf.
type opOf int

const (
	opSuffixArray opOf = iota + 1
	opBWT
	opSuffixArrays
	opBWTs
	opInverseBWT
	opLCP
	opLCPOf
	opVerify
	opVerifyBWT
	opVerifyLCP
	opVerifyBlocks
	opVerifyBlocksLCP
	opBuildIndex
	opNewMatcher
)

// String is the number, by which its line is found.
func (o opOf) String() string { return fmt.Sprintf("operation %d", int(o)) }

// planOf is the plan of an operation on a text of n bytes.
func planOf(ctx context.Context, e *suffixcl.Engine, op opOf, n int) (device.MemoryPlan, error) {
	text, known := suffixcl.Length(1, n), []uint32{}
	switch op {
	case opSuffixArray:
		return e.Arrays(text, suffixcl.Want{SA: true}).Plan(ctx)
	case opBWT:
		return e.Arrays(text, suffixcl.Want{BWT: true}).Plan(ctx)
	case opSuffixArrays:
		return e.Stream(n, nil, suffixcl.Want{SA: true}).Plan(ctx)
	case opBWTs:
		return e.Stream(n, nil, suffixcl.Want{BWT: true}).Plan(ctx)
	case opInverseBWT:
		return e.Invert(&suffixcl.Result{BWT: text}).Plan(ctx)
	case opLCP:
		return e.Arrays(text, suffixcl.Want{LCP: true}).Plan(ctx)
	case opLCPOf, opVerifyLCP:
		return e.Arrays(text, suffixcl.Want{LCP: true, Known: known}).Plan(ctx)
	case opVerify:
		return e.Arrays(text, suffixcl.Want{Known: known}).Plan(ctx)
	case opVerifyBWT:
		return e.Arrays(text, suffixcl.Want{BWT: true, Known: known}).Plan(ctx)
	case opVerifyBlocks:
		return e.VerifyBlocks(text, suffixcl.GivenArrays{}).Plan(ctx)
	case opVerifyBlocksLCP:
		given := suffixcl.GivenArrays{LCP: func([]uint64, int) error { return nil }}
		return e.VerifyBlocks(text, given).Plan(ctx)
	case opBuildIndex:
		return e.Index(text, suffixcl.IndexOptions{}).Plan(ctx)
	case opNewMatcher:
		return e.Matcher(text, suffixcl.MatcherOptions{}).Plan(ctx)
	}
	return nil, fmt.Errorf("operation %d has a plan of its own", op)
}

// opRepeats are Repeats, opAllRepeats those with RepeatOptions.All.
const (
	opRepeats    opOf = -43
	opAllRepeats opOf = -1
)

// opSuffixRanges is Ranges.
const opSuffixRanges opOf = -4

// opSuffixRangesAt is Ranges of a Reader, which goes on from a state.
const opSuffixRangesAt opOf = -42

// opIntervals stands for Intervals.
const opIntervals opOf = -3

// opCommon stands for CommonSubstrings.
const opCommon opOf = -41

// opSearchSet stands for a Matcher of a set, opRepeatsOf for Repeats of symbols and sets. Calls of their own plan them.
const (
	opSearchSet opOf = -5 - iota
	opRepeatsOf
)

// opDuplicates stands for Duplicates.
const opDuplicates opOf = -20

// opMatches stands for Matches, opMultiMatches for MultiMatches, opMappability for Mappability, opEvery for Arrays with
// Want.Every.
const (
	opMatches opOf = -30 - iota
	opMultiMatches
	opMappability
	opEvery
)

type operation struct {
	op  opOf
	run func(ctx context.Context, e *suffixcl.Engine, a answers) error
}

// operations are those of an Engine, each compared with the answer: every test of what
// an operation does besides its result goes through them.
var operations = []operation{
	{opSuffixArray, func(ctx context.Context, e *suffixcl.Engine, a answers) error {
		sa, err := e.SuffixArray(ctx, a.text)
		return right(err, sa, a.sa)
	}},
	{opVerifyBlocks, func(ctx context.Context, e *suffixcl.Engine, a answers) error {
		_, err := e.VerifyBlocks(suffixcl.Bytes(a.text), suffixcl.GivenArrays{Len: len(a.sa), Primary: a.primary,
			SuffixArray: func(entries []uint64, first int) error {
				for i := range entries {
					entries[i] = uint64(a.sa[first+i])
				}
				return nil
			},
			Transform: func(part []byte, first int) error {
				copy(part, a.transform[first:first+len(part)])
				return nil
			}}).All(ctx)
		return err
	}},
	{opVerifyBlocksLCP, func(ctx context.Context, e *suffixcl.Engine, a answers) error {
		from := func(array []uint32) func(entries []uint64, first int) error {
			return func(entries []uint64, first int) error {
				for i := range entries {
					entries[i] = uint64(array[first+i])
				}
				return nil
			}
		}
		given := suffixcl.GivenArrays{Len: len(a.sa), SuffixArray: from(a.sa), LCP: from(a.lcp)}
		_, err := e.VerifyBlocks(suffixcl.Bytes(a.text), given).All(ctx)
		return err
	}},
	{opSuffixRanges, func(ctx context.Context, e *suffixcl.Engine, a answers) error {
		var sa, lcp []uint32
		var transform []byte
		o := suffixcl.RangeOptions{Transform: true, LCP: true}
		o.Yield = func(b suffixcl.SuffixBlock) error {
			for j, p := range b.Positions {
				sa, lcp = append(sa, uint32(p)), append(lcp, uint32(b.LCP[j]))
			}
			transform = append(transform, b.Transform...)
			return nil
		}
		state, err := e.Ranges(suffixcl.Bytes(a.text), o).All(ctx)
		return errors.Join(right(err, sa, a.sa), right(err, lcp, a.lcp), right(err, transform, a.transform),
			right(err, []int{state.Primary}, []int{a.primary}))
	}},
	{opSuffixRangesAt, func(ctx context.Context, e *suffixcl.Engine, a answers) error {
		var sa []uint32
		saved := errors.New("a range is saved")
		o := suffixcl.RangeOptions{Saved: func(s suffixcl.RangeState) error {
			if sa = sa[:s.First]; s.Done == 1 {
				return saved
			}
			return nil
		}}
		o.Yield = func(b suffixcl.SuffixBlock) error {
			for _, p := range b.Positions {
				sa = append(sa, uint32(p))
			}
			return nil
		}
		text := suffixcl.Reader(bytes.NewReader(a.text), len(a.text))
		state, err := e.Ranges(text, o).All(ctx)
		var code cl.Code
		if errors.Is(err, saved) && !errors.As(err, &code) {
			o.From, o.Saved = state, nil
			_, err = e.Ranges(text, o).All(ctx)
		}
		return right(err, sa, a.sa)
	}},
	{opBWT, func(ctx context.Context, e *suffixcl.Engine, a answers) error {
		transform, primary, err := e.BWT(ctx, a.text)
		return errors.Join(right(err, transform, a.transform), right(err, []int{primary}, []int{a.primary}))
	}},
	{opSuffixArrays, func(ctx context.Context, e *suffixcl.Engine, a answers) error {
		got := make([][]uint32, 0, 3)
		err := suffixArrays(ctx, e, len(a.text), textsOf(a.text, a.text, a.text), func(sa []uint32) error {
			got = append(got, slices.Clone(sa))
			return nil
		})
		return right(err, slices.Concat(got...), slices.Concat(a.sa, a.sa, a.sa))
	}},
	{opBWTs, func(ctx context.Context, e *suffixcl.Engine, a answers) error {
		var got []byte
		var primaries []int
		err := transforms(ctx, e, len(a.text), textsOf(a.text, a.text, a.text), func(transform []byte, primary int) error {
			got, primaries = append(got, transform...), append(primaries, primary)
			return nil
		})
		return errors.Join(right(err, got, bytes.Repeat(a.transform, 3)),
			right(err, primaries, []int{a.primary, a.primary, a.primary}))
	}},
	{opInverseBWT, func(ctx context.Context, e *suffixcl.Engine, a answers) error {
		text, err := e.InverseBWT(ctx, a.transform, a.primary)
		return right(err, text, a.text)
	}},
	{opLCP, func(ctx context.Context, e *suffixcl.Engine, a answers) error {
		lcp, err := e.LCP(ctx, a.text)
		return right(err, lcp, a.lcp)
	}},
	{opLCPOf, func(ctx context.Context, e *suffixcl.Engine, a answers) error {
		lcp, err := lcpOf(ctx, e, a.text, a.sa)
		return right(err, lcp, a.lcp)
	}},
	{opVerify, func(ctx context.Context, e *suffixcl.Engine, a answers) error {
		return e.Verify(ctx, a.text, a.sa)
	}},
	{opVerifyBWT, func(ctx context.Context, e *suffixcl.Engine, a answers) error {
		return verifyBWT(ctx, e, a.text, a.sa, a.transform, a.primary)
	}},
	{opVerifyLCP, func(ctx context.Context, e *suffixcl.Engine, a answers) error {
		return verifyLCP(ctx, e, a.text, a.sa, a.lcp)
	}},
	{opRepeats, func(ctx context.Context, e *suffixcl.Engine, a answers) error {
		r, err := e.Repeats(suffixcl.Bytes(a.text), suffixcl.RepeatOptions{}).All(ctx)
		if err != nil {
			return err
		}
		return errors.Join(right(nil, r.Start, a.repeats.Leftmost), right(nil, r.Length, a.repeats.Length))
	}},
	{opAllRepeats, func(ctx context.Context, e *suffixcl.Engine, a answers) error {
		r, err := e.Repeats(suffixcl.Bytes(a.text), suffixcl.RepeatOptions{All: true}).All(ctx)
		if err != nil {
			return err
		}
		return errors.Join(right(nil, r.Offsets, a.repeats.Offsets), right(nil, r.Starts, a.repeats.Starts))
	}},
	{opBuild, buildAndVerify},
	{opSet, setAndVerify},
	{opIntervals, func(ctx context.Context, e *suffixcl.Engine, a answers) error {
		got, err := e.Intervals(suffixcl.Documents(halves(a.text)...), bestIntervals).All(ctx)
		return right(err, listed(got), a.intervals())
	}},
	{opSearchSet, searchHalves},
	{opIndexOf, indexSymbols},
	{opRepeatsOf, func(ctx context.Context, e *suffixcl.Engine, a answers) error {
		for _, text := range []suffixcl.Text{suffixcl.Tokens16(wordsOf(a.text)), suffixcl.Documents(a.text)} {
			r, err := e.Repeats(text, suffixcl.RepeatOptions{}).All(ctx)
			if err != nil {
				return err
			}
			n := len(a.text)
			if err := errors.Join(right(nil, r.Start[:n], a.repeats.Leftmost),
				right(nil, r.Length[:n], a.repeats.Length)); err != nil {
				return err
			}
		}
		return nil
	}},
	{opSubstrings, func(ctx context.Context, e *suffixcl.Engine, a answers) error {
		return countSubstrings(ctx, e, suffixcl.Bytes(a.text), a.text, suffixcl.SubstringEnd)
	}},
	{opSuffixBlocks, func(ctx context.Context, e *suffixcl.Engine, a answers) error {
		return suffixBlocks(ctx, e, suffixcl.Bytes(a.text), suffixcl.OrderPlain, a.sa)
	}},
	{opDuplicates, func(ctx context.Context, e *suffixcl.Engine, a answers) error {
		var errs []error
		for _, o := range []duplicates.Options{{Frequent: 3}, {Piece: 40, Capacity: 30}} {
			o.Length, o.Keep = 4, duplicates.KeepFirst
			got, err := e.Duplicates(suffixcl.Bytes(a.text), documentsOf(a.text), o).All(ctx)
			var ranges []conformance.Range
			if err == nil {
				for _, r := range got.Ranges {
					ranges = append(ranges, conformance.Range(r))
				}
			}
			errs = append(errs, right(err, ranges, a.duplicates()))
		}
		return errors.Join(errs...)
	}},
	{opEvery, func(ctx context.Context, e *suffixcl.Engine, a answers) error {
		r, err := e.Arrays(suffixcl.Bytes(a.text), suffixcl.Want{SA: true, Every: 3, First: 2}).All(ctx)
		if err != nil {
			return err
		}
		var kept []uint32
		for i := 2; i < len(a.sa); i += 3 {
			kept = append(kept, a.sa[i])
		}
		return right(nil, r.SA, kept)
	}},
	{opMatches, func(ctx context.Context, e *suffixcl.Engine, a answers) error {
		g := basesOf(a.text)
		for _, kind := range matchKinds { // in one order, so that every run makes the same calls
			want := a.matches()[kind]
			got, err := builders.MatchesOf(e)(ctx, g[:1], g[1:], conformance.MatchQuery{Kind: kind, Least: 3, Both: true})
			slices.SortFunc(got, compareSequenceMatches)
			if err := right(err, got, want); err != nil {
				return err
			}
		}
		return nil
	}},
	{opMultiMatches, func(ctx context.Context, e *suffixcl.Engine, a answers) error {
		got, err := builders.MultiMatchesOf(e)(ctx, genomesOf(a.text), multiMatchQuery)
		slices.SortFunc(got, func(a, b conformance.MultiMatch) int { return strings.Compare(a.Substring, b.Substring) })
		return right(err, got, a.multiMatches())
	}},
	{opMappability, func(ctx context.Context, e *suffixcl.Engine, a answers) error {
		got, err := builders.MappabilityOf(e)(ctx, basesOf(a.text),
			conformance.MappabilityQuery{K: []int{2, 4, 0}, Both: true})
		var all []uint32
		for _, values := range got {
			all = append(all, slices.Concat(values...)...)
		}
		return right(err, all, a.mappability())
	}},
	{opNewMatcher, func(ctx context.Context, e *suffixcl.Engine, a answers) error {
		if len(a.pattern) == 0 {
			return nil
		}
		batch, err := patterns.Of(a.pattern)
		if err != nil {
			return err
		}
		m, err := e.Matcher(suffixcl.Bytes(a.text), suffixcl.MatcherOptions{}).All(ctx)
		if err != nil {
			return err
		}
		defer m.Close()
		return m.Locate(ctx, batch, func(_ int, positions []uint32) error { return right(nil, positions, a.found) })
	}},
	{opBuildIndex, func(ctx context.Context, e *suffixcl.Engine, a answers) error {
		if len(a.pattern) == 0 {
			return nil
		}
		batch, err := patterns.Of(a.pattern)
		if err != nil {
			return err
		}
		x, err := e.Index(suffixcl.Bytes(a.text), suffixcl.IndexOptions{SampleEvery: 4}).All(ctx)
		if err != nil {
			return err
		}
		defer x.Close()
		var file bytes.Buffer
		if err := x.Save(ctx, &file); err != nil {
			return err
		}
		again, err := e.LoadIndex(ctx, iotest.OneByteReader(&file)) // a file that is slow to come
		if err != nil {
			return err
		}
		defer again.Close()
		return again.Locate(ctx, batch, func(_ int, positions []uint32) error { return right(nil, positions, a.found) })
	}},
}

// Common substrings take the steps of Intervals once more.
func init() {
	if soak {
		operations = append(operations, operation{opCommon, commonOfHalves})
	}
}

func commonOfHalves(ctx context.Context, e *suffixcl.Engine, a answers) error {
	got, err := e.Intervals(suffixcl.Documents(halves(a.text)...), suffixcl.IntervalOptions{Common: true}).All(ctx)
	return right(err, listed(got), a.common())
}

// wordsOf are the bytes of a text as symbols of 16 bits.
func wordsOf(text []byte) []uint16 {
	words := make([]uint16, len(text))
	for i, c := range text {
		words[i] = uint16(c)
	}
	return words
}

// searchHalves searches in the halves of a text, and counts documents.
func searchHalves(ctx context.Context, e *suffixcl.Engine, a answers) error {
	m, err := e.Matcher(suffixcl.Documents(halves(a.text)...), suffixcl.MatcherOptions{Documents: true}).All(ctx)
	if err != nil {
		return err
	}
	defer m.Close()
	want, documents := foundIn(halves(a.text), a.pattern)
	batch, err := patterns.Of(a.pattern)
	if err != nil {
		return err
	}
	counts, err := m.CountDocuments(ctx, batch)
	if err := right(err, counts, []uint32{documents}); err != nil {
		return err
	}
	var got []suffixcl.Occurrence
	err = m.LocateOccurrences(ctx, batch, func(_ int, places []suffixcl.Occurrence) error {
		got = slices.Clone(places)
		return nil
	})
	return right(err, got, want)
}
