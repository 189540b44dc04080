package genomes_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/testkit/builders"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
)

func TestMain(m *testing.M) { devicetest.Main(m) }

// Several genomes; and matches in parts of a few positions.
func TestGenomes(t *testing.T) {
	smallMatchParts(t, 7)
	devicetest.Native(t, func(t *testing.T, env devicetest.Env) {
		e, err := suffixcl.New(env.Session, suffixcl.EngineOptions{})
		require.NoError(t, err)
		suite := env.Suite
		suite.MaxExhaustive2, suite.MaxExhaustive3, suite.PerSize, suite.Random = 3, 1, 1, min(suite.Random, 20)
		conformance.Run(t, jobsuites.MultiMatches(builders.MultiMatchesOf(e), suite))
		suite.Large = -1
		conformance.Run(t, jobsuites.Matches(builders.MatchesOf(e), suite))
	})
}

func genome(t testing.TB, texts ...string) *suffixcl.Collection {
	list := make([][]byte, len(texts))
	for i, text := range texts {
		list[i] = []byte(text)
	}
	set, err := suffixcl.JoinTexts('\n', list...)
	require.NoError(t, err)
	return set
}

// Queries that do not fit at once go in pieces, and give the same; of those that do not fit at all the numbers are
// told.
func TestMatchesInPieces(t *testing.T) {
	text := func(seed uint64, n int) string {
		random, err := conformance.NewText("random/sigma=4", n, seed)
		require.NoError(t, err)
		for i, c := range random {
			random[i] = "acgt"[c&3]
		}
		return string(random)
	}
	base := text(1, 30_000)
	reference := genome(t, base, base[:5000])
	var strands []string
	for k := range 8 {
		strands = append(strands, base[k*3000:(k+1)*3000+k]+text(uint64(k+2), 2000)+base[k*100:k*100+4000])
	}
	queries := genome(t, append(strands, "", "acg")...)
	o := suffixcl.MatchOptions{Kind: suffixcl.MaximalExact, Strands: suffixcl.BothStrands}
	find := func(e *suffixcl.Engine) (found []suffixcl.Matches) {
		err := enginetest.Run(t.Context(), e.Matches(suffixcl.Set(reference), suffixcl.Set(queries), o),
			func(m *suffixcl.Matches) error {
				found = append(found, suffixcl.Matches{Text: m.Text, Reverse: m.Reverse,
					Matches: append([]suffixcl.Match{}, m.Matches...)})
				return nil
			})
		require.NoError(t, err)
		return found
	}
	open := func(most int64) *suffixcl.Engine {
		return enginetest.Opened(t, suffixcl.Options{MaxMemory: most})
	}
	whole := open(0)
	want := find(whole)
	require.Len(t, want, 2*queries.Count()) // one for each strand: they fit into a part
	plan, err := whole.Matches(suffixcl.Set(reference), suffixcl.Set(queries), o).Plan(t.Context())
	require.NoError(t, err)
	one, err := whole.Matches(suffixcl.Set(reference), suffixcl.Set(genome(t, strands[7])), o).Plan(t.Context())
	require.NoError(t, err)
	require.Less(t, one.Device(), plan.Device())
	small := open((one.Device() + plan.Device()) / 2)
	require.Equal(t, want, find(small))
	less, err := small.Matches(suffixcl.Set(reference), suffixcl.Set(queries), o).Plan(t.Context())
	require.NoError(t, err)
	require.Less(t, less.Device(), plan.Device())
	require.NoError(t, less.Fits(enginetest.Core(small).Session))

	none := open(one.Device() / 8)
	err = enginetest.Run(t.Context(), none.Matches(suffixcl.Set(reference), suffixcl.Set(queries), o),
		func(*suffixcl.Matches) error { return nil })
	require.True(t, device.IsTooLarge(err), err)
	require.ErrorContains(t, err, "longest sequence of the queries")
}

