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
	large  *largeSort
}

func newExtension(b builder, o options, large *largeSort) extension {
	return extension{
		grid: b.grid, policy: o.Extensions, small: b.smallSort(byWindows), keys: b.maps(listsFile, "extend"), large: large,
	}
}

// again tells whether to extend before chains are looked for, once more after so many rounds. width is that of the
// first windows. In packed text of few symbols that repeats few groups have to be sorted without extension. Where
// little is unsorted, it costs little. Where windows had too few bits to tell random text apart, groups are not of what
// repeats.
func (x *extension) again(round int, t *codedText, width, unsorted int) bool {
	switch {
	case x.policy != 0 || t.width == 0 || t.width > maxWidth:
		return round == 0 && x.policy >= 0
	case round == 0:
		return unsorted < t.n/4 || width < bits.Len(uint(t.n))+8
	default:
		return round == 1 && unsorted > t.n/20 && unsorted < t.n/4
	}
}

// sort sorts each group, and adds to its depth. A large group longer than the list, and those after it, stay as they
// are.
func (x *extension) sort(ws *device.Workspace, t *codedText, g *groups, l list, d *depths, counts *roundCounts) error {
	x.small.sort(g, 1+4+32+4, t.args(windowBits), d.args())
	whole, err := x.large.each(ws, g, counts, l.capacity(), func(first, end int) {
		x.sortLarge(ws, t, g, l, d, first, end)
	})
	if err != nil {
		return err
	}
	if d.uniform > 0 && whole {
		d.uniform += windowBits / t.width
	}
	return nil
}

func (x *extension) sortLarge(ws *device.Workspace, t *codedText, g *groups, l list, d *depths, first, end int) {
	m := end - first
	x.large.gather(g, &l, first, end, noKeys, nil)
	x.keys.Launch(x.tiles(m), int64(m)*(8+2+32+8), t.args(windowBits),
		l.suffixes.Cur.Args(), l.slots.Args(), uint64(m), l.heads, d.args(), l.keys.Cur)
	x.large.sort(ws, g, &l, m, 16+8, d.each)
}
