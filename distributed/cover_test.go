package distributed

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCover has every pair of residues, and the numbers of samples.
func TestCover(t *testing.T) {
	number := uint64(0)
	for x := range uint64(3 * period) {
		require.Equal(t, number, sampleNumber(x), "before %d", x)
		if sampled[x%period] {
			require.Equal(t, x, samplePosition(number))
			number++
		}
		for y := range uint64(2 * period) {
			k := distance(x, y)
			assert.Less(t, k, uint64(period))
			assert.True(t, sampled[(x+k)%period] && sampled[(y+k)%period], "%d and %d", x, y)
		}
	}
	for n := range uint64(3 * period) {
		sum := uint64(0)
		for _, size := range classSizes(n) {
			sum += size
		}
		assert.Equal(t, sampleNumber(n), sum)
	}
}
