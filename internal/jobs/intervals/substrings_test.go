package intervals_test

import (
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
						plan, err := e.Substrings(suffixcl.Length(enginetest.WidthOf(text), len(letters)),
							suffixcl.SubstringOptions{Longest: letters, Best: len(letters)}).Plan(ctx)
						require.NoError(t, err)
						require.Equal(t, plan.Device(), st.PeakBytes)
					}
				}
			}
		}
	})
}

func TestFrequentSubstringOptions(t *testing.T) {
	e := enginetest.On(t, suffixcl.EngineOptions{})
	text := suffixcl.Bytes([]byte("abracadabra"))
	got, err := e.Substrings(text, suffixcl.SubstringOptions{Best: 2, By: suffixcl.ByArea, MinLength: 2}).All(t.Context())
	require.NoError(t, err)
	assert.Equal(t, suffixcl.Interval{Left: 1, Right: 2, Depth: 4, Position: 7}, got.At(0))
	assert.Equal(t, suffixcl.Interval{Left: 5, Right: 6, Depth: 3, Position: 8}, got.At(1))
	for _, o := range []suffixcl.SubstringOptions{{}, {Best: 1, Longest: make([]uint8, 3)}, {Best: 1, MinCount: -1}} {
		_, err := e.Substrings(text, o).All(t.Context())
		assert.Error(t, err, "%+v", o)
	}
	_, err = e.Substrings(suffixcl.Documents([]byte("a")), suffixcl.SubstringOptions{Best: 1}).All(t.Context())
	assert.ErrorContains(t, err, "of a set")

	o := suffixcl.SubstringOptions{Best: 10, Longest: []uint8{}}
	without, err := e.Substrings(suffixcl.Length(4, 1000), suffixcl.SubstringOptions{Best: 10}).Plan(t.Context())
	require.NoError(t, err)
	with, err := e.Substrings(suffixcl.Length(4, 1000), o).Plan(t.Context())
	require.NoError(t, err)
	assert.Len(t, with, len(without)+1)
	assert.Equal(t, without.Host()+1000, with.Host())
}
