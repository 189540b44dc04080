package suitekit

import "slices"

// everySizeUpTo is the largest tile for which Sizes goes through every size.
const everySizeUpTo = 64

// Sizes returns input sizes, ascending and distinct, that stress an
// implementation working in tiles of the given size: 0, 1, 2, 3; every size from
// tile-1 to 2*tile+1 for tiles of up to 64 (for larger ones the neighbours of
// tile and 2*tile, and some between); the neighbours of tile*tile for
// tiles of up to 64; and a few random sizes of up to 9 tiles, which depend on tile only. A negative
// tile has none.
func Sizes(tile int) []int {
	if tile < 0 {
		return nil
	}
	tile = max(tile, 1)
	rng := Rand(uint64(tile), "sizes", tile)
	sizes := []int{0, 1, 2, 3}
	if tile <= everySizeUpTo {
		for n := tile - 1; n <= 2*tile+1; n++ {
			sizes = append(sizes, n)
		}
		sizes = append(sizes, tile*tile-1, tile*tile, tile*tile+1)
	} else {
		sizes = append(sizes, tile-1, tile, tile+1, 2*tile-1, 2*tile, 2*tile+1)
		for range 4 {
			sizes = append(sizes, tile+rng.IntN(tile))
		}
	}
	for range 4 {
		sizes = append(sizes, rng.IntN(9*tile+1))
	}
	slices.Sort(sizes)
	return slices.Compact(sizes)
}

// Rotate returns count of the items, or all if there are no more, starting
// where call number turn-1 left off.
func Rotate[E any](items []E, count, turn int) []E {
	if count >= len(items) {
		return items
	}
	var chosen []E
	for i := range count {
		chosen = append(chosen, items[(turn*count+i)%len(items)])
	}
	return chosen
}
