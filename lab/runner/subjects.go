// Package runner runs the suites of package conformance on devices, outside of `go test`:
// every primitive, sorter and application (Subjects) in every variant of package harness.
//
// A subject in a variant with a class of inputs is a cell. Cells run in child processes, so
// that a driver that hangs or kills its process costs one cell. The result is a Report, written
// as JSON and as a page; a Summary is what the repository keeps of it. See docs/conformance.md.
package runner

import (
	"context"
	"errors"
	"fmt"
	"reflect"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/bwt"
	"github.com/suffixcl/suffixcl/internal/mappability"
	"github.com/suffixcl/suffixcl/internal/match"
	"github.com/suffixcl/suffixcl/internal/matches"
	"github.com/suffixcl/suffixcl/internal/patternset"
	"github.com/suffixcl/suffixcl/internal/pml"
	"github.com/suffixcl/suffixcl/internal/prefixes"
	"github.com/suffixcl/suffixcl/internal/rlbwt"
	"github.com/suffixcl/suffixcl/internal/smalltexts"
	"github.com/suffixcl/suffixcl/internal/smem"
	"github.com/suffixcl/suffixcl/internal/testkit/builders"
	"github.com/suffixcl/suffixcl/internal/testkit/harness"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
	"github.com/suffixcl/suffixcl/internal/testkit/primitives"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/internal/verify"
	"github.com/suffixcl/suffixcl/internal/wavelet"
	"github.com/suffixcl/suffixcl/lab/bench"
	"github.com/suffixcl/suffixcl/merge"
	"github.com/suffixcl/suffixcl/patterns"
	"github.com/suffixcl/suffixcl/radixsort"
	"github.com/suffixcl/suffixcl/scan"
	"github.com/suffixcl/suffixcl/segsort"
)

// A Subject is something that has a suite.
type Subject struct {
	Name  string
	Kind  string                                                             // "primitive", "sorter" or "application"
	cases func(s *device.Session, cfg conformance.Config) []conformance.Case // nil: it is only measured
	gauge gauge                                                              // nil: it is not measured
	later func(s *device.Session)                                            // asks for programs, see with; may be nil
}

// with tells which programs the subject asks a session for after it has computed something: a dry run ends before.
func (s Subject) with(later func(s *device.Session)) Subject {
	s.later = later
	return s
}