// What is asked for wrongly is told, and errors of callers come back.
func TestGenomesMisuse(t *testing.T) {
	e := enginetest.Opened(t, suffixcl.Options{})
	ctx := t.Context()
	set, zero := genome(t, "acgtacgtacgtacgtacgtacgt"), genome(t, "ac\x00gt")
	matches := func(*suffixcl.Matches) error { return nil }
	values := func(*suffixcl.Mappability) error { return nil }
	multi := func(*suffixcl.MultiMatch) error { return nil }
	for want, err := range map[string]error{
		"matches of -1 letters": enginetest.Run(ctx, e.Matches(suffixcl.Set(set), suffixcl.Set(set),
			suffixcl.MatchOptions{MinLength: -1}), matches),
		"unknown kind of matches 7": enginetest.Run(ctx, e.Matches(suffixcl.Set(set), suffixcl.Set(set),
			suffixcl.MatchOptions{Kind: 7}), matches),
		"unknown strands 3": enginetest.Run(ctx, e.Matches(suffixcl.Set(set), suffixcl.Set(set),
			suffixcl.MatchOptions{Strands: 3}), matches),
		"holds the terminator 0x00": enginetest.Run(ctx, e.Matches(suffixcl.Set(set), suffixcl.Set(zero),
			suffixcl.MatchOptions{}), matches),
		"mappability of no k": enginetest.Run(ctx, e.Mappability(suffixcl.Set(set), suffixcl.MappabilityOptions{}), values),
		"mappability of 0-mers": enginetest.Run(ctx, e.Mappability(suffixcl.Set(set),
			suffixcl.MappabilityOptions{K: []int{0}}), values),
		"in -1 genomes": enginetest.Run(ctx, e.MultiMatches(enginetest.SetsOf([]*suffixcl.Collection{set}),
			suffixcl.MultiMatchOptions{MinGenomes: -1}), multi),
	} {
		require.ErrorContains(t, err, want)
	}
	stop := errors.New("stop")
	require.ErrorIs(t, enginetest.Run(ctx, e.Matches(suffixcl.Set(set), suffixcl.Set(set), suffixcl.MatchOptions{}),
		func(*suffixcl.Matches) error {
			return stop
		}), stop)
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	require.ErrorIs(t, enginetest.Run(canceled, e.Matches(suffixcl.Set(set), suffixcl.Set(set),
		suffixcl.MatchOptions{}), matches), context.Canceled)

	// Nothing to compare is no error.
	empty := genome(t)
	for _, pair := range [][2]*suffixcl.Collection{
		{empty, set}, {set, empty}, {empty, empty}, {genome(t, ""), genome(t, "")},
	} {
		calls := 0
		err := enginetest.Run(ctx, e.Matches(suffixcl.Set(pair[0]), suffixcl.Set(pair[1]), suffixcl.MatchOptions{}),
			func(m *suffixcl.Matches) error {
				calls++
				require.Empty(t, m.Matches)
				return nil
			})
		require.NoError(t, err)
		require.Equal(t, pair[1].Count(), calls)
	}
	for _, pair := range [][2]*suffixcl.Collection{{empty, set}, {set, empty}, {empty, empty}, {genome(t, ""), set}} {
		plan, err := e.Matches(suffixcl.Set(pair[0]), suffixcl.Set(pair[1]), suffixcl.MatchOptions{}).Plan(ctx)
		require.NoError(t, err)
		require.Zero(t, plan.Device())
	}
	require.NoError(t, enginetest.Run(ctx, e.Mappability(suffixcl.Set(empty),
		suffixcl.MappabilityOptions{K: []int{3}}), values))
	require.NoError(t, enginetest.Run(ctx, e.MultiMatches(enginetest.SetsOf(nil), suffixcl.MultiMatchOptions{}), multi))
}

// Limits above what a text can have are none.
func TestMultiMatchesLimits(t *testing.T) {
	e := enginetest.Opened(t, suffixcl.Options{})
	genomes := []*suffixcl.Collection{genome(t, "acgtttacgttt"), genome(t, "ccacgtttgg")}
	find := func(o suffixcl.MultiMatchOptions) (found int) {
		o.MinLength = 3
		require.NoError(t, enginetest.Run(t.Context(), e.MultiMatches(enginetest.SetsOf(genomes), o),
			func(*suffixcl.MultiMatch) error {
				found++
				return nil
			}))
		return found
	}
	want := find(suffixcl.MultiMatchOptions{})
	require.Positive(t, want)
	const most = 1<<32 + 1
	require.Equal(t, want, find(suffixcl.MultiMatchOptions{MostEach: most, MostCount: most}))
	require.Zero(t, find(suffixcl.MultiMatchOptions{MinGenomes: most}))
}

// Matches that wait for those inside of them share their positions.
func TestMultiMatchesOfRepeats(t *testing.T) {
	e := enginetest.Opened(t, suffixcl.Options{})
	const n = 3000
	genomes := []*suffixcl.Collection{genome(t, string(bytes.Repeat([]byte("a"), n)))}
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before, length := heap(), uint32(n-1)
	err := enginetest.Run(t.Context(), e.MultiMatches(enginetest.SetsOf(genomes), suffixcl.MultiMatchOptions{}),
		func(m *suffixcl.MultiMatch) error {
			if length == n-1 { // all wait
				require.Less(t, heap()-before, int64(16<<20))
			}
			require.Equal(t, length, m.Length)
			require.Len(t, m.Occurrences, n+1-int(length))
			for i, o := range m.Occurrences {
				require.Equal(t, n-length-uint32(i), o.Position)
			}
			length--
			return nil
		})
	require.NoError(t, err)
	require.EqualValues(t, suffixcl.DefaultMatchLength-1, length)
}

