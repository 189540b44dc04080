package entries_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/suffixcl/suffixcl/internal/entries"
)

func TestEncode(t *testing.T) {
	for width := 1; width <= 8; width++ {
		for _, n := range []int{0, 1, 7, 8, 9, 15, 16, 17, 31, 100, 1<<17 + 5} {
			t.Run(fmt.Sprintf("%d/%d", width, n), func(t *testing.T) {
				long, short := make([]uint64, n), make([]uint32, n)
				var wantLong, wantShort []byte
				for i := range long {
					long[i] = rand.Uint64() // its upper bytes are cut off
					short[i] = uint32(long[i])
					var word [8]byte
					binary.LittleEndian.PutUint64(word[:], long[i])
					wantLong = append(wantLong, word[:width]...)
					binary.LittleEndian.PutUint64(word[:], uint64(short[i]))
					wantShort = append(wantShort, word[:width]...)
				}
				to := make([]byte, n*width+3)
				guard := to[n*width:]
				copy(guard, "abc")
				entries.Encode(to, width, long)
				require.Equal(t, string(wantLong), string(to[:n*width]))
				require.Equal(t, "abc", string(guard))
				entries.Encode(to, width, short)
				require.Equal(t, string(wantShort), string(to[:n*width]))
				require.Equal(t, "abc", string(guard))

				back := make([]uint64, n)
				entries.Decode(back, width, wantLong)
				for i := range long {
					long[i] &= math.MaxUint64 >> (64 - 8*width)
				}
				require.Equal(t, long, back)
			})
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	for _, width := range []int{4, 5, 8} {
		b.Run(fmt.Sprint(width), func(b *testing.B) {
			from := make([]uint64, 1<<22)
			to := make([]byte, width*len(from))
			b.SetBytes(int64(len(to)))
			for b.Loop() {
				entries.Encode(to, width, from)
			}
			b.ReportMetric(float64(len(from))*float64(b.N)/b.Elapsed().Seconds()/1e9, "G-entries/s")
		})
	}
}