// Subjects lists what is tested: a new primitive or application is a line here; sorters
// come from the table of algorithms.
func Subjects() []Subject {
	list := []Subject{
		{Name: copySubject, Kind: "primitive", gauge: copied},
		scans("exclusive sum", scan.Options{}, add[uint32]).measured(benched(bench.Sum[uint32]())),
		scans("inclusive sum", scan.Options{Inclusive: true}, add[uint32]),
		scans("exclusive max", scan.Options{Op: scan.Max}, larger),
		scans("inclusive max", scan.Options{Op: scan.Max, Inclusive: true}, larger),
		scans("exclusive sum", scan.Options{}, add[uint64]),
		selects[uint32]().measured(benched(bench.Select[uint32]())), selects[uint64](),
		partitions[uint32](), partitions[uint64](),
		sortKeys[uint32]().measured(benched(bench.SortKeys[uint32]("keys"))),
		sortKeys[uint64]().measured(benched(bench.SortKeys[uint64]("keys"))),
		sortPairs[uint32, uint32]().measured(benched(bench.SortPairs[uint32, uint32]("pairs", 32))),
		sortPairs[uint64, uint32]().measured(benched(bench.SortPairs[uint64, uint32]("pairs", 64))),
		sortPairs[uint64, uint64]().measured(benched(bench.SortPairs[uint64, uint64]("pairs", 64))),
		mergeKeys[uint32]().measured(benched(bench.MergeKeys[uint32]("merge"))),
		mergeKeys[uint64]().measured(benched(bench.MergeKeys[uint64]("merge"))),
		mergePairs[uint32, uint32](), mergePairs[uint64, uint32](),
		segmentedSort[uint32, uint32]().measured(benched(bench.SegmentedSort[uint32](64, 2047))),
		segmentedSort[uint64, uint32]().measured(benched(bench.SegmentedSort[uint64](64, 2047))),
	}
	for _, name := range suffixcl.Algorithms()[1:] { // auto is one of them
		sorter := engine("sorter", string(name), name, func(e *suffixcl.Engine, cfg conformance.Config) []conformance.Case {
			return conformance.SuffixArray(e.SuffixArray, cfg)
		})
		list = append(list, sorter.measured(sorted(name)))
	}
	return append(list,
		application("bwt", func(e *suffixcl.Engine, cfg conformance.Config) []conformance.Case {
			return conformance.BWT(e.BWT, cfg)
		}).measured(operated(auto, 2, func(ctx context.Context, e *suffixcl.Engine, text []byte) (func() error, error) {
			transform, primary, err := e.BWT(ctx, text)
			return func() error {
				inverse, err := e.InverseBWT(ctx, transform, primary)
				return errors.Join(err, equal(inverse, text))
			}, err
		})),
		application("unbwt", func(e *suffixcl.Engine, cfg conformance.Config) []conformance.Case {
			return conformance.BWTInversion(e.InverseBWT, cfg)
		}).measured(operated(auto, 2, func(ctx context.Context, e *suffixcl.Engine, text []byte) (func() error, error) {
			transform, primary, err := e.BWT(suffixcl.WithStats(ctx, nil), text)
			if err != nil {
				return nil, err
			}
			inverse, err := e.InverseBWT(ctx, transform, primary)
			return func() error { return equal(inverse, text) }, err
		})),
		application("lcp", func(e *suffixcl.Engine, cfg conformance.Config) []conformance.Case {
			return conformance.LCP(func(ctx context.Context, text []byte, _ []uint32) ([]uint32, error) {
				return e.LCP(ctx, text)
			}, cfg)
		}).measured(operated(auto, 5, func(ctx context.Context, e *suffixcl.Engine, text []byte) (func() error, error) {
			lengths, err := e.LCP(ctx, text)
			return func() error {
				sa, err := e.SuffixArray(ctx, text)
				if err != nil {
					return err
				}
				return builders.VerifyArrays(ctx, e, suffixcl.Bytes(text), &suffixcl.Result{SA: sa, LCP: lengths})
			}, err
		})),
		inRanges(),
		application("set", func(e *suffixcl.Engine, cfg conformance.Config) []conformance.Case {
			return jobsuites.Set(builders.SetArraysOf(e), fewer(cfg))
		}).with(verified),
		application("set search", func(e *suffixcl.Engine, cfg conformance.Config) []conformance.Case {
			return jobsuites.SearchSet(searchedSet(e), fewer(cfg))
		}),
		application("symbols", func(e *suffixcl.Engine, cfg conformance.Config) []conformance.Case {
			return append(conformance.SymbolSuffixArray(ofSymbols(e, suffixcl.Tokens16), fewer(cfg)),
				conformance.SymbolSuffixArray(ofSymbols(e, suffixcl.Tokens32), fewer(cfg))...)
		}).with(verified),
		application("jobs on symbols", func(e *suffixcl.Engine, cfg conformance.Config) []conformance.Case {
			return append(jobsuites.Symbols(builders.SymbolJobsOf(e, suffixcl.Tokens16, patterns.OfTokens16), fewer(cfg)),
				jobsuites.Symbols(builders.SymbolJobsOf(e, suffixcl.Tokens32, patterns.OfTokens32), fewer(cfg))...)
		}).with(verified),
		application("repeats of symbols", func(e *suffixcl.Engine, cfg conformance.Config) []conformance.Case {
			return append(jobsuites.Repeats(repeatedSymbols(e, func(text []byte) suffixcl.Text {
				return suffixcl.Tokens16(widened[uint16](text))
			}), fewer(cfg)), jobsuites.Repeats(repeatedSymbols(e, func(text []byte) suffixcl.Text {
				return suffixcl.Documents(text)
			}), fewer(cfg))...)
		}),
		application("end largest", func(e *suffixcl.Engine, cfg conformance.Config) []conformance.Case {
			return jobsuites.EndLargest(func(ctx context.Context, text []byte) (jobsuites.Ordered, error) {
				return builders.Ordered(ctx, e, text, suffixcl.OrderEndLargest)
			}, fewer(cfg))
		}).with(verified),
		application("specials largest", func(e *suffixcl.Engine, cfg conformance.Config) []conformance.Case {
			return jobsuites.Specials(func(ctx context.Context, text []byte, letters string) (jobsuites.Ordered, error) {
				return builders.Ordered(ctx, e, text, suffixcl.SpecialsLargest(letters))
			}, fewer(cfg))
		}).with(func(s *device.Session) {
			verified(s)
			rangesOfLetters(s)
		}),
		application("memory order", func(e *suffixcl.Engine, cfg conformance.Config) []conformance.Case {
			return append(jobsuites.MemoryOrder(builders.InMemory(e, suffixcl.Tokens16), fewer(cfg)),
				jobsuites.MemoryOrder(builders.InMemory(e, suffixcl.Tokens32), fewer(cfg))...)
		}).with(verified),
		application("repeats", func(e *suffixcl.Engine, cfg conformance.Config) []conformance.Case {
			return jobsuites.Repeats(repeated(e), cfg)
		}).measured(operated(auto, 9, func(ctx context.Context, e *suffixcl.Engine, text []byte) (func() error, error) {
			_, err := e.Repeats(suffixcl.Bytes(text), suffixcl.RepeatOptions{}).All(ctx)
			return func() error { return nil }, err
		})),
		application("intervals", func(e *suffixcl.Engine, cfg conformance.Config) []conformance.Case {
			return jobsuites.Intervals(intervalsOf(e), cfg)
		}).measured(operated(auto, 17, func(ctx context.Context, e *suffixcl.Engine, text []byte) (func() error, error) {
			for _, err := range e.Intervals(suffixcl.Bytes(text), suffixcl.IntervalOptions{}).Each(ctx) {
				if err != nil {
					return nil, err
				}
			}
			return func() error { return nil }, nil
		})),
		application("matches", func(e *suffixcl.Engine, cfg conformance.Config) []conformance.Case {
			return jobsuites.Matches(builders.MatchesOf(e), fewer(cfg))
		}).with(func(s *device.Session) { _, _ = matches.NewSeeds(s, longText, longText, longText, longText) }),
		application("mappability", func(e *suffixcl.Engine, cfg conformance.Config) []conformance.Case {
			return jobsuites.Mappability(builders.MappabilityOf(e), fewer(cfg))
		}).with(func(s *device.Session) { _, _ = mappability.NewKmers(s, longText, longText) }),
		application("thresholds", func(e *suffixcl.Engine, cfg conformance.Config) []conformance.Case {
			return jobsuites.Thresholds(builders.ThresholdsOf(e), fewer(cfg))
		}),
		application("multi-matches", func(e *suffixcl.Engine, cfg conformance.Config) []conformance.Case {
			return jobsuites.MultiMatches(builders.MultiMatchesOf(e), fewer(cfg))
		}),
		application("duplicates", func(e *suffixcl.Engine, cfg conformance.Config) []conformance.Case {
			return jobsuites.Duplicates(duplicatesOf(e), fewer(cfg))
		}).measured(operated(auto, 2, func(ctx context.Context, e *suffixcl.Engine, text []byte) (func() error, error) {
			_, err := e.Duplicates(suffixcl.Bytes(text), nil, suffixcl.DuplicateOptions{Length: 100}).All(ctx)
			return func() error { return nil }, err
		})),
		ofSession("first letters", func(s *device.Session, cfg conformance.Config) []conformance.Case {
			return jobsuites.Prefixes(builders.PrefixesOf(s), fewer(cfg))
		}).with(func(s *device.Session) {
			_, _ = prefixes.New(s, longText, prefixes.Longest, prefixes.Longest, longText)
		}),
		application("first rows", func(e *suffixcl.Engine, cfg conformance.Config) []conformance.Case {
			return jobsuites.FirstRows(builders.FirstRowsOf(e), fewer(cfg))
		}),
		ofSession("wavelet tree", func(s *device.Session, cfg conformance.Config) []conformance.Case {
			return jobsuites.Files(builders.WaveletOf(s), builders.WaveletOnHost, cfg)
		}).with(func(s *device.Session) { wavelet.New(s, wavelet.PiecesOf(s, longText)) }),
		ofSession("rlbwt", func(s *device.Session, cfg conformance.Config) []conformance.Case {
			return jobsuites.RLBWT(builders.RLBWTOf(s), cfg)
		}),
		ofSession("rlbwt merge", func(s *device.Session, cfg conformance.Config) []conformance.Case {
			return jobsuites.RLBWTMerge(builders.RLBWTMergeOf(s), cfg)
		}),
		application("smems", func(e *suffixcl.Engine, cfg conformance.Config) []conformance.Case {
			return append(jobsuites.SMEMs(builders.SMEMsOf(e), fewer(cfg)),
				jobsuites.PseudoLengths(builders.PseudoLengthsOf(e), fewer(cfg))...)
		}).with(func(s *device.Session) {
			_, _ = smem.Memory(s, longText, 1)
			_ = smem.RunsMemory(s, longText, 1)
			_ = smem.SearchMemory(s, longText, 1)
			pml.Prepare(s)
			_, _ = smalltexts.New(s, smallText)
			_ = rlbwt.PrepareSorting(s, longText, 2, 4)
			bwt.NewForward(s)
		}),
		application("verify", func(e *suffixcl.Engine, cfg conformance.Config) []conformance.Case {
			return conformance.Verify(e.Verify, cfg)
		}).measured(operated(auto, 5, func(ctx context.Context, e *suffixcl.Engine, text []byte) (func() error, error) {
			sa, err := e.SuffixArray(suffixcl.WithStats(ctx, nil), text)
			if err != nil {
				return nil, err
			}
			return func() error { return nil }, e.Verify(ctx, text, sa)
		})),
		application("fm-index", func(e *suffixcl.Engine, cfg conformance.Config) []conformance.Case {
			return jobsuites.Search(indexed(e, false), cfg)
		}),
		application("fm-index DNA", func(e *suffixcl.Engine, cfg conformance.Config) []conformance.Case {
			return jobsuites.SearchDNA(indexed(e, true), cfg)
		}).measured(searched(func(ctx context.Context, e *suffixcl.Engine, text []byte) (counter, func() error, error) {
			x, err := e.Index(suffixcl.Bytes(text), suffixcl.IndexOptions{DNA: true}).All(ctx)
			if err != nil {
				return nil, nil, err
			}
			return x.Count, x.Close, nil
		})),
		application("match array", func(e *suffixcl.Engine, cfg conformance.Config) []conformance.Case {
			return jobsuites.Search(matched(e), cfg)
		}).measured(searched(func(ctx context.Context, e *suffixcl.Engine, text []byte) (counter, func() error, error) {
			m, err := e.Matcher(suffixcl.Bytes(text), suffixcl.MatcherOptions{}).All(ctx)
			if err != nil {
				return nil, nil, err
			}
			return m.Count, m.Close, nil
		})),
		inArrays("match array, two searches", func(b *rig, in arrays) (search, error) {
			a, err := match.NewArray(b.s, in.text.Len(), in.counts)
			if err != nil {
				return nil, err
			}
			b.release = append(b.release, a.Release)
			return a.SearchPaper, a.Build(in.text, in.sa)
		}).with(func(s *device.Session) { _, _ = match.NewArray(s, longText, new([256]uint64)) }),
		inArrays("match tree", func(b *rig, in arrays) (search, error) {
			t, err := match.NewTree(b.s, in.text.Len())
			if err != nil {
				return nil, err
			}
			b.release = append(b.release, t.Release)
			return t.Search, t.Build(in.text, in.sa, in.lcp)
		}).with(func(s *device.Session) { _, _ = match.NewTree(s, longText) }),
	)
}

