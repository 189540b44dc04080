package prefixdoubling_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/lab/devicetest"
	"github.com/suffixcl/suffixcl/prefixdoubling"
)

// The rounds of a sorter end on a device that computes wrong, and where options say so.
func TestRounds(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		s := e.Session
		require.NoError(t, prefixdoubling.CheckRound(s, 8, 0, 2, 300)) // depth 256, to 512
		var rounds *prefixdoubling.RoundsError
		require.ErrorAs(t, prefixdoubling.CheckRound(s, 9, 0, 2, 300), &rounds)
		require.Equal(t, prefixdoubling.RoundsError{Unsorted: 2, Rounds: 9, Device: s.Caps().Name}, *rounds)
		require.ErrorContains(t, rounds,
			"2 suffixes are unsorted after 9 rounds of doubling, enough for every text: "+s.Caps().Name)
		require.NoError(t, prefixdoubling.CheckRound(s, 2, 3, 2, 300))
		require.EqualError(t, prefixdoubling.CheckRound(s, 3, 3, 2, 300),
			"2 suffixes are unsorted after 3 rounds of doubling")
		require.Error(t, prefixdoubling.CheckRound(s, 9, 100, 2, 300))
	})
}
