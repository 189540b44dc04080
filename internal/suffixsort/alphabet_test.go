package suffixsort

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// optimal is the mean length of the best alphabetic code, by dynamic programming.
func optimal(weights []float64) float64 {
	n := len(weights)
	cost := make([][]float64, n)
	for i := range cost {
		cost[i] = make([]float64, n)
	}
	for size := 2; size <= n; size++ {
		for i := 0; i+size <= n; i++ {
			j := i + size - 1
			sum, best := 0.0, math.Inf(1)
			for k := i; k <= j; k++ {
				sum += weights[k]
			}
			for k := i; k < j; k++ {
				best = min(best, cost[i][k]+cost[k+1][j])
			}
			cost[i][j] = best + sum
		}
	}
	return cost[0][n-1]
}

func TestAlphabeticLengthsAreOptimal(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		weights := make([]float64, 2+rng.IntN(20))
		for i := range weights {
			weights[i] = float64(1 + rng.IntN(1<<rng.IntN(12)))
		}
		var cost float64
		lengths := alphabeticLengths(weights)
		for i, w := range weights {
			cost += w * float64(lengths[i])
		}
		require.InDelta(t, optimal(weights), cost, 1e-6, "%v", weights)
	}
}

// Codes are prefix-free, ascending, and short enough.
func TestCode(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		counts := make([]uint32, 256)
		for range 1 + rng.IntN(256) {
			counts[rng.IntN(256)] = uint32(rng.Uint64() >> (32 + rng.IntN(32)))
		}
		c := newCode(counts, true)
		if c.sigma < 2 {
			continue
		}
		end, first := uint64(0), true
		for b, n := range counts {
			if n == 0 {
				continue
			}
			from, length := uint64(c.table[b]>>16), c.table[b]&0xff
			require.Positive(t, length)
			require.LessOrEqual(t, length, uint32(longestCode))
			require.GreaterOrEqual(t, from, end)
			end = from + 1<<(16-length)
			require.LessOrEqual(t, end, uint64(1<<16))
			if first {
				require.Zero(t, from)
				require.Equal(t, c.table[b], c.table[256])
			}
			first = false
		}
	}
	dna := make([]uint32, 256)
	dna['A'], dna['C'], dna['G'], dna['T'] = 30, 20, 21, 29
	require.Equal(t, 2, newCode(dna, true).width)
	require.Zero(t, newCode(dna, false).width)
	dna['N'] = 1
	require.Zero(t, newCode(dna, true).width)
}

// The table to decode by agrees with decoding symbol by symbol.
func TestDecode(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		counts := make([]uint32, 256)
		for range 2 + rng.IntN(100) {
			counts[rng.IntN(256)] = uint32(1 << rng.IntN(20))
		}
		c := newCode(counts, false)
		if c.sigma < 2 {
			continue
		}
		// next is the bits of the symbol that a code of so many bits begins with; 0 if it has more.
		next := func(code, bits uint32) uint32 {
			for _, entry := range c.table[:256] {
				if length := entry & 0xff; entry != 0 && length <= bits && code>>(bits-length) == entry>>(32-length) {
					return length
				}
			}
			return 0
		}
		for e, got := range c.decode() {
			first := next(uint32(e), decodeBits)
			count, used := uint32(0), uint32(0)
			for length := first; length > 0; length = next(uint32(e)&(1<<(decodeBits-used)-1), decodeBits-used) {
				count, used = count+1, used+length
				if used == decodeBits {
					break
				}
			}
			require.EqualValues(t, count<<8|used<<4|first, got, "%d", e)
		}
	}
}
