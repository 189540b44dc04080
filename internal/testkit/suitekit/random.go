package suitekit

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
)

// Rand returns the generator of one input. Inputs of different classes or
// sizes are independent, and adding a class changes no other.
func Rand(seed uint64, name string, n int) *rand.Rand {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s/%d", name, n)
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}

// Pick draws n bytes of the alphabet.
func Pick(n int, rng *rand.Rand, alphabet string) []byte {
	text := make([]byte, n)
	for i := range text {
		text[i] = alphabet[rng.IntN(len(alphabet))]
	}
	return text
}
