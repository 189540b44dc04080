package tokenindex_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/tokenindex"
)

const separator16 = 0xffff

// cnfIndex is an index of shards of documents, with what its files have.
func cnfIndex(t *testing.T, shards ...[][]uint32) (*tokenindex.Index, [][]uint32) {
	dir := t.TempDir()
	all := make([][]uint32, len(shards))
	for k, documents := range shards {
		var offsets []uint64
		for _, document := range documents {
			offsets = append(offsets, uint64(2*len(all[k])))
			all[k] = append(append(all[k], separator16), document...)
		}
		put(t, dir, fmt.Sprintf("tokenized.%d", k), file(all[k], 2))
		put(t, dir, fmt.Sprintf("table.%d", k), encoded(t, tokenindex.InfiniGram, all[k], 2))
		put(t, dir, fmt.Sprintf("offset.%d", k), offsetFile(offsets))
	}
	x, err := tokenindex.Open(dir, 2)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, x.Close()) })
	return x, all
}

// placesOf are where an n-gram of a clause begins.
func placesOf(tokens []uint32, clause [][]uint32) (places []int64) {
	for _, gram := range clause {
		places = append(places, occurrences(tokens, gram)...)
	}
	slices.Sort(places)
	return slices.Compact(places)
}

// wanted are the places of the rarest clause, around which one of each other can be chosen, by the definition.
func wanted(tokens []uint32, q tokenindex.CNF) (want []int64) {
	places := make([][]int64, len(q.Clauses))
	for c, clause := range q.Clauses {
		places[c] = placesOf(tokens, clause)
	}
	slices.SortStableFunc(places, func(a, b []int64) int { return cmp.Compare(len(a), len(b)) })
	var chosen func(list []int64, others [][]int64) bool
	chosen = func(list []int64, others [][]int64) bool {
		if len(others) > 0 {
			return slices.ContainsFunc(others[0], func(place int64) bool {
				far := q.MaxDiff * int64(len(q.Clauses)) // beyond which no chain goes
				return max(place-list[0], list[0]-place) < far && chosen(append(slices.Clip(list), place), others[1:])
			})
		}
		list = slices.Sorted(slices.Values(list))
		for i := range list[1:] {
			if list[i+1]-list[i] > q.MaxDiff {
				return false
			}
		}
		return !slices.Contains(tokens[list[0]+1:max(list[0], list[len(list)-1])+1], separator16)
	}
	for _, place := range places[0] {
		if chosen([]int64{place}, places[1:]) {
			want = append(want, place)
		}
	}
	return want
}

// checkCNF compares what an index tells with the definition.
func checkCNF(t *testing.T, x *tokenindex.Index, shards [][]uint32, q tokenindex.CNF) (count int) {
	t.Helper()
	got := make([][]int64, len(shards))
	found, err := x.EachCNF(t.Context(), q, func(i int, token int64) error {
		got[i] = append(got[i], token)
		return nil
	})
	require.NoError(t, err)
	for k, tokens := range shards {
		want := wanted(tokens, q)
		require.Equal(t, want, got[k], "shard %d: %+v", k, q)
		count += len(want)
	}
	require.Equal(t, tokenindex.Together{Count: int64(count)}, found, "%+v", q)
	counted, err := x.EachCNF(t.Context(), q, nil)
	require.NoError(t, err)
	require.Equal(t, found, counted)
	return count
}

// What occurs together is what the definition says: all small requests, and random ones of many clauses.
func TestCNF(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	random := func(documents, length int, tokens uint32) (list [][]uint32) {
		for range documents {
			document := make([]uint32, rng.IntN(length))
			for i := range document {
				document[i] = 1 + rng.Uint32N(tokens)
			}
			list = append(list, document)
		}
		return list
	}
	x, shards := cnfIndex(t, random(5, 8, 3), nil, random(3, 9, 2))
	var grams [][]uint32
	for a := range uint32(3) {
		grams = append(grams, []uint32{a + 1})
		for b := range uint32(3) {
			grams = append(grams, []uint32{a + 1, b + 1})
		}
	}
	grams = append(grams, []uint32{separator16, 1}, []uint32{2, separator16})
	var clauses [][][]uint32
	for i, gram := range grams {
		clauses = append(clauses, [][]uint32{gram})
		for _, other := range grams[:i+1] {
			clauses = append(clauses, [][]uint32{gram, other})
		}
	}
	some := 0
	for i, clause := range clauses {
		checkCNF(t, x, shards, tokenindex.CNF{Clauses: [][][]uint32{clause}, MaxDiff: 1})
		for _, other := range clauses[:i+1] {
			q := tokenindex.CNF{Clauses: [][][]uint32{other, clause}, MaxDiff: int64(1 + rng.IntN(4)), MaxFreq: 1000}
			some += min(checkCNF(t, x, shards, q), 1)
		}
	}
	assert.Greater(t, some, 1000)

	x, shards = cnfIndex(t, random(8, 12, 8), random(2, 30, 8))
	some = 0
	for range 2000 {
		q := tokenindex.CNF{MaxDiff: int64(1 + rng.IntN(5))}
		for range 3 + rng.IntN(3) {
			clause := [][]uint32{{1 + rng.Uint32N(8)}}
			if rng.IntN(3) == 0 {
				clause = append(clause, []uint32{1 + rng.Uint32N(8), 1 + rng.Uint32N(8)})
			}
			q.Clauses = append(q.Clauses, clause)
		}
		some += min(checkCNF(t, x, shards, q), 1)
	}
	assert.Greater(t, some, 500)
	assert.Less(t, some, 1500)
}