// verified asks for the programs that verify arrays and invert transforms.
func verified(s *device.Session) {
	verify.New(s, longText)
	verify.NewSymbols[uint16](s, longText)
	verify.NewSymbols[uint32](s, longText)
	_, _ = bwt.NewInverse(s, longText)
	_, _ = bwt.NewSymbolInverse[uint16](s, longText)
	_, _ = bwt.NewSymbolInverse[uint32](s, longText)
}

// application is a subject that an Engine with its own choice of algorithm runs.
func application(name string, cases func(*suffixcl.Engine, conformance.Config) []conformance.Case) Subject {
	return engine("application", name, auto, cases)
}

// engine is a subject that an Engine runs.
func engine(
	kind, name string, algorithm suffixcl.Algorithm, cases func(*suffixcl.Engine, conformance.Config) []conformance.Case,
) Subject {
	return Subject{Name: name, Kind: kind, cases: func(s *device.Session, cfg conformance.Config) []conformance.Case {
		if algorithm.MaxLen(s.Caps()) < 1<<16 { // sais on llvmpipe: the suite's texts are longer
			return nil
		}
		cfg.Large = min(cfg.Large, algorithm.MaxLen(s.Caps()))
		cfg.Tile = min(64, 2*tuned.Of(s).Map.WG*tuned.Of(s).Map.Items)
		cfg.MaxPattern = patternset.Longest(s)
		// The engine is never closed: the session is the caller's.
		e, err := suffixcl.New(s, suffixcl.EngineOptions{Algorithm: algorithm, KeepMemory: -1})
		if err != nil {
			return []conformance.Case{{Name: "open", Run: func(context.Context) error { return err }}}
		}
		return cases(e, cfg)
	}}
}

