package ranges

import (
	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/intmath"
)

// partLen is how many elements are compared with bounds at a time: a multiple of 64. The bitmap is for so many.
var partLen = 1 << 30

// elements are what suffixes are collected from: `count` of a kind of ranges_collect.cl.
type elements[P uint32 | uint64] struct {
	kind  uint32
	list  *device.Buffer[P] // of those that are listed
	count int
}

// Kinds of elements.
const (
	ofText   = 0
	ofSample = 1
	ofList   = 2
)

// collect lists the suffixes of an interval, the shortest first, and returns how many there are. The list has as many
// as there is room for.
func (r *run[P]) collect(i interval, to *device.Buffer[P]) (count int, err error) {
	s, k := r.session, &r.kernels
	chosen, counts := r.memory.chosen.Buffer(s), r.memory.tiles.Buffer(s)
	for end := r.from.count; end > 0; {
		first := (end - 1) / partLen * partLen
		of := []any{r.from.kind, r.from.list, uint64(r.from.count), uint64(first), uint64(end - first)}
		words := bitmapOf(end - first)
		tiles, bytes := intmath.CeilDiv(words, k.collected), 4*int64(words)
		k.choose.Launch(tiles, bytes+int64(end-first)*int64(r.shape.width)/8, r.textArgs(r.shape), r.coverArgs(), r.ranks,
			uint32(r.depth), i.args(), of, chosen, counts)
		r.primitives.counts.Run(r.ws, counts, counts, tiles+1)
		k.list.Launch(tiles, bytes, r.textArgs(r.shape), r.coverArgs(), of, r.tagged(), chosen, counts, uint64(count),
			uint64(to.Len()), to)
		var more [1]uint64
		if err := counts.View(tiles, 1).Read(more[:]); err != nil {
			return 0, err
		}
		count += int(more[0])
		end = first
	}
	return count, nil
}

// tagged tells, as an argument of kernels, whether listed suffixes have the characters before them.
func (r *run[P]) tagged() uint32 {
	o := r.options
	if r.ranks != nil && o.Transform && (o.NoPositions || o.Packed) && wide[P]() == 8 {
		return 1
	}
	return 0
}

// A scan of the whole text for each range takes longer than all else where there are many. Beyond manyScans ranges a
// list has the suffixes of about rangesOfGroup of them, which a scan of the list tells apart.
var manyScans = 256

const rangesOfGroup = 5

// group is the suffixes of some ranges in a row. The zero value is none.
type group[P uint32 | uint64] struct {
	first, end int // ranges
	elements[P]
}

// collectFrom chooses what the suffixes of a range are collected from.
func (r *run[P]) collectFrom(number int) error {
	text := elements[P]{kind: ofText, count: r.n}
	if r.memory.lists.group == nil {
		r.from = text
		return nil
	}
	g, list := &r.group, r.memory.lists.group.Buffer(r.session)
	if number < g.first || number >= g.end {
		r.from = text
		for ranges := rangesOfGroup; ; ranges /= 2 {
			*g = group[P]{first: number, end: min(number+ranges, r.order.ranges())}
			if g.end-number < 2 {
				return nil
			}
			of := r.intervalOf(number)
			of.high = r.intervalOf(g.end - 1).high
			var err error
			if g.count, err = r.collect(of, list); err != nil {
				return err
			}
			if g.count <= list.Len() {
				break
			}
		}
		g.elements = elements[P]{kind: ofList, list: list, count: g.count}
	}
	r.from = g.elements
	return nil
}
