package ranges_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/conformance"
	"github.com/suffixcl/suffixcl/internal/ranges"
	"github.com/suffixcl/suffixcl/internal/testkit/devicetest"
)

// Several devices sort texts of fewer pieces than they are, of a piece and a character, and with the last piece full.
// The host packs characters of up to 4 bits; devices pack wider ones.
func TestDelivery(t *testing.T) {
	devicetest.Native(t, func(t *testing.T, e devicetest.Env) {
		none, err := ranges.New[uint32](e.Session, 0, ranges.Options{Width: 2, Devices: 2})
		require.NoError(t, err)
		require.NotEmpty(t, none.Memory())
		for _, n := range []int{1, 65, 2049} {
			for _, sigma := range []int{2, 5, 17, 200} {
				text := make([]byte, n)
				for i := range text {
					text[i] = byte(i * i * i % sigma)
				}
				all, sessions := sorters(t, e, 3, n, ranges.Options{Capacity: 300, Period: 7, Width: ranges.Width(text)})
				var sa []uint32
				_, err := all[0].Run(t.Context(), text, ranges.Job[uint32]{Others: all[1:],
					Yield: func(b ranges.Block[uint32]) error {
						sa = slices.Concat(sa, b.Positions)
						return nil
					}})
				require.NoError(t, err)
				require.Equal(t, conformance.ReferenceSuffixArray(text), sa, "%d of %d", n, sigma)
				for _, s := range sessions {
					require.Zero(t, s.LiveBytes())
				}
			}
		}
	})
}