// What has no complement is N on the other strand, and no palindrome with it.
func TestMappabilityWithoutComplements(t *testing.T) {
	e := enginetest.Opened(t, suffixcl.Options{})
	o := suffixcl.MappabilityOptions{K: []int{2}, BothStrands: true}
	var values []uint32
	require.NoError(t, enginetest.Run(t.Context(), e.Mappability(suffixcl.Set(genome(t, "nxnx")), o),
		func(m *suffixcl.Mappability) error {
			values = append(values, m.Values...)
			return nil
		}))
	require.Equal(t, []uint32{2, 1, 2, 0}, values)
}

// A text of one letter has as many matches as letters, not as many as pairs of them.
func TestMatchesOfRepeats(t *testing.T) {
	e := enginetest.Opened(t, suffixcl.Options{})
	const n = 100_000
	set := genome(t, string(bytes.Repeat([]byte("a"), n)))
	found := 0
	o := suffixcl.MatchOptions{Kind: suffixcl.MaximalExact}
	require.NoError(t, enginetest.Run(t.Context(), e.Matches(suffixcl.Set(set), suffixcl.Set(set), o),
		func(m *suffixcl.Matches) error {
			for _, x := range m.Matches {
				if x.Query != 0 && x.Reference != 0 || int(x.Length) != n-int(max(x.Query, x.Reference)) {
					return fmt.Errorf("%+v", x)
				}
			}
			found += len(m.Matches)
			return nil
		}))
	require.Equal(t, 2*(n-suffixcl.DefaultMatchLength+1)-1, found)
}

// Texts that do not fit at once go in groups, and have the same values.
func TestMappabilityInGroups(t *testing.T) {
	random, err := conformance.NewText("random/sigma=4", 700, 3)
	require.NoError(t, err)
	var texts []string
	for at, k := 0, 0; at < len(random); k++ {
		text := random[at:min(at+k*7%90, len(random))]
		at += len(text)
		for i, c := range text {
			if text[i] = "acgt"[c&3]; c%29 == 0 {
				text[i] = 'n'
			}
		}
		texts = append(texts, string(text))
	}
	texts = append(texts, texts[5], texts[9]+"acgtacgt", "")
	set := genome(t, texts...)
	e := enginetest.Opened(t, suffixcl.Options{})
	values := func(o suffixcl.MappabilityOptions) (all []uint32) {
		err := enginetest.Run(t.Context(), e.Mappability(suffixcl.Set(set), o), func(m *suffixcl.Mappability) error {
			all = append(all, m.Values...)
			return nil
		})
		require.NoError(t, err)
		return all
	}
	for _, o := range []suffixcl.MappabilityOptions{
		{K: []int{3, 5}, Unique: true, BothStrands: true, Letters: "acgt"}, {K: []int{4}}, {Unique: true, Letters: "acgt"},
		{K: []int{4, 3, 4}},
	} {
		want := values(o)
		for _, most := range []int{2000, 700, 380} {
			t.Run(fmt.Sprint(most), func(t *testing.T) {
				smallMappability(t, most)
				require.Equal(t, want, values(o), "%+v", o)
				told := [2][][2]int{}
				grouped := o
				grouped.Grouped = func(groups, sorts int) { told[0] = append(told[0], [2]int{groups, sorts}) }
				plan, err := e.Mappability(suffixcl.Set(set), grouped).Plan(t.Context())
				require.NoError(t, err)
				grouped.Grouped = func(groups, sorts int) { told[1] = append(told[1], [2]int{groups, sorts}) }
				require.NoError(t, enginetest.Run(t.Context(), e.Mappability(suffixcl.Set(set), grouped),
					func(*suffixcl.Mappability) error { return nil }))
				require.Equal(t, told[0], told[1])
				if most == 380 && o.Unique {
					require.Len(t, told[0], 1)
					groups, sorts := told[0][0][0], told[0][0][1]
					require.Greater(t, groups, 2)
					require.Equal(t, groups*(groups+1)/2, sorts)
				}
				var stats suffixcl.Stats
				require.NoError(t, enginetest.Run(suffixcl.WithStats(t.Context(), &stats), e.Mappability(suffixcl.Set(set), o),
					func(*suffixcl.Mappability) error { return nil }))
				require.Equal(t, plan.Device(), stats.PeakBytes, "%+v", o)
			})
		}
	}
	smallMappability(t, 100)
	var long *suffixcl.LengthError
	err = enginetest.Run(t.Context(), e.Mappability(suffixcl.Set(set), suffixcl.MappabilityOptions{K: []int{4}}),
		func(*suffixcl.Mappability) error { return nil })
	require.ErrorAs(t, err, &long)
	require.ErrorContains(t, err, "the two longest sequences do not fit at once")
}
