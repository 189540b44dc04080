package intervals_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/testkit/builders"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
	"github.com/suffixcl/suffixcl/internal/testkit/jobsuites"
)

func TestMain(m *testing.M) { devicetest.Main(m) }

// Texts and sets, sorted by the engine or with arrays that are given, in turn.
func TestIntervals(t *testing.T) {
	enginetest.SmallBlocks(t, 300)
	devicetest.Native(t, func(t *testing.T, env devicetest.Env) {
		e, err := suffixcl.New(env.Session, suffixcl.EngineOptions{})
		require.NoError(t, err)
		suite := env.Suite
		suite.MaxExhaustive2, suite.MaxExhaustive3, suite.PerSize, suite.Random = 4, 2, 1, min(suite.Random, 30)
		turn := 0
		build := func(
			ctx context.Context, text []byte, documents [][]byte, q jobsuites.IntervalQuery,
		) ([]jobsuites.Interval, error) {
			turn++
			input := suffixcl.Bytes(text)
			if documents != nil {
				input = suffixcl.Documents(documents...)
			}
			if turn%2 == 0 {
				r, err := e.Intervals(input, builders.IntervalOptions(q)).All(ctx)
				return builders.Intervals(r), err
			}
			var given suffixcl.Result
			if documents == nil {
				given.SA = conformance.ReferenceSuffixArray(text)
				given.LCP = conformance.ReferenceLCP(text, given.SA)
			} else {
				set := jobsuites.ReferenceSet(documents)
				given.SA, given.LCP, given.Documents = set.SA, set.LCP, set.Documents
			}
			o := builders.IntervalOptions(q)
			o.Arrays = &given
			list := []jobsuites.Interval{}
			err := enginetest.Run(ctx, e.Intervals(input, o), func(r *suffixcl.Intervals) error {
				list = append(list, builders.Intervals(r)...)
				return nil
			})
			return list, err
		}
		conformance.Run(t, jobsuites.Intervals(build, suite))
	})
}

// Symbols of 16 and 32 bits have the intervals of the bytes that they stand for.
func TestIntervalsOfSymbols(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	text, err := conformance.NewText("repeats/sigma=4", 900, 1)
	require.NoError(t, err)
	narrow, wide := make([]uint16, len(text)), make([]uint32, len(text))
	for i, c := range text {
		narrow[i], wide[i] = uint16(c)<<8, uint32(c)<<24
	}
	for _, o := range []suffixcl.IntervalOptions{{}, {Supermaximal: true}, {LeftMaximal: true, MinDepth: 1}} {
		want := jobsuites.ReferenceIntervals(text, nil, builders.IntervalQuery(o))
		for _, input := range []suffixcl.Text{suffixcl.Tokens16(narrow), suffixcl.Tokens32(wide)} {
			got, err := e.Intervals(input, o).All(t.Context())
			require.NoError(t, err)
			require.Equal(t, want, builders.Intervals(got))
		}
	}
}

func TestCommonSubstrings(t *testing.T) {
	enginetest.SmallBlocks(t, 100)
	e := enginetest.On(t, suffixcl.EngineOptions{})
	for name, texts := range enginetest.Sets(t) {
		got, err := e.Intervals(suffixcl.Documents(texts...), suffixcl.IntervalOptions{Common: true}).All(t.Context())
		require.NoError(t, err, name)
		require.Equal(t, jobsuites.ReferenceCommon(texts), builders.Intervals(got), name)
	}
	_, err := e.Intervals(suffixcl.Bytes([]byte("abab")), suffixcl.IntervalOptions{Common: true}).All(t.Context())
	require.ErrorContains(t, err, "of a set")
}

// The memory that is planned is what is allocated.
func TestPlanIntervals(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	text, err := conformance.NewText("repeats/sigma=4", 3000, 1)
	require.NoError(t, err)
	for i, o := range []suffixcl.IntervalOptions{
		{}, {LeftMaximal: true}, {Supermaximal: true}, {Best: 10}, {LeftMaximal: true, Best: 3000, By: suffixcl.ByArea},
		{MinDocuments: 2}, {LeastEach: 3, MostEach: 7}, {MinDocuments: 2, Best: 10},
	} {
		input := suffixcl.Bytes(text)
		if i >= 5 {
			input = suffixcl.Documents(enginetest.Halves(text)...)
		}
		plan, err := e.Intervals(input, o).Plan(t.Context())
		require.NoError(t, err)
		if i < 5 {
			byLength, err := e.Intervals(suffixcl.Length(1, input.Len()), o).Plan(t.Context())
			require.NoError(t, err)
			require.Equal(t, plan, byLength)
		}
		var st suffixcl.Stats
		_, err = e.Intervals(input, o).All(suffixcl.WithStats(t.Context(), &st))
		require.NoError(t, err)
		require.Equal(t, plan.Device(), st.PeakBytes, "%+v", o)
	}
}

func TestWrongIntervals(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	ctx, text := t.Context(), suffixcl.Bytes([]byte("abab"))
	for want, o := range map[string]suffixcl.IntervalOptions{
		"MinDepth -1":     {MinDepth: -1},
		"MostEach -2":     {MostEach: -2},
		"the best -1":     {Best: -1},
		"unknown score 3": {By: 3},
		"no set":          {MinDocuments: 2},
	} {
		_, err := e.Intervals(text, o).All(ctx)
		require.ErrorContains(t, err, want)
	}
	given := suffixcl.Result{SA: []uint32{2, 0, 3, 1}, LCP: []uint32{0, 2, 0, 1}}
	with := func(text suffixcl.Text, o suffixcl.IntervalOptions) error {
		o.Arrays = &given
		_, err := e.Intervals(text, o).All(ctx)
		return err
	}
	var wrong *suffixcl.MismatchError
	require.NoError(t, with(suffixcl.Text{}, suffixcl.IntervalOptions{}))
	require.NoError(t, with(suffixcl.Length(1, 4), suffixcl.IntervalOptions{}))
	require.NoError(t, with(text, suffixcl.IntervalOptions{LeftMaximal: true}))
	require.ErrorAs(t, with(suffixcl.Text{}, suffixcl.IntervalOptions{LeftMaximal: true}), &wrong)
	require.ErrorIs(t, with(suffixcl.Length(1, 4), suffixcl.IntervalOptions{LeftMaximal: true}), suffixcl.ErrUsage)
	given.LCP = given.LCP[1:]
	require.ErrorAs(t, with(suffixcl.Text{}, suffixcl.IntervalOptions{}), &wrong)

	stop := errors.New("stop")
	require.ErrorIs(t, enginetest.Run(ctx, e.Intervals(text, suffixcl.IntervalOptions{}), func(*suffixcl.Intervals) error {
		_, err := e.Intervals(text, suffixcl.IntervalOptions{}).All(ctx)
		require.ErrorIs(t, err, suffixcl.ErrInCallback)
		return stop
	}), stop)
}