// ofSession is an application that has no Engine.
func ofSession(name string, make func(*device.Session, conformance.Config) []conformance.Case) Subject {
	cases := func(s *device.Session, cfg conformance.Config) []conformance.Case {
		cfg.Tile = min(64, 2*tuned.Of(s).RLBWT.WG*tuned.Of(s).RLBWT.Items)
		cfg = fewer(cfg)
		cfg.Large = min(cfg.Large, suffixcl.AlgorithmAuto.MaxLen(s.Caps()))
		return make(s, cfg)
	}
	return Subject{Name: name, Kind: "application", cases: cases}
}

// fewer are fewer inputs than a sorter has: one sorts what sets and orders are coded as.
func fewer(cfg conformance.Config) conformance.Config {
	most := func(have, most int) int {
		if have <= 0 {
			return most
		}
		return min(have, most)
	}
	cfg.PerSize, cfg.Random = most(cfg.PerSize, 3), most(cfg.Random, 20)
	cfg.MaxExhaustive2, cfg.MaxExhaustive3 = most(cfg.MaxExhaustive2, 6), most(cfg.MaxExhaustive3, 5)
	cfg.Large = most(cfg.Large, 1<<16)
	return cfg
}

// searchedSet gives the suite what is found in a set.
func searchedSet(e *suffixcl.Engine) func(context.Context, [][]byte, [][]byte) (jobsuites.Found, error) {
	return func(ctx context.Context, texts, list [][]byte) (found jobsuites.Found, err error) {
		m, err := e.Matcher(suffixcl.Documents(texts...), suffixcl.MatcherOptions{Documents: true}).All(ctx)
		if err != nil {
			return found, err
		}
		defer m.Close()
		batch, err := patterns.Of(list...)
		if err != nil {
			return found, err
		}
		if found.Documents, err = m.CountDocuments(ctx, batch); err != nil {
			return found, err
		}
		found.Places = make([][]jobsuites.Place, len(list))
		return found, m.LocateOccurrences(ctx, batch, func(q int, occurrences []suffixcl.Occurrence) error {
			for _, o := range occurrences {
				found.Places[q] = append(found.Places[q], jobsuites.Place(o))
			}
			return nil
		})
	}
}

