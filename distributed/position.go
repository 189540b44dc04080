package distributed

import (
	"unsafe"

	"github.com/suffixcl/suffixcl/internal/parallel"
)

// position of a suffix: 32 bits where the text is shorter than 2^32.
type position interface{ uint32 | uint64 }

// widePositions is the length from which positions have 64 bits.
var widePositions uint64 = 1 << 32

// halves is memory for entries of 64 bits, for twice as many of 32 bits.
func halves(wide []uint64) []uint32 {
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(wide))), 2*len(wide))
}

// widen copies entries.
func widen[P position](to []uint64, from []P) {
	parallel.Do(len(to), 1<<16, func(lo, hi int) {
		for i, v := range from[lo:hi] {
			to[lo+i] = uint64(v)
		}
	})
}
