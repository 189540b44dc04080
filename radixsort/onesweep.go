package radixsort

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// rowWords is ROW of radixsort_onesweep.cl: what a launch of a pass gets in addition to the
// histogram, its ticket for one.
const rowWords = radix + 32

// tileItems is the number of pairs of a work-item for a sort of n.
func (p *Plan[K, V]) tileItems(n int) int {
	if intmath.CeilDiv(n, p.tile.WG*p.tile.Items) <= p.smallTiles {
		return p.tile.Small
	}
	return p.tile.Items
}

// tiles is the number of tiles of one launch, at most, of a sort of n. Its launches are
// equal: each clears the words of the next, and a short one would do so alone.
func (p *Plan[K, V]) tiles(n int) int {
	return intmath.CeilDiv(intmath.CeilDiv(n, p.tile.WG*p.tileItems(n)), max(1, intmath.CeilDiv(n, p.maxInLaunch)))
}

// maxStatusTiles bounds tiles(m) for every m <= n.
func (p *Plan[K, V]) maxStatusTiles() int {
	small := min(p.n, p.smallTiles*p.tile.WG*p.tile.Items) // small tiles up to here
	return max(p.tiles(min(p.n, p.maxInLaunch)), p.tiles(small))
}

func (p *Plan[K, V]) controlWords(launches int) int { return p.keyBytes*radix + launches*rowWords }

func (p *Plan[K, V]) onesweepPieces() device.Pieces {
	launches := p.keyBytes * intmath.CeilDiv(p.n, p.maxInLaunch)
	return device.PieceOf[uint32](p.controlWords(launches) + 2*p.maxStatusTiles()*radix)
}

// onesweep enqueues two kernels and one for each pass, or for each portion of it:
// the words by which tiles talk count at most 2^30 pairs.
func (j *job[K, V]) onesweep(passes int) {
	portions := intmath.CeilDiv(j.n, j.maxInLaunch)
	words := j.controlWords(passes * portions)
	tiles := j.tiles(j.n)
	status := [2]uint64{uint64(words), uint64(words + tiles*radix)} // take turns
	control := device.Carve[uint32](j.ws, words+2*tiles*radix)
	j.clear.Launch(intmath.CeilDiv(words, 4*tuned.Of(j.s).RadixSort.Histogram.WG), 4*int64(words), control, uint32(words))
	j.enqueueHistogram(passes, control, words, tiles*radix)

	tile := j.tileItems(j.n) * j.tile.WG
	large := 0
	if j.tileItems(j.n) != j.tile.Small {
		large = 1
	}
	launch, portion := uint32(0), tiles*tile
	for place := range passes {
		shift, bits := j.digit(place)
		first := j.firstPass()
		outputs := j.outputs(first)
		for start := 0; start < j.n; start += portion {
			count := min(j.n-start, portion)
			more := uint32(0)
			if start+count < j.n {
				more = 1
			}
			j.pass[first][large].Launch(intmath.CeilDiv(count, tile), j.passBytes()/int64(portions),
				control, launch, more, uint32(place), shift, bits, status[0], status[1],
				uint32(tiles), uint64(start), uint32(count), outputs)
			status[0], status[1] = status[1], status[0]
			launch++
		}
		j.passed()
	}
}
