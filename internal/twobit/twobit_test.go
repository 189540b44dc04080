package twobit_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/twobit"
)

func TestPack(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 70 {
		bases := make([]byte, n)
		var want twobit.Counts
		for i := range bases {
			bases[i] = byte(random.IntN(4))
			want[bases[i]]++
		}
		require.Equal(t, want, twobit.Count(bases))
		require.Equal(t, want, twobit.CountAll(bases))
		require.Equal(t, uint64(n), want.Sums()[4])
		low, high := make([]byte, twobit.Bytes(n)), make([]byte, twobit.Bytes(n))
		for i := range low {
			low[i], high[i] = 0xFF, 0xFF
		}
		twobit.PackLow(low, bases)
		twobit.PackHigh(high, bases)
		for i, base := range bases {
			require.Equal(t, base, twobit.LowAt(low, i), "low, %d of %d", i, n)
			require.Equal(t, base, twobit.HighAt(high, i), "high, %d of %d", i, n)
		}
		unpacked := make([]byte, n)
		twobit.UnpackLow(unpacked, low)
		require.Equal(t, bases, unpacked)
		clear(unpacked)
		twobit.UnpackHigh(unpacked, high)
		require.Equal(t, bases, unpacked)
		want[0] += uint64(4*len(low) - n) // zeros after the last one
		require.Equal(t, want, twobit.CountPacked(low))
		require.Equal(t, want, twobit.CountPacked(high))
		if n <= 64 {
			first, second := twobit.Planes(bases)
			got := make([]byte, n)
			for i := range got {
				got[i] = byte(first>>i&1 + second>>i&1*2)
			}
			require.Equal(t, bases, got)
			clear(got)
			twobit.FromPlanes(got, first, second)
			require.Equal(t, bases, got)
		}
		for i := n; i < 4*len(low); i++ {
			require.Zero(t, twobit.LowAt(low, i))
			require.Zero(t, twobit.HighAt(high, i))
		}
	}
}

func TestComplement(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{0, 1, 7, 8, 9, 63, 2047, 2048, 2049, 4096, 1<<18 + 13, 1<<20 + 2} {
		bases := make([]byte, n)
		for i := range bases {
			bases[i] = byte(random.IntN(4))
		}
		want := make([]byte, n)
		for i, base := range bases {
			want[n-1-i] = 3 - base
		}
		turned := make([]byte, n)
		twobit.ReverseComplement(turned, bases)
		require.Equal(t, want, turned, "%d", n)
		twobit.TurnAround(bases)
		require.Equal(t, want, bases, "%d", n)
		twobit.Complement(bases)
		for i := range want {
			want[i] = 3 - want[i]
		}
		require.Equal(t, want, bases, "%d", n)
	}
}

func TestRanks(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{0, 1, 1<<16 - 1, 1 << 16, 1<<16 + 1, 5<<16 + 77} {
		bases := make([]byte, n)
		for i := range bases {
			bases[i] = byte(random.IntN(4))
		}
		ranks := twobit.NewRanks(bases)
		for _, i := range []int{0, n / 3, n / 2, max(n-1, 0), n} {
			require.Equal(t, twobit.Count(bases[:i]), ranks.Before(i), "%d of %d", i, n)
		}
	}
}

func TestOthers(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{0, 1, 9, 1000, 1<<20 - 1, 1<<20 + 5, 3<<20 + 1} {
		codes := make([]byte, n)
		for i := 0; i < n; {
			code := byte(random.IntN(5))
			for end := min(n, i+random.IntN(1<<(1+random.IntN(18)))); i < end; i++ {
				codes[i] = code
			}
		}
		var want []twobit.Run
		for i, code := range codes {
			switch {
			case code < 4:
			case i > 0 && codes[i-1] == 4:
				want[len(want)-1].Length++
			default:
				want = append(want, twobit.Run{Offset: i, Length: 1})
			}
		}
		require.Equal(t, want, twobit.Others(codes), "%d", n)
	}
}
