package suffixsort

import (
	"math/bits"

	"github.com/suffixcl/suffixcl/device"
	"github.com/suffixcl/suffixcl/radixsort"
)

// firstWords are what the first sort moves.
type firstWords[T radixsort.Value] struct {
	hi radixsort.Pair[T]
	lo radixsort.Pair[uint32]
}

// aim places the words so that after so many passes they are not in sa, nor where depths are.
func (f *firstWords[T]) aim(sa *device.Buffer[uint32], passes int) {
	f.lo.Alt = sa
	if passes%2 == 1 {
		f.hi.Swap()
		f.lo.Swap()
	}
}

// args are the words as arguments of a kernel.
func (f *firstWords[T]) args() []any { return []any{f.hi.Cur, f.lo.Cur} }

// firstSort is the first sort, by words of either width.
type firstSort struct {
	kernels   firstKernels
	aim, sort func()
	args      func() []any
}

// first is the sort by windows of so many bits.
func (r *run) first(width int) firstSort {
	if r.wide() {
		f := &r.wideFirst
		return firstSort{r.first64,
			func() { f.aim(r.sa, r.sort64.Passes(8, 8+width)) },
			func() { r.sort64.Run(r.ws, &f.hi, &f.lo, r.n, 8, 8+width) },
			f.args}
	}
	f, inHi, inLo := &r.narrowFirst, min(width, 32), 32-max(width-32, 0) // of the low words from that bit on
	return firstSort{r.first32,
		func() { f.aim(r.sa, r.sort32.Passes(inLo, 32)+r.sort32.Passes(0, inHi)) },
		func() {
			r.sort32.Run(r.ws, &f.lo, &f.hi, r.n, inLo, 32)
			r.sort32.Run(r.ws, &f.hi, &f.lo, r.n, 0, inHi)
		},
		f.args}
}

// indexBits is how many bits a suffix takes.
func (r *run) indexBits() int { return max(bits.Len(uint(r.n-1)), 1) }

// wide tells whether high words of the first sort have 64 bits.
func (r *run) wide() bool { return !r.lean && r.code.width == 0 }

// firstBits is the number of bits of the first sort, for which there has to be room. Of random text, 8 bits more
// than the length has leave one suffix of 256 unsorted; of others more is better, up to a point.
func (r *run) firstBits() int {
	wanted, most := 48, 64-r.indexBits()
	if r.bringsSymbols() {
		most -= 2
	}
	if r.wide() {
		wanted, most = windowBits, windowBits
	}
	switch {
	case r.o.Bits > 0:
		wanted = r.o.Bits
	case r.code.width > 0:
		wanted = min(device.Groups(bits.Len(uint(r.n))+8, 8)*8, 40)
	}
	return min(wanted, most)
}

// sortFirst sorts the suffixes by the first windows into sa.
func (r *run) sortFirst() {
	width := r.firstBits()
	first := r.first(width)
	first.aim()
	first.kernels.windows.Launch(device.Groups(r.n, r.run), 9*int64(r.n), r.textArgs(width), uint32(r.indexBits()), flag(r.preceding != nil), first.args())
	first.sort()
	first.kernels.heads.Launch(r.tiles(r.n), 12*int64(r.n), r.textArgs(width), uint32(r.indexBits()), first.args(), r.sa, r.all.groups, r.depths.Args(), r.preceding.Args())
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
