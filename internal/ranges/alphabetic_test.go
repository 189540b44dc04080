package ranges

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// Code words keep the order, none begins with another one, and they leave nothing free. The expected length is that of
// the best tree, found by trying all.
func TestAlphabeticWords(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for sigma := range 257 {
		for _, most := range []int{1, 2, 1000} {
			counts := make([]float64, sigma)
			for x := range counts {
				counts[x] = float64(rng.IntN(most))
				if rng.IntN(4) == 0 {
					counts[x] *= 1000
				}
			}
			if sigma == 0 {
				continue
			}
			words, next := alphabeticWords(counts), uint32(0)
			require.Len(t, words, sigma+1)
			for _, word := range words {
				length := word&15 + 1
				require.LessOrEqual(t, length, uint16(longestCode))
				require.Equal(t, next, uint32(word>>4), "%v", counts)
				next += 1 << (longestCode - length)
			}
			require.Equal(t, uint32(1<<longestCode), next, "%v", counts)
		}
	}
}

// bestTree is the least weighted length of an alphabetic code.
func bestTree(weights []float64) float64 {
	n := len(weights)
	best := make([][]float64, n)
	for x := range best {
		best[x] = make([]float64, n)
	}
	for length := 2; length <= n; length++ {
		for from := range n - length + 1 {
			to, sum := from+length-1, 0.0
			for _, weight := range weights[from : to+1] {
				sum += weight
			}
			least := best[from+1][to]
			for cut := from + 1; cut < to; cut++ {
				least = min(least, best[from][cut]+best[cut+1][to])
			}
			best[from][to] = least + sum
		}
	}
	return best[0][n-1]
}

func TestCodeLengths(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		weights := make([]float64, 2+rng.IntN(12))
		for x := range weights {
			weights[x] = float64(1 + rng.IntN(1+rng.IntN(100)))
		}
		got := 0.0
		for x, length := range codeLengths(weights) {
			got += weights[x] * float64(length)
		}
		require.InDelta(t, bestTree(weights), got, 1e-9, "%v", weights)
	}
}

// Coded suffixes of texts with few and with many characters compare as the suffixes do, as far as they differ, and the
// keys of an interval fit.
func TestCodedSuffixes(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, sigma := range []int{1, 2, 5, 127, 128, 129, 256} {
		t.Run(fmt.Sprint(sigma), func(t *testing.T) {
			text := make([]byte, 2000)
			for i := range text {
				text[i] = byte(min(rng.IntN(sigma), rng.IntN(sigma)))
			}
			of := NewText(text)
			pairs, err := of.pairs()
			require.NoError(t, err)
			c, _ := of.coded()
			a := newAlphabetic(&c, pairs)
			require.LessOrEqual(t, len(a.words), mostCodes)
			require.Len(t, a.words, a.symbols*a.contexts)
			words := make([]uint64, packedWords(len(text), c.width)+wordsOfCoded(c.width))
			for i, b := range text {
				for bit := range c.width {
					at := i*c.width + bit
					words[at/64] |= uint64(c.table[b]>>(c.width-1-bit)&1) << (63 - at%64)
				}
			}
			order := make([]int, len(text))
			for i := range order {
				order[i] = i
			}
			slices.SortFunc(order, func(i, j int) int { return slices.Compare(text[i:], text[j:]) })
			coded := make([]uint64, len(text))
			for x, i := range order {
				coded[x] = a.of(words[i*c.width/64:], c.width, i, len(text))
				if x > 0 {
					require.LessOrEqual(t, coded[x-1], coded[x])
				}
			}
			for range 100 {
				from, to := rng.IntN(len(text)), rng.IntN(len(text))
				k := keyOf(1<<rng.IntN(40), coded[min(from, to)], coded[max(from, to)], redundancyOfCode)
				last := uint64(0)
				for _, whole := range coded[min(from, to) : max(from, to)+1] {
					next := whole>>(64-k.bits) - k.base
					require.LessOrEqual(t, last, next)
					require.Zero(t, next>>k.sorted) // 0 where all bits are
					last = next
				}
			}
		})
	}
}
