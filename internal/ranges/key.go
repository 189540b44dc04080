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

// redundancy is how many bits of the packed text tell as much as one of random text.
func (r *run[P]) redundancy() float64 { return float64(r.shape.width) / max(r.text.spread, 1e-3) }

// shortens tells whether m suffixes are sorted by short keys.
func (r *run[P]) shortens(m int) bool {
	if r.ranks == nil {
		m = r.samples // keys of an interval are those of all
	}
	return r.primitives.short != nil && !r.codes() && !r.namesEqually() &&
		(math.Log2(float64(m))+spareBitsShort)*r.redundancy() <= shortBits
}

// namesEqually tells whether equal names have to agree in equally many characters: samples are named, for LCP arrays.
func (r *run[P]) namesEqually() bool { return r.ranks == nil && r.options.LCP }

// keyOf is the key of the suffixes of an interval.
func (r *run[P]) keyOf(i interval) key {
	switch {
	case r.codes():
		low, high := r.ends(i, r.codedSuffix)
		k := keyOf(r.n, low, high, redundancyOfCode)
		k.chars = k.bits / longestCode
		return k
	case r.ranks == nil:
		return keyOfAll(r.samples, r.shape.width, r.redundancy())
	}
	low, high := r.ends(i, r.firstBits)
	k := keyOf(r.n, low, high, r.redundancy())
	k.chars = k.bits / r.shape.width
	return k
}

// ends are the first 64 bits of the least suffix that an interval may have, and of the greatest. Those of samples that
// are named are not known: they are compared with bounds up to the depth.
func (r *run[P]) ends(i interval, of func(suffix int) uint64) (low, high uint64) {
	high = math.MaxUint64
	if r.ranks == nil {
		return low, high
	}
	if i.low.kind != unbounded {
		low = of(i.low.suffix)
	}
	if i.high.kind != unbounded {
		high = of(i.high.suffix)
	}
	return low, high
}

// firstBits reads the first 64 bits of suffix i from the device. A failure sticks to the session.
func (r *run[P]) firstBits(i int) uint64 {
	var words [2]uint64
	at := i * r.shape.width
	if err := r.memory.packed.Buffer(r.session).View(at/64, 2).Read(words[:]); err != nil {
		r.session.Fail(err)
	}
	return words[0]<<(at%64) | words[1]>>1>>(63-at%64)
}

// bitsOf reads so many characters of suffix i from the device, as they are packed there: a file may have changed.
func (r *run[P]) bitsOf(i, chars int) ([]uint64, error) {
	at, size := i*r.shape.width, chars*r.shape.width
	packed := r.memory.packed.Buffer(r.session)
	words := make([]uint64, min(intmath.CeilDiv(at%64+size, 64)+1, packed.Len()-at/64))
	if err := packed.View(at/64, len(words)).Read(words); err != nil {
		return nil, err
	}
	window := make([]uint64, intmath.CeilDiv(size, 64))
	for k := range window {
		window[k] = words[k] << (at % 64)
		if k+1 < len(words) {
			window[k] |= words[k+1] >> 1 >> (63 - at%64)
		}
	}
	if rest := size % 64; rest > 0 {
		window[len(window)-1] &= math.MaxUint64 << (64 - rest)
	}
	return window, nil
}
