package intervals_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
)

// Symbols of every width, limits that end common prefixes and limits that do not, parts of all sizes.
func TestFrequentSubstrings(t *testing.T) {
	enginetest.SmallBlocks(t, 37)
	devicetest.Native(t, func(t *testing.T, env devicetest.Env) {
		e, err := suffixcl.New(env.Session, suffixcl.EngineOptions{})
		require.NoError(t, err)
		rng := rand.New(rand.NewPCG(1, 1))
		for _, sigma := range []int{1, 2, 4} {
			for range min(env.Suite.Random, 6) {
				letters := make([]byte, 1+rng.IntN(200))
				for i := range letters {
					letters[i] = byte(rng.IntN(sigma))
				}
				narrow, wide := enginetest.Wider(letters)
				for _, flag := range []uint8{0, suffixcl.SubstringEnd} {
					for _, text := range []suffixcl.Text{
						suffixcl.Bytes(letters), suffixcl.Tokens16(narrow), suffixcl.Tokens32(wide),
					} {
						var st suffixcl.Stats
						ctx := suffixcl.WithStats(t.Context(), &st)
						require.NoError(t, enginetest.CountSubstrings(ctx, e, text, letters, flag), "%q", letters)
						length := suffixcl.Length(enginetest.WidthOf(text), len(letters))
						var most int64 // of the best, and of all
						for _, best := range []int{0, len(letters)} {
							o := suffixcl.IntervalOptions{Longest: letters, Best: best}
							plan, err := e.Intervals(length, o).Plan(ctx)
							require.NoError(t, err)
							most = max(most, plan.Device())
						}
						require.Equal(t, most, st.PeakBytes)
					}
				}
			}
		}
	})
}

func TestFrequentSubstringOptions(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	text := suffixcl.Bytes([]byte("abracadabra"))
	longest := bytes.Repeat([]byte{suffixcl.MaxSubstring}, text.Len())
	best := suffixcl.IntervalOptions{Best: 2, By: suffixcl.ByArea, MinDepth: 2, Longest: longest}
	got, err := e.Intervals(text, best).All(t.Context())
	require.NoError(t, err)
	assert.Equal(t, suffixcl.Interval{Left: 1, Right: 2, Depth: 4, Position: 7}, got.At(0))
	assert.Equal(t, suffixcl.Interval{Left: 5, Right: 6, Depth: 3, Position: 8}, got.At(1))
	for _, o := range []suffixcl.IntervalOptions{
		{Best: -1, Longest: longest}, {Longest: make([]uint8, 3)}, {MinCount: -1, Longest: longest},
		{Supermaximal: true, Longest: longest}, {MaxDepth: 3, Longest: longest}, {MaxCount: 9, Longest: longest},
	} {
		_, err := e.Intervals(text, o).All(t.Context())
		assert.Error(t, err, "%+v", o)
	}
	set := suffixcl.Documents([]byte("a"))
	_, err = e.Intervals(set, suffixcl.IntervalOptions{Longest: make([]uint8, 2)}).All(t.Context())
	assert.ErrorContains(t, err, "for a set")

	o := suffixcl.IntervalOptions{Best: 10, Longest: []uint8{}}
	without, err := e.Intervals(suffixcl.Length(4, 1000), suffixcl.IntervalOptions{Best: 10}).Plan(t.Context())
	require.NoError(t, err)
	with, err := e.Intervals(suffixcl.Length(4, 1000), o).Plan(t.Context())
	require.NoError(t, err)
	assert.Len(t, with, len(without)+1)
	assert.Equal(t, without.Host()+1000, with.Host())
}
