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
	bits           int // of options
	perGroup       int // windows of a work-group
	windows, heads *device.Kernel
	words          *radixsort.Plan[uint32, uint32]
}

func newFirstSort(b builder, o options) firstSort {
	program, wg := b.session.Program(firstSource(b.set, false)), b.set.Map.WG
	return firstSort{
		grid: b.grid, bits: o.Bits, perGroup: wg * runOf(b.set.Map),
		windows: program.Kernel("suffixsort_windows", wg), heads: program.Kernel("suffixsort_heads", wg),
		words: radixsort.NewPairs[uint32, uint32](b.session, b.n),
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

// sort makes words.high.Cur and words.low.Cur the sorted windows of that width, with the suffixes and, where preceded,
// the symbols before these. The words are returned in the buffers that were Cur, whatever the number of passes.
func (f *firstSort) sort(ws *device.Workspace, t *codedText, width int, preceded bool, words *windowWords) {
	f.begin(width, words)
	f.windows.Launch(intmath.CeilDiv(t.n, f.perGroup), 9*int64(t.n),
		t.args(width), uint32(indexBits(t.n)), cltype.Flag(preceded), words.high.Cur, words.low.Cur)
	f.sortWords(ws, t.n, width, words)
}

// begin exchanges words so that after the passes Cur is what is Cur now.
func (f *firstSort) begin(width int, words *windowWords) {
	if low := 32 - max(width-32, 0); (f.words.Passes(low, 32)+f.words.Passes(0, min(width, 32)))%2 == 1 {
		words.high.Swap()
		words.low.Swap()
	}
}

// sortWords sorts n windows of that width.
func (f *firstSort) sortWords(ws *device.Workspace, n, width int, words *windowWords) {
	f.words.Run(ws, &words.low, &words.high, n, 32-max(width-32, 0), 32) // the bits that only low words have
	f.words.Run(ws, &words.high, &words.low, n, 0, min(width, 32))
}

// findHeads writes the suffixes, the heads and, in text that is not packed, the depths of groups of equal windows; and,
// unless preceding is nil, the symbols before the suffixes.
func (f *firstSort) findHeads(t *codedText, width int, words *windowWords, g *groups,
	depths *device.Buffer[uint8], preceding *device.Buffer[uint32]) {
	n := t.suffixes
	f.heads.Launch(f.tiles(n), 12*int64(n), t.suffixArgs(width), uint32(indexBits(n)),
		words.high.Cur, words.low.Cur, g.suffixes, g.heads, depths.Args(), preceding.Args())
}