// ofSymbols makes and verifies suffix arrays of symbols, and inverts their transforms.
func ofSymbols[T uint16 | uint32](
	e *suffixcl.Engine, textOf func([]T) suffixcl.Text,
) func(context.Context, []T) ([]uint32, error) {
	return func(ctx context.Context, symbols []T) ([]uint32, error) {
		r, err := e.Arrays(textOf(symbols), suffixcl.Want{SA: true, LCP: true, BWT: true}).All(ctx)
		if err != nil {
			return nil, err
		}
		if err := builders.VerifyArrays(ctx, e, textOf(symbols), r); err != nil {
			return nil, err
		}
		inverse, err := e.Invert(r).All(ctx)
		if err == nil && !reflect.DeepEqual(inverse, textOf(symbols)) && len(symbols) > 0 {
			err = errors.New("the inverse of the transform is not the text")
		}
		return r.SA, err
	}
}

// widened are bytes as symbols that are not below 256.
func widened[T uint16 | uint32](text []byte) []T {
	symbols := make([]T, len(text))
	for i, c := range text {
		symbols[i] = T(c)<<8 | 3
	}
	return symbols
}

// repeatedSymbols gives the suite the longest repeats of the text that is made of one of bytes.
func repeatedSymbols(
	e *suffixcl.Engine, textOf func([]byte) suffixcl.Text,
) func(ctx context.Context, text []byte, _, _ []uint32) (jobsuites.AllRepeats, error) {
	return func(ctx context.Context, text []byte, _, _ []uint32) (jobsuites.AllRepeats, error) {
		r, err := e.Repeats(textOf(text), suffixcl.RepeatOptions{All: true}).All(ctx)
		if err != nil {
			return jobsuites.AllRepeats{}, err
		}
		n := len(text) // without a terminator
		return jobsuites.AllRepeats{Leftmost: r.Start[:n], Length: r.Length[:n], Offsets: r.Offsets[:n+1],
			Starts: r.Starts}, nil
	}
}

