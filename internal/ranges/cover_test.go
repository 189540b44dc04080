package ranges

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Any two residues have a distance at which both are in the cover, and positions are numbered in their order.
func TestCovers(t *testing.T) {
	for period := range covers {
		c, ok := coverOf(period)
		require.True(t, ok)
		table := c.table()
		require.Len(t, table, c.tableLen())
		inCover := make(map[int]bool)
		for _, x := range c.residues {
			inCover[int(x)] = true
		}
		for a := range period {
			for b := range period {
				x := int(table[(b-a+period)%period])
				offset := (x - a + period) % period
				require.True(t, inCover[(a+offset)%period] && inCover[(b+offset)%period], "%d: %d %d", period, a, b)
			}
		}
		samples := 0
		for n := range 3 * period {
			require.Equal(t, samples, c.samples(n), "%d: %d", period, n)
			if inCover[n%period] {
				require.Equal(t, n, c.position(samples))
				samples++
			}
		}
	}
}
