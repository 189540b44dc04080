package suffixcl_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
)

// listed are intervals as conformance has them.
func listed(r *suffixcl.Intervals) []conformance.Interval {
	list := []conformance.Interval{}
	if r == nil {
		return list
	}
	for _, i := range r.All() {
		list = append(list, conformance.Interval(i))
	}
	return list
}

var scoreNames = []string{suffixcl.ByCount: "count", suffixcl.ByDepth: "depth", suffixcl.ByArea: "area"}

func queryOf(o suffixcl.IntervalOptions) conformance.IntervalQuery {
	return conformance.IntervalQuery{MinDepth: uint32(o.MinDepth), MaxDepth: uint32(o.MaxDepth),
		MinCount: uint32(o.MinCount), MaxCount: uint32(o.MaxCount), MinDocuments: uint32(o.MinDocuments),
		MaxDocuments: uint32(o.MaxDocuments), LeastEach: uint32(o.LeastEach), MostEach: uint32(o.MostEach),
		LeftMaximal: o.LeftMaximal, Supermaximal: o.Supermaximal, Best: o.Best, By: scoreNames[o.By]}
}

func optionsOf(q conformance.IntervalQuery) suffixcl.IntervalOptions {
	o := suffixcl.IntervalOptions{MinDepth: int(q.MinDepth), MaxDepth: int(q.MaxDepth), MinCount: int(q.MinCount),
		MaxCount: int(q.MaxCount), MinDocuments: int(q.MinDocuments), MaxDocuments: int(q.MaxDocuments),
		LeastEach: int(q.LeastEach), MostEach: int(q.MostEach), LeftMaximal: q.LeftMaximal, Supermaximal: q.Supermaximal,
		Best: q.Best}
	for by, name := range scoreNames {
		if name == q.By {
			o.By = suffixcl.IntervalScore(by)
		}
	}
	return o
}

// Texts and sets, sorted by the engine or with arrays that are given, in turn.
func TestIntervals(t *testing.T) {
	suffixcl.SmallBlocks(t, 300)
	devicetest.Native(t, func(t *testing.T, env devicetest.Env) {
		e, err := suffixcl.New(env.Session, suffixcl.EngineOptions{})
		require.NoError(t, err)
		suite := env.Suite
		suite.MaxExhaustive2, suite.MaxExhaustive3, suite.PerSize, suite.Random = 4, 2, 1, min(suite.Random, 30)
		turn := 0
		build := func(
			ctx context.Context, text []byte, documents [][]byte, q conformance.IntervalQuery,
		) ([]conformance.Interval, error) {
			turn++
			input := suffixcl.Bytes(text)
			if documents != nil {
				input = suffixcl.Documents(documents...)
			}
			if turn%2 == 0 {
				r, err := e.Intervals(input, optionsOf(q)).All(ctx)
				return listed(r), err
			}
			var given suffixcl.Result
			if documents == nil {
				given.SA = conformance.ReferenceSuffixArray(text)
				given.LCP = conformance.ReferenceLCP(text, given.SA)
			} else {
				set := conformance.ReferenceSet(documents)
				given.SA, given.LCP, given.Documents = set.SA, set.LCP, set.Documents
			}
			o := optionsOf(q)
			o.Arrays = &given
			list := []conformance.Interval{}
			err := run(ctx, e.Intervals(input, o), func(r *suffixcl.Intervals) error {
				list = append(list, listed(r)...)
				return nil
			})
			return list, err
		}
		conformance.Run(t, conformance.Intervals(build, suite))
	})
}

// Symbols of 16 and 32 bits have the intervals of the bytes that they stand for.
func TestIntervalsOfSymbols(t *testing.T) {
	e := engineOn(t, suffixcl.EngineOptions{})
	text, err := conformance.NewText("repeats/sigma=4", 900, 1)
	require.NoError(t, err)
	narrow, wide := make([]uint16, len(text)), make([]uint32, len(text))
	for i, c := range text {
		narrow[i], wide[i] = uint16(c)<<8, uint32(c)<<24
	}
	for _, o := range []suffixcl.IntervalOptions{{}, {Supermaximal: true}, {LeftMaximal: true, MinDepth: 1}} {
		want := conformance.ReferenceIntervals(text, nil, queryOf(o))
		for _, input := range []suffixcl.Text{suffixcl.Tokens16(narrow), suffixcl.Tokens32(wide)} {
			got, err := e.Intervals(input, o).All(t.Context())
			require.NoError(t, err)
			require.Equal(t, want, listed(got))
		}
	}
}

func TestCommonSubstrings(t *testing.T) {
	suffixcl.SmallBlocks(t, 100)
	e := engineOn(t, suffixcl.EngineOptions{})
	for name, texts := range sets(t) {
		got, err := e.Intervals(suffixcl.Documents(texts...), suffixcl.IntervalOptions{Common: true}).All(t.Context())
		require.NoError(t, err, name)
		require.Equal(t, conformance.ReferenceCommon(texts), listed(got), name)
	}
	_, err := e.Intervals(suffixcl.Bytes([]byte("abab")), suffixcl.IntervalOptions{Common: true}).All(t.Context())
	require.ErrorContains(t, err, "of a set")
}

// The memory that is planned is what is allocated.
func TestPlanIntervals(t *testing.T) {
	e := engineOn(t, suffixcl.EngineOptions{})
	text, err := conformance.NewText("repeats/sigma=4", 3000, 1)
	require.NoError(t, err)
	for i, o := range []suffixcl.IntervalOptions{
		{}, {LeftMaximal: true}, {Supermaximal: true}, {Best: 10}, {LeftMaximal: true, Best: 3000, By: suffixcl.ByArea},
		{MinDocuments: 2}, {LeastEach: 3, MostEach: 7}, {MinDocuments: 2, Best: 10},
	} {
		input := suffixcl.Bytes(text)
		if i >= 5 {
			input = suffixcl.Documents(halves(text)...)
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
	e := engineOn(t, suffixcl.EngineOptions{})
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
	require.ErrorIs(t, with(suffixcl.Length(1, 4), suffixcl.IntervalOptions{LeftMaximal: true}), suffixcl.ErrNoSymbols)
	given.LCP = given.LCP[1:]
	require.ErrorAs(t, with(suffixcl.Text{}, suffixcl.IntervalOptions{}), &wrong)

	stop := errors.New("stop")
	require.ErrorIs(t, run(ctx, e.Intervals(text, suffixcl.IntervalOptions{}), func(*suffixcl.Intervals) error {
		_, err := e.Intervals(text, suffixcl.IntervalOptions{}).All(ctx)
		require.ErrorIs(t, err, suffixcl.ErrInCallback)
		return stop
	}), stop)
}

func ExampleEngine_Intervals() {
	e, err := suffixcl.Open(suffixcl.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	text := "mississippi"
	repeats, err := e.Intervals(suffixcl.Bytes([]byte(text)), suffixcl.IntervalOptions{MinDepth: 1,
		LeftMaximal: true}).All(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range repeats.All() {
		fmt.Println(text[r.Position:r.Position+r.Depth], "occurs", r.Count(), "times")
	}
	// Output:
	// i occurs 4 times
	// issi occurs 2 times
	// p occurs 2 times
	// s occurs 4 times
}