// repeated gives the suite the leftmost and all longest repeats of a text.
func repeated(
	e *suffixcl.Engine,
) func(ctx context.Context, text []byte, _, _ []uint32) (jobsuites.AllRepeats, error) {
	return func(ctx context.Context, text []byte, _, _ []uint32) (all jobsuites.AllRepeats, err error) {
		first, err := e.Repeats(suffixcl.Bytes(text), suffixcl.RepeatOptions{}).All(ctx)
		if err != nil {
			return all, err
		}
		r, err := e.Repeats(suffixcl.Bytes(text), suffixcl.RepeatOptions{All: true}).All(ctx)
		if err != nil {
			return all, err
		}
		all = jobsuites.AllRepeats{Leftmost: first.Start, Length: first.Length, Offsets: r.Offsets, Starts: r.Starts}
		return all, nil
	}
}

// intervalsOf gives the suite the intervals of a text or a set.
func intervalsOf(e *suffixcl.Engine) func(
	ctx context.Context, text []byte, documents [][]byte, q jobsuites.IntervalQuery) ([]jobsuites.Interval, error) {
	return func(
		ctx context.Context, text []byte, documents [][]byte, q jobsuites.IntervalQuery,
	) ([]jobsuites.Interval, error) {
		input := suffixcl.Bytes(text)
		if documents != nil {
			input = suffixcl.Documents(documents...)
		}
		found, err := e.Intervals(input, builders.IntervalOptions(q)).All(ctx)
		if err != nil {
			return nil, err
		}
		return builders.Intervals(found), nil
	}
}

// duplicatesOf gives the suite the duplicates of a text.
func duplicatesOf(e *suffixcl.Engine) func(
	ctx context.Context, text []byte, documents []uint64, q jobsuites.DuplicateQuery) ([]jobsuites.Range, error) {
	return func(
		ctx context.Context, text []byte, documents []uint64, q jobsuites.DuplicateQuery,
	) (list []jobsuites.Range, err error) {
		o := suffixcl.DuplicateOptions{Length: q.Length, SymbolBytes: q.Width, MinCount: q.MinCount, Other: int(q.Other),
			Both: q.Both, Capacity: q.Capacity, Piece: q.Piece}
		o.KeepFirst = q.KeepFirst
		for part, err := range e.Duplicates(suffixcl.Bytes(text), documents, o).Each(ctx) {
			if err != nil {
				return nil, err
			}
			for _, r := range part.Ranges {
				list = append(list, jobsuites.Range(r))
			}
		}
		return list, nil
	}
}

// rig is a run of a primitive: what it has allocated, and the first failure.
type rig struct {
	s       *device.Session
	release []func()
	guards  harness.Guards
	err     error
}

// on runs f on a rig, whose failures become f's.
func on(s *device.Session, f func(b *rig) error) error {
	b := &rig{s: s}
	err := f(b)
	for _, release := range b.release {
		release()
	}
	return errors.Join(b.err, err)
}

// workspace allocates the pieces of a plan.
func (b *rig) workspace(pieces device.Pieces) *device.Workspace {
	if b.err != nil {
		return nil
	}
	var ws *device.Workspace
	if ws, b.guards, b.err = harness.Workspace(b.s, pieces); b.err == nil {
		b.release = append(b.release, ws.Release)
	}
	return ws
}

// guard is a buffer of n elements.
func guard[T device.Element](b *rig, n int) *harness.Guarded[T] {
	g, err := harness.Guard[T](b.s, n)
	b.release = append(b.release, g.Release)
	if b.err = errors.Join(b.err, err); err != nil {
		return &harness.Guarded[T]{}
	}
	return g
}

// give is guard with contents.
func give[T device.Element](b *rig, data []T) *harness.Guarded[T] {
	g := guard[T](b, len(data))
	if b.err == nil {
		b.err = g.Upload(context.Background(), data, nil)
	}
	return g
}

// run enqueues, unless there was a failure, and checks the workspace's guards.
func (b *rig) run(f func()) {
	if b.err == nil {
		f()
		b.err = b.guards.Intact()
	}
}

// take is what a buffer holds.
func take[T device.Element](b *rig, g *harness.Guarded[T]) (data []T) {
	if b.err == nil {
		data, b.err = g.Slice()
	}
	return data
}

// pair is the ping-pong pair of a sort.
type pair[T uint32 | uint64] struct {
	radixsort.Pair[T]
	sides [2]*harness.Guarded[T]
}

func givePair[T uint32 | uint64](b *rig, data []T) *pair[T] {
	p := &pair[T]{sides: [2]*harness.Guarded[T]{give(b, data), guard[T](b, len(data))}}
	p.Cur, p.Alt = p.sides[0].Buffer, p.sides[1].Buffer
	return p
}

