package suitekit

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSizes(t *testing.T) {
	for _, tile := range []int{1, 2, 16, 64, 100, 4096} {
		list := Sizes(tile)
		assert.Equal(t, list, Sizes(tile))
		assert.IsIncreasing(t, list)
		assert.Subset(t, list, []int{0, 1, 2, 3, tile - 1, tile, tile + 1, 2*tile - 1, 2 * tile, 2*tile + 1})
		if tile <= 64 {
			for n := tile - 1; n <= 2*tile+1; n++ {
				assert.Contains(t, list, n)
			}
		}
	}
	assert.Empty(t, Sizes(-1))
}

func TestRotateReachesEverything(t *testing.T) {
	items := []int{0, 1, 2, 3, 4, 5, 6}
	assert.Equal(t, items, Rotate(items, 7, 3))
	seen := map[int]bool{}
	for turn := range 4 {
		chosen := Rotate(items, 2, turn)
		assert.Len(t, chosen, 2)
		for _, item := range chosen {
			seen[item] = true
		}
	}
	assert.Len(t, seen, 7, fmt.Sprint(seen))
}
