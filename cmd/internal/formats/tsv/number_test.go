package tsv

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAppendNumber(t *testing.T) {
	numbers := []uint64{0, math.MaxUint32, math.MaxUint64}
	for shift := range 64 {
		numbers = append(numbers, 1<<shift-1, 1<<shift, rand.Uint64()>>shift)
	}
	for power := uint64(1); power <= math.MaxUint64/10; {
		power *= 10
		numbers = append(numbers, power-1, power, power+1)
	}
	for _, v := range numbers {
		require.Equal(t, "x"+strconv.FormatUint(v, 10), string(AppendNumber([]byte("x"), v)))
	}
}

func BenchmarkAppendNumber(b *testing.B) {
	var line []byte
	var v uint64
	for b.Loop() {
		line = AppendNumber(line[:0], v%1e9)
		v += 12345677
	}
}

func BenchmarkAppendUint(b *testing.B) {
	var line []byte
	var v uint64
	for b.Loop() {
		line = strconv.AppendUint(line[:0], v%1e9, 10)
		v += 12345677
	}
}
