package suitekit

import (
	"slices"
	"unsafe"
)

// Symbol is the type of the symbols of a text that is not of bytes.
type Symbol interface{ uint16 | uint32 }

// Sigmas are the sizes of alphabets around those that implementations may treat apart.
var Sigmas = []int{1, 2, 255, 256, 257, 1 << 10, 1<<14 + 1, 1<<16 - 1, 1 << 16}

// AlphabetLen is the length of a text with an alphabet of so many symbols.
func AlphabetLen(sigma int) int {
	if sigma <= 1<<10 {
		return 2 * sigma
	}
	return sigma + 1<<10
}

// Coding makes symbols of bytes.
type Coding[T Symbol] struct {
	Name string
	Code func(text []byte) []T
}

// Codings are the ones that suites go over.
func Codings[T Symbol]() []Coding[T] {
	greatest := ^T(0)
	each := func(symbol func(text []byte, i int) T) func([]byte) []T {
		return func(text []byte) []T {
			coded := make([]T, len(text))
			for i := range text {
				coded[i] = symbol(text, i)
			}
			return coded
		}
	}
	return []Coding[T]{
		{"bytes", each(func(text []byte, i int) T { return T(text[i]) })},
		// Over all values, 0 and the greatest included.
		{"spread", each(func(text []byte, i int) T { return T(text[i]) * (greatest / 255) })},
		// As many bytes from each place on as a symbol has: large alphabets in texts that repeat as those of bytes do.
		{"grams", each(func(text []byte, i int) (symbol T) {
			for k := range int(unsafe.Sizeof(symbol)) {
				symbol <<= 8
				if i+k < len(text) {
					symbol |= T(text[i+k])
				}
			}
			return symbol
		})},
	}
}

// AlphabetText is a random text of n symbols, in which each of sigma values, spread over all, occurs.
func AlphabetText[T Symbol](n, sigma int, seed uint64) []T {
	rng := Rand(seed, "alphabet", sigma)
	values := make(map[T]bool, sigma)
	for _, value := range []T{0, ^T(0)} {
		if len(values) < sigma {
			values[value] = true
		}
	}
	for len(values) < sigma {
		values[T(rng.Uint32())] = true
	}
	sorted := make([]T, 0, sigma)
	for value := range values {
		sorted = append(sorted, value)
	}
	slices.Sort(sorted)
	text := make([]T, 0, n)
	for len(text) < n {
		for _, k := range rng.Perm(sigma) {
			text = append(text, sorted[k])
		}
	}
	// The rest of what is not all of them once more is as its beginning: it repeats.
	copy(text[n-n%sigma:n], text)
	return text[:n]
}
