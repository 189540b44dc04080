package radixsort

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cltype"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// SmallTile is the number of pairs of the tiles in which few pairs are sorted.
func SmallTile[K, V uint32 | uint64](s *device.Session, values bool) int {
	r := &tuned.Of(s).RadixSort
	if methodOf(s.Caps()) != onesweep {
		return r.Reduce.WG * r.Reduce.Items
	}
	keyBytes, valueBytes := cltype.Size[K](), 0
	if values {
		valueBytes = cltype.Size[V]()
	}
	tile := r.Tile(keyBytes, valueBytes)
	return tile.WG * tile.Small
}

// SetPortion bounds the pairs of a launch of a onesweep pass, which has whole tiles, and
// returns their number.
func (p *Plan[K, V]) SetPortion(pairs int) int {
	if p.tile != nil {
		tile := p.tile.WG * p.tile.Items
		pairs = max(1, pairs/tile) * tile
		p.maxInLaunch = pairs
	}
	return pairs
}

// KeyBytes is the size of a key.
func (p *Plan[K, V]) KeyBytes() int { return p.keyBytes }
