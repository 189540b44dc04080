package suffixsort

import (
	"math/bits"

	"github.com/suffixcl/suffixcl/internal/intmath"
)

// indexBits is how many bits a suffix takes.
func (r *run) indexBits() int { return max(bits.Len(uint(r.n-1)), 1) }

// firstBits is the number of bits of the first sort, for which there has to be room. Of random text, 8 bits more
// than the length has leave one suffix of 256 unsorted; of others more is better, up to a point.
func (r *run) firstBits() int {
	wanted, most := 40, 64-r.indexBits()
	if r.bringsSymbols() {
		most -= 2
	}
	switch {
	case r.o.bits > 0:
		wanted = r.o.bits
	case r.code.width > 0:
		wanted = min(intmath.RoundUp(bits.Len(uint(r.n))+8, 8), wanted)
	}
	return min(wanted, most)
}

// sortFirst sorts the suffixes by the first windows into sa.
func (r *run) sortFirst() {
	width := r.firstBits()
	hi, lo, inHi, inLo := r.hi, r.lo, min(width, 32), 32-max(width-32, 0) // of the low words from that bit on
	lo.Alt = r.sa
	if (r.sortWords.Passes(inLo, 32)+r.sortWords.Passes(0, inHi))%2 == 1 { // so that they end neither in sa nor where depths are
		hi.Swap()
		lo.Swap()
	}
	r.firstWindows.Launch(intmath.CeilDiv(r.n, r.run), 9*int64(r.n),
		r.textArgs(width), uint32(r.indexBits()), flag(r.preceding != nil), hi.Cur, lo.Cur)
	r.sortWords.Run(r.ws, &lo, &hi, r.n, inLo, 32)
	r.sortWords.Run(r.ws, &hi, &lo, r.n, 0, inHi)
	r.firstHeads.Launch(r.tiles(r.n), 12*int64(r.n), r.textArgs(width), uint32(r.indexBits()), hi.Cur, lo.Cur, r.sa, r.all.groups, r.depths.Args(), r.preceding.Args())
}

func flag(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// textArgs are the arguments of kernels about windows of so many bits.
func (r *run) textArgs(width int) []any {
	return []any{r.text, r.packed, r.table, uint64(r.n), uint32(r.code.width), uint32(width)}
}
