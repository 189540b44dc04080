package ranges

import (
	"math"
	"math/bits"

	"github.com/suffixcl/suffixcl/internal/intmath"
)

// key is what the suffixes of an interval are sorted by first: of their first `bits` bits, as they are packed or coded,
// less base, those up to `sorted`. Suffixes of equal keys agree in `chars` characters at least.
type key struct {
	bits, sorted, chars int
	base                uint64
}

// wholeShift is the first bit of the number of characters in a key: ranges_lists.cl, ranges_coded.cl.
const wholeShift = 56

// Keys tell most suffixes of random text apart.
const (
	spareBits = 6 // more than positions have
	digitBits = 8 // of the radix sort
)

// Short keys have 32 bits. They tell 4 of 5 apart at least: the others take less time than a pass more of the radix
// sort, and keys twice as long.
const (
	shortBits      = 32
	spareBitsShort = 2.5
)

// mayShorten tells whether ranges of so many suffixes may have short keys. Bits of wide characters tell less.
func mayShorten(width, capacity int) bool {
	return width <= 4 && math.Log2(float64(capacity))+spareBitsShort <= shortBits
}

// shortKey is what the suffixes of an interval are sorted by first, in 32 bits: their first 64 bits less base, times
// scale / 2^64. Suffixes of equal keys need not agree in a single character.
type shortKey struct{ base, scale uint64 }

// shortKeyOf is that of suffixes whose first 64 bits are in [low, high].
func shortKeyOf(low, high uint64) shortKey {
	switch span := high - low; {
	case span < 1<<shortBits:
		return shortKey{low, math.MaxUint64}
	case span == math.MaxUint64:
		return shortKey{low, 1 << shortBits}
	default:
		scale, _ := bits.Div64(1<<shortBits, 0, span+1)
		return shortKey{low, scale}
	}
}

// redundancyOfCode is how many bits of the code tell as much as one of random text, at least: the characters that a
// character depends on are more than the one before it.
const redundancyOfCode = 1.4

// keyOf is the key of suffixes of n whose first 64 bits are in [low, high], where so many bits tell as much as one of
// random text.
func keyOf(n int, low, high uint64, redundancy float64) (k key) {
	inside := bits.Len64(high - low)
	wanted := math.Ceil((math.Log2(float64(n)+1)+spareBits)*redundancy) - float64(64-inside)
	k.sorted = min(intmath.RoundUp(int(min(max(wanted, 1), wholeShift)), digitBits), wholeShift)
	for k.bits = min(64, 64-inside+k.sorted); ; k.bits-- {
		down := 64 - k.bits
		if k.base = low >> down; bits.Len64(high>>down-k.base) <= k.sorted {
			return k
		}
	}
}

// keyOfAll is the key of suffixes of n without bounds: whole characters of so many bits.
func keyOfAll(n, width int, redundancy float64) key {
	k := keyOf(n, 0, math.MaxUint64, redundancy)
	k.chars = max(k.sorted/width, 1)
	k.bits = k.chars * width
	k.sorted = k.bits
	return k
}
