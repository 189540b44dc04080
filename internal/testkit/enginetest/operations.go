package enginetest

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"strings"
	"testing/iotest"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/cl"
	"github.com/suffixcl/suffixcl/internal/testkit/builders"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
	"github.com/suffixcl/suffixcl/patterns"
)

// Operation is a call of an engine, or several, whose results are compared with the answers.
type Operation struct {
	Op  Op
	Run func(ctx context.Context, e *suffixcl.Engine, a Answers) error
}

// Operations are those of an Engine, each compared with the answer: every test of what
// an operation does besides its result goes through them.
var Operations = []Operation{
	{OpSuffixArray, func(ctx context.Context, e *suffixcl.Engine, a Answers) error {
		sa, err := e.SuffixArray(ctx, a.Text)
		return Right(err, sa, a.SA)
	}},
	{OpVerifyBlocks, func(ctx context.Context, e *suffixcl.Engine, a Answers) error {
		_, err := e.VerifyArrays(suffixcl.Bytes(a.Text), suffixcl.GivenArrays{Len: len(a.SA), Primary: a.Primary,
			SuffixArray: func(entries []uint64, first int) error {
				for i := range entries {
					entries[i] = uint64(a.SA[first+i])
				}
				return nil
			},
			Transform: func(part []byte, first int) error {
				copy(part, a.Transform[first:first+len(part)])
				return nil
			}}).All(ctx)
		return err
	}},
	{OpVerifyBlocksLCP, func(ctx context.Context, e *suffixcl.Engine, a Answers) error {
		from := func(array []uint32) func(entries []uint64, first int) error {
			return func(entries []uint64, first int) error {
				for i := range entries {
					entries[i] = uint64(array[first+i])
				}
				return nil
			}
		}
		given := suffixcl.GivenArrays{Len: len(a.SA), SuffixArray: from(a.SA), LCP: from(a.LCP)}
		_, err := e.VerifyArrays(suffixcl.Bytes(a.Text), given).All(ctx)
		return err
	}},
	{OpSuffixRanges, func(ctx context.Context, e *suffixcl.Engine, a Answers) error {
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
		state, err := e.Ranges(suffixcl.Bytes(a.Text), o).All(ctx)
		return errors.Join(Right(err, sa, a.SA), Right(err, lcp, a.LCP), Right(err, transform, a.Transform),
			Right(err, []int{state.Primary}, []int{a.Primary}))
	}},
	{OpSuffixRangesAt, func(ctx context.Context, e *suffixcl.Engine, a Answers) error {
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
		text := suffixcl.Reader(bytes.NewReader(a.Text), len(a.Text))
		state, err := e.Ranges(text, o).All(ctx)
		var code cl.Code
		if errors.Is(err, saved) && !errors.As(err, &code) {
			o.From, o.Saved = state, nil
			_, err = e.Ranges(text, o).All(ctx)
		}
		return Right(err, sa, a.SA)
	}},
	{OpRangesOrder, func(ctx context.Context, e *suffixcl.Engine, a Answers) error {
		var letters []byte // all but one
		for c := range 256 {
			if bytes.IndexByte(a.Text, byte(c)) > 0 && byte(c) != a.Text[0] && len(letters) < 200 {
				letters = append(letters, byte(c))
			}
		}
		want, _ := jobsuites.ReferenceSpecials(a.Text, func(c byte) bool { return bytes.IndexByte(letters, c) < 0 })
		sa := []uint32{}
		o := suffixcl.RangeOptions{Packed: true, Order: suffixcl.SpecialsLargest(string(letters))}
		o.Yield = func(b suffixcl.SuffixBlock) error {
			for i := range b.Len {
				sa = append(sa, binary.LittleEndian.Uint32(b.Packed[5*i:]))
			}
			return nil
		}
		_, err := e.Ranges(suffixcl.Bytes(a.Text), o).All(ctx)
		return Right(err, sa, want)
	}},
	{OpBWT, func(ctx context.Context, e *suffixcl.Engine, a Answers) error {
		transform, primary, err := e.BWT(ctx, a.Text)
		return errors.Join(Right(err, transform, a.Transform), Right(err, []int{primary}, []int{a.Primary}))
	}},
	{OpSuffixArrays, func(ctx context.Context, e *suffixcl.Engine, a Answers) error {
		got := make([][]uint32, 0, 3)
		err := SuffixArrays(ctx, e, len(a.Text), TextsOf(a.Text, a.Text, a.Text), func(sa []uint32) error {
			got = append(got, slices.Clone(sa))
			return nil
		})
		return Right(err, slices.Concat(got...), slices.Concat(a.SA, a.SA, a.SA))
	}},
	{OpBWTs, func(ctx context.Context, e *suffixcl.Engine, a Answers) error {
		var got []byte
		var primaries []int
		err := Transforms(ctx, e, len(a.Text), TextsOf(a.Text, a.Text, a.Text), func(transform []byte, primary int) error {
			got, primaries = append(got, transform...), append(primaries, primary)
			return nil
		})
		return errors.Join(Right(err, got, bytes.Repeat(a.Transform, 3)),
			Right(err, primaries, []int{a.Primary, a.Primary, a.Primary}))
	}},
	{OpInverseBWT, func(ctx context.Context, e *suffixcl.Engine, a Answers) error {
		text, err := e.InverseBWT(ctx, a.Transform, a.Primary)
		return Right(err, text, a.Text)
	}},
	{OpLCP, func(ctx context.Context, e *suffixcl.Engine, a Answers) error {
		lcp, err := e.LCP(ctx, a.Text)
		return Right(err, lcp, a.LCP)
	}},
	{OpLCPOf, func(ctx context.Context, e *suffixcl.Engine, a Answers) error {
		lcp, err := LCPOf(ctx, e, a.Text, a.SA)
		return Right(err, lcp, a.LCP)
	}},
	{OpVerify, func(ctx context.Context, e *suffixcl.Engine, a Answers) error {
		return e.Verify(ctx, a.Text, a.SA)
	}},
	{OpVerifyBWT, func(ctx context.Context, e *suffixcl.Engine, a Answers) error {
		return VerifyBWT(ctx, e, a.Text, a.SA, a.Transform, a.Primary)
	}},
	{OpVerifyLCP, func(ctx context.Context, e *suffixcl.Engine, a Answers) error {
		return VerifyLCP(ctx, e, a.Text, a.SA, a.LCP)
	}},
	{OpRepeats, func(ctx context.Context, e *suffixcl.Engine, a Answers) error {
		r, err := e.Repeats(suffixcl.Bytes(a.Text), suffixcl.RepeatOptions{}).All(ctx)
		if err != nil {
			return err
		}
		return errors.Join(Right(nil, r.Start, a.repeats.Leftmost), Right(nil, r.Length, a.repeats.Length))
	}},
	{OpAllRepeats, func(ctx context.Context, e *suffixcl.Engine, a Answers) error {
		r, err := e.Repeats(suffixcl.Bytes(a.Text), suffixcl.RepeatOptions{All: true}).All(ctx)
		if err != nil {
			return err
		}
		return errors.Join(Right(nil, r.Offsets, a.repeats.Offsets), Right(nil, r.Starts, a.repeats.Starts))
	}},
	{OpBuild, BuildAndVerify},
	{OpSet, setAndVerify},
	{OpIntervals, func(ctx context.Context, e *suffixcl.Engine, a Answers) error {
		got, err := e.Intervals(suffixcl.Documents(Halves(a.Text)...), bestIntervals).All(ctx)
		return Right(err, builders.Intervals(got), a.intervals())
	}},
	{OpSearchSet, searchHalves},
	{OpIndexOf, indexSymbols},
	{OpRepeatsOf, func(ctx context.Context, e *suffixcl.Engine, a Answers) error {
		for _, text := range []suffixcl.Text{suffixcl.Tokens16(WordsOf(a.Text)), suffixcl.Documents(a.Text)} {
			r, err := e.Repeats(text, suffixcl.RepeatOptions{}).All(ctx)
			if err != nil {
				return err
			}
			n := len(a.Text)
			if err := errors.Join(Right(nil, r.Start[:n], a.repeats.Leftmost),
				Right(nil, r.Length[:n], a.repeats.Length)); err != nil {
				return err
			}
		}
		return nil
	}},
	{OpSubstrings, func(ctx context.Context, e *suffixcl.Engine, a Answers) error {
		return CountSubstrings(ctx, e, suffixcl.Bytes(a.Text), a.Text, suffixcl.SubstringEnd)
	}},
	{OpSuffixBlocks, func(ctx context.Context, e *suffixcl.Engine, a Answers) error {
		return SuffixBlocks(ctx, e, suffixcl.Bytes(a.Text), suffixcl.OrderPlain, a.SA)
	}},
	{OpDuplicates, func(ctx context.Context, e *suffixcl.Engine, a Answers) error {
		var errs []error
		for _, o := range []suffixcl.DuplicateOptions{{Frequent: 3}, {Piece: 40, Capacity: 30}} {
			o.Length, o.KeepFirst = 4, true
			got, err := e.Duplicates(suffixcl.Bytes(a.Text), documentsOf(a.Text), o).All(ctx)
			var ranges []jobsuites.Range
			if err == nil {
				for _, r := range got.Ranges {
					ranges = append(ranges, jobsuites.Range(r))
				}
			}
			errs = append(errs, Right(err, ranges, a.duplicates()))
		}
		return errors.Join(errs...)
	}},
	{OpPangenome, func(ctx context.Context, e *suffixcl.Engine, a Answers) error {
		texts := basesOf(a.Text)
		once, err := suffixcl.JoinTexts(0, texts...)
		if err != nil {
			return err
		}
		next := func() (*suffixcl.Collection, error) {
			set, err := once, error(nil)
			if once = nil; set == nil {
				err = io.EOF
			}
			return set, err
		}
		made, err := e.Pangenome(suffixcl.PangenomeOptions{Next: next, Forward: true}).All(ctx)
		if err != nil {
			return err
		}
		file := io.NewSectionReader(bytes.NewReader(made.File), 0, int64(len(made.File)))
		found, err := e.PangenomeIndex(file).Strings(nil).All(ctx)
		var got [][]byte
		for _, s := range found {
			got = append(got, bytes.ToLower(s.Text))
		}
		if err := Right(err, slices.Concat(got...), slices.Concat(texts...)); err != nil {
			return err
		}
		_, err = e.PangenomeIndex(file).Samples(2).All(ctx)
		return err
	}},
	{OpSMEMs, func(ctx context.Context, e *suffixcl.Engine, a Answers) error {
		s := smemsOf(a.Text, false)
		got, err := builders.SMEMsOf(e)(ctx, s)
		return Right(err, got, a.smems()[0])
	}},
	{OpPangenomeSMEMs, func(ctx context.Context, e *suffixcl.Engine, a Answers) error {
		s := smemsOf(a.Text, true)
		got, err := builders.SMEMsOf(e)(ctx, s)
		return Right(err, got, a.smems()[1])
	}},
	{OpPseudoLengths, func(ctx context.Context, e *suffixcl.Engine, a Answers) error {
		got, err := builders.PseudoLengthsOf(e)(ctx, pseudoOf(a.Text))
		return Right(err, slices.Concat(got...), slices.Concat(a.pseudo()...))
	}},
	{OpEvery, func(ctx context.Context, e *suffixcl.Engine, a Answers) error {
		r, err := e.Arrays(suffixcl.Bytes(a.Text), suffixcl.Want{SA: true, Every: 3, First: 2}).All(ctx)
		if err != nil {
			return err
		}
		var kept []uint32
		for i := 2; i < len(a.SA); i += 3 {
			kept = append(kept, a.SA[i])
		}
		return Right(nil, r.SA, kept)
	}},
	{OpMatches, func(ctx context.Context, e *suffixcl.Engine, a Answers) error {
		g := basesOf(a.Text)
		for _, kind := range matchKinds { // in one order, so that every run makes the same calls
			want := a.matches()[kind]
			got, err := builders.MatchesOf(e)(ctx, g[:1], g[1:], jobsuites.MatchQuery{Kind: kind, Least: 3, Both: true})
			slices.SortFunc(got, compareSequenceMatches)
			if err := Right(err, got, want); err != nil {
				return err
			}
		}
		return nil
	}},
	{OpMultiMatches, func(ctx context.Context, e *suffixcl.Engine, a Answers) error {
		got, err := builders.MultiMatchesOf(e)(ctx, genomesOf(a.Text), multiMatchQuery)
		slices.SortFunc(got, func(a, b jobsuites.MultiMatch) int { return strings.Compare(a.Substring, b.Substring) })
		return Right(err, got, a.multiMatches())
	}},
	{OpMappability, func(ctx context.Context, e *suffixcl.Engine, a Answers) error {
		got, err := builders.MappabilityOf(e)(ctx, basesOf(a.Text),
			jobsuites.MappabilityQuery{K: []int{2, 4, 0}, Both: true})
		var all []uint32
		for _, values := range got {
			all = append(all, slices.Concat(values...)...)
		}
		return Right(err, all, a.mappability())
	}},
	{OpThresholds, func(ctx context.Context, e *suffixcl.Engine, a Answers) error {
		got, err := builders.ThresholdsOf(e)(ctx, withoutEnd(a.Text))
		return Right(err, got, a.thresholds())
	}},
	{OpNewMatcher, func(ctx context.Context, e *suffixcl.Engine, a Answers) error {
		if len(a.pattern) == 0 {
			return nil
		}
		batch, err := patterns.Of(a.pattern)
		if err != nil {
			return err
		}
		m, err := e.Matcher(suffixcl.Bytes(a.Text), suffixcl.MatcherOptions{}).All(ctx)
		if err != nil {
			return err
		}
		defer m.Close()
		return m.Locate(ctx, batch, func(_ int, positions []uint32) error { return Right(nil, positions, a.found) })
	}},
	{OpBuildIndex, func(ctx context.Context, e *suffixcl.Engine, a Answers) error {
		if len(a.pattern) == 0 {
			return nil
		}
		batch, err := patterns.Of(a.pattern)
		if err != nil {
			return err
		}
		x, err := e.Index(suffixcl.Bytes(a.Text), suffixcl.IndexOptions{SampleEvery: 4}).All(ctx)
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
		return again.Locate(ctx, batch, func(_ int, positions []uint32) error { return Right(nil, positions, a.found) })
	}},
}

// Common substrings take the steps of Intervals once more.
func init() {
	if devicetest.Soak {
		Operations = append(Operations, Operation{OpCommon, commonOfHalves})
	}
}

func commonOfHalves(ctx context.Context, e *suffixcl.Engine, a Answers) error {
	got, err := e.Intervals(suffixcl.Documents(Halves(a.Text)...), suffixcl.IntervalOptions{Common: true}).All(ctx)
	return Right(err, builders.Intervals(got), a.common())
}
