package suffixsort

import (
	"math/bits"

	"github.com/suffixcl/suffixcl/device"
)

// maxExtensions bounds the rounds of extension after chains.
const maxExtensions = 4

// extension sorts the suffixes of each group by another window of text.
type extension struct {
	grid
	policy int // of options
	small  smallSort
	keys   *device.Kernel
	middle *middleSort
	large  *largeSort

	classifier *classifier
}

func newExtension(b builder, o options, large *largeSort, c *classifier) extension {
	return extension{
		grid: b.grid, policy: o.Extensions, small: b.smallSort(byWindows), keys: b.maps(listsFile, "extend"),
		middle: newMiddleSort(b, byWindows), large: large, classifier: c,
	}
}

// again tells whether to extend before chains are looked for, once more after so many rounds. width is that of the
// first windows. In packed text of few symbols that repeats few groups have to be sorted without extension. Where
// little is unsorted, it costs little. Where windows had too few bits to tell random text apart, groups are not of what
// repeats.
func (x *extension) again(round int, t *codedText, width, unsorted int) bool {
	switch {
	case x.fixed(t):
		return round == 0 && x.policy >= 0
	case round == 0:
		return unsorted < t.n/4 || width < bits.Len(uint(t.n))+8
	default:
		return round == 1 && unsorted > t.n/20 && unsorted < t.n/4
	}
}

// fixed tells whether again does not depend on what is unsorted: then there is one round, or none.
func (x *extension) fixed(t *codedText) bool {
	return x.policy != 0 || t.width == 0 || t.width > maxWidth
}

// sortSmall sorts the small groups, in which so many suffixes are, and adds to their depths.
func (x *extension) sortSmall(t *codedText, g *groups, small int, d *depths) {
	x.small.sort(g, small, 1+4+32+4, t.suffixArgs(windowBits), d.args())
}

// sortOthers is sortSmall of the large groups, and counts what is unsorted. A large group longer than the list, and
// those after it, stay as they are: then it is not whole. ahead is as in classifier.finish.
func (x *extension) sortOthers(ws *device.Workspace, t *codedText, g *groups, l list, d *depths,
	counts *roundCounts, ahead func()) (whole bool, err error) {
	whole, err = x.classifier.finish(g, counts, x.middle, func() {
		x.middle.run(g, scratchOf(l), counts, 4+32+4, t.suffixArgs(windowBits), d.args())
	}, func() (bool, error) {
		return x.large.each(ws, g, counts, l.capacity(), func(first, end int) {
			x.sortLarge(ws, t, g, l, d, first, end)
		})
	}, ahead)
	if d.uniform > 0 && whole {
		d.uniform += windowBits / t.width
	}
	return whole, err
}

func (x *extension) sortLarge(ws *device.Workspace, t *codedText, g *groups, l list, d *depths, first, end int) {
	m := end - first
	x.large.gather(g, &l, first, end, noKeys, nil)
	x.keys.Launch(x.tiles(m), int64(m)*(8+2+32+8), t.suffixArgs(windowBits),
		l.suffixes.Cur.Args(), l.slots.Args(), uint64(m), l.heads, d.args(), l.keys.Cur)
	x.large.sort(ws, g, &l, m, 16+8, d.each)
}