// takePair is what Cur holds, after checking both guards.
func takePair[T uint32 | uint64](b *rig, p *pair[T]) []T {
	first, second := take(b, p.sides[0]), take(b, p.sides[1])
	if p.Cur == p.sides[1].Buffer {
		return second
	}
	return first
}

// primitive is a subject of the name `what`, with the types of keys and, if there are, values.
func primitive[K, V uint32 | uint64](
	what string, values bool, cases func(*device.Session, conformance.Config) []conformance.Case,
) Subject {
	bits := func(v any) string {
		if _, ok := v.(uint64); ok {
			return "u64"
		}
		return "u32"
	}
	name := what + " " + bits(any(K(0)))
	if values {
		name += "/" + bits(any(V(0)))
	}
	return Subject{Name: name, Kind: "primitive", cases: cases}
}

func add[T uint32 | uint64](a, b T) T { return a + b }

func larger(a, b uint32) uint32 { return max(a, b) }

func scans[T uint32 | uint64](op string, o scan.Options, combine func(a, b T) T) Subject {
	return primitive[T, T](op, false, func(s *device.Session, cfg conformance.Config) []conformance.Case {
		cfg.Tile = tuned.Of(s).Scan.WG * tuned.Of(s).Scan.Items
		return primitives.Scan(func(in []T) (out []T, err error) {
			err = on(s, func(b *rig) error {
				p := scan.NewPlan[T](s, len(in), o)
				ws := b.workspace(p.Workspace())
				from, to := give(b, in), guard[T](b, len(in))
				b.run(func() { p.Run(ws, from.Buffer, to.Buffer, len(in)) })
				out = take(b, to)
				return nil
			})
			return out, err
		}, combine, o.Inclusive, cfg)
	})
}

// compact runs a selection or partition by flags.
func compact[T uint32 | uint64](s *device.Session, create func(*device.Session, int) *scan.Selection[T], in []T,
	flagged []bool, room int) (out []T, n int, err error) {
	flags := make([]uint8, len(in))
	for i, f := range flagged {
		if f {
			flags[i] = uint8(1 + i%255)
		}
	}
	err = on(s, func(b *rig) error {
		p := create(s, len(in))
		ws := b.workspace(p.Workspace())
		from, marks, to, kept := give(b, in), give(b, flags), guard[T](b, room), guard[uint64](b, 1)
		b.run(func() { p.Run(ws, marks.Buffer, from.Buffer, to.Buffer, len(in), kept.Buffer) })
		out = take(b, to)
		if counts := take(b, kept); b.err == nil {
			n = int(counts[0])
		}
		return nil
	})
	return out, n, err
}

func selects[T uint32 | uint64]() Subject {
	return primitive[T, T]("select", false, func(s *device.Session, cfg conformance.Config) []conformance.Case {
		cfg.Tile = tuned.Of(s).Compact.WG * tuned.Of(s).Compact.Items
		return primitives.Select(func(in []T, flagged []bool) ([]T, error) {
			room := 0 // none for one too many
			for _, f := range flagged {
				if f {
					room++
				}
			}
			out, n, err := compact(s, scan.NewSelect[T], in, flagged, room)
			if err == nil && n != room {
				err = fmt.Errorf("%d elements kept, want %d", n, room)
			}
			return out, err
		}, cfg)
	})
}

func partitions[T uint32 | uint64]() Subject {
	return primitive[T, T]("partition", false, func(s *device.Session, cfg conformance.Config) []conformance.Case {
		cfg.Tile = tuned.Of(s).Compact.WG * tuned.Of(s).Compact.Items
		return primitives.Partition(func(in []T, flagged []bool) ([]T, int, error) {
			return compact(s, scan.NewPartition[T], in, flagged, len(in))
		}, cfg)
	})
}

func sortKeys[K uint32 | uint64]() Subject {
	return primitive[K, K]("radix sort keys", false, func(s *device.Session, cfg conformance.Config) []conformance.Case {
		cfg.Tile = tuned.Of(s).RadixSort.Reduce.WG * tuned.Of(s).RadixSort.Reduce.Items
		return primitives.SortKeys(func(keys []K, lo, hi int) (out []K, err error) {
			err = on(s, func(b *rig) error {
				p := radixsort.NewKeys[K](s, len(keys))
				ws := b.workspace(p.Workspace())
				k := givePair(b, keys)
				b.run(func() { p.Run(ws, &k.Pair, nil, len(keys), lo, hi) })
				out = takePair(b, k)
				return nil
			})
			return out, err
		}, cfg)
	})
}

