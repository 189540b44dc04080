package duplicates

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/internal/tuned"
	"github.com/suffixcl/suffixcl/scan"
)

// Modes of duplicates_select.
const (
	selectCount = iota
	selectList
	selectHistogram
	selectMark
)

// Values of Keep in the kernels.
const (
	keepNone = iota
	keepFirst
	keepOther
)

const (
	placeBits   = 10 // PLACE_BITS of duplicates.cl
	itemShift   = 2 * placeBits
	bucketBits  = 12 // BUCKET_BITS of duplicates_select.cl
	mostWidth   = 1 << placeBits
	anyLike     = ^uint64(0)
	anyKey      = ^uint64(0)
	mostKeyBits = 64
)

// shape has the sizes by which a device treats windows of a length.
type shape struct {
	length, symbolBytes int
	width               int // grams of a window
	span                int // windows of a tile
	tile                int // elements of the maps
}

func source(symbolBytes int, template string) device.Source {
	return device.Source{Files: []string{"text.cl", "words.cl", "duplicates.cl"},
		Defines: device.Defines{"DUPLICATES_" + template: 1, "SYMBOL_BYTES": symbolBytes}}
}

// kernels are the kernels of programs that do not depend on the length of the text.
type kernels struct {
	shape
	choose, keys, sizes, compare, settle, like *device.Kernel
}

func newKernels(s *device.Session, o Options) kernels {
	t, m := tuned.Of(s).Duplicates, tuned.Of(s).Map
	places := t.WG * t.Items
	k := kernels{shape: shape{length: o.Length, symbolBytes: o.SymbolBytes, tile: m.WG * m.Items}}
	// A tile has windows for three fourths of its places or more, where it has places for grams.
	k.width = max(min(o.Length/2, mostWidth, places/4), 1)
	k.span = places - k.width + 1
	if s.Caps().CPUShape {
		k.span = places
	}
	choose := s.Program(device.Source{Files: []string{"text.cl", "words.cl", "duplicates.cl", "duplicates_select.cl"},
		Defines: device.Defines{"WG": t.WG, "ITEMS": t.Items, "SYMBOL_BYTES": o.SymbolBytes, "MOST_WIDTH": mostWidth}})
	k.choose = choose.Kernel("duplicates_select", t.WG)
	classes := s.Program(device.Source{Files: []string{"text.cl", "words.cl", "duplicates.cl", "duplicates_classes.cl"},
		Defines: device.Defines{"WG": m.WG, "TILE": k.tile, "SYMBOL_BYTES": o.SymbolBytes}})
	k.keys = classes.Kernel("duplicates_keys", m.WG)
	k.sizes = classes.Kernel("duplicates_sizes", m.WG)
	k.compare = classes.Kernel("duplicates_compare", m.WG)
	k.settle = classes.Kernel("duplicates_settle", m.WG)
	tuned.Rarely(s, func() { k.like = classes.Kernel("duplicates_like", m.WG) })
	return k
}

// tiles is the number of work-groups of the maps for n elements.
func (k *kernels) tiles(n int) int { return intmath.CeilDiv(n, k.tile) }

// selectTiles is the number of tiles in which anchors of windows are chosen.
func (k *kernels) selectTiles(windows int) int { return intmath.CeilDiv(windows, k.span) }

// items is about how many items there are of so many windows of no particular kind.
func (k *kernels) items(windows int) int { return windows/(k.width+1)*2 + k.selectTiles(windows) }

// counts sums up the numbers of items of tiles.
type counts struct {
	slot *device.Slot[uint64]
	sums *scan.Plan[uint64]
}

func newCounts(s *device.Session, l *device.Layout, tiles int) counts {
	return counts{device.Reserve[uint64](l, "items of tiles", tiles+1), scan.NewPlan[uint64](s, tiles+1, scan.Options{})}
}

// selection chooses the items of a text, or of a piece of one.
type selection struct {
	k         *kernels
	s         *device.Session
	text      *device.Buffer[uint8]
	documents *device.Buffer[uint64]
	entries   int
	windows   int
	base      int
	counts    counts
	ws        *device.Workspace
	histogram *device.Buffer[uint32]
	bits      *device.Buffer[uint32]
}

// launch runs duplicates_select on the items with keys in [low, high].
func (c *selection) launch(mode int, low, high uint64, have int, keys, items *device.Buffer[uint64]) {
	capacity := 0
	if keys != nil {
		capacity = min(keys.Len(), items.Len())
	}
	k := c.k
	k.choose.Launch(k.selectTiles(c.windows), int64(c.windows)*int64(k.symbolBytes), c.text, uint64(c.windows),
		uint64(c.base), c.documents, uint64(c.entries), uint32(k.length), uint32(k.width), low, high, uint32(mode),
		c.counts.slot.Buffer(c.s), uint64(have), uint64(capacity), keys, items, c.histogram, c.bits)
}

// count is the number of items with keys in [low, high]. Their places are ready for list.
func (c *selection) count(low, high uint64) (int, error) {
	tiles := c.k.selectTiles(c.windows)
	counts := c.counts.slot.Buffer(c.s)
	counts.View(tiles, 1).Fill(0)
	c.launch(selectCount, low, high, 0, nil, nil)
	c.counts.sums.Run(c.ws, counts, counts, tiles+1)
	var total [1]uint64
	err := counts.View(tiles, 1).Read(total[:])
	return int(total[0]), err
}

// list writes the items that were counted, from number `have` on.
func (c *selection) list(low, high uint64, have int, keys, items *device.Buffer[uint64]) {
	c.launch(selectList, low, high, have, keys, items)
}

// bucket is a range of keys.
type bucket struct {
	low, high uint64
	items     int
}

// buckets makes parts of up to `capacity` items from a histogram. A part with more items is a single entry of the
// histogram.
func buckets(histogram []uint64, capacity int) (parts []bucket) {
	for b, items := range histogram {
		low := uint64(b) << (64 - bucketBits)
		high := low | (1<<(64-bucketBits) - 1)
		if items == 0 {
			continue
		}
		if k := len(parts) - 1; k >= 0 && uint64(parts[k].items)+items <= uint64(capacity) {
			parts[k].high, parts[k].items = high, parts[k].items+int(items)
			continue
		}
		parts = append(parts, bucket{low, high, int(items)})
	}
	return parts
}
