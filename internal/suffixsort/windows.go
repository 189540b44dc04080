package suffixsort

import (
	"math/bits"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/internal/cltype"
	"github.com/suffixcl/suffixcl/internal/intmath"
	"github.com/suffixcl/suffixcl/radixsort"
)

// windowBits is the number of bits of text in the key of an extension. The bits below have the number of symbols.
const windowBits = 56

// precedingBits is the number of bits of the symbol before a suffix, which the first sort may bring along.
const precedingBits = 2

// indexBits is the number of bits of a suffix of a text of n characters.
func indexBits(n int) int { return max(bits.Len(uint(n-1)), 1) }

// windowWords are the pairs of words of the first sort: see suffixsort.cl.
type windowWords struct{ high, low radixsort.Pair[uint32] }

// depths are how many symbols groups are sorted by: all of them, in packed text, or each.
type depths struct {
	uniform int // or 0
	each    *device.Buffer[uint8]
}

// args are the arguments of kernels that read depths.
func (d *depths) args() []any { return []any{uint32(d.uniform), d.each.Args()} }

// firstSort sorts suffixes by their first windows.
type firstSort struct {
	grid
	bits                   int // of options
	perGroup               int // windows of a work-group
	windows, packed, heads *device.Kernel
	words                  *radixsort.Series
}

func newFirstSort(b builder, o options) firstSort {
	program, wg := b.session.Program(firstSource(b.set, ofSuffixes)), b.set.Map.WG
	return firstSort{
		grid: b.grid, bits: o.Bits, perGroup: wg * runOf(b.set.Map),
		windows: program.Kernel("suffixsort_windows", wg), packed: program.Kernel("suffixsort_packed_windows", wg),
		heads: program.Kernel("suffixsort_heads", wg),
		words: radixsort.NewSeries(b.session, b.n, false),
	}
}

// width is the number of bits of the windows. Of random text, 8 bits more than the length has leave one suffix of 256
// unsorted; of others more is better, up to a point.
func (f *firstSort) width(t *codedText, preceded bool) int {
	wanted, limit := 40, 64-indexBits(t.suffixes)
	if preceded {
		limit -= precedingBits
	}
	switch {
	case f.bits > 0:
		wanted = max(f.bits, t.width) // a whole symbol
	case t.width > 0 && t.width <= maxWidth:
		wanted = min(intmath.RoundUp(bits.Len(uint(t.n))+8, 8), wanted)
	}
	return min(wanted, limit)
}

// prepare makes ready to sort n windows of that width by words. These are exchanged so that after the passes Cur is
// what is Cur then.
func (f *firstSort) prepare(ws *device.Workspace, n, width int, words *windowWords) *radixsort.Schedule {
	low := radixsort.Range{ // the bits that only low words have
		N: n, Keys: &words.low, Values: &words.high, Lo: 32 - max(width-32, 0), Hi: 32,
	}
	high := radixsort.Range{N: n, Keys: &words.high, Values: &words.low, Hi: min(width, 32)}
	if (f.words.Passes(low)+f.words.Passes(high))%2 == 1 {
		words.high.Swap()
		words.low.Swap()
	}
	return f.words.Prepare(ws, low, high)
}

// make makes words.high.Cur and words.low.Cur the windows of that width, with the suffixes and, where preceded, the
// symbols before these. It clears what the sort of them wants.
func (f *firstSort) make(t *codedText, width int, preceded bool, words *windowWords, sort *radixsort.Schedule) {
	groups, made := intmath.CeilDiv(t.n, f.perGroup), []any{words.high.Cur, words.low.Cur, sort.Cleared()}
	if t.width > 0 {
		f.packed.Launch(groups, 8*int64(t.n)+int64(t.n*t.width/8), t.packed, uint64(t.n), uint32(t.width), uint32(width),
			uint32(indexBits(t.n)), cltype.Flag(preceded), made)
		return
	}
	f.windows.Launch(groups, 9*int64(t.n), t.text, t.codes, uint64(t.n), uint32(width), made)
}

// findHeads writes the suffixes, the heads and, in text that is not packed, the depths of groups of equal windows; and,
// unless preceding is nil, the symbols before the suffixes.
func (f *firstSort) findHeads(t *codedText, width int, words *windowWords, g *groups,
	depths *device.Buffer[uint8], preceding *device.Buffer[uint32]) {
	n := t.suffixes
	f.heads.Launch(f.tiles(n), 12*int64(n), t.suffixArgs(width), uint32(indexBits(n)),
		words.high.Cur, words.low.Cur, g.suffixes, g.heads, depths.Args(), preceding.Args())
}
