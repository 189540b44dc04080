package serve

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pairs are the places of the rarer clause with one of the other at most so many tokens away in the same document.
func (o oracle) pairs(s int, a, b [][]uint32, most int) (list []int) {
	places := func(clause [][]uint32) (all []int) {
		for _, gram := range clause {
			all = append(all, o.places(s, gram)...)
		}
		slices.Sort(all)
		return slices.Compact(all)
	}
	rare, other := places(a), places(b)
	if len(other) < len(rare) {
		rare, other = other, rare
	}
	for _, at := range rare {
		if slices.ContainsFunc(other, func(to int) bool {
			low, high := min(at, to), max(at, to)
			return high-low <= most && !slices.Contains(o[s][low+1:high+1], separator)
		}) {
			list = append(list, at)
		}
	}
	return list
}

// What is told of n-grams with AND and OR is what the documents have; each place leads to its document.
func TestConjunctions(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tokens")
	rng := rand.New(rand.NewPCG(11, 12))
	var o oracle
	for s := range 2 {
		var docs [][]uint32
		for range 12 {
			doc := make([]uint32, rng.IntN(20))
			for i := range doc {
				doc[i] = rng.Uint32N(8)
			}
			docs = append(docs, doc)
		}
		o = append(o, writeShard(t, dir, s, docs, true))
	}
	a := serving(t, usual(), OpenOptions{}, dir)
	clause := func() (grams [][]uint32) {
		for range 1 + rng.IntN(2) {
			grams = append(grams, []uint32{rng.Uint32N(8), rng.Uint32N(8)}[:1+rng.IntN(2)])
		}
		return grams
	}
	seen := 0
	for range 60 {
		cnf, most := [][][]uint32{clause(), clause()}, 1+rng.IntN(6)
		fields := map[string]any{"query_ids": cnf, "max_diff_tokens": most}
		want := [][]int{{}, {}}
		count := 0
		for s := range want {
			for _, place := range o.pairs(s, cnf[0], cnf[1], most) {
				want[s] = append(want[s], 2*place)
			}
			count += len(want[s])
		}
		counted, found := a.ask("count", "tokens", fields), a.ask("find_cnf", "tokens", fields)
		require.EqualValues(t, count, counted["count"])
		require.EqualValues(t, count, found["cnt"])
		for _, answer := range []map[string]any{counted, found} {
			require.Equal(t, false, answer["approx"])
			requireJSON(t, cnf, answer["token_ids"])
		}
		requireJSON(t, want, found["ptrs_by_shard"])
		for s := range want {
			for _, place := range want[s] {
				got := a.ask("get_doc_by_ptr", "tokens", map[string]any{"query_ids": cnf, "s": s, "ptr": place})
				of, text := map[any]bool{}, ""
				for _, span := range got["spans"].([]any) {
					of[span.([]any)[1]] = true
					text += " " + span.([]any)[0].(string)
				}
				tokens := got["token_ids"].([]any)
				require.Equal(t, fmt.Sprint(tokens...), text[1:])
				require.True(t, of["0"] || of["1"])
				seen++
			}
		}
	}
	assert.Greater(t, seen, 100)

	// Places that are looked at have a limit; a list of one n-gram is that n-gram.
	few := map[string]any{"query_ids": [][][]uint32{{{1}}, {{2}, {3}}}, "max_clause_freq": 4}
	assert.Equal(t, true, a.ask("count", "tokens", few)["approx"])
	found := a.ask("find_cnf", "tokens", few)["ptrs_by_shard"].([]any)
	assert.LessOrEqual(t, len(found[0].([]any))+len(found[1].([]any)), 4)
	one := a.ask("find_cnf", "tokens", map[string]any{"query_ids": [][][]uint32{{{1, 2}}}})
	assert.EqualValues(t, o.count([]uint32{1, 2}), one["cnt"])
	assert.Equal(t, one["cnt"], a.ask("find", "tokens", map[string]any{"query_ids": [][][]uint32{{{1, 2}}}})["cnt"])

	// The longest n-gram has the piece.
	assert.Equal(t, []span{{"9", -1}, {"1 2", 1}, {"1", 0}, {"3 4", -1}},
		spansOfClauses([]uint32{9, 1, 2, 1, 3, 4}, [][][]uint32{{{1}, {2}}, {{1, 2}, {4, 5}}}))
}

// requireJSON wants the same value as JSON.
func requireJSON(t *testing.T, want, got any) {
	t.Helper()
	expected, err := json.Marshal(want)
	require.NoError(t, err)
	actual, err := json.Marshal(got)
	require.NoError(t, err)
	require.JSONEq(t, string(expected), string(actual))
}
