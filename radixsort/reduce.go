package radixsort

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tuned"
)

// chunk is the number of pairs that one work-group handles.
func (p *Plan[K, V]) chunk(n int) int {
	shape := &tuned.Of(p.s).RadixSort
	tile := shape.Reduce.WG * shape.Reduce.Items
	if p.method != chunks {
		return tile
	}
	return max(tile, intmath.CeilDiv(n, shape.Chunks*p.s.Caps().ComputeUnits))
}

// maxTiles bounds the chunks of m pairs for every m <= n; on CPU-shaped devices a
// shorter input may have more than a longer one.
func (p *Plan[K, V]) maxTiles(n int) int {
	shape := &tuned.Of(p.s).RadixSort
	tiles := intmath.CeilDiv(n, shape.Reduce.WG*shape.Reduce.Items)
	if p.method == chunks {
		tiles = min(tiles, shape.Chunks*p.s.Caps().ComputeUnits)
	}
	return tiles
}

// reduce enqueues the passes.
func (j *job[K, V]) reduce(passes int) {
	for place := range passes {
		j.reducePass(place, place == passes-1)
	}
}

// reducePass enqueues a pass: count, scan, write.
func (j *job[K, V]) reducePass(place int, last bool) {
	defer j.ws.Reset(j.ws.Mark())
	chunk := j.chunk(j.n)
	tiles := intmath.CeilDiv(j.n, chunk)
	shift, bits := j.digit(place)
	counts := device.Carve[uint32](j.ws, tiles<<bits)
	first := j.firstPass()
	args := []any{counts, uint64(j.n), uint64(chunk), shift, bits}
	j.count[first].Launch(tiles, j.countBytes(), args, j.inputs(first, true))
	j.counts.Run(j.ws, counts, counts, tiles<<bits)
	j.kernels(last).scatter[first].Launch(tiles, j.passBytes(), args, j.outputs(first), j.finishing(last))
	j.passed()
}
