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

func (p *Plan[K, V]) onesweepPieces(places int) device.Pieces {
	launches := places * intmath.CeilDiv(p.n, p.maxInLaunch)
	return device.PieceOf[uint32](places*radix + launches*rowWords + 2*p.maxStatusTiles()*radix)
}

// control is what the passes of a sort talk by: histograms of their digits, a row for each launch, and status words of
// tiles, in two parts that take turns.
type control struct {
	words  *device.Buffer[uint32]
	row    int    // of the next launch
	status [2]int // of the next launch, and of the one after it
}

func newControl(ws *device.Workspace, places, launches, tiles int) *control {
	row := places * radix
	status := row + launches*rowWords
	return &control{device.Carve[uint32](ws, status+2*tiles*radix), row, [2]int{status, status + tiles*radix}}
}

// onesweep enqueues two kernels and one for each pass, or for each portion of it: the words by which tiles talk count
// at most 2^30 pairs.
func (j *job[K, V]) onesweep(passes int) {
	tiles := j.tiles(j.n)
	c := newControl(j.ws, passes, passes*j.portions(), tiles)
	words := c.status[0]
	j.clear.Launch(intmath.CeilDiv(words, 4*tuned.Of(j.s).RadixSort.Histogram.WG), 4*int64(words), c.words, uint32(words))
	j.enqueueHistogram(passes, c.words, words, tiles*radix)
	for place := range passes {
		j.sweep(c, place, place, tiles, place == passes-1)
	}
}

// portions is the number of launches of a pass.
func (j *job[K, V]) portions() int { return intmath.CeilDiv(j.n, j.maxInLaunch) }

// sweep enqueues a pass of the job, by a histogram of the control. The next pass has so many tiles.
func (j *job[K, V]) sweep(c *control, place, histogram, nextTiles int, last bool) {
	tile := j.tileItems(j.n) * j.tile.WG
	large := 0
	if j.tileItems(j.n) != j.tile.Small {
		large = 1
	}
	tiles := j.tiles(j.n)
	portion := tiles * tile
	shift, bits := j.digit(place)
	first := j.firstPass()
	outputs := j.outputs(first)
	for start := 0; start < j.n; start += portion {
		count, next, more := min(j.n-start, portion), tiles, uint32(1)
		if start+count == j.n {
			next, more = nextTiles, 0
		}
		j.kernels(last).pass[first][large].Launch(intmath.CeilDiv(count, tile), j.passBytes()/int64(j.portions()),
			c.words, uint32(c.row), more, uint32(histogram), shift, bits, uint64(c.status[0]), uint64(c.status[1]),
			uint32(next), uint64(start), uint32(count), outputs, j.finishing(last))
		c.status[0], c.status[1] = c.status[1], c.status[0]
		c.row += rowWords
	}
	j.passed()
}