// Tokens of tokengrams have no separators: the file is one document.
func TestCNFWithoutSeparators(t *testing.T) {
	tokens := []uint32{1, separator16, 2, 3, 1}
	dir := t.TempDir()
	put(t, dir, "tokens", file(tokens, 2))
	put(t, dir, "table", encoded(t, tokenindex.Tokengrams, tokens, 2))
	x, err := tokenindex.OpenTable(tokenindex.Tokengrams, 2, filepath.Join(dir, "tokens"), filepath.Join(dir, "table"))
	require.NoError(t, err)
	defer x.Close()
	found, err := x.EachCNF(t.Context(), tokenindex.CNF{Clauses: [][][]uint32{{{2}}, {{1, separator16}}}, MaxDiff: 2},
		func(i int, token int64) error {
			assert.Equal(t, tokenindex.Position{Token: 2, Document: -1, Place: 2}, x.PositionOf(i, token))
			return nil
		})
	require.NoError(t, err)
	assert.Equal(t, tokenindex.Together{Count: 1}, found)
}

// Of many places some are looked at, from all over the table and all shards, and the count is near the truth.
func TestCNFSamples(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	shard := func(documents int) (list [][]uint32) {
		for range documents {
			list = append(list, []uint32{1 + rng.Uint32N(3), 7, 10 + rng.Uint32N(50), 9, 9})
		}
		return list
	}
	x, shards := cnfIndex(t, shard(4000), shard(1), shard(2000))
	q := tokenindex.CNF{Clauses: [][][]uint32{{{7}}, {{1}, {3}, {9}}}, MaxDiff: 1}
	truth := float64(checkCNF(t, x, shards, q))
	for _, limit := range []int64{1, 600, 3000, 5999} {
		q.MaxFreq = limit
		var last [3]int64
		sum := int64(0)
		found, err := x.EachCNF(t.Context(), q, func(i int, token int64) error {
			assert.EqualValues(t, 7, shards[i][token])
			last[i] = max(last[i], token)
			sum++
			return nil
		})
		require.NoError(t, err)
		assert.True(t, found.Approx)
		assert.LessOrEqual(t, sum, limit+2)
		if limit >= 600 {
			assert.InEpsilon(t, truth, float64(found.Count), 0.1)
			assert.Greater(t, last[0], int64(19000))
		}
	}
	// One clause is counted exactly, and the rare one decides how many places are looked at.
	q.MaxFreq = 10
	found, err := x.EachCNF(t.Context(), tokenindex.CNF{Clauses: q.Clauses[:1], MaxDiff: 1, MaxFreq: 10}, nil)
	require.NoError(t, err)
	assert.EqualValues(t, len(placesOf(slices.Concat(shards...), q.Clauses[0])), found.Count)
	assert.False(t, found.Approx)
	q.Clauses = append(q.Clauses, [][]uint32{{7, 13, 9}})
	rare := 0
	for _, tokens := range shards {
		rare += len(placesOf(tokens, q.Clauses[2]))
	}
	q.MaxFreq = int64(rare)
	checkCNF(t, x, shards, q)
}

// Clauses that nobody can ask for are refused; the search ends with the context and with yield.
func TestCNFErrors(t *testing.T) {
	x, _ := cnfIndex(t, [][]uint32{{1, 2, 3}, {1}})
	one := [][]uint32{{1}}
	for _, c := range []struct {
		q   tokenindex.CNF
		why string
	}{
		{tokenindex.CNF{MaxDiff: 1}, "there is no clause"},
		{tokenindex.CNF{Clauses: [][][]uint32{one, {}}, MaxDiff: 1}, "clause 2 of 2 has no n-gram"},
		{tokenindex.CNF{Clauses: [][][]uint32{{{1}, {}}}, MaxDiff: 1}, "clause 1 of 1 has an empty n-gram"},
		{tokenindex.CNF{Clauses: slices.Repeat([][][]uint32{one}, 9), MaxDiff: 1}, "9 clauses: the most are 8"},
		{tokenindex.CNF{Clauses: [][][]uint32{one}}, "at least one token"},
		{tokenindex.CNF{Clauses: [][][]uint32{one}, MaxDiff: 1, MaxFreq: -1}, "not negative"},
		{tokenindex.CNF{Clauses: [][][]uint32{{{1 << 16}}}, MaxDiff: 1}, "more than 2 bytes"},
	} {
		_, err := x.EachCNF(t.Context(), c.q, nil)
		require.ErrorContains(t, err, c.why)
	}
	q := tokenindex.CNF{Clauses: slices.Repeat([][][]uint32{one}, 8), MaxDiff: 1}
	found, err := x.EachCNF(t.Context(), q, nil)
	require.NoError(t, err)
	assert.EqualValues(t, 2, found.Count) // one place may be that of all clauses
	failure := errors.New("enough")
	_, err = x.EachCNF(t.Context(), q, func(int, int64) error { return failure })
	require.ErrorIs(t, err, failure)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(failure)
	_, err = x.EachCNF(ctx, q, nil)
	require.ErrorIs(t, err, failure)
}