func sortPairs[K, V uint32 | uint64]() Subject {
	return primitive[K, V]("radix sort pairs", true, func(s *device.Session, cfg conformance.Config) []conformance.Case {
		cfg.Tile = tuned.Of(s).RadixSort.Reduce.WG * tuned.Of(s).RadixSort.Reduce.Items
		return primitives.SortPairs(func(keys []K, values []V, lo, hi int) (outKeys []K, outValues []V, err error) {
			err = on(s, func(b *rig) error {
				p := radixsort.NewPairs[K, V](s, len(keys))
				ws := b.workspace(p.Workspace())
				k, v := givePair(b, keys), givePair(b, values)
				b.run(func() { p.Run(ws, &k.Pair, &v.Pair, len(keys), lo, hi) })
				outKeys = takePair(b, k)
				outValues = takePair(b, v)
				return nil
			})
			return outKeys, outValues, err
		}, cfg)
	})
}

func mergeKeys[K uint32 | uint64]() Subject {
	return primitive[K, K]("merge keys", false, func(s *device.Session, cfg conformance.Config) []conformance.Case {
		cfg.Tile = tuned.Of(s).Merge.WG * tuned.Of(s).Merge.Items
		return primitives.MergeKeys(func(x, y []K) (out []K, err error) {
			err = on(s, func(b *rig) error {
				n := len(x) + len(y)
				p := merge.NewKeys[K](s, n)
				ws := b.workspace(p.Workspace())
				first, second, to := give(b, x), give(b, y), guard[K](b, n)
				b.run(func() {
					pairs := func(g *harness.Guarded[K]) merge.Pairs[K, uint32] {
						return merge.Pairs[K, uint32]{Keys: g.Buffer}
					}
					p.Run(ws, pairs(first), pairs(second), pairs(to), len(x), len(y))
				})
				out = take(b, to)
				return nil
			})
			return out, err
		}, cfg)
	})
}

func mergePairs[K, V uint32 | uint64]() Subject {
	return primitive[K, V]("merge pairs", true, func(s *device.Session, cfg conformance.Config) []conformance.Case {
		cfg.Tile = tuned.Of(s).Merge.WG * tuned.Of(s).Merge.Items
		run := func(xKeys []K, xValues []V, yKeys []K, yValues []V) (keys []K, values []V, err error) {
			err = on(s, func(b *rig) error {
				n := len(xKeys) + len(yKeys)
				p := merge.NewPairs[K, V](s, n)
				ws := b.workspace(p.Workspace())
				xk, xv, yk, yv := give(b, xKeys), give(b, xValues), give(b, yKeys), give(b, yValues)
				k, v := guard[K](b, n), guard[V](b, n)
				b.run(func() {
					p.Run(ws,
						merge.Pairs[K, V]{Keys: xk.Buffer, Values: xv.Buffer},
						merge.Pairs[K, V]{Keys: yk.Buffer, Values: yv.Buffer},
						merge.Pairs[K, V]{Keys: k.Buffer, Values: v.Buffer},
						len(xKeys), len(yKeys))
				})
				keys, values = take(b, k), take(b, v)
				return nil
			})
			return keys, values, err
		}
		return primitives.MergePairs(run, cfg)
	})
}

func segmentedSort[K, V uint32 | uint64]() Subject {
	return primitive[K, V]("segmented sort", true, func(s *device.Session, cfg conformance.Config) []conformance.Case {
		cfg.Tile = tuned.Of(s).SegSort.GroupWG * tuned.Of(s).SegSort.GroupItems
		run := func(keys []K, values []V, heads []bool) (outKeys []K, outValues []V, err error) {
			bitmap := make([]uint32, segsort.HeadWords(len(keys)))
			for i, h := range heads {
				if h {
					bitmap[i/32] |= 1 << (i % 32)
				}
			}
			err = on(s, func(b *rig) error {
				p, err := segsort.New[K, V](s, len(keys), segsort.Options{})
				if err != nil {
					return err
				}
				ws := b.workspace(p.Workspace())
				k, v, h := givePair(b, keys), givePair(b, values), give(b, bitmap)
				b.run(func() { p.Run(ws, &k.Pair, &v.Pair, h.Buffer, len(keys)) })
				outKeys = takePair(b, k)
				outValues = takePair(b, v)
				return nil
			})
			return outKeys, outValues, err
		}
		return primitives.SegmentedSort(run, cfg)
	})
}
