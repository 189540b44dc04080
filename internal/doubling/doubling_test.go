package doubling_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/doubling"
	"github.com/suffixcl/suffixcl/internal/tune"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// The rounds of a sorter end on a device that computes wrong.
func TestRounds(t *testing.T) {
	s := tuned.Offline(device.Caps{Name: "a device"}, tune.Set{})
	require.NoError(t, doubling.CheckRound(s, 8, 2, 300)) // depth 256, to 512
	require.EqualError(t, doubling.CheckRound(s, 9, 2, 300),
		"2 suffixes are unsorted after 9 rounds of doubling, enough for every text: a device does not compute right")
}
