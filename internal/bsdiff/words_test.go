package bsdiff

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// What is counted by words is what its definition counts by bytes.
func TestWords(t *testing.T) {
	random := rand.New(rand.NewPCG(41, 2))
	best := func(n int, equal func(i int) bool) (length int) {
		most, agreed := 0, 0
		for i := 1; i <= n; i++ {
			if equal(i - 1) {
				agreed++
			}
			if worth := 2*agreed - i; worth > most {
				most, length = worth, i
			}
		}
		return length
	}
	for range 3000 {
		n := random.IntN(80)
		a, b := make([]byte, n), make([]byte, n)
		for i, letters := 0, 2+random.IntN(300); i < n; i++ {
			a[i] = byte(random.IntN(256))
			if b[i] = a[i]; random.IntN(40) == 0 { // stretches that agree, and others
				letters = 1 + random.IntN(4)
			}
			if random.IntN(letters) > 0 {
				b[i] ^= byte(1 << random.IntN(8))
			}
		}
		equal := func(i int) bool { return a[i] == b[i] }
		count, beginning := 0, n
		for i := n - 1; i >= 0; i-- {
			if equal(i) {
				count++
			} else {
				beginning = i
			}
		}
		require.Equal(t, count, agreeing(a, b))
		require.Equal(t, beginning, common(a, b))
		require.Equal(t, best(n, equal), bestBeginning(a, b))
		require.Equal(t, best(n, func(i int) bool { return equal(n - 1 - i) }), bestEnd(a, b))
	}
}
