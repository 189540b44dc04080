package entries

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// A group is the number whose digits are its entries.
func TestPackGroup(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for bits := 1; bits <= 64; bits++ {
		for n := range Group + 1 {
			values := make([]uint64, n)
			number := new(big.Int)
			for i := range values {
				values[i] = rng.Uint64() // with higher bits
				digit := new(big.Int).SetUint64(values[i] & (1<<bits - 1))
				number.Or(number, digit.Lsh(digit, uint(i*bits)))
			}
			want := number.FillBytes(make([]byte, (n*bits+7)/8))
			slices.Reverse(want)
			got := make([]byte, len(want)+1)
			got[len(want)] = 0xa5
			for i := range want {
				got[i] = 0xff // what was there does not matter
			}
			PackGroup(got, bits, values)
			require.Equal(t, append(want, 0xa5), got, "%d of %d bits", n, bits)
		}
	}
}
