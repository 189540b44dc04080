package arrays_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl"
	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/testkit/enginetest"
)

// Suffix arrays of every width come in blocks, in each order.
func TestBlocksOfArrays(t *testing.T) {
	enginetest.SmallBlocks(t, 37)
	e := enginetest.On(t, suffixcl.EngineOptions{})
	letters, err := conformance.NewText("repeats/sigma=4", 300, 1)
	require.NoError(t, err)
	narrow, wide := enginetest.Wider(letters)
	for _, text := range []suffixcl.Text{suffixcl.Bytes(letters), suffixcl.Tokens16(narrow), suffixcl.Tokens32(wide)} {
		for _, order := range []suffixcl.Order{suffixcl.OrderPlain, suffixcl.OrderMemory} {
			if order == suffixcl.OrderMemory && text.Bytes() != nil {
				continue
			}
			r, err := e.Arrays(text, suffixcl.Want{SA: true, Order: order}).All(t.Context())
			require.NoError(t, err)
			var st suffixcl.Stats
			ctx := suffixcl.WithStats(t.Context(), &st)
			require.NoError(t, enginetest.SuffixBlocks(ctx, e, text, order, r.SA))
			plan, err := e.Arrays(suffixcl.Length(enginetest.WidthOf(text), text.Len()), suffixcl.Want{}).Plan(ctx)
			require.NoError(t, err)
			require.Equal(t, plan.Device(), st.PeakBytes)
		}
	}
	require.NoError(t, enginetest.SuffixBlocks(t.Context(), e, suffixcl.Tokens16(nil), suffixcl.OrderPlain, nil))
	stop := errors.New("stop")
	sorted := suffixcl.Want{SA: true}
	assert.ErrorIs(t, enginetest.Run(t.Context(), e.Arrays(suffixcl.Tokens16(narrow), sorted),
		func(*suffixcl.Result) error { return stop }), stop)
	wrong := suffixcl.Want{SA: true, Order: suffixcl.OrderEndLargest}
	_, err = e.Arrays(suffixcl.Documents(letters), wrong).All(t.Context())
	assert.ErrorIs(t, err, suffixcl.ErrUsage)
	assert.ErrorContains(t, err, "no order")

	// What has no memory for one piece is sorted in ranges, and comes in blocks, too.
	inRanges := enginetest.On(t, suffixcl.EngineOptions{Algorithm: suffixcl.AlgorithmRanges})
	r, err := e.Arrays(suffixcl.Bytes(letters), sorted).All(t.Context())
	require.NoError(t, err)
	require.NoError(t, enginetest.SuffixBlocks(t.Context(), inRanges, suffixcl.Bytes(letters), suffixcl.OrderPlain, r.SA))
}
