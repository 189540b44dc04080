package search_test

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/patternset"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
	"github.com/suffixcl/suffixcl/patterns"
)

// matchSymbols searches a text made of some letters for parts of it, and for what is nearly so.
func matchSymbols[T uint16 | uint32](
	t *testing.T, engine *suffixcl.Engine, longest int, letters []T, n int, of func([]T) suffixcl.Text,
	batch func(...[]T) (*patterns.Batch, error),
) {
	rng := rand.New(rand.NewPCG(uint64(n), uint64(len(letters))))
	text := make([]T, n)
	for i := range text {
		text[i] = letters[rng.IntN(len(letters))]
	}
	copy(text[n/2:], text[:n/3])
	list := [][]T{nil, text, slices.Concat(text, text), {letters[0]}, {0}, {1 << 8}}
	for range 200 {
		if n > 0 {
			at := rng.IntN(n)
			pattern := slices.Clone(text[at:min(n, at+1+rng.IntN(20))])
			if rng.IntN(3) == 0 {
				pattern[rng.IntN(len(pattern))]++
			}
			list = append(list, pattern)
		}
	}
	list = slices.DeleteFunc(list, func(pattern []T) bool { return 4*len(pattern) > longest })
	b, err := batch(list...)
	require.NoError(t, err)
	r, err := engine.Arrays(of(text), suffixcl.Want{SA: true}).All(t.Context())
	require.NoError(t, err)
	for _, o := range []suffixcl.MatcherOptions{{}, {SuffixArray: r.SA}} {
		m, err := engine.Matcher(of(text), o).All(t.Context())
		require.NoError(t, err)
		counts, err := m.Count(t.Context(), b)
		require.NoError(t, err)
		got := make([][]uint32, len(list))
		require.NoError(t, m.Locate(t.Context(), b, func(q int, positions []uint32) error {
			got[q] = slices.Clone(positions)
			return nil
		}))
		for q, pattern := range list {
			assert.Equal(t, enginetest.Occurrences(text, pattern), got[q], "%v", pattern)
			assert.Len(t, got[q], int(counts[q]))
		}
		bytes, err := patterns.Of([]byte("ab"))
		require.NoError(t, err)
		_, err = m.Count(t.Context(), bytes)
		assert.ErrorContains(t, err, "symbols of 1 bytes, in a text of symbols of")
		require.NoError(t, m.Close())
	}
}

func TestMatchSymbols(t *testing.T) {
	devicetest.Chunked(t, 1000, func(t *testing.T, e devicetest.Env) {
		engine, err := suffixcl.New(e.Session, suffixcl.EngineOptions{KeepMemory: -1})
		require.NoError(t, err)
		longest := patternset.Longest(e.Session)
		many := make([]uint32, 3000)
		for i := range many {
			many[i] = uint32(i) * 1_234_567
		}
		for _, n := range []int{0, 1, 2, 1000, 5000} {
			for _, letters := range [][]uint16{{1, 2}, {0, 1, 255, 256, 65535}, {7, 7 << 8, 0x4143, 0x4341}} {
				matchSymbols(t, engine, longest, letters, n, suffixcl.Tokens16, patterns.OfTokens16)
			}
			for _, letters := range [][]uint32{{3, 5}, {0, 1 << 31, 1<<32 - 1, 256, 65536}, many} {
				matchSymbols(t, engine, longest, letters, n, suffixcl.Tokens32, patterns.OfTokens32)
			}
		}

		var wrong *suffixcl.MismatchError
		given := suffixcl.MatcherOptions{SuffixArray: []uint32{0, 1}}
		_, err = engine.Matcher(suffixcl.Tokens16([]uint16{2, 1}), given).All(t.Context())
		assert.ErrorAs(t, err, &wrong)
		_, err = engine.Matcher(suffixcl.Tokens16(nil), suffixcl.MatcherOptions{DNA: true}).All(t.Context())
		assert.ErrorContains(t, err, "for texts of bytes and for sets")
		_, err = engine.Matcher(suffixcl.Bytes(nil), suffixcl.MatcherOptions{Documents: true}).All(t.Context())
		assert.ErrorContains(t, err, "for sets of texts")
		for width := range 2 {
			plan, err := engine.Matcher(suffixcl.Length(2+2*width, 1000), suffixcl.MatcherOptions{}).Plan(t.Context())
			require.NoError(t, err)
			assert.NotEmpty(t, plan)
		}

		// A text of bytes is searched, too.
		m, err := engine.Matcher(suffixcl.Bytes([]byte("banana")), suffixcl.MatcherOptions{}).All(t.Context())
		require.NoError(t, err)
		defer m.Close()
		b, err := patterns.Of([]byte("ana"))
		require.NoError(t, err)
		counts, err := m.Count(t.Context(), b)
		require.NoError(t, err)
		assert.Equal(t, []uint32{2}, counts)
		tokens, err := patterns.OfTokens16([]uint16{1})
		require.NoError(t, err)
		_, err = m.Count(t.Context(), tokens)
		assert.Error(t, err)
	})
}

func TestPatternsOfSymbols(t *testing.T) {
	b, err := patterns.OfTokens32([]uint32{1, 2}, nil, []uint32{1 << 24})
	require.NoError(t, err)
	assert.Equal(t, 3, b.Len())
	assert.Equal(t, 4, b.SymbolBytes)
	assert.Equal(t, uint32(1<<24), binary.BigEndian.Uint32(b.Pattern(2)))
	assert.ErrorContains(t, b.Add([]byte("abc")), "pattern 3 has 3 bytes, and symbols of 4")
	assert.Equal(t, 3, b.Len())
}
